"""Paired scores of several runs -> comparisons: the statistics that every candidate shares."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from assay.records import Change, Comparison, Evaluation, Floats, Interval, Ints, Metric
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.effect import effect
from assay.statistics.holm import holm
from assay.statistics.max_t import max_t
from assay.statistics.mean_interval import mean_interval
from assay.statistics.noninferiority import noninferiority
from assay.statistics.queries_needed import MOST, queries_needed
from assay.statistics.randomisation import randomisation
from assay.statistics.smallest_detectable import smallest_detectable
from assay.statistics.t_interval import t_interval
from assay.statistics.t_test import t_test
from assay.statistics.wilcoxon import wilcoxon

__all__ = ["PER_ALPHA", "Correction", "Pairing", "more_queries", "with_stopped"]

Correction = Literal["holm", "bh", "max_t", "none"]
PER_ALPHA = 40  # flips per candidate, so that p can be far below alpha / candidates
NOISE = 1e-12  # what rounding alone can do to a score; `effect` counts it as a tie, too


@dataclass(frozen=True)
class Pairing:
    """The scores of all runs on the same queries, the baseline's first.

    ``scores`` has an axis for runs, metrics and queries; ``strata`` numbers the collection of each
    query, whose means count the same. So many further candidates were ``stopped`` before all
    queries were run, or failed: none of them differs significantly (p = 1), and all of them are
    corrected for. ``alike`` has the place of the first run with the same rankings, for each run:
    they are one candidate, or the baseline. ``weights`` is how much each query counts, if they do
    not count the same.
    """

    queries: tuple[str, ...]
    metrics: tuple[Metric, ...]
    scores: Floats
    strata: Ints | None
    correction: Correction
    alpha: float
    flips: int
    seed: int
    stopped: int = 0
    alike: tuple[int, ...] = ()
    weights: Floats | None = None

    @classmethod
    def of(  # noqa: PLR0913 - every option is a name of its own
        cls,
        evaluations: Sequence[Evaluation],
        metrics: Sequence[Metric],
        *,
        keep: Ints,
        strata: Ints | None,
        correction: Correction,
        alpha: float,
        flips: int,
        seed: int,
        stopped: int = 0,
        alike: Sequence[int] = (),
    ) -> "Pairing":
        """Line up the kept queries of each evaluation."""
        scores = np.array([[e.per_query[str(m)][keep] for m in metrics] for e in evaluations])
        queries = tuple(evaluations[0].queries[at] for at in keep.tolist())
        kept = None if strata is None else strata[keep]
        same = tuple(alike) or tuple(range(len(scores)))
        weights = evaluations[0].weights
        about = (correction, alpha, flips, seed, stopped, same)
        of = None if weights is None else weights[keep]
        return cls(queries, tuple(metrics), scores, kept, *about, weights=of)

    @property
    def candidates(self) -> int:
        """The number of distinct candidates, those that were stopped among them; at least 1."""
        return max(1, len(self.distinct) + self.stopped)

    @cached_property
    def distinct(self) -> list[int]:
        """The candidates whose rankings no run before them has."""
        return [at - 1 for at, first in enumerate(self.alike) if at and first == at]

    @property
    def flips_made(self) -> int:
        """How many sign flips test the first metric: enough for the number of candidates."""
        return max(self.flips, math.ceil(PER_ALPHA * self.candidates / self.alpha))

    def mean(self, values: Floats) -> float:
        """Average over queries by their weights, collection by collection."""
        return effect(values, **self.counted).difference

    @property
    def counted(self) -> dict[str, Any]:
        """How queries are averaged, as every statistic takes it."""
        return {"strata": self.strata, "weights": self.weights}

    @property
    def query_weights(self) -> dict[str, float]:
        """How much each query counts, by its key; empty where all count the same."""
        if self.weights is None:
            return {}
        return dict(zip(self.queries, self.weights.tolist(), strict=True))

    @cached_property
    def differences(self) -> Floats:
        """Candidate minus baseline, by candidate, metric and query."""
        return self.scores[1:] - self.scores[:1]

    @cached_property
    def p(self) -> Floats:
        """The randomisation test of each candidate and metric; the first one decides."""
        first = self._p(self.differences[:, :1], self.flips_made)
        if len(self.metrics) == 1:
            return first
        return np.hstack([first, self._p(self.differences[:, 1:], self.flips)])

    def _p(self, differences: Floats, flips: int) -> Floats:
        """Test all columns under the same sign flips."""
        flat = differences.reshape(-1, len(self.queries)).T
        p = randomisation(flat, flips=flips, seed=self.seed, **self.counted)
        return p.reshape(differences.shape[:2])

    @cached_property
    def p_corrected(self) -> Floats:
        """The same, corrected for the number of candidates, metric by metric."""
        columns = [self._correct(at) for at in range(len(self.metrics))]
        return np.array(columns).T

    def _correct(self, metric: int) -> Floats:
        if self.correction == "none":
            return self.p[:, metric]
        if self.correction == "max_t" and not self.stopped:
            deltas = self.differences[:, metric].T
            flips = self.flips if metric else self.flips_made
            return max_t(deltas, flips=flips, seed=self.seed, **self.counted)
        return self._over_all(self.p[:, metric])

    def _over_all(self, p: Floats) -> Floats:
        """Correct for all candidates, those with identical rankings as one.

        max-T needs all scores, so that Holm takes its place where some were stopped.
        """
        every = np.concatenate([p[self.distinct], np.ones(self.stopped)])
        if not len(every):
            return np.ones(len(p))
        found = benjamini_hochberg(every) if self.correction == "bh" else holm(every)
        of_first = dict(zip(self.distinct, found.tolist(), strict=False))
        firsts = [self.alike[at + 1] - 1 for at in range(len(p))]
        return np.array([of_first.get(first, 1.0) for first in firsts])

    def noninferior(self, margin: float) -> list[bool]:
        """Whether each candidate is non-inferior by an absolute margin of the first metric.

        A one-sided test, corrected for the candidates as their gains are. What has the baseline's
        rankings loses nothing.
        """
        shown = [
            noninferiority(deltas, margin=margin, **self.counted).p
            for deltas in self.differences[:, 0]
        ]
        p = np.array(shown) if self.correction == "none" else self._over_all(np.array(shown))
        same = [self.alike[at + 1] == 0 for at in range(len(shown))]
        return [bool(p[at] < self.alpha) or same[at] for at in range(len(shown))]

    @cached_property
    def intervals(self) -> list[list[Interval]]:
        """The interval of each run's mean on each metric."""
        return [
            [mean_interval(scores, seed=self.seed, **self.counted) for scores in run]
            for run in self.scores
        ]

    def comparison(
        self,
        candidate: int,
        metric: int,
        *,
        holes: tuple[Floats, Floats] | None,
        unbounded: bool,
    ) -> Comparison:
        """Put together all that is known of one candidate on one metric."""
        deltas = self.differences[candidate, metric]
        size = effect(deltas, **self.counted)
        upwards = self.metrics[metric].kind.higher_is_better
        return Comparison(
            metric=str(self.metrics[metric]),
            queries=len(self.queries),
            baseline=self.mean(self.scores[0, metric]),
            candidate=self.mean(self.scores[candidate + 1, metric]),
            baseline_interval=self.intervals[0][metric],
            candidate_interval=self.intervals[candidate + 1][metric],
            difference=size.difference,
            interval=t_interval(deltas, **self.counted),
            p=float(self.p[candidate, metric]),
            p_corrected=float(self.p_corrected[candidate, metric]),
            standardised=size.standardised,
            wins=size.wins if upwards else size.losses,
            ties=size.ties,
            losses=size.losses if upwards else size.wins,
            smallest_detectable=smallest_detectable(
                sd=size.flip_sd,
                queries=len(self.queries),
                candidates=self.candidates,
                alpha=self.alpha,
            ),
            sd=size.flip_sd,
            holes=holes and (self.mean(holes[0]), self.mean(holes[1])),
            unbounded=unbounded,
            higher_is_better=upwards,
            tests={
                "t": t_test(deltas, **self.counted),
                "wilcoxon": wilcoxon(deltas),
            },
        )

    def changes(self, candidate: int) -> tuple[Change, ...]:
        """List the queries whose first metric changed, largest change first."""
        before, after = self.scores[0, 0], self.scores[candidate + 1, 0]
        moved = np.flatnonzero(np.abs(after - before) > NOISE)
        order = moved[np.argsort(-np.abs(after[moved] - before[moved]), kind="stable")]
        rows = zip(order.tolist(), before[order].tolist(), after[order].tolist(), strict=True)
        return tuple(Change(self.queries[at], old, new, new - old) for at, old, new in rows)


