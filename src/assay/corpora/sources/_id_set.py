"""Which ids were there before, in some twenty bytes each."""

from array import array

__all__ = ["IdSet"]


class IdSet:
    """A set of hashes: an open-addressing table of 64-bit numbers, at most two thirds full."""

    def __init__(self) -> None:
        self._table = array("Q", [0]) * 1024
        self._count = 0

    def add(self, name: str) -> bool:
        """Take a name in; say whether it, or one of the same hash, was there already."""
        if 3 * self._count >= 2 * len(self._table):
            self._grow()
        number = hash(name) & 0xFFFF_FFFF_FFFF_FFFF or 1  # zero is an empty place
        before = self._count
        self._put(number)
        return self._count == before

    def _put(self, number: int) -> None:
        table, mask = self._table, len(self._table) - 1
        place = number & mask
        while (there := table[place]) and there != number:
            place = (place + 1) & mask
        if not there:
            table[place] = number
            self._count += 1

    def _grow(self) -> None:
        old, self._count = self._table, 0
        self._table = array("Q", [0]) * (2 * len(old))
        for number in old:
            if number:
                self._put(number)
