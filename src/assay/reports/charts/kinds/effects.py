"""Effect of each setting alone: the change of the score from one value to another."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.plane import Drawing, Plane, pixels
from assay.reports.charts.drawing.shown_runs import known, primary, rises
from assay.reports.charts.drawing.span import span
from assay.reports.charts.drawing.widths import wide, wrapped
from assay.reports.charts.look import ChartStyle
from assay.text import sanitize
from assay.text.file_names import file_names

__all__ = ["effects"]

MOST = 60  # effects that one picture has room for
LINE = 14.0
ALPHA = 0.05
ABOUT = (
    "All else equal; lines are 95% CIs. Filled points are significant: p < 0.05 after Holm "
    "correction."
)
Row = dict[str, Any]


def effects(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw each effect with its interval, setting by setting."""
    told = report.analysis.get("main_effects") or []
    found = [row for one in told for row in _effects(one, rises=rises(report))][:MOST]
    if not found:
        return None
    room = min(260.0, max(wide(row["name"], look.size) for row in found) + 4)
    heads, rows, height = _placed(found, room, look)
    values = [row[key] for row in rows for key in ("x", "low", "high")]
    left = room + 14
    across = span(values, look.width - left, f"change of {primary(report)}", among=[0.0])
    plane = Plane(across, pixels(height), look, ("+.3~f", ""))
    names = [{"y": y, "text": text} for row in rows for y, text in row["lines"]]
    headed = plane.text(heads, fixed={"x": -left}, align="left", fontWeight="bold")
    written = plane.text(names, fixed={"x": -12}, align="right")
    return frame(
        [plane.layered([*_marks(rows, plane), headed, written])],
        report,
        look,
        title=f"Main effects on {primary(report)}",
        lines=[ABOUT],
        tells=". ".join(row["words"] for row in rows),
    )


def _effects(told: Mapping[str, Any], *, rises: bool) -> list[Row]:
    """Return the effects of one setting that have a number."""
    rows = []
    for one in told.get("effects") or []:
        value = known(one.get("difference"))
        low, high = (known(end) for end in (one.get("ci") or (None, None)))
        if value is not None:
            ends = {"low": value if low is None else low, "high": value if high is None else high}
            values = file_names([str(one.get("from")), str(one.get("to"))])
            name = " → ".join(map(sanitize, values))
            rows.append(
                {
                    "of": str(told.get("parameter")),
                    "name": name,
                    "x": value,
                    **ends,
                    "gain": (value > 0) == rises,
                    "sure": _is_shown(one, ends),
                }
            )
    return rows


def _is_shown(one: Mapping[str, Any], ends: Mapping[str, float]) -> bool:
    """Decide as the table does, by the corrected p; by the interval where there is none."""
    p = known(one.get("p_holm", one.get("p")))
    return p < ALPHA if p is not None else ends["low"] > 0 or ends["high"] < 0


def _placed(found: list[Row], room: float, look: ChartStyle) -> tuple[list[Row], list[Row], float]:
    heads: list[Row] = []
    rows: list[Row] = []
    at, last = 0.0, None
    for row in found:
        if row["of"] != last:
            heads.append(
                {"y": at + 10, "text": wrapped(sanitize(row["of"]), look.width, look.size)[0]}
            )
            at, last = at + 20, row["of"]
        names = wrapped(row["name"], room, look.size, lines=3)
        middle = at + LINE * len(names) / 2 + 2
        lines = [(at + 2 + LINE * (place + 0.5), name) for place, name in enumerate(names)]
        rows.append(_marked(row, look) | {"y": middle, "lines": lines})
        at += LINE * len(names) + 6
    return heads, rows, at + 4


def _marked(row: Row, look: ChartStyle) -> Row:
    """Colour an effect that is shown; others stay grey, and are a ring."""
    sure = row["sure"]
    colour = look.quiet if not sure else look.better if row["gain"] else look.worse
    words = f"{row['of']} {row['name']}: {row['x']:+.3f} [{row['low']:+.3f}, {row['high']:+.3f}]"
    ends = {key: row[key] for key in ("x", "low", "high")}
    return ends | {"colour": colour, "sure": sure, "words": words, "say": words}


def _marks(rows: list[Row], plane: Plane) -> list[Any]:
    """Draw intervals and points; those of what is shown are filled, the others rings."""
    same = ("y", "colour", "say")
    lines = [{key: row[key] for key in same} | {"x": row["low"], "x2": row["high"]} for row in rows]
    filled = [row for row in rows if row["sure"]]
    rings = [row for row in rows if not row["sure"]]
    ring: Row = {"fill": plane.look.paper, "strokeWidth": 2, "size": 60, "opacity": 1}
    return [
        plane.layer("rule", [{"x": 0.0}], color=plane.look.axis, strokeWidth=1.5),
        plane.layer("rule", lines, strokeWidth=2),
        *([plane.layer("point", filled, filled=True, size=70, opacity=1)] if filled else []),
        *([plane.layer("point", rings, **ring)] if rings else []),
    ]
