"""A folder's files as documents, without what git ignores, what is binary and what is too large."""

import os
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from assay.corpora.ignore.gitignore import rules_at
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
from assay.corpora.sources._walk import walk
from assay.corpora.text.encoding import HEAD
from assay.records import Corpus, Document
from assay.records.skipped_files import SkippedFiles, split_stamp

__all__ = ["folder"]

# Never through a link, never waiting for a pipe; what a system does not know, it does not need.
FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    FLAGS |= getattr(os, _flag, 0)

# What changed less than this before it was looked at can change again unseen: clocks have a grain
# (2 s on FAT). It gets no stamp, and so is read again.
GRAIN = 2_000_000_000
About = tuple[int, int, int, int]  # size, times of the content and of the entry, inode
NOTHING: About = (0, 0, 0, 0)


def folder(
    path: str | Path,
    *,
    include: object = (),
    exclude: object = (),
    ignored: bool = False,
    convert: bool = True,
    max_file_size: int | str | None = DEFAULT,
    name: str = "",
) -> Corpus:
    """Read the files below a folder, in the order of their paths.

    ``include`` and ``exclude`` are patterns as in .gitignore. Files that git ignores are omitted
    unless ``ignored``; hidden files are documents like others, links are not followed. Files larger
    than ``max_file_size`` ("5MB", or bytes), binary and unreadable files are skipped and counted.
    With ``convert``, PDF, Word, PowerPoint and HTML files and notebooks are read as their text.
    """
    root, limit = folder_at(path), size_limit(max_file_size)
    reader = FileReader(sys.maxsize if limit is None else limit, checked_convert(convert))
    files = _Files(root, PathFilter(include, exclude), ignored, reader)
    return StreamedCorpus(name or root.name or str(root), files.read, limit=limit)


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a folder that are wanted."""

    root: Path
    wanted: PathFilter
    ignored: bool
    reader: FileReader

    def read(self, asked: DocumentRequest, skipped: SkippedFiles) -> Iterator[Document]:
        """Yield a document for each file that is text, and count the others."""
        rules = None if self.ignored else rules_at(self.root)
        start, top = self.root.as_uri().rstrip("/") + "/", f"{self.root}/"
        settled = time.time_ns() - GRAIN
        for path in walk(self.root, self.wanted, rules, skipped):
            uri, most = start + quote(path), self.reader.largest(path)
            if path in asked.known and (same := self._same(top, path, asked.known[path], most)):
                stamp, failure = split_stamp(asked.known[path])
                if failure:
                    skipped.skip(path, failure, stamp=stamp)
                    continue
                if not same.st_size:
                    skipped.note_empty(path)
                yield unread_document(path, uri=uri, size=same.st_size, stamp=stamp)
                continue
            data, about, reason = _bytes(top + path, most, whole=asked.content)
            size = len(data) if asked.content else about[0]
            stamp = _stamp(about) if max(about[1:3]) < settled else ""
            file = FileBytes(path, uri, data, size, self.reader.stamp(path, stamp))
            found = reason or self.reader.read(file, asked)
            if isinstance(found, str):
                skipped.skip(path, found, stamp=file.stamp, limit=most)
            else:
                if is_blank(found, file, asked):
                    skipped.note_empty(path)
                yield found

    def _same(self, top: str, path: str, known: str, most: int) -> os.stat_result | None:
        """Look at a file without opening it: return what is known of it if it has this stamp."""
        try:
            found = os.lstat(top + path)
        except OSError:
            return None
        fits = stat.S_ISREG(found.st_mode) and found.st_size <= most
        stamp = self.reader.stamp(path, _stamp(_about(found)))
        return found if fits and stamp == split_stamp(known)[0] else None


def _about(found: os.stat_result) -> About:
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino


def _stamp(about: About) -> str:
    return "-".join(map(str, about))


def _bytes(path: str, most: int, *, whole: bool) -> tuple[bytes, About, str]:
    """Read a file or its beginning: its bytes, what it is, and why it cannot be a document."""
    try:
        handle = os.open(path, FLAGS)
    except OSError:
        return b"", NOTHING, "unreadable"
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            return b"", NOTHING, "unreadable"
        if found.st_size > most:
            return b"", NOTHING, "too_large"
        with os.fdopen(handle, "rb", buffering=0, closefd=False) as file:
            data = file.read() if whole else file.read(HEAD)
    except OSError:
        return b"", NOTHING, "unreadable"
    else:
        return data, _about(found), ""
    finally:
        os.close(handle)
