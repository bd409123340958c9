"""A folder's files as documents, without what git ignores, what is binary and what is too large."""

import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from assay.corpora._as_document import as_document
from assay.corpora._content import HEAD
from assay.corpora._ignored import ignored_at
from assay.corpora._patterns import Wanted
from assay.corpora._places import folder_at, limit
from assay.corpora._streamed import Asked, Streamed
from assay.corpora._walk import walk
from assay.records import Corpus, Document

__all__ = ["folder"]

# Never through a link, never waiting for a pipe; what a system does not know, it does not need.
FLAGS = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    FLAGS |= getattr(os, _flag, 0)


def folder(
    path: str | Path,
    *,
    include: object = (),
    exclude: object = (),
    ignored: bool = False,
    max_bytes: int | None = 1_000_000,
    name: str = "",
) -> Corpus:
    """Read the files below a folder, in the order of their paths.

    ``include`` and ``exclude`` are patterns as in .gitignore. What git ignores is left out unless
    ``ignored``; hidden files are documents like others, links are not followed. Files over
    ``max_bytes``, binary and unreadable ones are skipped and counted.
    """
    root = folder_at(path)
    files = _Files(root, Wanted(include, exclude), ignored, limit(max_bytes))
    return Streamed(name or root.name or str(root), files.read)


@dataclass(frozen=True, slots=True)
class _Files:
    """The files of a folder that are wanted."""

    root: Path
    wanted: Wanted
    ignored: bool
    most: int

    def read(self, asked: Asked, skipped: Counter[str]) -> Iterator[Document]:
        """Yield a document for each file that is text, and count the others."""
        rules = None if self.ignored else ignored_at(self.root)
        start = self.root.as_uri().rstrip("/") + "/"
        for path in walk(self.root, self.wanted, rules, skipped):
            data, size, reason = _bytes(f"{self.root}/{path}", self.most, whole=any(asked))
            found = as_document(path, data, asked, uri=start + quote(path), size=size)
            if reason or found is None:
                skipped[reason or "binary"] += 1
            else:
                yield found


def _bytes(path: str, most: int, *, whole: bool) -> tuple[bytes, int, str]:
    """Read a file or its beginning: its bytes, its size, and why it cannot be a document."""
    try:
        handle = os.open(path, FLAGS)
    except OSError:
        return b"", 0, "unreadable"
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            return b"", 0, "unreadable"
        if about.st_size > most:
            return b"", 0, "too_large"
        with os.fdopen(handle, "rb", buffering=0, closefd=False) as file:
            data = file.read() if whole else file.read(HEAD)
    except OSError:
        return b"", 0, "unreadable"
    else:
        return data, len(data) if whole else about.st_size, ""
    finally:
        os.close(handle)
