"""Judged documents that survive -> the best score that any ranking of them could have."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

import numpy as np

from assay.records import Bools, Floats, Ints, JudgedRankings, Judgments, Metric, PerQuery

__all__ = ["Attainable", "best_order"]

_Claims = dict[int, float]  # the items that a document meets, and what each is worth in it
Shared = list[tuple[int, list[tuple[int, float]]]]  # items as bits: all of a document, and each
State = tuple[int, int]  # the items that are claimed, as bits; how many documents of their own
Found = tuple[float, tuple[float, ...]]  # the discounted sum of a ranking, and its gains
EXACT = 10  # shared items up to which nothing but what cannot win is left out
STEPS = 1_000_000  # items looked at where there are more: a few tenths of a second
NOTHING = 1e-12


class Attainable:
    """The best rankings of any of the judged documents, scored as the run's own are.

    Where each document is an item of its own, the best ranking is by grade. Where documents share
    items, it is searched for.
    """

    def __init__(self, judgments: Judgments, judged: JudgedRankings, metric: Metric) -> None:
        self._judged, self._metric = judged, metric
        shares = 1.0 if judgments.weights is None else judgments.weights
        self._gain: Floats = np.maximum(judgments.grades, 0) * shares
        self._query = judgments.query
        shared = _shared(judgments, judged, self._query)
        rows = np.flatnonzero(~shared[self._query] & (self._gain > 0))
        self._plain = rows[np.lexsort((-self._gain[rows], self._query[rows]))]
        self._grouped = np.flatnonzero(shared[self._query])
        self._value = _exponential if metric.name == "ndcg_exp" else float
        self._known: dict[tuple[int, bytes], list[float]] = {}

    def best(self, alive: Bools) -> PerQuery:
        """Score the best ranking of the judgments' documents that are alive."""
        rows = self._plain[alive[self._plain]]
        query, gain = self._query[rows], self._gain[rows]
        counts = np.bincount(query, minlength=len(self._judged.queries))
        rank = np.arange(1, len(rows) + 1) - (np.cumsum(counts) - counts)[query]
        others = [
            (number, at, worth)
            for number, mine in self._by_query()
            for at, worth in enumerate(self._order(number, mine, alive[mine]), 1)
        ]
        found = np.array(others, np.float64).reshape(-1, 3)
        return self._score(
            np.concatenate([query, found[:, 0].astype(np.int64)]),
            np.concatenate([rank, found[:, 1].astype(np.int64)]),
            np.concatenate([gain, found[:, 2]]),
        )

    def _score(self, query: Ints, rank: Ints, gain: Floats) -> PerQuery:
        order = np.lexsort((rank, query))
        query, rank, gain = query[order], rank[order], gain[order]
        every = np.ones(len(query), bool)
        return self._metric.score(
            replace(
                self._judged,
                query=query,
                rank=rank,
                first=rank,
                last=rank,
                gain=gain,
                grade=np.ceil(gain).astype(np.int64),
                leading=every,
                fresh=every,
            )
        )

    def _by_query(self) -> list[tuple[int, Ints]]:
        """Put the judgments of each query together whose documents share items."""
        number = self._query[self._grouped]
        parts = np.split(self._grouped, np.flatnonzero(np.diff(number)) + 1)
        return [(int(self._query[part[0]]), part) for part in parts if len(part)]

    def _order(self, number: int, rows: Ints, alive: Bools) -> list[float]:
        key = (number, alive.tobytes())
        if key not in self._known:
            pool, mine = self._judged.coverage, rows[alive]
            documents: dict[int, _Claims] = {}
            for document, item, gain in zip(
                pool.pool_document[mine].tolist(),
                pool.pool_item[mine].tolist(),
                self._gain[mine].tolist(),
                strict=True,
            ):
                documents.setdefault(document, {})[item] = gain
            self._known[key] = best_order([*documents.values()], self._metric.k, value=self._value)
        return self._known[key]


def _shared(judgments: Judgments, judged: JudgedRankings, query: Ints) -> Bools:
    """Tell the queries in which an item has several documents, or a document several items."""
    shared = np.zeros(len(judgments.queries), bool)
    if judgments.items is not None:
        for numbers in (judged.coverage.pool_item, judged.coverage.pool_document):
            shared[query[np.bincount(numbers)[numbers] > 1]] = True
    return shared


def _exponential(gain: float) -> float:
    return math.exp2(gain) - 1.0


def best_order(
    documents: list[_Claims], k: int | None = None, *, value: Callable[[float], float] = float
) -> list[float]:
    """Return the gains of the best ranking, from the first rank on.

    ``value`` is what the metric makes of a gain. The answer is exact where up to ten items are met
    by documents that share them; above, the most promising rankings are followed.

    >>> best_order([{1: 3.0, 2: 2.0}, {2: 2.0}])
    [2.0, 3.0]
    """
    left = _undominated(documents)
    greedy = _greedy(left)
    search = _Search(left, k, value)
    return list(search.improve(greedy)[1])


