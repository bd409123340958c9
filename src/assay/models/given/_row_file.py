"""Rows of numbers in a file, read where they are: the file is never in memory as a whole."""

import os
import weakref
from collections.abc import Iterator
from threading import Lock
from typing import Any, BinaryIO

import numpy as np

from assay.errors import InputError

__all__ = ["RowFile", "Rows"]

BLOCK = 1 << 22  # bytes that are read at once
Rows = np.ndarray[tuple[Any, ...], np.dtype[Any]]


class RowFile:
    """``count`` rows of ``dimension`` numbers each, from the byte ``offset`` of an open file.

    It is read and not mapped: what a mapped file loses while it is read ends the process, and its
    pages would count as memory of this one. A file that is written to since it was opened is
    refused; one that is replaced stays as it was.
    """

    def __init__(
        self,
        file: BinaryIO,
        *,
        name: str,
        kind: np.dtype[Any],
        count: int,
        dimension: int,
        offset: int = 0,
    ) -> None:
        self.name, self.count, self.dimension = name, count, dimension
        self._file, self._kind, self._offset = file, kind, offset
        self._lock, self._state = Lock(), _state(file)
        weakref.finalize(self, file.close)  # when nobody looks vectors up any more

    def read(self, start: int, count: int) -> Rows:
        """Return some rows that follow each other."""
        width = self.dimension * self._kind.itemsize
        with self._lock:
            self._file.seek(self._offset + start * width)
            data = self._file.read(count * width)
        if len(data) < count * width or _state(self._file) != self._state:
            hint = "run it again when the file is not changing"
            raise InputError("the file changed while it was read", where=self.name, hint=hint)
        return np.frombuffer(data, self._kind).reshape(count, self.dimension)

    def blocks(self) -> Iterator[tuple[int, Rows]]:
        """Yield all rows, many at a time, each time with the number of the first."""
        step = max(1, BLOCK // max(1, self.dimension * self._kind.itemsize))
        for start in range(0, self.count, step):
            yield start, self.read(start, min(step, self.count - start))


def _state(file: BinaryIO) -> tuple[int, int]:
    """Return what changes whenever a file is written to."""
    found = os.fstat(file.fileno())
    return found.st_size, found.st_mtime_ns
