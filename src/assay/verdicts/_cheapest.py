"""The cheapest of runs that are alike: the fastest of them, or the smallest if none was timed."""

from collections.abc import Sequence
from typing import Any

from assay.records import Run
from assay.verdicts._chosen import (
    BYTES,
    LATENCY,
    at_once,
    by_bytes,
    by_latency,
    chosen,
    is_timed,
    latency,
    size,
)

__all__ = ["cheapest"]


def cheapest(runs: Sequence[Run], *, primary: str) -> tuple[Run, dict[str, Any]] | None:
    """Name the fastest; of equally fast ones the smallest; None where no cost is known.

    Of those that cost the same, the highest score is taken. The reason is what it is the most of.
    Times are compared only with runs that were asked as many queries at once as the best of them.
    """
    timed = [run for run in runs if is_timed(run)]
    if not timed:
        return _smallest(runs, primary)
    like = at_once(max(timed, key=lambda run: run.scores[primary]))
    timed = [run for run in timed if at_once(run) == like]
    first = min(timed, key=lambda run: (*_cost(run), -run.scores[primary]))
    return first, chosen(first, LATENCY, latency(first), "fastest", by_latency(first, timed))


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
