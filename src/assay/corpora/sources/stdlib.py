"""The standard library of the running Python as documents: real code that everybody has."""

import sysconfig
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from assay.corpora.ignore.patterns import listed
from assay.corpora.sources._streamed_corpus import DocumentRequest, StreamedCorpus
from assay.corpora.sources.folder import folder
from assay.errors import InputError
from assay.records import Corpus, Document
from assay.records.skipped_files import SkippedFiles

__all__ = ["stdlib"]

# What is installed beside the library, what tests it, and what differs from machine to machine.
OUT = (
    "site-packages/",
    "dist-packages/",
    "test/",
    "tests/",
    "idle_test/",
    "__pycache__/",
    "lib-dynload/",
    "/config-*/",
    "/_sysconfigdata*.py",
    "/sitecustomize.py",
    "/usercustomize.py",
)


def stdlib(*, include: object = (), exclude: object = (), name: str = "stdlib") -> Corpus:
    """Read the source of the standard library; uri and path are relative to its folder.

    Installed packages, the library's own tests and files written by the build are omitted.
    """
    place = Path(sysconfig.get_path("stdlib"))
    if not (place / "os.py").is_file():
        hint = "use a Python whose standard library is a folder of .py files"
        raise InputError("this Python has no source files", where=str(place), hint=hint)
    chosen = listed(include, "include") or ["*.py"]
    out = [*listed(exclude, "exclude"), *OUT]  # last, so that no ! takes them back
    found = folder(place, include=chosen, exclude=out, ignored=True, max_file_size=None)
    return StreamedCorpus(name, partial(_read, found, len(place.resolve().as_uri()) + 1))


def _read(
    found: Corpus, start: int, asked: DocumentRequest, skipped: SkippedFiles
) -> Iterator[Document]:
    for document in found.documents(texts=asked.texts, hashes=asked.hashes, known=asked.known):
        if document.path.endswith(".py"):
            yield replace(document, uri=document.uri[start:])
    for reason, number in found.skipped.items():
        skipped.counts[".py", reason] += number
