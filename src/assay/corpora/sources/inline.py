"""Documents in memory, such as those in a dataset's own file."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256

from assay.corpora.programs.language_of import language_of
from assay.corpora.sources._stamp import stamp_of
from assay.corpora.sources._streamed_corpus import DocumentRequest, StreamedCorpus
from assay.errors import InputError
from assay.records import Corpus, Document
from assay.records.metadata import bounded_metadata
from assay.records.skipped_files import SkippedFiles

__all__ = ["inline"]


def inline(documents: Iterable[Document], *, name: str = "documents") -> Corpus:
    """Make a corpus of documents; hash, size, file name and language are filled in if empty."""
    held = tuple(documents)
    seen: set[str] = set()
    for position, document in enumerate(held, 1):
        if not isinstance(document, Document):
            problem = f"item {position}: expected a document, found {type(document).__name__}"
            raise InputError(problem, where=name, hint="pass assay.records.Document objects")
        if document.id in seen:
            problem = f'duplicate id "{document.id}"'
            raise InputError(problem, where=name, hint="give each document an id of its own")
        seen.add(document.id)
    return StreamedCorpus(name, partial(_read, held), from_files=False)


def _read(
    held: tuple[Document, ...], asked: DocumentRequest, skipped: SkippedFiles
) -> Iterator[Document]:
    for given in held:
        document = replace(given, metadata=bounded_metadata(given.metadata))
        data = document.text.encode("utf-8", "replace")
        stamp = document.stamp or stamp_of(document, data)
        same = asked.has(document.id, stamp)
        hashed = document.content_hash or (sha256(data).hexdigest() if asked.hashes else "")
        yield replace(
            document,
            text="" if same else document.text,
            file_name=document.file_name or document.path.rpartition("/")[2],
            content_hash=hashed,
            language=document.language or language_of(document.path, data[:80]),
            size_bytes=document.size_bytes or len(data),
            stamp=stamp,
        )