def with_stopped(
    pairing: Pairing, candidates: Sequence[int], stopped: Sequence[Mapping[str, float]]
) -> Floats:
    """Return a column of gains over the baseline for each of some candidates, the stopped last.

    Where one of these was not asked a query, it gains as it did on one that it was asked, drawn at
    random from the same collection: it might have been chosen as often as it seemed until then.
    """
    gains = pairing.differences[candidates, 0].T
    generator = np.random.Generator(np.random.PCG64(pairing.seed))
    further = [_filled(pairing, one, generator) for one in stopped]
    return np.column_stack([gains, *further]) if further else gains


def _filled(
    pairing: Pairing, scored: Mapping[str, float], generator: np.random.Generator
) -> Floats:
    gains = np.array([scored.get(query, np.nan) for query in pairing.queries])
    gains -= pairing.scores[0, 0]
    strata = np.zeros(len(gains), np.int64) if pairing.strata is None else pairing.strata
    asked = ~np.isnan(gains)
    filled = gains.copy()
    for number in np.unique(strata[~asked]).tolist():
        known = gains[asked & (strata == number)]
        known = known if len(known) else gains[asked]
        missing = ~asked & (strata == number)
        filled[missing] = generator.choice(known, missing.sum()) if len(known) else 0.0
    return filled


def more_queries(one: Comparison, wanted: float, *, candidates: int, alpha: float) -> int | None:
    """Count the queries beyond those there are that show a gain four times out of five.

    None where no number is known, such as where every query ties. With N queries the smallest p
    that sign flips can give is 2^(1 - N), times the number of candidates: fewer queries cannot
    show anything.
    """
    if wanted <= 0 or not math.isfinite(one.sd) or one.sd == one.difference == 0:
        return None
    needed = queries_needed(wanted, sd=one.sd, candidates=candidates, alpha=alpha)
    if needed >= MOST:
        return None
    fewest = math.floor(1 + math.log2(candidates / alpha)) + 1
    return max(1, max(needed, fewest) - one.queries)