class _Search:
    """The best ranking of documents, found by extending all that could still win."""

    def __init__(
        self, documents: list[_Claims], k: int | None, value: Callable[[float], float]
    ) -> None:
        self._value, self._k = value, k
        alone, shared = _apart(documents)
        self._alone = sorted((max(one.values()) for one in alone), reverse=True)
        items = sorted({item for one in shared for item in one})
        bit = {item: 1 << at for at, item in enumerate(items)}
        self._shared: Shared = [_as_bits(one, bit) for one in shared]
        tops = {bit[item]: max(one.get(item, 0.0) for one in shared) for item in items}
        self._tops = sorted(tops.items(), key=lambda one: -one[1])
        ranks = min(k or len(items) + len(alone), len(items) + len(alone))
        width = STEPS // max(1, ranks * len(shared) * len(items))
        self._width = None if len(items) <= EXACT else width

    def improve(self, gains: list[float]) -> Found:
        """Return the best ranking, which is the one given unless there is a better one."""
        best: Found = (self._sum(gains), tuple(gains))
        layer: dict[State, Found] = {} if self._width == 0 else {(0, 0): (0.0, ())}
        for rank in count(1):
            layer = self._extended(layer, rank) if self._k is None or rank <= self._k else {}
            if not layer:
                return best
            best = max([best, *layer.values()], key=lambda one: one[0])
            layer = self._promising(layer, rank, best[0])
        raise AssertionError  # count() has no end

    def _extended(self, layer: dict[State, Found], rank: int) -> dict[State, Found]:
        weight, longer = _discount(rank), dict[State, Found]()
        for state, (total, gains) in layer.items():
            for after, gain in self._next(state):
                now = total + self._value(gain) * weight
                if after not in longer or now > longer[after][0]:
                    longer[after] = (now, (*gains, gain))
        return longer

    def _next(self, state: State) -> Iterator[tuple[State, float]]:
        claimed, alone = state
        if alone < len(self._alone):
            yield (claimed, alone + 1), self._alone[alone]
        for every, each in self._shared:
            gain = next((gain for bit, gain in each if not claimed & bit), 0.0)
            if gain > 0:
                yield (claimed | every, alone), gain

    def _promising(self, layer: dict[State, Found], rank: int, best: float) -> dict[State, Found]:
        """Keep what could become better than the best, if each free item had its best rank."""
        could = {state: one[0] + self._at_most(state, rank) for state, one in layer.items()}
        kept = [state for state in layer if could[state] > best + NOTHING]
        if self._width is not None:
            kept = sorted(kept, key=lambda state: -could[state])[: self._width]
        return {state: layer[state] for state in kept}

    def _at_most(self, state: State, rank: int) -> float:
        claimed, alone = state
        free = [gain for bit, gain in self._tops if not claimed & bit]
        return self._sum(sorted([*free, *self._alone[alone:]], reverse=True), rank)

    def _sum(self, gains: list[float], above: int = 0) -> float:
        last = None if self._k is None else max(self._k - above, 0)
        ranked = enumerate(gains[:last], above + 1)
        return sum(self._value(gain) * _discount(rank) for rank, gain in ranked)


def _discount(rank: int) -> float:
    return 1.0 / math.log2(rank + 1.0)


def _as_bits(claims: _Claims, bit: dict[int, int]) -> tuple[int, list[tuple[int, float]]]:
    """Write the items of a document as bits, the best first."""
    each = sorted(((bit[item], gain) for item, gain in claims.items()), key=lambda one: -one[1])
    return sum(one for one, _ in each), each


def _undominated(documents: list[_Claims]) -> list[_Claims]:
    """Leave out what is worth nothing, or has the items of another and none worth more."""
    left: dict[frozenset[int], list[_Claims]] = {}
    for one in sorted(documents, key=lambda one: -sum(one.values())):
        alike = left.setdefault(frozenset(one), [])
        if any(one.values()) and not any(
            all(gain <= other[item] for item, gain in one.items()) for other in alike
        ):
            alike.append(one)
    return [one for alike in left.values() for one in alike]


def _apart(documents: list[_Claims]) -> tuple[list[_Claims], list[_Claims]]:
    """Part the documents none of whose items another document has from the others."""
    times: dict[int, int] = {}
    for one in documents:
        for item in one:
            times[item] = times.get(item, 0) + 1
    alone = [one for one in documents if all(times[item] == 1 for item in one)]
    return alone, [one for one in documents if any(times[item] > 1 for item in one)]


def _greedy(documents: list[_Claims]) -> list[float]:
    """Take what is worth most by then, and of equals what takes the least from others."""
    gains: list[float] = []
    claimed: set[int] = set()
    left = documents
    while left:
        worths = [_worth(one, claimed) for one in left]
        at = max(range(len(left)), key=worths.__getitem__)
        if not worths[at][0]:
            break
        gains.append(worths[at][0])
        claimed |= left[at].keys()
        left = left[:at] + left[at + 1 :]
    return gains


def _worth(claims: _Claims, claimed: set[int]) -> tuple[float, float]:
    """Return what a document is worth now, and what it takes away, as a negative number."""
    free = [gain for item, gain in claims.items() if item not in claimed]
    top = max(free, default=0.0)
    return top, top - sum(free)
