"""Matrices that may serve again, as many as fit into a number of bytes."""

from collections.abc import Callable, Hashable
from typing import Protocol, TypeVar, cast

__all__ = ["Kept"]


class _Large(Protocol):
    @property
    def nbytes(self) -> int: ...


_T = TypeVar("_T", bound=_Large)


class Kept:
    """Remembers what was made under a key; what was not used for longest goes first."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held: dict[Hashable, _Large] = {}

    def get(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """Return what the key stands for, made now if it must be."""
        held = self._held.pop(key, None)
        if held is None:
            held = make()
        self._held[key] = held
        while len(self._held) > 1 and self.nbytes > self._most:
            del self._held[next(iter(self._held))]
        return cast("_T", held)

    @property
    def nbytes(self) -> int:
        """Count the bytes that are held."""
        return sum(one.nbytes for one in self._held.values())
