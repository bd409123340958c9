"""Pareto: the runs that no other run beats in quality, latency and storage together."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Cell, Report, Table
from assay.records.verdict import DONT_SHIP
from assay.reports.analysis._named import heads
from assay.reports.analysis._unfit_runs import unfit_runs
from assay.reports.runs.phrases.run_label import list_runs
from assay.text.join_list import join_list

__all__ = ["pareto"]

FORMS = {"quality": ".4f", "latency": ",.2f", "storage": ",.0f"}
STORAGE = "index bytes"


def pareto(report: Report) -> Table | None:
    """Lay out the runs, those on the front marked, and by which others are dominated."""
    found = report.analysis.get("pareto") or {}
    points = found.get("points") or {}
    if len(points) < 2:
        return None
    axes = [*found["axes"]]
    dominated = found["dominated"]
    numbers, _ = heads(report, [*points])
    place = dict(zip(points, numbers, strict=True))
    rows: list[list[Cell]] = [
        [run, *(one[axis] for axis in axes), _state(run, dominated, place)]
        for run, one in points.items()
    ]
    texts = {
        (r, c): f"{row[c]:{FORMS[axis]}}"
        for r, row in enumerate(rows)
        for c, axis in enumerate(axes, 1)
    }
    titles = ("run", *(_title(axis, found["axes"][axis]) for axis in axes), "Pareto front")
    marks = frozenset((at, len(axes) + 1) for at, run in enumerate(points) if run not in dominated)
    last = frozenset([len(axes) + 1])
    return Table(titles, rows, _said(report, found), best=marks, texts=texts, names=last)


def _title(axis: str, read: str) -> str:
    if axis == "latency":
        return f"{read.removeprefix('latency_ms.')} ms"
    return STORAGE if axis == "storage" else read


def _state(run: str, dominated: Mapping[str, str], place: Mapping[str, str]) -> str:
    return f"dominated by {place[dominated[run]]}" if run in dominated else "yes"


def _said(report: Report, found: Mapping[str, Any]) -> str:
    front, runs = found["front"], len(found["points"])
    raced = any(run.status == "beaten" for run in report.runs)
    of = f"the {runs} runs that were not stopped early" if raced else f"{runs} runs"
    bad, left = unfit_runs(report, front), _left_out(report, found)
    on = f"on the Pareto front of {join_list([*found['axes']])}"
    refused = f"; the verdict on {_which(report, front, bad)} is {DONT_SHIP}" if bad else ""
    if len(front) == runs:
        every = "Both runs" if runs == 2 else f"All {runs} runs"
        every += " that were not stopped early" * raced
        return f"{every} are {on}: none dominates another{refused}{left}."
    are = "is" if len(front) == 1 else "are"
    good = [run for run in front if run not in bad]
    return f"{len(front)} of {of} {are} {on}: {list_runs(report, [*good, *bad])}{refused}{left}."


def _which(report: Report, front: Sequence[str], bad: Sequence[str]) -> str:
    """Name the runs of the front that must not be shipped."""
    if len(bad) < len(front):
        return list_runs(report, bad)
    return "each of them" if front[1:] else "it"


def _left_out(report: Report, found: Mapping[str, Any]) -> str:
    """Name the axes and runs that are not included, and why."""
    left = "".join(f"; {axis} is not included: {why}" for axis, why in found["left_out"].items())
    if failed := found.get("failed"):
        left += f"; not included: {list_runs(report, failed)} (failed queries)"
    return left
