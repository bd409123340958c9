"""Lookup: at which row of a run does a document stand.

Open addressing in one array, a stretch of it for about as many queries as fit the processor's cache
together. Building it meets every document that occurs twice under one query, so that reading a run
checks for duplicates and prepares its judging in one go.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.records.arrays import Ints, Names, Rows, Words
from assay.records.names import as_words, fingerprints

__all__ = ["Lookup"]

CHUNK = 1 << 16  # rows that share a stretch


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """Where each query's stretch begins, its size as a power of two, and the rows in its slots.

    ``repeats`` says that two rows of one query have the same fingerprint: almost surely a document
    that occurs twice.
    """

    offsets: Ints
    documents: Names
    start: Ints
    bits: Ints
    slots: Rows
    repeats: bool

    @classmethod
    def of(cls, offsets: Ints, documents: Names) -> "Lookup":
        """Put every row of a run into a slot."""
        stretches = list(_stretches(offsets))
        rows = [int(offsets[high] - offsets[low]) for low, high in stretches]
        sizes = [1 << max(4, (2 * count - 1).bit_length()) for count in rows]
        queries = [high - low for low, high in stretches]
        slots = np.full(max(1, sum(sizes)), -1, np.int32)
        seeds, repeats, at = _seeds(np.arange(len(offsets) - 1)), False, 0
        for (low, high), size in zip(stretches, sizes, strict=True):
            first, end = int(offsets[low]), int(offsets[high])
            row_seeds = np.repeat(seeds[low:high], np.diff(offsets[low : high + 1]))
            keys = fingerprints(as_words(documents[first:end]), row_seeds)
            repeats |= _fill(slots[at : at + size], keys, first)
            at += size
        start = np.repeat(np.cumsum([0, *sizes])[:-1], queries)
        bits = np.repeat([size.bit_length() - 1 for size in sizes], queries)
        return cls(offsets, documents, start, bits.astype(np.int64), slots, repeats)

    def find(self, query: Ints, names: Names) -> Ints:
        """Return the row of each document under its query, -1 where it is not there."""
        keys = fingerprints(as_words(names), _seeds(query))
        place = (keys >> (64 - self.bits[query]).astype(np.uint64)).astype(np.int64)
        mask = (1 << self.bits[query]) - 1
        found = np.full(len(query), -1)
        open_ = np.arange(len(query))
        while len(open_):
            row = self.slots[self.start[query[open_]] + place[open_]].astype(np.int64)
            used = row >= 0
            open_, row = open_[used], row[used]
            same = self.documents[row] == names[open_]
            same &= (row >= self.offsets[query[open_]]) & (row < self.offsets[query[open_] + 1])
            found[open_[same]] = row[same]
            open_ = open_[~same]
            place[open_] = (place[open_] + 1) & mask[open_]
        return found


def _seeds(query: Ints) -> Words:
    """Give each query a number of its own, far from its neighbours'."""
    return fingerprints((query + 1).astype(np.uint64).reshape(-1, 1), np.uint64(0))


def _stretches(offsets: Ints) -> Iterator[tuple[int, int]]:
    """Cut the queries into runs of about CHUNK rows."""
    low = 0
    while low < len(offsets) - 1:
        limit = offsets[low] + CHUNK
        high = max(low + 1, int(np.searchsorted(offsets, limit, side="right")) - 1)
        yield low, high
        low = high


def _fill(slots: Rows, keys: Words, first: int) -> bool:
    """Give each key the first free slot from its own on; whoever finds it taken moves to the next.

    Equal keys walk together until one of them stays and the other one meets it: say whether any do.
    """
    waiting = np.arange(first, first + len(keys), dtype=np.int32)
    place = (keys >> np.uint64(65 - len(slots).bit_length())).view(np.int64)
    repeats = False
    while len(waiting):
        free = slots[place] < 0
        slots[place[free]] = waiting[free]
        stayed = slots[place]
        moved = np.flatnonzero(stayed != waiting)
        waiting, place = waiting[moved], (place[moved] + 1) & (len(slots) - 1)
        repeats |= bool((keys[stayed[moved] - first] == keys[waiting - first]).any())
    return repeats
