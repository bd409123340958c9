"""Query, document, value: the rows of any run or judgment file, grouped by query."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from assay.columns.faults import Faults
from assay.columns.ungraded import UnknownTitles
from assay.errors import InputError
from assay.records import Bools, Floats, Ints, Lookup, Names

__all__ = ["Triples", "gather"]


@dataclass(frozen=True, slots=True, eq=False)
class Triples:
    """Rows in the order of the file, but for queries that were scattered over it.

    The rows of ``queries[i]`` are ``offsets[i]:offsets[i + 1]``. ``place`` names a row for a
    message; ``notes`` says what a reader of the file should know. ``labels`` is a further column
    of the file, where one was asked for; of a run it is the tags, if they differ. ``ungraded``
    tells of judgments without a grade column. ``name`` is that of the file; ``read_as`` has the
    number of each row in it, if they were moved. ``ranks`` are those that a run gives to its first
    rows.
    """

    queries: tuple[str, ...]
    offsets: Ints
    documents: Names
    values: Floats
    place: Callable[[int], str]
    notes: tuple[str, ...] = field(default=())
    labels: Names | None = None
    ungraded: UnknownTitles | None = None
    name: str = ""
    read_as: Ints | None = None
    ranks: Floats | None = None

    def query_of(self, row: int) -> str:
        """Return the query that a row belongs to."""
        return self.queries[int(np.searchsorted(self.offsets, row, side="right")) - 1]

    def with_ranks(self, ranks: Floats | None) -> "Triples":
        """Add the ranks of the first rows of the file, wherever these rows are now."""
        if ranks is not None and self.read_as is not None:
            left = np.full(len(self.read_as) - len(ranks), np.nan)
            ranks = np.concatenate((ranks, left))[self.read_as]
        return replace(self, ranks=ranks)

    def refuse(self, bad: Bools, problem: Callable[[int], str], hint: str) -> None:
        """Raise for the first bad rows, if there are any."""
        if bad.any():
            self.refuse_rows(np.flatnonzero(bad).tolist(), problem, hint)

    def refuse_rows(self, rows: Sequence[int], problem: Callable[[int], str], hint: str) -> None:
        """Raise for the first of these rows, and say how many there are."""
        faults = Faults(self.name)
        numbers = rows if self.read_as is None else self.read_as[rows].tolist()
        at = dict(zip(numbers, rows, strict=True))
        faults.add_all(
            sorted(at),
            lambda line: InputError(problem(at[line]), where=self.place(at[line]), hint=hint),
        )
        faults.refuse()

    def refuse_duplicates(self, hint: str) -> None:
        """Raise for duplicate documents of a query."""
        if not Lookup.of(self.offsets, self.documents).repeats:
            return
        rows = list[int]()
        for start, end in pairwise(self.offsets.tolist()):
            names, first = np.unique(self.documents[start:end], return_index=True)
            if len(names) < end - start:
                rows += (start + np.setdiff1d(np.arange(end - start), first)).tolist()
        self.refuse_rows(rows, self._twice, hint)

    def _twice(self, row: int) -> str:
        document, query = self.documents[row].decode(), self.query_of(row)
        return f'duplicate document "{document}" for query "{query}"'


def gather(
    names: Sequence[str],
    lengths: Sequence[int],
    documents: Names,
    values: Floats,
    place: Callable[[int], str],
    notes: tuple[str, ...] = (),
    *,
    name: str = "",
    labels: Names | None = None,
) -> Triples:
    """Group rows by query; ``names`` and ``lengths`` describe runs of rows of one query."""
    codes: dict[str, int] = {}
    runs = np.array([codes.setdefault(query, len(codes)) for query in names], np.int64)
    counts = np.array(lengths, np.int64)
    order = None
    if (np.diff(runs) < 0).any():
        order = np.argsort(np.repeat(runs, counts), kind="stable")
        documents, values = documents[order], values[order]
        labels = None if labels is None else labels[order]
    totals = np.bincount(runs, weights=counts, minlength=len(codes)).astype(np.int64)
    offsets = np.concatenate(([0], np.cumsum(totals)))
    at = place if order is None else lambda row: place(int(order[row]))
    return Triples(
        tuple(codes), offsets, documents, values, at, notes, labels, name=name, read_as=order
    )
