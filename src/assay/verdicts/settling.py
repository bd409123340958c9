"""Settling: which unjudged documents would tell soonest which of several runs is better.

A document matters as far as it is likely to be relevant, as far as runs that are compared rank it
differently, and as far as their comparison is open: the expected change of their difference, times
the chance that the difference is of the other sign than it seems. For one pair of runs this is the
weight of Carterette, Allan and Sitaraman (SIGIR 2006, "Minimal test collections for retrieval
evaluation"); the chance of relevance is learnt from the grades so far (see ``likelihood``). Once
no sign is in doubt by these chances, what is left is to prove it against every grading: then what
the top grade would move most comes first, however unlikely it is.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from assay.records import Bools, Floats, Ints, Metric
from assay.verdicts._gain import worth_of
from assay.verdicts.likelihood import likelihood

__all__ = ["Settling"]

DEEPEST = 100  # ranks that an ideal ranking has, where the metric has no cut-off
NDCG = ("ndcg", "ndcg_exp")
UNJUDGED = -1
LEAST = 1e-12
SURE = 0.05  # a chance of the other sign below which what is left is to prove it
NOTHING: Mapping[int, Sequence[int]] = {}


class Settling:
    """A pool of documents, the ranks that runs give them, and the grades that are known so far.

    ``query`` numbers the query of each document; ``ranks`` has a row for each and a column for each
    run, 0 where it is not shown. ``elsewhere`` has grades of documents that no run shows, which
    count for the ideal ranking. ``weights`` says how much each query counts, 1 on average, and
    ``scales`` the largest grade of each, where not all have the same one.
    """

    def __init__(
        self,
        query: Ints,
        ranks: Ints,
        metric: Metric,
        *,
        scale: int,
        queries: int | None = None,
        elsewhere: Mapping[int, Sequence[int]] = NOTHING,
        weights: Floats | None = None,
        scales: Ints | None = None,
    ) -> None:
        self._query, self._metric, self._scale = query, metric, scale
        self._size = int(query.max(initial=-1)) + 1 if queries is None else queries
        self._share = _share(ranks, metric)
        self._shown = _discount(ranks)
        self._grades = np.full(len(query), UNJUDGED)
        self._weights = np.ones(self._size) if weights is None else weights
        self._units = _units(scales, scale, metric, self._size)
        self._elsewhere = {
            at: _gains(np.array(some), metric) / self._units[at] for at, some in elsewhere.items()
        }
        self._deep = min(metric.k or DEEPEST, DEEPEST)
        self._ideal = np.zeros((self._size, self._deep))
        for at in self._elsewhere:
            self._sort(at)

    def grade(self, document: int, grade: int | None) -> None:
        """Note the grade of a document, or take it back."""
        self._grades[document] = UNJUDGED if grade is None else max(grade, 0)
        self._sort(int(self._query[document]))

    @property
    def judged(self) -> Bools:
        """Which documents have a grade."""
        return np.asarray(self._grades != UNJUDGED, bool)

    def estimate(self) -> Floats:
        """Expect the mean score of each run, with unjudged documents worth what is likely."""
        return self._expected(*self._chances())

    def leading(self, runs: Sequence[int]) -> list[tuple[int, int]]:
        """Set the run that seems best, of some, against each other one of them."""
        expected = self.estimate()
        best = max(runs, key=lambda at: float(expected[at]), default=0)
        return [(best, at) for at in runs if at != best]

    def is_sure(self, pairs: Sequence[tuple[int, int]]) -> bool:
        """Tell whether no pair is likely to be of another sign than it seems."""
        return _is_sure(self._weighed(pairs)[-1])

    def first(
        self,
        count: int = 1,
        *,
        pairs: Sequence[tuple[int, int]] | None = None,
        among: Bools | None = None,
    ) -> Ints:
        """Return the documents that would settle the pairs of runs soonest, the first one first.

        Without ``pairs`` the run that seems best is set against each other one. Documents that are
        judged, not ``among`` those that can be asked for, or of no effect are left out.
        """
        sides = self.leading(range(self._share.shape[1])) if pairs is None else pairs
        chance, moved, doubt = self._weighed(sides)
        free = ~self.judged if among is None else ~self.judged & among
        worth = self._most(*_sides(sides)) if _is_sure(doubt) else chance * (moved @ doubt)
        worth = np.where(free, worth, 0.0)
        order = np.lexsort((np.arange(len(worth)), -worth))[:count]
        return np.asarray(order[worth[order] > 0], np.int64)

    def _weighed(self, pairs: Sequence[tuple[int, int]]) -> tuple[Floats, Floats, Floats]:
        """Return how likely documents are relevant, how far they move pairs, and pairs' doubt."""
        chance, gain, whole = self._chances()
        expected = self._expected(chance, gain, whole)
        one, other = _sides(pairs)
        apart = np.abs(self._share[:, one] - self._share[:, other])
        moved = apart * (gain / whole[self._query] * self._weights[self._query])[:, None]
        spread = np.sqrt(((chance * (1 - chance) * ~self.judged)[:, None] * moved**2).sum(axis=0))
        return chance, moved, _doubt((expected[one] - expected[other]) * self._size, spread)

    def _most(self, one: Ints, other: Ints) -> Floats:
        """Return how far the top grade of each document would move the differences, at most."""
        apart = self._share[:, one] - self._share[:, other]
        top = float(_gains(np.array([self._scale]), self._metric)[0])
        counted = self._weights[self._query]
        if self._metric.name not in NDCG:
            return np.asarray(np.abs(apart).max(axis=1, initial=0.0) * counted, np.float64)
        gained = np.zeros((self._size, self._share.shape[1]))
        np.add.at(gained, self._query, self._gains()[:, None] * self._share)
        ahead = gained[:, one] - gained[:, other]
        discount = 1.0 / np.log2(np.arange(self._deep) + 2.0)
        ideal = (self._ideal @ discount)[:, None]
        now = np.divide(ahead, ideal, out=np.zeros_like(ahead), where=ideal > 0)
        raised = top * discount[0] + self._ideal[:, :-1] @ discount[1:]
        then = (ahead[self._query] + top * apart) / raised[self._query][:, None]
        moved = np.abs(then - now[self._query]).max(axis=1, initial=0.0)
        return np.asarray(moved * counted, np.float64)

    def _chances(self) -> tuple[Floats, float, Floats]:
        """Return how probably each document is relevant, what one adds, and what all could add."""
        judged, gains = self.judged, self._gains()
        relevant = judged & (gains > 0)
        chance = likelihood(self._shown, self._query, relevant, judged)
        top = float(_gains(np.array([self._scale]), self._metric)[0])
        gain = float((gains[relevant].sum() + top) / (relevant.sum() + 2.0))
        open_ = np.where(judged, 0.0, chance)
        further = np.bincount(self._query, open_, minlength=self._size).astype(np.float64)
        return chance, gain, self._whole(further, gain)

    def _whole(self, further: Floats, gain: float) -> Floats:
        """Expect what the score is divided by, once all is judged."""
        if self._metric.name == "recall":
            found = (self._ideal > 0).sum(axis=1) + further
            return np.asarray(np.maximum(found, 1.0), np.float64)
        if self._metric.name not in NDCG:
            return np.ones(self._size)
        place = np.arange(self._deep) - (self._ideal > 0).sum(axis=1)[:, None]
        added = gain * np.clip(further[:, None] - place, 0.0, 1.0) * (place >= 0)
        ideal = (self._ideal + added) @ (1.0 / np.log2(np.arange(self._deep) + 2.0))
        return np.asarray(np.maximum(ideal, gain / 2), np.float64)

    def _expected(self, chance: Floats, gain: float, whole: Floats) -> Floats:
        gains = np.where(self.judged, self._gains(), chance * gain)
        worth = gains / whole[self._query] * self._weights[self._query]
        return np.asarray(worth @ self._share / max(self._size, 1), np.float64)

    def _gains(self) -> Floats:
        return _gains(self._grades, self._metric) / self._units[self._query]

    def _sort(self, query: int) -> None:
        """Keep the gains of a query that are known, the best first."""
        own = _gains(self._grades[self._query == query], self._metric) / self._units[query]
        known = np.concatenate((own, self._elsewhere.get(query, np.empty(0))))
        best = np.sort(known)[::-1][: self._deep]
        self._ideal[query] = 0.0
        self._ideal[query, : len(best)] = best


