"""Matrices that may serve again, as many as fit into a number of bytes."""

from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar, cast

import numpy as np

__all__ = ["MatrixCache", "keep_freed_memory"]

KEPT_BYTES = 48_000_000
FREED_BYTES = 24_000_000  # less than 32 MiB, from where on it is never kept


class _Large(Protocol):
    @property
    def nbytes(self) -> int: ...


_T = TypeVar("_T", bound=_Large)


class MatrixCache:
    """Remembers what was made under a key; what was not used for longest goes first."""

    def __init__(self, most_bytes: int = KEPT_BYTES) -> None:
        self._most = most_bytes
        self._held: dict[Hashable, _Large] = {}

    def get(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return the value of a key, computed now if it is not cached."""
        held = self._held.pop(key, None)
        if held is not None:
            self._held[key] = held
            return cast("_T", held)
        made = self._held[key] = make()
        while len(self._held) > 1 and self.nbytes > self._most:
            del self._held[next(iter(self._held))]
        return made

    @property
    def nbytes(self) -> int:
        """Count the bytes that are held."""
        return sum(one.nbytes for one in self._held.values())


def keep_freed_memory() -> None:
    """Let freed matrices serve the next ones.

    The C library of Linux gives memory back to the system at once where an array is larger than
    any that was freed before; to get it again costs more than all that a replay calculates. After
    this one was freed, only larger ones go back (mallopt(3), M_MMAP_THRESHOLD).
    """
    np.empty(FREED_BYTES, np.uint8)
