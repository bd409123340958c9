"""What changes whenever a document's content may have: the hash of a record."""

import json
from hashlib import sha256

from assay.records import Document

__all__ = ["stamp_of"]


def stamp_of(document: Document, data: bytes) -> str:
    """Name all that is said of a document that had to be read anyway, in 32 digits."""
    about = (document.title, document.uri, document.path, document.file_name, document.language)
    words = [word.encode("utf-8", "surrogatepass") for word in about]
    if document.metadata:  # others keep the stamps that they always had
        words.append(json.dumps(dict(document.metadata), sort_keys=True).encode())
    lengths = b"".join(len(word).to_bytes(8) for word in words)
    return sha256(b"".join((lengths, *words, data))).hexdigest()[:32]
