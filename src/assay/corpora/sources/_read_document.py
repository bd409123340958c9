"""A file's bytes -> its document."""

from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from assay.corpora.convert import LARGER, convert, converter_of
from assay.corpora.converters import Converter
from assay.corpora.programs.language_of import language_of
from assay.corpora.sources._streamed_corpus import DocumentRequest
from assay.corpora.text.encoding import HEAD, decode, encoding
from assay.corpora.text.front_matter import front_matter
from assay.errors import InputError
from assay.records import Document
from assay.text.quote import quote_value

__all__ = ["FileBytes", "FileReader", "checked_convert", "is_blank", "unread_document"]


def checked_convert(given: object) -> bool:
    """Refuse a setting that is neither true nor false."""
    if isinstance(given, bool):
        return given
    problem = f"convert: invalid value {quote_value(given)}"
    raise InputError(problem, where="corpus", hint="use true or false")


class FileBytes(NamedTuple):
    """A file: all of its bytes, or the first ones; its size; and its stamp, if it has one."""

    path: str
    uri: str
    data: bytes
    size: int
    stamp: str = ""


class FileReader(NamedTuple):
    """Makes documents of files; with ``converted``, also of PDF and others that are no text.

    ``most`` is the largest size of a file of text in bytes.
    """

    most: int
    converted: bool = True

    def converter(self, path: str) -> Converter | None:
        """Return what converts a file of this name."""
        return converter_of(path) if self.converted else None

    def largest(self, path: str) -> int:
        """Return the largest size of a file of this name: one with images may be larger."""
        found = self.converter(path)
        return self.most * LARGER if found is not None and found.is_container else self.most

    def stamp(self, path: str, stamp: str) -> str:
        """Return a stamp that also changes when another program converts the file."""
        found = self.converter(path)
        return f"{stamp} {found.name}" if found is not None and stamp else stamp

    def read(self, file: FileBytes, asked: DocumentRequest) -> Document | str:
        """Make the document of a file, or say why it is none.

        Without texts and hashes the first bytes are enough. A file that is converted is then taken
        for a document: whether it can be read is known only when it is.
        """
        converter = self.converter(file.path)
        if converter is not None and converter.recognises(file.data[:HEAD]):
            found = _converted(converter, file, asked)
            if not isinstance(found, str) or not converter.is_text:
                return found
        found = _decoded(file, asked)
        wrong = found == "binary" and converter is not None  # its ending says that it is another
        return "damaged" if wrong else found


def _converted(converter: Converter, file: FileBytes, asked: DocumentRequest) -> Document | str:
    document = _document(file, asked, language=converter.language, converter=converter.name)
    if not asked.content:
        return document
    made = convert(converter, file.data)
    if made.reason:
        return made.reason
    text = made.text if asked.texts else ""
    return replace(document, text=text, title=made.title, metadata=made.metadata or {})


def _decoded(file: FileBytes, asked: DocumentRequest) -> Document | str:
    found, head = encoding(file.data[:HEAD]), file.data[:HEAD]
    if not found:
        return "binary"
    language = language_of(file.path, head)
    document = _document(file, asked, language=language)
    text = decode(file.data, found) if asked.texts else ""
    return replace(
        document, text=text, metadata=front_matter(file.data) if language == "markdown" else {}
    )


def _document(
    file: FileBytes, asked: DocumentRequest, *, language: str, converter: str = ""
) -> Document:
    known = unread_document(file.path, uri=file.uri, size=file.size, stamp=file.stamp)
    return replace(
        known,
        content_hash=sha256(file.data).hexdigest() if asked.hashes else "",
        language=language,
        converter=converter,
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


def is_blank(document: Document, file: FileBytes, asked: DocumentRequest) -> bool:
    """Tell whether a file has no text, as far as it was read: it is empty or white space."""
    if document.converter:
        return asked.texts and not document.text.strip()
    return not file.size or (len(file.data) >= file.size and file.data.isspace())
