"""The lists of all queries at one depth, side by side as matrices: a query a line, a row a place.

The places of a query are the rows that any of its lists holds, ascending; a line that needs fewer
than the widest ends in places that hold nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from assay.engines.sweep._layout import Layout, Lines, lay_out_chunks, lay_out_documents
from assay.engines.sweep._part_answers import PartAnswers, union_of
from assay.records import Bools, FoundRows, Ints

__all__ = ["View", "view_of"]


@dataclass(frozen=True, eq=False)
class View:
    """What is known at one depth.

    ``places`` says how many places each query uses. For each part, ``ranks`` has the rank of each
    place in its list, counted from 0, and the depth where the list lacks it. ``documents`` numbers
    the documents of all queries, those of each query apart; ``side_by_side`` tells that the chunks
    of each document are neighbours, as they are in an index.
    """

    depth: int
    places: Ints
    rows: Ints
    documents: Ints | None
    ranks: tuple[Ints, ...]
    side_by_side: bool = False

    @property
    def nbytes(self) -> int:
        """Count the bytes of all matrices, also of those that are made when they are needed."""
        return int(self.rows.nbytes) * (9 + len(self.ranks))

    @cached_property
    def by_chunk(self) -> Layout:
        """How chunks are ranked."""
        return lay_out_chunks(self.places, self.rows)

    @cached_property
    def by_document(self) -> Layout:
        """How documents are ranked whose chunks stand side by side."""
        return lay_out_documents(self.by_chunk, cast("Ints", self.documents))

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
        used = Lines(places, int(places.max(initial=0))).used
        where = np.flatnonzero(kept)

        def packed(matrix: Ints, empty: int) -> Ints:
            """Move what is kept of each line to its beginning."""
            moved = np.full(used.shape, empty, np.int64)
            moved[used] = matrix.ravel()[where]
            return moved

        documents = None if self.documents is None else packed(self.documents, 0)
        ranks = tuple(np.minimum(packed(one, depth), depth) for one in self.ranks)
        return View(depth, places, packed(self.rows, 0), documents, ranks, self.side_by_side)


def view_of(
    heard: Sequence[PartAnswers], depth: int, documents: Callable[[Ints], Ints] | None
) -> View:
    """Lay out what was recorded."""
    unions = [union_of(one.lists) for one in heard]
    places = np.array([len(union) for union in unions], np.int64)
    rows = np.zeros((len(heard), int(places.max(initial=0))), np.int64)
    used = np.arange(rows.shape[1]) < places[:, None]
    rows[used] = np.concatenate([np.empty(0, np.int64), *unions])
    parts = range(len(heard[0].lists) if heard else 0)
    ranks = tuple(_ranks([one.lists[part] for one in heard], unions, used, depth) for part in parts)
    if documents is None:
        return View(depth, places, rows, None, ranks)
    numbers = _numbered(rows, used, documents)
    changes = np.count_nonzero(np.diff(numbers[used], prepend=-1))
    together = bool(changes) and changes == numbers.max(initial=-1) + 1
    return View(depth, places, rows, numbers, ranks, together)


def _ranks(lists: Sequence[FoundRows], unions: Sequence[Ints], used: Bools, depth: int) -> Ints:
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
