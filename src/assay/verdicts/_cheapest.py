"""The cheapest of runs that are alike: the fastest of them, or the smallest if none was timed."""

from collections.abc import Callable, Sequence
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


def cheapest(
    runs: Sequence[Run], *, primary: str, why: Callable[[str], str]
) -> dict[str, Any] | None:
    """Name the fastest; of equally fast ones the smallest; None where no cost is known.

    ``why`` makes the reason out of what is the least of it. Times are compared only with runs that
    were asked as many queries at once as the best of them.
    """
    timed = [run for run in runs if is_timed(run)]
    if not timed:
        return _smallest(runs, why)
    like = at_once(max(timed, key=lambda run: run.scores[primary]))
    timed = [run for run in timed if at_once(run) == like]
    first = min(timed, key=_cost)
    return chosen(first, LATENCY, latency(first), why("fastest"), by_latency(first, timed))


def _smallest(runs: Sequence[Run], why: Callable[[str], str]) -> dict[str, Any] | None:
    counted = [(value, run) for run in runs if (value := size(run)) is not None]
    if not counted:
        return None
    value, first = min(counted, key=lambda pair: pair[0])
    told = by_bytes(first, [run for _, run in counted])
    return chosen(first, BYTES, value, why("smallest"), told)


def _cost(run: Run) -> tuple[float, float]:
    counted = size(run)
    return latency(run), float("inf") if counted is None else counted
