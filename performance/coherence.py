"""Ranking 400 candidates by coherence, beside one call of scipy's solver per dimension."""

from itertools import chain
from statistics import median
from typing import Any

from performance._measure import ONE_THREAD, measure, progress, script
from performance._result import Result, Row
from performance._settings import Settings

__all__ = ["coherence"]

CANDIDATES, DIMENSION = 400, 384
QUERIES = 20
BUDGET = 0.030  # seconds of CPU for one query, at most
AGREE = 1e-3  # of a solution along the query, at most: both solve to a tolerance of 1e-3


def coherence(settings: Settings) -> Result:
    """Measure both sides in turns, on one core."""
    ours, theirs = [], []
    for turn in range(settings.repeats):
        progress(f"coherence: {CANDIDATES} candidates, {DIMENSION} dimensions, turn {turn + 1}")
        size = (CANDIDATES, DIMENSION, QUERIES)
        ours.append(measure(script("coherence_assay", *size), ONE_THREAD).json())
        theirs.append(measure(script("coherence_scipy", *size), ONE_THREAD).json())
    gap = _gap(ours[0]["along"], theirs[0]["along"])
    steps = ours[0]["iterations"]
    result = Result(f"Coherence: {CANDIDATES} candidates of {DIMENSION} dimensions, one core")
    result.rows.extend(_rows(ours, theirs))
    result.notes.append(
        f"CPU time for one query, the median of {QUERIES} queries, of which again the median of "
        f"{settings.repeats} processes; each is asked once before. All is the stage of a search, "
        "its vectors included. 30 ms is a target, not another program. scipy: one call of "
        "`scipy.sparse.linalg.cg` per dimension and system, with the same matrices, start, "
        f"tolerance and preconditioner. Steps of the two systems: {_mean(steps, 0):.1f} and "
        f"{_mean(steps, 1):.1f} on average. Largest difference of a solution along the query: "
        f"{gap:.1e}."
    )
    return result


def _rows(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> list[Row]:
    part = {name: _median([_part(turn, name) for turn in ours]) for name in ours[0]["s"][0]}
    solver = _median([turn["s"] for turn in theirs])
    budget: Any = {"peer": "30 ms", "theirs": BUDGET}
    return [
        Row("all", part["all"], **budget, target=1.0),
        Row("graph", part["graph"], **budget),
        Row("both solves", part["solve"], **budget),
        Row("scores and order", part["rank"], **budget),
        Row("both solves", part["solve"], "scipy", solver, ratio="times"),
    ]


def _part(turn: dict[str, Any], name: str) -> list[float]:
    return [query[name] for query in turn["s"]]


def _median(turns: list[list[float]]) -> float:
    return median(median(turn) for turn in turns)


def _mean(steps: list[list[int]], at: int) -> float:
    return sum(pair[at] for pair in steps) / len(steps)


def _gap(ours: list[list[float]], theirs: list[list[float]]) -> float:
    """Return the largest difference of a solution; more than the tolerance allows stops all."""
    pairs = zip(chain(*ours), chain(*theirs), strict=True)
    gap = max(abs(a - b) for a, b in pairs)
    if not gap <= AGREE:
        raise SystemExit(f"Assay and scipy solve differently, by {gap:.2g}")
    return gap
