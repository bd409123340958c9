"""Runs and how they compare -> a run for each question, with its reason and how sure that is."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from assay.records import Comparisons, Ints, Run
from assay.statistics.best_set import best_set
from assay.verdicts.recommend import recommend
from assay.verdicts.refused import refused
from assay.verdicts.smallest import smallest
from assay.verdicts.within_budgets import within_budgets

__all__ = ["recommend_runs"]


def recommend_runs(
    runs: Sequence[Run],
    *,
    primary: str,
    comparisons: Comparisons | None = None,
    silent: Collection[str] = (),
    strata: Ints | None = None,
    flips: int = 10_000,
    seed: int = 0,
) -> dict[str, dict[str, Any] | None]:
    """Name the best by each question; a verdict against a run is not gone back on.

    ``silent`` are the runs that answered nothing; ``strata`` numbers the collection of each query,
    in the order of the evaluations that were compared.
    """
    out = refused(comparisons, runs)
    told = _Told(comparisons, strata, flips, seed) if comparisons else None
    found = recommend(
        runs,
        primary=primary,
        best_set=comparisons.best_set if comparisons else (),
        refused=out,
        silent=silent,
        alike=told,
    )
    pick = found.pop("pick")
    found["smallest"] = smallest(runs, primary=primary, silent=silent)
    found["pick"] = pick
    found["pick_within_budgets"] = within_budgets(
        runs, primary=primary, refused=out, silent=silent, alike=told
    )
    return found


class _Told:
    """Tells, for a metric and some of the runs, which cannot be told from the best of these."""

    def __init__(
        self, comparisons: Comparisons, strata: Ints | None, flips: int, seed: int
    ) -> None:
        self._scored = {one.run: one.per_query for one in comparisons.evaluations}
        self._options: dict[str, Any] = {"strata": strata, "flips": flips, "seed": seed}

    def __call__(self, metric: str, names: Sequence[str]) -> Collection[str]:
        known = [name for name in names if metric in self._scored.get(name, {})]
        if len(known) < 2:
            return known
        scores = np.array([self._scored[name][metric] for name in known]).T
        members = best_set(scores, **self._options).members
        return [name for name, kept in zip(known, members, strict=True) if kept]
