"""Pareto: the runs that no other beats in quality, latency and storage at once."""

from collections.abc import Mapping
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
    titles = ("run", *(_title(axis, found["axes"][axis]) for axis in axes), "front")
    marks = frozenset((at, len(axes) + 1) for at, run in enumerate(points) if run not in dominated)
    last = frozenset([len(axes) + 1])
    return Table(titles, rows, _said(report, found), best=marks, texts=texts, names=last)


def _title(axis: str, read: str) -> str:
    if axis == "latency":
        return f"{read.removeprefix('latency_ms.')} ms"
    return STORAGE if axis == "storage" else read


def _state(run: str, dominated: Mapping[str, str], place: Mapping[str, str]) -> str:
    return f"dominated by {place[dominated[run]]}" if run in dominated else "on it"


def _said(report: Report, found: Mapping[str, Any]) -> str:
    front, runs = found["front"], len(found["points"])
    axes = join_list([*found["axes"]])
    raced = any(run.status == "beaten" for run in report.runs)
    of = f"the {runs} runs that the race did not stop" if raced else f"{runs} runs"
    bad, left = unfit_runs(report, front), _left_out(report, found)
    if len(bad) == len(front):
        told = f"No other is better than {len(front)} of {of} in {axes} at once: "
        each = "each of them" if front[1:] else "it"
        return f"{told}{list_runs(report, front)}; but the verdict on {each} is {DONT_SHIP}{left}."
    left = f"; the verdict on {list_runs(report, bad)} is {DONT_SHIP}{left}" if bad else left
    if len(front) == runs:
        which = f"None of {of}" if raced else "No run"
        return f"{which} is better than another in {axes} at once{left}."
    worth = [run for run in front if run not in bad]
    are, named = "is" if len(worth) == 1 else "are", list_runs(report, worth)
    return f"{len(worth)} of {of} {are} worth a look for {axes}: {named}{left}."


def _left_out(report: Report, found: Mapping[str, Any]) -> str:
    """Say which axes and runs are left out, and why."""
    left = "".join(f"; {axis} is left out: {why}" for axis, why in found["left_out"].items())
    if failed := found.get("failed"):
        left += f"; queries failed in {list_runs(report, failed)}, which cannot be on the front"
    return left
