"""Quality sketch: a small chart of score against latency, for the first card."""

import math
from typing import Any

from assay.records import Report, Run
from assay.reports.html._scale import Scale
from assay.reports.runs.phrases.answer import Answer

__all__ = ["quality_sketch"]

MOST = 60  # runs that a small chart has room for
WIDE = 20  # times the fastest, from which a logarithmic axis is needed


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
    times = [float(run.latency_ms["p95"]) for _, run in runs]
    wide = max(times) > WIDE * min(times)
    place = math.log10 if wide else float
    across = Scale.of(map(place, times))
    up = Scale.of(end for _, run in runs for end in _ends(run, metric))
    named = {
        found.run: "pick",
        (found.runner_up.run if found.runner_up else ""): "runner-up",
        found.baseline: "baseline",
    }
    return {
        "metric": metric,
        "log": wide,
        "times": [f"{time:,.1f}" for time in (min(times), max(times))],
        "scores": [f"{up_:.2f}" for up_ in _range(runs, metric)],
        "points": [
            {
                "number": at,
                "name": run.name,
                "role": named.get(run.name, ""),
                "x": across.at(place(float(run.latency_ms["p95"]))),
                "y": 100 - up.at(run.scores[metric]),
                "low": 100 - up.at(_ends(run, metric)[0]),
                "high": 100 - up.at(_ends(run, metric)[1]),
                "title": f"{run.name}: {metric} {run.scores[metric]:.3f}, "
                f"p95 {run.latency_ms['p95']:,.1f} ms",
            }
            for at, run in sorted(runs, key=lambda pair: pair[1].name == found.run)
        ],
    }


def _ends(run: Run, metric: str) -> tuple[float, float]:
    found, score = run.intervals.get(metric), run.scores[metric]
    if found is None or abs(found.high) == float("inf"):
        return score, score
    return found.low, found.high


def _range(runs: list[tuple[int, Run]], metric: str) -> tuple[float, float]:
    ends = [end for _, run in runs for end in _ends(run, metric)]
    return min(ends), max(ends)
