"""A file's bytes -> its document."""

from hashlib import sha256

from assay.corpora.programs.language_of import language_of
from assay.corpora.sources._streamed_corpus import DocumentRequest
from assay.corpora.text.encoding import HEAD, decode, encoding
from assay.corpora.text.front_matter import front_matter
from assay.records import Document

__all__ = ["is_blank", "read_document", "unread_document"]


def read_document(
    path: str, data: bytes, asked: DocumentRequest, *, uri: str, size: int, stamp: str = ""
) -> Document | None:
    """Make the document of a file; none if it is binary.

    Without texts and hashes the first bytes are enough, and ``size`` says how many there are.
    """
    found = encoding(data[:HEAD])
    if not found:
        return None
    language = language_of(path, data[:HEAD])
    return Document(
        id=path,
        text=decode(data, found) if asked.texts else "",
        uri=uri,
        path=path,
        file_name=path.rpartition("/")[2],
        content_hash=sha256(data).hexdigest() if asked.hashes else "",
        language=language,
        size_bytes=size,
        stamp=stamp,
        metadata=front_matter(data) if language == "markdown" else {},
    )


def unread_document(path: str, *, uri: str, size: int, stamp: str) -> Document:
    """Make the document of a file that is known as it is: without its content and language."""
    name = path.rpartition("/")[2]
    return Document(
        id=path,
        uri=uri,
        path=path,
        file_name=name,
        size_bytes=size,
        stamp=stamp,
    )


def is_blank(data: bytes, size: int) -> bool:
    """Tell whether a file has no text: it is empty or white space.

    ``data`` may be the first bytes of it, ``size`` is that of the whole file.
    """
    return not size or (len(data) >= size and data.isspace())
