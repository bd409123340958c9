"""Query, document, value: the rows of any run or judgment file, grouped by query."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.errors import InputError
from assay.records import Bools, Floats, Ints, Names, Words, as_words, fingerprints

__all__ = ["Triples", "gather"]

SPREAD = np.uint64(0x9E3779B97F4A7C15)  # sets the seeds of neighbouring queries far apart
CHUNK = 1 << 16  # rows that are worked on at once: their arrays fit the processor's cache


@dataclass(frozen=True, slots=True, eq=False)
class Triples:
    """Rows in the order of the file, but for queries that were scattered over it.

    The rows of ``queries[i]`` are ``offsets[i]:offsets[i + 1]``. ``place`` names a row for a
    message; ``notes`` says what a reader of the file should know.
    """

    queries: tuple[str, ...]
    offsets: Ints
    documents: Names
    values: Floats
    place: Callable[[int], str]
    notes: tuple[str, ...] = field(default=())

    def query_of(self, row: int) -> str:
        """Return the query that a row belongs to."""
        return self.queries[int(np.searchsorted(self.offsets, row, side="right")) - 1]

    def refuse(self, bad: Bools, problem: Callable[[int], str], hint: str) -> None:
        """Raise for the first bad row, if there is one."""
        if bad.any():
            row = int(bad.argmax())
            raise InputError(problem(row), where=self.place(row), hint=hint)

    def refuse_duplicates(self, hint: str) -> None:
        """Raise when a document stands twice under one query."""
        for low, high in self._chunks():
            found = self._duplicate(low, high)
            if found is not None:
                document = self.documents[found].decode()
                problem = f'document "{document}" stands twice under query "{self.query_of(found)}"'
                raise InputError(problem, where=self.place(found), hint=hint)

    def _chunks(self) -> Iterator[tuple[int, int]]:
        """Cut the queries into runs of about CHUNK rows."""
        low = 0
        while low < len(self.queries):
            limit = self.offsets[low] + CHUNK
            high = max(low + 1, int(np.searchsorted(self.offsets, limit, side="right")) - 1)
            yield low, high
            low = high

    def _duplicate(self, low: int, high: int) -> int | None:
        """Return the later row of a pair with one name in queries low..high."""
        start, end = int(self.offsets[low]), int(self.offsets[high])
        counts = np.diff(self.offsets[low : high + 1])
        of_query = np.repeat(np.arange(high - low, dtype=np.uint64), counts)
        names = self.documents[start:end]
        if not _repeats(fingerprints(as_words(names), of_query * SPREAD)):
            return None
        order = np.lexsort((names, of_query))
        names, group = names[order], of_query[order]
        same = (names[1:] == names[:-1]) & (group[1:] == group[:-1])
        return start + int(order[1:][same].min()) if same.any() else None


def _repeats(keys: Words) -> bool:
    """Say whether a key stands twice, by throwing all into slots: equal keys meet in one.

    The last key thrown into a slot stays. Whoever finds another one there tries again elsewhere.
    """
    bits = max(8, (2 * len(keys)).bit_length())
    slots = np.empty(1 << bits, np.int32)
    for shift in (64 - bits, 32 - bits // 2, 0):
        slot = ((keys >> np.uint64(shift)) & np.uint64((1 << bits) - 1)).view(np.int64)
        slots[slot] = np.arange(len(keys), dtype=np.int32)
        stayed = slots[slot]
        moved = np.flatnonzero(stayed != np.arange(len(keys), dtype=np.int32))
        if (keys[stayed[moved]] == keys[moved]).any():
            return True
        keys = keys[moved]
    ordered = np.sort(keys)
    return bool((ordered[1:] == ordered[:-1]).any())


def gather(
    names: Sequence[str],
    lengths: Sequence[int],
    documents: Names,
    values: Floats,
    place: Callable[[int], str],
    notes: tuple[str, ...] = (),
) -> Triples:
    """Group rows by query; ``names`` and ``lengths`` describe runs of rows of one query."""
    codes: dict[str, int] = {}
    runs = np.array([codes.setdefault(name, len(codes)) for name in names], np.int64)
    counts = np.array(lengths, np.int64)
    order = None
    if (np.diff(runs) < 0).any():
        order = np.argsort(np.repeat(runs, counts), kind="stable")
        documents, values = documents[order], values[order]
    totals = np.bincount(runs, weights=counts, minlength=len(codes)).astype(np.int64)
    offsets = np.concatenate(([0], np.cumsum(totals)))
    at = place if order is None else lambda row: place(int(order[row]))
    return Triples(tuple(codes), offsets, documents, values, at, notes)
