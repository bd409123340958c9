"""Judged documents that survive -> the best score that any ranking of them could have."""

import math
from dataclasses import replace

import numpy as np

from assay.benchmarks.runs._order import Claims, best_order
from assay.records import Bools, Floats, Ints, JudgedRankings, Judgments, Metric, PerQuery

__all__ = ["Attainable"]


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
            documents: dict[int, Claims] = {}
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
