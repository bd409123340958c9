"""Quality sketch: a small chart of score against latency, for the first card."""

from collections.abc import Sequence
from typing import Any

from assay.records import Report, Run
from assay.reports.charts.drawing.span import AxisSpan, span
from assay.reports.runs.phrases.answer import Answer
from assay.reports.shorten_names import shorten_names

__all__ = ["quality_sketch"]

MOST = 60  # runs that a small chart has room for
NAMED = 8  # runs up to which each is named below it
LONGEST = 34  # letters of a name there
WIDTH, HEIGHT = 282.0, 176.0
APART = 8.0  # pixels between marks, so that each can be seen
TICK = 30.0  # pixels that the number of a tick needs
Spot = tuple[float, float]
Numbered = tuple[int, Run]


def quality_sketch(report: Report, found: Answer) -> dict[str, Any] | None:
    """Place each run that was timed; None where fewer than two were."""
    metric = str(report.benchmark.get("primary") or "")
    runs = [
        (at, run)
        for at, run in enumerate(report.runs, 1)
        if run.status == "completed" and metric in run.scores and run.latency_ms.get("p95")
    ]
    if not 2 <= len(runs) <= MOST:
        return None
    x = span([_p95(run) for _, run in runs], WIDTH, "", log=True)
    y = span([end for _, run in runs for end in _ends(run, metric)], HEIGHT, "", down=True)
    roles = _roles(found)
    return {
        "metric": metric,
        "x": _ticks(x),
        "y": _ticks(y),
        "points": _points(runs, metric, (x, y), roles),
        "names": _names(runs, roles),
    }


def _p95(run: Run) -> float:
    return float(run.latency_ms["p95"])


def _roles(found: Answer) -> dict[str, str]:
    """Return the part that runs have in the answer."""
    next_ = found.runner_up.run if found.runner_up else ""
    return {next_: "runner-up", found.baseline: "baseline", found.run: "pick"}


def _points(
    runs: Sequence[Numbered], metric: str, axes: tuple[AxisSpan, AxisSpan], roles: dict[str, str]
) -> list[dict[str, Any]]:
    """Return a point per run, that of the pick in front."""
    x, y = axes
    spots = _nudged([(x.at(_p95(run)), y.at(run.scores[metric])) for _, run in runs])
    points = [
        {
            "number": number,
            "role": roles.get(run.name, ""),
            "x": round(spot[0], 1),
            "y": round(spot[1], 1),
            "ends": [round(y.at(end), 1) for end in _ends(run, metric)],
            "title": f"{run.name}: {metric} {run.scores[metric]:.3f}, p95 {_p95(run):,.1f} ms",
        }
        for (number, run), spot in zip(runs, spots, strict=True)
    ]
    return sorted(points, key=lambda one: one["role"] == "pick")


def _names(runs: Sequence[Numbered], roles: dict[str, str]) -> list[dict[str, Any]]:
    """Name the runs from left to right; where there are many, those that the answer is about."""
    short = shorten_names([run.name for _, run in runs], LONGEST)
    told = [
        (_p95(run), {"number": number, "name": name, "role": roles.get(run.name, "")})
        for name, (number, run) in zip(short, runs, strict=True)
        if len(runs) <= NAMED or run.name in roles
    ]
    return [one for _, one in sorted(told, key=lambda pair: pair[0])]


def _nudged(spots: Sequence[Spot]) -> list[Spot]:
    """Move marks aside that would cover another, by no more than they must."""
    found: list[Spot] = []
    for x, y in spots:
        ways = [x + APART * step * side / 2 for step in range(9) for side in (1, -1)]
        inside = [way for way in ways if 0 <= way <= WIDTH]
        free = (way for way in inside if all(_are_apart((way, y), one) for one in found))
        found.append((next(free, x), y))
    return found


def _are_apart(one: Spot, other: Spot) -> bool:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 >= APART**2


def _ticks(axis: AxisSpan) -> list[tuple[float, str]]:
    """Return as many ticks as there is room for, each with its pixel and its number."""
    kept: list[float] = []
    for tick in axis.ticks:
        if not kept or abs(axis.at(tick) - axis.at(kept[-1])) >= TICK:
            kept.append(tick)
    return [(round(axis.at(tick), 1), f"{tick:,g}") for tick in kept]


def _ends(run: Run, metric: str) -> tuple[float, float]:
    found, score = run.intervals.get(metric), run.scores[metric]
    if found is None or abs(found.high) == float("inf"):
        return score, score
    return found.low, found.high
