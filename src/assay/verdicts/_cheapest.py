"""The cheapest of runs that are alike: the fastest of them, or the smallest if none was timed."""

from collections.abc import Sequence
from typing import Any

from assay.records import Run
from assay.verdicts._chosen import (
    BYTES,
    LATENCY,
    at_once,
    between,
    by_bytes,
    by_latency,
    chosen,
    is_timed,
    latency,
    size,
)

__all__ = ["cheapest"]


def cheapest(runs: Sequence[Run], *, primary: str) -> tuple[Run, dict[str, Any]] | None:
    """Name the fastest, or the smallest if none was timed; None where no cost is known.

    Of those that cost the same, the highest score is taken, then the smallest: as fast as the
    fastest is who cannot be told from it by p50, since a few hundredths of a millisecond that may
    be chance are no reason to score less. ``equal`` names the others that cost the same.
    Times are compared only with runs that were asked as many queries at once as the best of them.
    """
    timed = [run for run in runs if is_timed(run)]
    if not timed:
        return _smallest(runs, primary)
    like = at_once(max(timed, key=lambda run: run.scores[primary]))
    timed = [run for run in timed if at_once(run) == like]
    fastest = min(timed, key=latency)
    fast = [run for run in timed if _is_as_fast(run, fastest)]
    first = min(fast, key=lambda run: (-run.scores[primary], *_cost(run)))
    equal = [run.name for run in fast if run is not first]
    told = by_latency(first, timed) | {"equal": equal}
    return first, chosen(first, LATENCY, latency(first), "fastest", told)


def _is_as_fast(run: Run, fastest: Run) -> bool:
    """Tell whether its interval begins where that of the fastest has not ended yet."""
    ours, theirs = between(run, "p50"), between(fastest, "p50")
    if ours is None or theirs is None:
        return latency(run) == latency(fastest)
    return run is fastest or ours[0] <= theirs[1]


def _smallest(runs: Sequence[Run], primary: str) -> tuple[Run, dict[str, Any]] | None:
    counted = [run for run in runs if size(run) is not None]
    if not counted:
        return None
    first = min(counted, key=lambda run: (size(run) or 0.0, -run.scores[primary]))
    value = size(first) or 0.0
    return first, chosen(first, BYTES, value, "smallest", by_bytes(first, counted))


def _cost(run: Run) -> tuple[float, float]:
    counted = size(run)
    return latency(run), float("inf") if counted is None else counted
