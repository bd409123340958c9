"""Best balance: the mean of quality / best quality and of speed, slowest 0 and fastest 1."""

from collections.abc import Sequence
from typing import Any

from assay.records import Run
from assay.verdicts._named_run import between, chosen, latency, unsure

__all__ = ["balanced"]


def balanced(runs: Sequence[Run], primary: str, *, among: Sequence[Run]) -> dict[str, Any]:
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
        f"the highest mean of {primary} / best {primary} and of speed, which is scaled from the "
        "slowest p50 (0) to the fastest (1)"
    )
    sure = unsure(ours, next_, told_apart=apart, what="score and p50 together")
    return chosen(first, "balance", value, reason, sure)
