"""Paired scores of several runs -> comparisons: the statistics that every candidate shares."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from assay.records import Change, Comparison, Evaluation, Floats, Interval, Ints, Metric
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.effect import effect
from assay.statistics.holm import holm
from assay.statistics.max_t import max_t
from assay.statistics.mean_interval import mean_interval
from assay.statistics.noninferiority import noninferiority
from assay.statistics.randomisation import randomisation
from assay.statistics.smallest_detectable import smallest_detectable
from assay.statistics.t_interval import t_interval
from assay.statistics.t_test import t_test
from assay.statistics.wilcoxon import wilcoxon

__all__ = ["Correction", "Pairing"]

Correction = Literal["holm", "bh", "max_t", "none"]
NOISE = 1e-12  # what rounding alone can do to a score; `effect` counts it as a tie, too


@dataclass(frozen=True)
class Pairing:
    """The scores of all runs on the same queries, the baseline's first.

    ``scores`` has an axis for runs, metrics and queries; ``strata`` numbers the collection of each
    query, whose means count alike. So many further candidates were ``stopped`` before all queries
    were asked: none of them is shown to differ (p = 1), and all of them are corrected for.
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
    ) -> "Pairing":
        """Line up the kept queries of each evaluation."""
        scores = np.array([[e.per_query[str(m)][keep] for m in metrics] for e in evaluations])
        queries = tuple(evaluations[0].queries[at] for at in keep.tolist())
        kept = None if strata is None else strata[keep]
        return cls(queries, tuple(metrics), scores, kept, correction, alpha, flips, seed, stopped)

    @property
    def candidates(self) -> int:
        """The number of candidates that there were, those that were stopped among them."""
        return len(self.differences) + self.stopped

    def mean(self, values: Floats) -> float:
        """Average over queries, collection by collection."""
        return effect(values, strata=self.strata).difference

    @cached_property
    def differences(self) -> Floats:
        """Candidate minus baseline, by candidate, metric and query."""
        return self.scores[1:] - self.scores[:1]

    @cached_property
    def p(self) -> Floats:
        """The randomisation test of each candidate and metric, all under the same sign flips."""
        flat = self.differences.reshape(-1, len(self.queries)).T
        p = randomisation(flat, flips=self.flips, seed=self.seed, strata=self.strata)
        return p.reshape(self.differences.shape[:2])

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
            return max_t(deltas, flips=self.flips, seed=self.seed, strata=self.strata)
        return self._with_stopped(self.p[:, metric])

    def _with_stopped(self, p: Floats) -> Floats:
        """Correct for all candidates; max-T needs all scores, so that Holm takes its place."""
        every = np.concatenate([p, np.ones(self.stopped)])
        found = benjamini_hochberg(every) if self.correction == "bh" else holm(every)
        return found[: len(p)]

    def noninferior(self, margin: float) -> list[bool]:
        """Whether each candidate is shown to lose less than an absolute margin of the first metric.

        The one-sided p is doubled, so that one candidate is non-inferior when the lower end of its
        two-sided interval is above the margin; of several, corrected as their gains are.
        """
        shown = [
            noninferiority(deltas, margin=margin, strata=self.strata).p
            for deltas in self.differences[:, 0]
        ]
        doubled = np.minimum(2 * np.array(shown), 1.0)
        if self.correction != "none":
            doubled = self._with_stopped(doubled)
        return [bool(p < self.alpha) for p in doubled]

    @cached_property
    def intervals(self) -> list[list[Interval]]:
        """The interval of each run's mean on each metric."""
        return [
            [mean_interval(scores, seed=self.seed, strata=self.strata) for scores in run]
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
        size = effect(deltas, strata=self.strata)
        upwards = self.metrics[metric].kind.higher_is_better
        return Comparison(
            metric=str(self.metrics[metric]),
            queries=len(self.queries),
            baseline=self.mean(self.scores[0, metric]),
            candidate=self.mean(self.scores[candidate + 1, metric]),
            baseline_interval=self.intervals[0][metric],
            candidate_interval=self.intervals[candidate + 1][metric],
            difference=size.difference,
            interval=t_interval(deltas, strata=self.strata),
            p=float(self.p[candidate, metric]),
            p_corrected=float(self.p_corrected[candidate, metric]),
            standardised=size.standardised,
            wins=size.wins if upwards else size.losses,
            ties=size.ties,
            losses=size.losses if upwards else size.wins,
            smallest_detectable=smallest_detectable(
                sd=size.sd,
                queries=len(self.queries),
                candidates=self.candidates,
                alpha=self.alpha,
            ),
            sd=size.sd,
            holes=holes and (self.mean(holes[0]), self.mean(holes[1])),
            unbounded=unbounded,
            higher_is_better=upwards,
            tests={"t": t_test(deltas, strata=self.strata), "wilcoxon": wilcoxon(deltas)},
        )

    def changes(self, candidate: int) -> tuple[Change, ...]:
        """List the queries whose first metric changed, largest change first."""
        before, after = self.scores[0, 0], self.scores[candidate + 1, 0]
        moved = np.flatnonzero(np.abs(after - before) > NOISE)
        order = moved[np.argsort(-np.abs(after[moved] - before[moved]), kind="stable")]
        rows = zip(order.tolist(), before[order].tolist(), after[order].tolist(), strict=True)
        return tuple(Change(self.queries[at], old, new, new - old) for at, old, new in rows)
