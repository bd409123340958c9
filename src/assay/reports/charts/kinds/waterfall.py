"""Loss by stage: what each stage of a search loses of a perfect score."""

from collections.abc import Sequence
from typing import Any

from assay.records import Report
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.plane import Drawing, Plane, pixels, said
from assay.reports.charts.drawing.rows import Band, rows
from assay.reports.charts.drawing.shown_runs import ChartRun, known, left_out, mean, primary, shown
from assay.reports.charts.drawing.span import span
from assay.reports.charts.drawing.widths import wide, wrapped
from assay.reports.charts.look import ChartStyle
from assay.text import sanitize

__all__ = ["waterfall"]

ABOUT = "The outlined part is the score; each stage loses a part of the rest, up to 1."
Part = dict[str, Any]
LINE = 17.0


def waterfall(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw a bar per run: what is kept, and what each stage loses; gains go below, backwards."""
    there = shown(report, lambda one: one.waterfall)
    if not there:
        return None
    metric = _metric(report)
    stages = _stages(there)
    laid = rows(there, look, band=26)
    parts = [part for band in laid.bands for part in _parts(band, stages, look)]
    ends = [float(part["x2"]) for part in parts]
    across = span(ends, look.width, metric, within=(0.0, max(*ends, 1.0)), among=[0.0])
    plane = Plane(across, pixels(laid.height), look, (".3~f", ""))
    layers = [
        plane.layer("rect", parts, stroke=look.paper, strokeWidth=1),
        plane.layer("rect", _outlines(parts), filled=False, color=look.axis, strokeWidth=1),
        *_inside(parts, plane),
        plane.layer("rule", [{"x": 1.0}], color=look.axis, strokeDash=[4, 3]),
        laid.names(plane),
    ]
    shown_stages = [(stage, look.stage(stage)) for stage in stages]
    return frame(
        [plane.layered(layers), _legend([("kept", look.kept), *shown_stages], look)],
        report,
        look,
        title=f"loss of {metric} by stage",
        lines=[ABOUT, left_out(report, there)],
        tells=_told(there, stages),
    )


def _metric(report: Report) -> str:
    """Return the nDCG that is lost: the primary metric, or one that stands in for it."""
    named = primary(report)
    return named if named.startswith("ndcg") and not named.endswith("tokens") else "nDCG"


def _stages(there: list[ChartRun]) -> list[str]:
    """Return the stages that lose or gain anything, in the order in which searches have them."""
    order: list[str] = []
    for one in there:
        at = len(order)
        for stage in reversed([*one.run.waterfall]):
            if stage in order:
                at = order.index(stage)
            else:
                order.insert(at, stage)
    told = [stage for stage in order if any(_loss(one, stage) for one in there)]
    return told or order


def _loss(one: ChartRun, stage: str) -> float:
    return known(one.run.waterfall.get(stage)) or 0.0


def _parts(band: Band, stages: list[str], look: ChartStyle) -> list[Part]:
    """Lay the losses side by side after what is kept; a gain goes back from their end."""
    told = {stage: _loss(band.shown, stage) for stage in stages}
    kept = 1.0 - sum(told.values())
    lower = band.bottom - 7 if min(told.values()) < 0 else band.bottom
    found = [_part(band, ("kept", kept, look.kept), (0.0, kept), lower)]
    at = kept
    for stage, loss in told.items():
        if loss > 0:
            found.append(_part(band, (stage, -loss, look.stage(stage)), (at, at + loss), lower))
            at += loss
    for stage, loss in told.items():
        if loss < 0:
            back = _part(band, (stage, -loss, look.stage(stage)), (at + loss, at), band.bottom)
            found.append(back | {"y": band.bottom - 6, "text": ""})
            at += loss
    return found


def _part(
    band: Band, told: tuple[str, float, str], ends: tuple[float, float], lower: float
) -> Part:
    stage, change, colour = told
    figure = f"{change:.3f}" if stage == "kept" else f"{change:+.3f}"
    return {
        "x": ends[0],
        "x2": ends[1],
        "y": band.top,
        "y2": lower,
        "colour": colour,
        "stage": stage,
        "text": figure,
        "say": said(f"{band.shown.name}: {stage} {figure}", run=band.shown.number),
    }


def _outlines(parts: list[Part]) -> list[Part]:
    """Return where what is kept lies: it is too light to stand out without an outline."""
    ends = ("x", "x2", "y", "y2")
    return [{key: one[key] for key in ends} for one in parts if one["stage"] == "kept"]


def _inside(parts: list[Part], plane: Plane) -> list[Any]:
    """Write the stage and what it loses where there is room, or one of them."""
    rows = []
    for part in parts:
        room = plane.x.at(part["x2"]) - plane.x.at(part["x"]) - 8
        ways = (f"{part['stage']} {part['text']}", part["text"], part["stage"])
        text = next((way for way in ways if part["text"] and wide(way, 10) <= room), "")
        middle = (part["x"] + part["x2"]) / 2
        colour = plane.look.ink if part["stage"] == "kept" else plane.look.paper
        place = {"x": middle, "y": (part["y"] + part["y2"]) / 2, "colour": colour}
        rows += [place | {"text": text, "say": part["say"]}] if text else []
    return [plane.text(rows, fontSize=10)] if rows else []


def _told(there: list[ChartRun], stages: list[str]) -> str:
    means = {s: mean([_loss(one, s) for one in there]) for s in stages}
    worst = max(means, key=lambda stage: means[stage])
    return f"{worst} loses most: {means[worst]:.3f} on average over {len(there)} runs"


def _legend(entries: Sequence[tuple[str, str]], look: ChartStyle) -> Drawing:
    """Write names beside their colours from left to right."""
    rows: list[dict[str, Any]] = []
    x, y = 0.0, 8.0
    for name, colour in entries:
        (text,) = wrapped(sanitize(name), 200, look.size, lines=1)
        needed = wide(text, look.size) + 34
        if x and x + needed > look.width:
            x, y = 0.0, y + LINE
        rows.append({"x": x, "y": y, "text": text, "colour": colour})
        x += needed
    plane = Plane(pixels(look.width), pixels(y + 8), look)
    boxes = [{"x": row["x"] + 6, "y": row["y"], "colour": row["colour"]} for row in rows]
    names = [{"x": row["x"] + 16, "y": row["y"], "text": row["text"]} for row in rows]
    marks = plane.layer("point", boxes, filled=True, size=110, shape="square", opacity=1)
    return plane.layered([marks, plane.text(names, align="left")])
