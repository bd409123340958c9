"""Runs and how they compare -> a run for each question, with its reason and how sure that is."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from assay.records import Comparisons, Floats, Interval, Ints, Run
from assay.statistics.best_set import best_set
from assay.statistics.holm import holm
from assay.statistics.noninferiority import noninferiority
from assay.statistics.t_interval import t_interval
from assay.verdicts.evidence import VerdictEvidence
from assay.verdicts.margin import SHARE, margin_of
from assay.verdicts.pick import pick
from assay.verdicts.recommend import recommend
from assay.verdicts.refused import refused
from assay.verdicts.smallest import smallest
from assay.verdicts.within_budgets import within_budgets

__all__ = ["recommend_runs"]

ALPHA = 0.05  # where nothing was compared


def recommend_runs(  # noqa: PLR0913 - every option is a name of its own
    runs: Sequence[Run],
    *,
    primary: str,
    baseline: str = "",
    comparisons: Comparisons | None = None,
    silent: Collection[str] = (),
    stopped: Collection[str] = (),
    strata: Ints | None = None,
    weights: Floats | None = None,
    flips: int = 10_000,
    seed: int = 0,
) -> dict[str, dict[str, Any] | None]:
    """Name the best by each question; a verdict against a run is not gone back on.

    ``baseline`` may be an alias; without one it is the first run. Nothing is claimed of runs that a
    race ``stopped``, and each reason says so. ``silent`` are the runs that answered nothing;
    ``strata`` numbers the collection of each query, in the order of the scores of each run, and
    ``weights`` is how much each counts.
    """
    whole = [run for run in runs if run.status != "beaten" and run.name not in stopped]
    raced, runs = len(whole) < len(runs), whole
    counted: dict[str, Any] = {"strata": strata, "weights": weights}
    alike = _Alike(comparisons, counted, flips, seed) if comparisons else None
    found = recommend(
        runs,
        primary=primary,
        best_set=comparisons.best_set if comparisons else (),
        refused=refused(comparisons, runs),
        silent=silent,
        alike=alike,
    )
    evidence = _evidence(runs, primary, baseline, comparisons, counted, alike)
    asked: dict[str, Any] = {"primary": primary, "evidence": evidence, "silent": silent}
    found["smallest"] = smallest(runs, primary=primary, silent=silent)
    found["pick"] = pick(runs, **asked)
    found["pick_within_budgets"] = within_budgets(runs, **asked)
    if not raced:
        return found
    return {key: one and _of_rest(one, alone=len(runs) == 1) for key, one in found.items()}


def _of_rest(told: dict[str, Any], *, alone: bool) -> dict[str, Any]:
    """Say among which runs one is the best: those that were stopped might be faster, or smaller."""
    if alone and told["run"]:
        return told | {"reason": "the only run that was not stopped early"}
    return told | {"reason": f"{told['reason']} (among runs that were not stopped early)"}


def _evidence(
    runs: Sequence[Run],
    primary: str,
    baseline: str,
    comparisons: Comparisons | None,
    counted: Mapping[str, Any],
    alike: "_Alike | None",
) -> VerdictEvidence:
    """Tell what the queries show of any two runs; one that failed scores 0 on a query."""
    settings = comparisons.settings if comparisons else {}
    scores = {run.name: _scores(run, primary) for run in runs if primary in run.scores}
    base_name = baseline or next((run.name for run in runs), "")  # a single run needs no name
    named = [run for run in runs if base_name in (run.name, *run.aliases) and run.name in scores]
    base = named[0].scores[primary] if named else 0.0
    margin = margin_of(base, float(settings.get("margin", SHARE)))

    def difference(one: str, other: str) -> Interval | None:
        if not len(scores[one]):
            return None
        return t_interval(scores[other] - scores[one], **counted)

    def noninferior(leader: str, tested: Sequence[str]) -> list[str]:
        deltas = [scores[name] - scores[leader] for name in tested]
        p = [noninferiority(one, margin=margin, **counted).p for one in deltas]
        shown = holm(np.array(p)) < float(settings.get("alpha", ALPHA))
        return [name for name, kept in zip(tested, shown.tolist(), strict=True) if kept]

    return VerdictEvidence(
        baseline=named[0].name if named else "",
        queries=max((len(one) for one in scores.values()), default=0),
        outcomes={one.run: one.verdict.outcome for one in comparisons.candidates}
        if comparisons
        else {},
        margin=margin,
        noninferior=noninferior,
        difference=difference,
        alike=alike,
    )


def _scores(run: Run, primary: str) -> Floats:
    return np.array([one[primary] for one in run.per_query.values()], np.float64)


class _Alike:
    """Tells, for a metric and some runs, which do not differ significantly from the best."""

    def __init__(
        self, comparisons: Comparisons, counted: Mapping[str, Any], flips: int, seed: int
    ) -> None:
        self._scored = {one.run: one.per_query for one in comparisons.evaluations}
        everything = frozenset(self._scored)
        self._known = {(comparisons.primary, everything): comparisons.best_set}
        unseen = int(comparisons.settings.get("stopped", 0))
        self._options = {**counted, "flips": flips, "seed": seed, "unseen": unseen}

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
