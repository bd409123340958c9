"""The runs that a chart shows: each with its number, and why the others are not there."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from assay.records import Report, Run
from assay.records.times import unlike_loads
from assay.text import sanitize
from assay.text.join_list import first_named

__all__ = [
    "PAIRED",
    "ChartRun",
    "alike",
    "known",
    "left_out",
    "mean",
    "primary",
    "rises",
    "shown",
    "unlike",
]

LONGEST = 400  # letters of a name that a picture has room for
MOST = 40  # runs that one picture has room for
PAIRED = "Overlapping intervals do not imply no difference: the test is paired by query."


@dataclass(frozen=True, slots=True)
class ChartRun:
    """A run with its number in the report (the first is 1), and its name as it is written."""

    number: int
    name: str
    run: Run


def shown(report: Report, has: Callable[[Run], object]) -> list[ChartRun]:
    """Return the completed runs that have what the chart is about, the first 40 at most."""
    return [
        ChartRun(number, sanitize(run.name)[:LONGEST], run)
        for number, run in enumerate(report.runs, 1)
        if run.status == "completed" and has(run)
    ][:MOST]


def left_out(report: Report, there: list[ChartRun]) -> str:
    """Say which runs are not in a chart, and why; nothing where all are."""
    drawn = {one.number for one in there}
    why: dict[str, list[str]] = {}
    for number, run in enumerate(report.runs, 1):
        if number not in drawn:
            why.setdefault(_why(run, full=len(there) >= MOST), []).append(str(number))
    told = [f"{first_named(them, 20, mark='…')} ({say})" for say, them in why.items()]
    return f"Not drawn: run {'; '.join(told)}." if told else ""


def unlike(there: list[ChartRun]) -> str:
    """Say why the latencies in a chart cannot be compared, but for a busy machine."""
    why = unlike_loads([one.run for one in there])
    return f"Latencies were {why}: they cannot be compared." if why else ""


def _why(run: Run, *, full: bool) -> str:
    if run.status == "completed":
        return "no space" if full else "not measured"
    return "stopped early" if run.status == "beaten" else run.status


def primary(report: Report) -> str:
    """Return the metric that decides."""
    if report.comparisons is not None:
        return report.comparisons.primary
    asked = report.benchmark.get("primary")
    scored = next((name for run in report.runs for name in run.scores), "")
    return str(asked or scored)


def rises(report: Report) -> bool:
    """Tell whether more of the primary metric is better."""
    candidates = report.comparisons.candidates if report.comparisons is not None else ()
    found = [one.metrics[primary(report)] for one in candidates if primary(report) in one.metrics]
    return found[0].higher_is_better if found else True


def alike(report: Report) -> str:
    """Say that each of several datasets counts alike in a mean; nothing of one."""
    return " (equal weight per dataset)" if len(report.dataset.get("collections") or ()) > 1 else ""


def known(value: object) -> float | None:
    """Return a number, or None for what is none or not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def mean(values: list[float]) -> float:
    """Return the mean of at least one value."""
    return math.fsum(values) / len(values)
