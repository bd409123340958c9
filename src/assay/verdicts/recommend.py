"""Recommend: which run is the best by quality, speed, recall, and quality and speed together."""

from collections.abc import Collection, Sequence
from typing import Any

from assay.records import Run
from assay.records.times import incomparable, timed_runs
from assay.text.count_noun import count_noun
from assay.verdicts._named_run import (
    LATENCY,
    Alike,
    between,
    by_latency,
    by_score,
    latency,
    named_run,
    unsure,
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
        found["best_balance"] = _balanced(allowed, primary, among=timed) if allowed else None
    return found


def _most(runs: Sequence[Run], metric: str, alike: Alike | None) -> dict[str, Any]:
    best = max(runs, key=lambda run: run.scores[metric])
    reason = f"highest {metric} of {_runs(runs)}"
    return named_run(best, metric, best.scores[metric], reason, by_score(best, runs, metric, alike))


def _fastest(runs: Sequence[Run]) -> dict[str, Any]:
    first = min(runs, key=latency)
    reason = f"lowest p50 of {_runs(runs)} with measured latency"
    return named_run(first, LATENCY, latency(first), reason, by_latency(first, runs))


def _recall(run: Run) -> str:
    """Choose the deepest recall that was measured, in results."""
    named = [name for name in run.scores if name.startswith("recall")]
    deep = {name: name.rpartition("@")[2] for name in named}
    return max((n for n in named if deep[n].isdigit()), key=lambda n: int(deep[n]), default="")


def _runs(runs: Sequence[Run]) -> str:
    return count_noun(len(runs), "run")


def _balanced(runs: Sequence[Run], primary: str, *, among: Sequence[Run]) -> dict[str, Any]:
    """Average quality / best quality and min-max speed (Akashic); equal latencies give speed 1.

    The best quality, the fastest and the slowest are those ``among`` all runs that were timed.
    """
    best = max(run.scores[primary] for run in among)
    times = [latency(run) for run in among]

    def balance(score: float, time: float) -> float:
        spread = max(times) - min(times)
        speed = 1 - (time - min(times)) / spread if spread else 1.0
        return ((score / best if best else 0.0) + speed) / 2

    def ends(run: Run) -> tuple[float, float] | None:
        """Take the bad ends of both intervals, and the good ones: wider than either needs."""
        score, time = run.intervals.get(primary), between(run, "p50")
        if score is None or time is None:
            return None
        both = (balance(score.low, time[1]), balance(score.high, time[0]))
        return max(both[0], 0.0), min(both[1], 1.0)

    ordered = sorted(runs, key=lambda run: -balance(run.scores[primary], latency(run)))
    first, next_ = ordered[0], (*ordered[1:], None)[0]
    ours, theirs = ends(first), ends(next_) if next_ else None
    apart = None if ours is None or theirs is None else ours[0] > theirs[1]
    value = balance(first.scores[primary], latency(first))
    reason = (
        f"highest mean of {primary} / best {primary} and of speed, scaled from the slowest p50 "
        "(0) to the fastest (1)"
    )
    sure = unsure(ours, next_, told_apart=apart, what="the mean of both")
    return named_run(first, "balance", value, reason, sure)
