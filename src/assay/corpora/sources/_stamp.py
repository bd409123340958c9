"""What changes whenever a document's content may have: the hash of a record."""

from hashlib import sha256

from assay.records import Document

__all__ = ["stamp_of"]


def stamp_of(document: Document, data: bytes) -> str:
    """Name all that is said of a document that had to be read anyway, in 32 digits."""
    about = (document.title, document.uri, document.path, document.file_name, document.language)
    words = [word.encode("utf-8", "surrogatepass") for word in about]
    lengths = b"".join(len(word).to_bytes(8) for word in words)
    return sha256(b"".join((lengths, *words, data))).hexdigest()[:32]
