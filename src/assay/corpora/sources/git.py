"""A git revision's files as documents, without a checkout."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from assay.corpora.git_program import RepositoryFiles, ask, output
from assay.corpora.ignore.patterns import PathFilter
from assay.corpora.paths import folder_at
from assay.corpora.size_limit import DEFAULT, size_limit
from assay.corpora.sources._read_document import (
    FileBytes,
    FileReader,
    checked_convert,
    is_blank,
    unread_document,
)
from assay.corpora.sources._streamed_corpus import DocumentRequest, StreamedCorpus
from assay.errors import InputError
from assay.records import Corpus, Document
from assay.records.skipped_files import SkippedFiles, split_stamp
from assay.text.quote import quote_value

__all__ = ["git"]

LINK, SUBMODULE = b"120000", b"160000"


def git(
    repository: str | Path,
    revision: str = "HEAD",
    *,
    include: object = (),
    exclude: object = (),
    convert: bool = True,
    max_file_size: int | str | None = DEFAULT,
    name: str = "",
) -> Corpus:
    """Read the files of a revision; of a folder inside of a repository, those below it.

    Links and submodules are skipped and counted, as are binary files and files larger than
    ``max_file_size`` ("5MB", or bytes). A document's uri is ``git:COMMIT:PATH``. With ``convert``,
    PDF, Word, PowerPoint and HTML files and notebooks are read as their text.
    """
    place = folder_at(repository)
    wanted, limit = PathFilter(include, exclude), size_limit(max_file_size)
    prefix = ask(place, "rev-parse", "--show-prefix").decode("utf-8", "replace")
    commit = _commit(place, revision)
    reader = FileReader(sys.maxsize if limit is None else limit, checked_convert(convert))
    files = _Files(place, commit, prefix, wanted, reader)
    return StreamedCorpus(name or f"{place.name}@{revision}", files.read, limit=limit)


def _commit(place: Path, revision: object) -> str:
    if not isinstance(revision, str) or not revision.isprintable() or len(revision) > 1000:
        problem = f"revision: invalid value {quote_value(str(revision), 100)}"
        raise InputError(problem, where=str(place), hint="give a branch, a tag or a commit")
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    found = ask(place, *asked, missing=f'unknown revision "{revision}"')
    return found.decode()


class _Entry(NamedTuple):
    """A line of a tree: what kind of thing it is, its blob, its size, its path."""

    mode: bytes
    blob: bytes
    size: int
    path: bytes


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a revision that are wanted."""

    place: Path
    commit: str
    prefix: str
    wanted: PathFilter
    reader: FileReader

    def read(self, asked: DocumentRequest, skipped: SkippedFiles) -> Iterator[Document]:
        """Yield a document for each file that is text, and count the others."""
        with RepositoryFiles(self.place) as blobs:
            for entry in self._entries():
                path = _named(entry.path)
                if not self.wanted.takes(path):
                    skipped.unmatched += 1
                    continue
                most = self.reader.largest(path)
                reason = _reason(entry, path, most)
                stamp = self.reader.stamp(path, entry.blob.decode())
                uri = f"git:{self.commit}:{self.prefix}{path}"
                known, failure = split_stamp(asked.known.get(path, ""))
                if not reason and known == stamp and failure:
                    reason = failure
                elif not reason and known == stamp:
                    if not entry.size:
                        skipped.note_empty(path)
                    yield unread_document(path, uri=uri, size=entry.size, stamp=stamp)
                    continue
                data = None if reason else blobs.read(entry.blob)
                reason = reason or ("unreadable" if data is None else "")
                file = FileBytes(path, uri, data or b"", len(data or b""), stamp)
                found = reason or self.reader.read(file, asked)
                if isinstance(found, str):
                    skipped.skip(path, found, stamp=stamp, limit=most)
                else:
                    if is_blank(found, file, asked):
                        skipped.note_empty(path)
                    yield found

    def _entries(self) -> Iterator[_Entry]:
        for line in output(self.place, "ls-tree", "-r", "-z", "--long", self.commit):
            about, _, path = line.partition(b"\t")
            mode, _, blob, size = about.split()
            yield _Entry(mode, blob, int(size) if size.isdigit() else 0, path)


def _named(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def _reason(entry: _Entry, path: str, most: int) -> str:
    """Say why an entry cannot be a document before it is read; empty if it can."""
    if entry.mode == LINK:
        return "link"
    if entry.mode == SUBMODULE:
        return "submodule"
    if not path.isascii() and path != entry.path.decode("utf-8", "replace"):
        return "unreadable"  # the bytes of its name are not text
    return "too_large" if entry.size > most else ""
