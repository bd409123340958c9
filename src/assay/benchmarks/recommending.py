"""Runs and how they compare -> a run for each question, with its reason and how sure that is."""

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from assay.records import Comparisons, Ints, Run
from assay.statistics.best_set import best_set
from assay.statistics.effect import effect
from assay.statistics.smallest_detectable import smallest_detectable
from assay.verdicts.recommend import recommend
from assay.verdicts.refused import refused
from assay.verdicts.sharpness import Sharpness
from assay.verdicts.smallest import smallest
from assay.verdicts.within_budgets import within_budgets

__all__ = ["recommend_runs"]


def recommend_runs(
    runs: Sequence[Run],
    *,
    primary: str,
    comparisons: Comparisons | None = None,
    silent: Collection[str] = (),
    stopped: Collection[str] = (),
    strata: Ints | None = None,
    flips: int = 10_000,
    seed: int = 0,
) -> dict[str, dict[str, Any] | None]:
    """Name the best by each question; a verdict against a run is not gone back on.

    Nothing is claimed of runs that a race ``stopped``, and each reason says so. ``silent`` are the
    runs that answered nothing; ``strata`` numbers the collection of each query, in the order of the
    evaluations that were compared.
    """
    whole = [run for run in runs if run.status != "beaten" and run.name not in stopped]
    raced, runs = len(whole) < len(runs), whole
    out = refused(comparisons, runs)
    told = _Told(comparisons, strata, flips, seed) if comparisons else None
    sharp = _sharpness(comparisons, runs, strata) if comparisons else None
    found = recommend(
        runs,
        primary=primary,
        best_set=comparisons.best_set if comparisons else (),
        refused=out,
        silent=silent,
        alike=told,
        sharp=sharp,
    )
    pick = found.pop("pick")
    found["smallest"] = smallest(runs, primary=primary, silent=silent)
    found["pick"] = pick
    found["pick_within_budgets"] = within_budgets(
        runs, primary=primary, refused=out, silent=silent, alike=told, sharp=sharp
    )
    if not raced:
        return found
    return {key: one and _of_rest(one, alone=len(runs) == 1) for key, one in found.items()}


def _of_rest(told: dict[str, Any], *, alone: bool) -> dict[str, Any]:
    """Say of whom a run is the best: those that were stopped might be faster, or smaller."""
    if alone and told["run"]:
        return told | {"reason": "the only one that was not stopped"}
    return told | {"reason": f"{told['reason']} (of those that were not stopped)"}


def _sharpness(comparisons: Comparisons, runs: Sequence[Run], strata: Ints | None) -> Sharpness:
    """Tell what the compared queries would show between any two runs, as verdicts count it."""
    primary, settings = comparisons.primary, comparisons.settings
    scored = {one.run: one.per_query[primary] for one in comparisons.evaluations}
    baseline = {run.name: run.scores.get(primary, 0.0) for run in runs}.get(comparisons.baseline, 0)

    def between(one: str, other: str) -> float:
        if one not in scored or other not in scored:
            return math.inf
        found = effect(scored[one] - scored[other], strata=strata)
        return smallest_detectable(
            sd=found.sd,
            queries=comparisons.queries,
            candidates=max(1, len(comparisons.candidates) + _stopped(comparisons)),
            alpha=float(settings.get("alpha", 0.05)),
        )

    margin = float(settings.get("margin", 0.02)) * abs(baseline)
    return Sharpness(comparisons.queries, margin, between)


def _stopped(comparisons: Comparisons) -> int:
    """Count the candidates that a race stopped."""
    return int(comparisons.settings.get("stopped", 0))


class _Told:
    """Tells, for a metric and some of the runs, which cannot be told from the best of these."""

    def __init__(
        self, comparisons: Comparisons, strata: Ints | None, flips: int, seed: int
    ) -> None:
        self._scored = {one.run: one.per_query for one in comparisons.evaluations}
        everything = frozenset(self._scored)
        self._known = {(comparisons.primary, everything): comparisons.best_set}
        unseen = _stopped(comparisons)
        self._options: dict[str, Any] = {"strata": strata, "flips": flips, "seed": seed}
        self._options["unseen"] = unseen

    def __call__(self, metric: str, names: Sequence[str]) -> Collection[str]:
        known = [name for name in names if metric in self._scored.get(name, {})]
        if len(known) < 2:
            return known
        if (asked := (metric, frozenset(known))) not in self._known:
            self._known[asked] = self._found(metric, known)
        return self._known[asked]

    def _found(self, metric: str, known: Sequence[str]) -> tuple[str, ...]:
        """Find the set once: it takes the square of the number of runs."""
        scores = np.array([self._scored[name][metric] for name in known]).T
        members = best_set(scores, **self._options).members
        return tuple(name for name, kept in zip(known, members, strict=True) if kept)
