"""Approximate: recall, latency and score of each setting of an approximate dense index."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Cell, Report, Table
from assay.records.times import incomparable
from assay.reports.analysis.busy import busy
from assay.reports.runs.phrases.run_label import run_label
from assay.text.figures import difference_text, interval_text

__all__ = ["approximate"]

SHOWN = 40  # rows
Point = Mapping[str, Any]


def approximate(report: Report) -> Table | None:
    """Lay out the points of all indexes, and name the cheapest that is as good as exact search."""
    found = report.analysis.get("approximate") or {}
    points = [(line, one) for line in found.get("lines") or [] for one in line["points"]]
    if not points:
        return None
    primary = str(report.benchmark["primary"])
    titles = ("run", f"recall@{found['k']}", "worst", "dense p50", "p95", primary, "vs exact")
    every = [*_exact(found), *(_row(one) for _, one in points)]
    rows = [row for row, _ in every[:SHOWN]]
    texts = {(at, c): text for at, (_, its) in enumerate(every[:SHOWN]) for c, text in its.items()}
    more = [[f"{len(every) - SHOWN:,} more", *[None] * 6]] if len(every) > SHOWN else []
    return Table(titles, rows, _said(report, found, points), texts=texts, footer=more)


def _exact(found: Mapping[str, Any]) -> list[tuple[list[Cell], dict[int, str]]]:
    """Write exact search first: it misses nothing."""
    return [
        _row({"run": name, "recall": 1.0, "worst": 1.0, **one})
        for name, one in (found.get("exact") or {}).items()
    ]


def _row(one: Point) -> tuple[list[Cell], dict[int, str]]:
    names = ("run", "recall", "worst", "p50", "p95", "score", "difference")
    row = [one.get(name) for name in names]
    forms = {1: ".1%", 2: ".0%", 3: ",.2f", 4: ",.2f"}
    texts = {at: f"{row[at]:{form}}" for at, form in forms.items() if row[at] is not None}
    if one.get("difference") is not None:
        texts[6] = f"{difference_text(one['difference'])} [{_ends(one).replace(' to', ',')}]"
    return row, texts


def _ends(one: Point) -> str:
    low, high = one["ci"]
    return "unknown" if low is None or high is None else interval_text(low, high)


def _said(report: Report, found: Mapping[str, Any], points: Sequence[tuple[Point, Point]]) -> str:
    """Name the cheapest setting that is shown to be good enough, or say why there is none."""
    compared = [(line, one) for line, one in points if line.get("exact")]
    if not compared:
        hint = "add a configuration with dense: exact to see what it costs in quality"
        return f"Recall of approximate dense search against exact search; {hint}."
    margin = f"margin {100 * found['margin']:g}% of {report.benchmark['primary']}"
    chosen = [(line, one) for line, one in compared if one["run"] == found.get("cheapest")]
    if chosen:
        return _chosen(report, found, *chosen[0], margin)
    if any(one["noninferior"] for _, one in compared):
        return f"{_good(report, compared, margin)} {_untimed(report, compared)}"
    _, best = max(compared, key=lambda pair: float(pair[1]["difference"]))
    named = f"{run_label(report, best['run'])} ({_lost(best)})"
    none = "No approximate setting is non-inferior to exact search"
    return f"{none} ({margin}); the closest is {named}."


def _chosen(report: Report, found: Mapping[str, Any], line: Point, one: Point, margin: str) -> str:
    exact = found["exact"][line["exact"]]["p50"]
    named = run_label(report, one["run"])
    if exact and exact <= one["p50"]:
        slow = f"{named} takes {one['p50']:.3g} ms, exact search {exact:.3g} ms (dense p50)"
        return f"No setting that is non-inferior to exact search ({margin}) is faster: {slow}."
    times = f"dense p50 {one['p50']:.3g} ms" + (f" instead of {exact:.3g} ms" if exact else "")
    shown = f"the fastest setting that is non-inferior to exact search ({margin}; {_lost(one)})"
    return f"{named} is {shown}: recall@{found['k']} {one['recall']:.1%}, {times}."


def _good(report: Report, compared: Sequence[tuple[Point, Point]], margin: str) -> str:
    good = [one for _, one in compared if one["noninferior"]]
    least = min(good, key=lambda one: float(one["recall"]))
    named = f"{run_label(report, least['run'])} ({least['recall']:.1%})"
    are = "is" if len(good) == 1 else "are"
    share = (
        f"{len(good)} of {len(compared)} approximate settings {are} non-inferior to exact search"
    )
    return f"{share} ({margin}), down to the recall of {named}."


def _untimed(report: Report, compared: Sequence[tuple[Point, Point]]) -> str:
    """Say why none is called the fastest."""
    named = {one["run"] for _, one in compared} | {line["exact"] for line, _ in compared}
    runs = [run for run in report.runs if run.name in named]
    if not any("p50" in run.latency_ms for run in runs):
        return "Latency was not measured."
    return busy(report) or f"Latencies cannot be compared: {incomparable(runs)}."


def _lost(one: Point) -> str:
    return f"{difference_text(one['difference'])}, 95% CI {_ends(one)}"
