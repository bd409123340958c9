"""Lookup: at which row of a run does a document stand.

Open addressing in one array, a stretch of it for about as many queries as fit the processor's cache
together. Building it meets every document that stands twice under one query, so that reading a run
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
    that stands twice.
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
        queries = len(offsets) - 1
        start, bits = np.zeros(queries, np.int64), np.zeros(queries, np.int64)
        seeds = _seeds(np.arange(queries))
        parts, size, repeats = [], 0, False
        for low, high in _stretches(offsets):
            first, end = int(offsets[low]), int(offsets[high])
            row_seeds = np.repeat(seeds[low:high], np.diff(offsets[low : high + 1]))
            keys = fingerprints(as_words(documents[first:end]), row_seeds)
            slots, twice = _fill(keys)
            start[low:high], bits[low:high] = size, len(slots).bit_length() - 1
            slots[slots >= 0] += first
            parts.append(slots)
            size, repeats = size + len(slots), repeats or twice
        joined = np.concatenate(parts) if parts else np.full(1, -1, np.int32)
        return cls(offsets, documents, start, bits, joined, repeats)

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


def _fill(keys: Words) -> tuple[Rows, bool]:
    """Give each key the first free slot from its own on; whoever finds it taken moves to the next.

    Equal keys walk together until one of them stays and the other one meets it.
    """
    bits = max(4, (2 * len(keys) - 1).bit_length())
    slots = np.full(1 << bits, -1, np.int32)
    waiting = np.arange(len(keys), dtype=np.int32)
    place = (keys >> np.uint64(64 - bits)).view(np.int64)
    repeats = False
    while len(waiting):
        free = slots[place] < 0
        slots[place[free]] = waiting[free]
        stayed = slots[place]
        moved = np.flatnonzero(stayed != waiting)
        waiting, place = waiting[moved], place[moved]
        repeats = repeats or bool((keys[stayed[moved]] == keys[waiting]).any())
        place = (place + 1) & ((1 << bits) - 1)
    return slots, repeats
