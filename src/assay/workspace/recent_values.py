"""What was used last, in memory, up to a number of bytes."""

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sized
from typing import Generic, TypeVar

__all__ = ["RecentValues"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Sized)


class RecentValues(Generic[K, V]):
    """Values by key; those that were not used for longest make room for new ones.

    Callers take turns: it has no lock of its own.
    """

    def __init__(self, most_bytes: int) -> None:
        self._most, self._bytes = most_bytes, 0
        self._values: OrderedDict[K, V] = OrderedDict()

    def get_many(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the values of those keys that are here."""
        found = {key: self._values[key] for key in keys if key in self._values}
        for key in found:
            self._values.move_to_end(key)
        return found

    def put_many(self, values: Mapping[K, V]) -> None:
        """Take in values; one that is larger than all room is left out."""
        for key, value in values.items():
            if len(value) > self._most:
                continue
            self._bytes += len(value) - len(self._values.get(key, b""))
            self._values[key] = value
            self._values.move_to_end(key)
        while self._bytes > self._most:
            _, value = self._values.popitem(last=False)
            self._bytes -= len(value)

    def clear(self) -> None:
        """Let go of all of them."""
        self._values.clear()
        self._bytes = 0
