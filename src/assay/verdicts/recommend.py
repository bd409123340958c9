"""Recommend: which run is the best by quality, speed, recall, and quality and speed together."""

from collections.abc import Collection, Sequence
from typing import Any

from assay.records import Run
from assay.records.times import incomparable, timed_runs
from assay.verdicts._balance import balanced
from assay.verdicts._named_run import (
    LATENCY,
    Alike,
    by_latency,
    by_score,
    chosen,
    latency,
)

__all__ = ["recommend"]

QUESTIONS = ("best_quality", "fastest", "best_recall", "best_balance")


def recommend(
    runs: Sequence[Run],
    *,
    primary: str,
    best_set: Collection[str] = (),
    refused: Collection[str] = (),
    silent: Collection[str] = (),
    alike: Alike | None = None,
) -> dict[str, dict[str, Any] | None]:
    """Name a run for each question; None where nothing was measured that could answer it.

    ``best_set`` are the runs that are not significantly different from the best; ``alike`` gives
    that set for any metric and runs. The first of equals is named. A run whose time is not known
    can be the best, not the fastest; nor can one whose queries failed, or that answered nothing
    (``silent``): it saved its time. What is ``refused`` by its verdict is no good balance. Where
    times cannot be compared, nothing is said about speed. Each answer has its ``reason``, and its
    ``uncertainty``: the interval of what it was chosen by, and whether the runner-up is
    significantly different from it.
    """
    known = [run for run in runs if primary in run.scores]
    found: dict[str, dict[str, Any] | None] = dict.fromkeys(QUESTIONS)
    if not known:
        return found
    timed = timed_runs(known, silent=silent)
    allowed = [run for run in timed if run.name not in refused]
    recall = _recall(known[0])
    found["best_quality"] = _most(known, primary, (lambda *_: best_set) if best_set else alike)
    found["best_recall"] = _most(known, recall, alike) if recall else None
    if timed and not incomparable(timed):
        found["fastest"] = _fastest(timed)
        found["best_balance"] = balanced(allowed, primary, among=timed) if allowed else None
    return found


def _most(runs: Sequence[Run], metric: str, alike: Alike | None) -> dict[str, Any]:
    best = max(runs, key=lambda run: run.scores[metric])
    reason = f"the highest {metric} of {_runs(runs)}"
    return chosen(best, metric, best.scores[metric], reason, by_score(best, runs, metric, alike))


def _fastest(runs: Sequence[Run]) -> dict[str, Any]:
    first = min(runs, key=latency)
    reason = f"the lowest p50 of {_runs(runs)} that were timed"
    return chosen(first, LATENCY, latency(first), reason, by_latency(first, runs))


def _recall(run: Run) -> str:
    """Choose the deepest recall that was measured."""
    named = [name for name in run.scores if name.startswith("recall") and "@" in name]
    return max(named, key=lambda name: int(name.rpartition("@")[2]), default="")


def _runs(runs: Sequence[Run]) -> str:
    return "1 run" if len(runs) == 1 else f"{len(runs)} runs"