def _gains(grades: Ints, metric: Metric) -> Floats:
    """Return what grades add: nothing where there is none."""
    if metric.name in NDCG:
        return worth_of(metric)(np.maximum(grades, 0).astype(np.float64))
    return (grades >= metric.level).astype(np.float64)


def _units(scales: Ints | None, scale: int, metric: Metric, size: int) -> Floats:
    """Return what the gains of each query are divided by, so that its top grade is as good as any.

    nDCG is a ratio of gains, which the unit does not change.
    """
    if scales is None or metric.name not in NDCG:
        return np.ones(size)
    tops = _gains(np.append(scales, scale), metric)
    return np.asarray(tops[:-1] / tops[-1], np.float64)


def _share(ranks: Ints, metric: Metric) -> Floats:
    """Return the share of its gain that each run gets of a document; 0 below the cut-off.

    Metrics without a rule of their own are taken for nDCG.
    """
    shown = (ranks > 0) & (ranks <= (metric.k or ranks.max(initial=0)))
    if metric.name == "precision":
        return shown / float(metric.k or 1)
    if metric.name in ("recall", "hit"):
        return shown.astype(np.float64)
    if metric.name == "rbp":
        p = dict(metric.parameters)["p"]
        return np.asarray(shown * (1.0 - p) * np.power(p, np.maximum(ranks, 1) - 1.0), np.float64)
    return np.asarray(shown * _discount(ranks), np.float64)


def _discount(ranks: Ints) -> Floats:
    return np.where(ranks > 0, 1.0 / np.log2(np.maximum(ranks, 1) + 1.0), 0.0)


def _sides(pairs: Sequence[tuple[int, int]]) -> tuple[Ints, Ints]:
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _is_sure(doubt: Floats) -> bool:
    return bool(len(doubt)) and float(doubt.max()) < SURE


def _doubt(difference: Floats, spread: Floats) -> Floats:
    """Return the chance that a difference is of the other sign, if it is spread as a normal one."""
    ratio = np.abs(difference) / np.maximum(spread, LEAST)
    return np.array([0.5 * math.erfc(min(one, 37.0) / math.sqrt(2.0)) for one in ratio.tolist()])
