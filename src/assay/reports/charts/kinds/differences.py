"""Difference of a run from the baseline for each query, largest gain first."""

from collections.abc import Sequence
from typing import Any

from assay.records import Report
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.plane import PLAIN, Drawing, Plane, pixels
from assay.reports.charts.drawing.shown_runs import (
    ChartRun,
    alike,
    known,
    mean,
    primary,
    rises,
    shown,
)
from assay.reports.charts.drawing.span import AxisSpan, span
from assay.reports.charts.drawing.widths import wide, wrapped
from assay.reports.charts.look import ChartStyle
from assay.reports.charts.refuse_run import refuse_run
from assay.reports.rival import baseline_of, rival
from assay.text import sanitize

__all__ = ["differences"]

HEIGHT = 260.0
LONGEST = 200  # letters of a query that are told
MANY = 200  # queries that are a mark each
SAME = 1e-9
Bar = dict[str, Any]
FEW = 3
LINE = 14.0
Row = dict[str, Any]


def differences(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw the differences of a run: the one that is picked, unless ``run`` names another."""
    there = {one.run.name: one for one in shown(report, lambda one: one.per_query)}
    if run is not None:
        refuse_run(report, run)
    baseline, chosen = there.get(baseline_of(report)), there.get(run or rival(report))
    if baseline is None or chosen is None:
        return None
    bars = _sorted(report, baseline, chosen, primary(report))
    return _drawn(report, look, (chosen, baseline), bars) if bars else None


def _drawn(
    report: Report, look: ChartStyle, runs: tuple[ChartRun, ChartRun], bars: list[Bar]
) -> Drawing:
    changes = [float(bar["y"]) for bar in bars]
    middle, ends = _told(report, runs[0], changes)
    how = alike(report) if report.comparisons is not None else ""
    worth = [change if rises(report) else -change for change in changes]
    interval = f" [{ends[0]:+.3f}, {ends[1]:+.3f}]" if ends[0] < ends[1] else ""
    within = " within its 95% CI" if interval else ""
    about = f"{_counted(worth)}; mean {middle:+.3f}{interval}{how}"
    pair = f"{runs[0].name} compared with {runs[1].name}"
    plane = _plane(changes, ends, primary(report), look)
    named = [(bar["name"], value) for bar, value in zip(bars, changes, strict=True)]
    most = _extremes(named, worth, look)
    return frame(
        [
            plane.layered(
                [
                    _interval(ends, about, plane),
                    *_shapes(bars, worth, plane),
                    *_mean(middle, plane),
                ]
            ),
            *([most] if most is not None else []),
        ],
        report,
        look,
        title=f"{pair}, {primary(report)}",
        lines=["" if look.titled else f"{pair}.", f"{about}, the dashed line{within}."],
        tells=f"{pair}: {about}",
    )


def _plane(changes: list[float], ends: tuple[float, float], metric: str, look: ChartStyle) -> Plane:
    count = len(changes)
    title = "queries, from largest gain to largest loss"
    across = AxisSpan(0.0, float(count), look.width, title, ticks=_ticks(count, look))
    up = span(changes, HEIGHT, f"difference in {metric}", down=True, among=(0.0, *ends))
    return Plane(across, up, look, (PLAIN, "+.3~f"))


def _sorted(report: Report, baseline: ChartRun, chosen: ChartRun, metric: str) -> list[Bar]:
    """Return a bar per query that both answered, the most gained first."""
    before, after = baseline.run.per_query, chosen.run.per_query
    pairs = [
        (key, known(before[key].get(metric)), known(scores.get(metric)))
        for key, scores in after.items()
        if key in before
    ]
    found = [(key, b, c) for key, b, c in pairs if b is not None and c is not None]
    sign = 1 if rises(report) else -1
    found.sort(key=lambda one: (sign * (one[1] - one[2]), one[0]))
    return [
        {"x": float(at), "x2": at + 1.0, "y": c - b, "y2": 0.0} | _words(report, key, b, c)
        for at, (key, b, c) in enumerate(found)
    ]


def _words(report: Report, key: str, before: float, after: float) -> Bar:
    text = str(report.queries.get(key, {}).get("text") or "")
    known = text and text != key  # a query without an id of its own is called by its text
    about = sanitize(f"{key}: {text[:LONGEST]}" if known else key)
    return {"name": about, "say": f"{about}: {before:.3f} to {after:.3f}, {after - before:+.3f}"}


def _ticks(count: int, look: ChartStyle) -> tuple[float, ...]:
    """Return round numbers of queries and how many there are, as far as these do not meet."""
    step = next(
        one for one in (1, 5, 10, 20, 50, 100, 200, 500, 10**3, 10**4, 10**6) if count <= 10 * one
    )
    room = (wide(f"{count:,}", look.size) + 8) * count / look.width
    return (*(float(at) for at in range(0, count, step) if count - at >= room), float(count))


def _counted(worth: Sequence[float]) -> str:
    better = sum(one > SAME for one in worth)
    worse = sum(one < -SAME for one in worth)
    return f"{better} better, {len(worth) - better - worse} equal, {worse} worse"


def _shapes(bars: list[Bar], worth: list[float], plane: Plane) -> list[Any]:
    """Draw a bar per query, or where they are many one area of each sign."""
    look = plane.look
    colours = [look.better if one > 0 else look.worse for one in worth]
    zero = plane.layer("rule", [{"y": 0.0}], color=look.axis)
    if len(bars) <= MANY:
        rows = [_bare(bar) | {"colour": colour} for bar, colour in zip(bars, colours, strict=True)]
        thin: dict[str, Any] = (
            {"stroke": look.paper, "strokeWidth": 0.5} if len(bars) <= MANY // 2 else {}
        )
        return [plane.layer("rect", rows, **thin), zero]
    areas = [
        plane.layer("area", _steps(bars, colours, colour), color=colour, interpolate="step-after")
        for colour in dict.fromkeys(colours)
    ]
    return [*areas, zero]


def _bare(bar: Bar) -> Bar:
    return {key: value for key, value in bar.items() if key != "name"}


def _steps(bars: list[Bar], colours: list[str], colour: str) -> list[Bar]:
    """Return the corners of an area: only where a bar differs from the one before."""
    rows: list[Bar] = []
    for bar, own in zip(bars, colours, strict=True):
        high = bar["y"] if own == colour else 0.0
        if not rows or rows[-1]["y"] != high:
            rows.append({"x": bar["x"], "y": high, "y2": 0.0})
    return [*rows, {"x": bars[-1]["x2"], "y": rows[-1]["y"], "y2": 0.0}]


def _told(
    report: Report, chosen: ChartRun, changes: list[float]
) -> tuple[float, tuple[float, float]]:
    """Return the mean difference and its interval, as the two runs were compared.

    Of several datasets each counts alike there, so that their queries are pooled only where nothing
    was compared; then there is no interval.
    """
    metric = primary(report)
    for one in report.comparisons.candidates if report.comparisons is not None else ():
        middle = known(one.metrics[metric].difference) if metric in one.metrics else None
        if one.run == chosen.run.name and middle is not None:
            interval = one.metrics[metric].interval
            low, high = known(interval.low), known(interval.high)
            return middle, (middle if low is None else low, middle if high is None else high)
    middle = mean(changes)
    return middle, (middle, middle)


def _interval(ends: tuple[float, float], words: str, plane: Plane) -> Any:  # noqa: ANN401
    """Draw the interval of the mean as a band; it stands behind the bars, whose colours mean."""
    low, high = ends
    band = [{"y": low, "y2": high, "say": words}] if low < high else []
    return plane.layer("rect", band, color=plane.look.accent, opacity=0.25) if band else None


def _mean(middle: float, plane: Plane) -> list[Any]:
    """Draw the mean as a line."""
    look = plane.look
    return [
        plane.layer("rule", [{"y": middle}], color=look.paper, strokeWidth=3, opacity=0.7),
        plane.layer("rule", [{"y": middle}], color=look.ink, strokeDash=[5, 3]),
    ]


def _extremes(
    queries: Sequence[tuple[str, float]], worth: Sequence[float], look: ChartStyle
) -> Drawing | None:
    """Name up to three queries of each sign; nothing where none changed.

    ``queries`` are names and their changes, sorted by ``worth``, the most gained first.
    """
    pairs = [*zip(queries, worth, strict=True)]
    gained = [query for query, gain in pairs if gain > SAME]
    lost = [query for query, gain in reversed(pairs) if gain < -SAME]
    if not gained and not lost:
        return None
    sides = (("Largest gains", gained, 0.0), ("Largest losses", lost, look.width / 2 + 8))
    heads: list[Row] = []
    rows: list[Row] = []
    for title, found, left in sides:
        heads.append({"x": left, "y": 8.0, "text": title if found else ""})
        rows += _listed(found[:FEW], left, look)
    plane = Plane(pixels(look.width), pixels(max(row["y"] for row in rows) + 8), look)
    return plane.layered(
        [plane.text(heads, align="left", fontWeight="bold"), plane.text(rows, align="left")]
    )


def _listed(queries: Sequence[tuple[str, float]], left: float, look: ChartStyle) -> list[Row]:
    """Write a change and the name beside it, in two lines at most."""
    rows: list[Row] = []
    at = 8.0 + LINE + 3
    indent = wide("+0.000", look.size) + 8
    for name, change in queries:
        rows.append({"x": left, "y": at, "text": f"{change:+.3f}"})
        for line in wrapped(name, look.width / 2 - 16 - indent, look.size):
            rows.append({"x": left + indent, "y": at, "text": line})
            at += LINE
        at += 2
    return rows
