"""The lists of all queries at one depth, side by side as matrices: a query a line, a row a place.

The places of a query are the rows that any of its lists holds, ascending; a line that needs fewer
than the widest ends in places that hold nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.engines._sweep_heard import Heard, union_of
from assay.records import Bools, Floats, Found, Ints

__all__ = ["View", "view_of"]


@dataclass(frozen=True, eq=False)
class View:
    """What is known at one depth.

    ``places`` says how many places each query uses. For each part, ``ranks`` has the rank of each
    place in its list, counted from 0, and the depth where the list lacks it. ``documents`` numbers
    the documents of all queries, those of each query apart.
    """

    depth: int
    places: Ints
    rows: Ints
    documents: Ints | None
    ranks: tuple[Ints, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """How many queries, and how many places each."""
        queries, width = self.rows.shape
        return queries, width

    @property
    def nbytes(self) -> int:
        """Count the bytes of all matrices, also of those that are made when they are needed."""
        return int(self.rows.nbytes) * (5 + len(self.ranks))

    @cached_property
    def used(self) -> Bools:
        """Which places hold a row."""
        used: Bools = np.arange(self.shape[1]) < self.places[:, None]
        return used

    @cached_property
    def offsets(self) -> Ints:
        """Where the rows of each query begin if they stand one after the other."""
        return np.concatenate([[0], np.cumsum(self.places)])

    @cached_property
    def tail(self) -> Floats:
        """Add nothing to a score, and let the places that hold nothing stand last."""
        return np.where(self.used, 0.0, -np.inf)

    @cached_property
    def begins(self) -> Ints:
        """Where the line of each query begins, in a column."""
        queries, width = self.shape
        return np.arange(queries)[:, None] * width

    def line(self, query: int) -> Ints:
        """Return the rows of one query, ascending."""
        rows: Ints = self.rows[query, : self.places[query]]
        return rows

    def at(self, depth: int) -> "View":
        """Forget what lies deeper in the lists."""
        if depth == self.depth:
            return self
        kept: Bools = np.logical_or.reduce([ranks < depth for ranks in self.ranks])
        places = np.count_nonzero(kept, axis=1)
        return View(
            depth,
            places,
            _packed(self.rows, kept, places, 0),
            None if self.documents is None else _packed(self.documents, kept, places, 0),
            tuple(np.minimum(_packed(one, kept, places, depth), depth) for one in self.ranks),
        )


def view_of(heard: Sequence[Heard], depth: int, documents: Callable[[Ints], Ints] | None) -> View:
    """Lay out what was recorded."""
    unions = [union_of(one.lists) for one in heard]
    places = np.array([len(union) for union in unions], np.int64)
    rows = np.zeros((len(heard), int(places.max(initial=0))), np.int64)
    used = np.arange(rows.shape[1]) < places[:, None]
    rows[used] = np.concatenate([np.empty(0, np.int64), *unions])
    parts = range(len(heard[0].lists) if heard else 0)
    ranks = tuple(_ranks([one.lists[part] for one in heard], unions, used, depth) for part in parts)
    return View(depth, places, rows, documents and _numbered(rows, used, documents), ranks)


def _ranks(lists: Sequence[Found], unions: Sequence[Ints], used: Bools, depth: int) -> Ints:
    ranks = np.full(used.shape, depth, np.int64)
    for line, found, union in zip(ranks, lists, unions, strict=True):
        line[np.searchsorted(union, found.rows)] = np.arange(len(found.rows))
    return ranks


def _numbered(rows: Ints, used: Bools, documents: Callable[[Ints], Ints]) -> Ints:
    codes = documents(rows[used])
    _, codes = np.unique(codes, return_inverse=True)  # a code may be any number
    queries = np.nonzero(used)[0]
    numbers = np.zeros(rows.shape, np.int64)
    pairs = queries * (codes.max(initial=0) + 1) + codes
    numbers[used] = np.unique(pairs, return_inverse=True)[1]
    return numbers


def _packed(matrix: Ints, kept: Bools, places: Ints, empty: int) -> Ints:
    """Move what is kept of each line to its beginning."""
    packed = np.full((len(matrix), int(places.max(initial=0))), empty, np.int64)
    packed[np.arange(packed.shape[1]) < places[:, None]] = matrix[kept]
    return packed
