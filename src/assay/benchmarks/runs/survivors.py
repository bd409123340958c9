"""What came out of each stage, query by query -> which judged documents survived it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.work.stage_outputs import Outputs
from assay.records import Bools, Ints, Judgments, decode
from assay.searches.searcher import Searcher

__all__ = ["CORPUS", "FILTER", "Survivors", "join_survivors", "survivors_of"]

CORPUS, FILTER = "corpus", "filter"
BATCH = 256  # queries whose lists are in memory at once


@dataclass(frozen=True, slots=True, eq=False)
class Survivors:
    """Which rows of the judgments survive: by stage, in order, without the ``last``.

    What the last one keeps is in the answers. ``reachable`` are those that an answer may have:
    what a query excludes is not.
    """

    stages: Mapping[str, Bools]
    last: str
    reachable: Bools


def survivors_of(
    judgments: Judgments,
    collection: OpenCollection,
    searcher: Searcher,
    names: Sequence[str],
    outputs: Outputs,
) -> Survivors:
    """Look for the judged documents in what each of the stages of these names let through."""
    wanted = _JudgedUnits(judgments, collection, searcher)
    stages = {name: np.zeros(len(judgments.grades), bool) for name in names}
    for batch in _batches(outputs):
        numbers = np.array([wanted.number[key] for key, _ in batch], np.int64)
        rows = wanted.rows_of(numbers)
        before: list[Ints] = []
        for at, name in enumerate(names):
            found = [lists[at] for _, lists in batch]
            if not at or any(one is not last for one, last in zip(found, before, strict=True)):
                survive = wanted.among(rows, numbers, found)
            stages[name][rows], before = survive, found
    last = searcher.pipeline.refine[-1].name
    first = {CORPUS: wanted.indexed, FILTER: wanted.matching}
    return Survivors({**first, **stages}, last, wanted.reachable)


def join_survivors(found: Sequence[Survivors | None]) -> Survivors | None:
    """Put together what several datasets kept, each of its own queries, if all can tell."""
    each = [one for one in found if one is not None]
    if len(each) < len(found):
        return None
    first = each[0]
    names = dict.fromkeys(name for one in each for name in one.stages)
    none = np.zeros(len(first.reachable), bool)
    stages = {
        name: np.logical_or.reduce([one.stages.get(name, none) for one in each]) for name in names
    }
    return Survivors(stages, first.last, np.logical_and.reduce([one.reachable for one in each]))


def _batches(outputs: Outputs) -> Iterator[list[tuple[str, Sequence[Ints]]]]:
    queries = iter(outputs)
    while batch := list(islice(queries, BATCH)):
        yield batch


class _JudgedUnits:
    """The judged units of a collection's queries, by their numbers in its index."""

    def __init__(
        self, judgments: Judgments, collection: OpenCollection, searcher: Searcher
    ) -> None:
        place = {query: at for at, query in enumerate(judgments.queries)}
        keys = {query.key: collection.key(query.key) for query in collection.queries}
        self.number = {key: place[name] for key, name in keys.items() if name in place}
        self._query, self._units = judgments.query, searcher.stages.units
        mine = np.zeros(len(judgments.queries), bool)
        mine[list(self.number.values())] = True
        rows = np.flatnonzero(mine[self._query])
        names = decode(judgments.documents[rows])
        self._code = np.full(len(judgments.grades), -1, np.int64)
        self._code[rows] = self._units.find(names)
        self.indexed = self._code >= 0
        self.reachable = np.ones(len(judgments.grades), bool)
        self.reachable[rows] = _reachable(
            collection, searcher, judgments, self.number, self._code[rows], rows
        )
        self.matching = self.indexed.copy()
        for query in collection.queries:
            if query.key in self.number and (filters := query.filters):
                own = np.flatnonzero((self._query == self.number[query.key]) & self.indexed)
                kept = searcher.snapshot.fields.match(filters)
                self.matching[own] = kept[self._units.document_of[self._code[own]]]

    def rows_of(self, numbers: Ints) -> Ints:
        """Return the judgments of some queries whose documents are in the index."""
        asked = np.zeros(int(self._query.max(initial=0)) + 1, bool)
        asked[numbers[numbers < len(asked)]] = True
        return np.flatnonzero(asked[self._query] & self.indexed)

    def among(self, rows: Ints, numbers: Ints, lists: Sequence[Ints]) -> Bools:
        """Tell which judgments' documents are in the list of their query."""
        sizes, many = [len(one) for one in lists], len(self._units.names)
        codes, owner = self._units.of_rows(np.concatenate([np.empty(0, np.int64), *lists]))
        found = np.repeat(numbers, sizes)[owner] * many + codes
        asked = self._query[rows] * many + self._code[rows]
        keys, place = np.unique(asked, return_inverse=True)
        known = np.zeros(len(keys), bool)
        if len(keys):
            at = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
            known[at[keys[at] == found]] = True
        return known[place]


def _reachable(
    collection: OpenCollection,
    searcher: Searcher,
    judgments: Judgments,
    numbers: Mapping[str, int],
    units: Ints,
    rows: Ints,
) -> list[bool]:
    """Tell which units may be an answer at all: what is in no excluded document."""
    names, document_of = searcher.snapshot.documents, searcher.stages.units.document_of
    gone = {
        numbers[query.key]: searcher.named(named)
        for query in collection.queries
        if query.key in numbers and (named := query.excluded)
    }
    queries = judgments.query[rows].tolist()
    return [
        at not in gone or unit < 0 or names[document_of[unit]] not in gone[at]
        for at, unit in zip(queries, units.tolist(), strict=True)
    ]
