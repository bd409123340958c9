"""A grid of numbers, shaded by their size: groups downwards, runs across."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.reports.charts.drawing.plane import Plane, pixels, said
from assay.reports.charts.drawing.shown_runs import ChartRun, mean
from assay.reports.charts.drawing.widths import wide, wrapped
from assay.reports.charts.look import ChartStyle

__all__ = ["Group", "grid", "written"]

LINE = 13.0
MARGIN = 0.56  # the darkest shade: text in ink stands on it with a contrast of 4.5


@dataclass(frozen=True, slots=True)
class Group:
    """A row of the grid: its name, how many queries it has, and a value per run."""

    name: str
    count: int
    values: dict[int, float]
    rises: bool = True

    @property
    def best(self) -> float:
        """The best value of all runs."""
        return max(self.values.values()) if self.rises else min(self.values.values())

    @property
    def ease(self) -> float:
        """How good the runs are on average: less of it is harder."""
        return mean(list(self.values.values())) * (1 if self.rises else -1)


def grid(groups: Sequence[Group], them: Sequence[ChartRun], look: ChartStyle) -> tuple[Any, bool]:
    """Draw the grid; also tell whether runs are written as numbers, which need a key."""
    names = [wrapped(_named(group), 230, look.size, lines=3) for group in groups]
    left = max(wide(line, look.size) for name in names for line in name) + 10
    cell = min(92.0, (look.width - left) / len(them))
    heads = [wrapped(_headed(one, them), cell - 8, look.size, lines=3) for one in them]
    numbered = any(_is_cut(head, one, them) for head, one in zip(heads, them, strict=True))
    heads = [[str(one.number)] for one in them] if numbered else heads
    above = LINE * max(map(len, heads)) + 7
    heights = [max(24.0, LINE * len(name) + 8) for name in names]
    tops = [above + sum(heights[:at]) for at in range(len(groups))]
    plane = Plane(pixels(left + cell * len(them)), pixels(tops[-1] + heights[-1]), look)
    boxes = _boxes(groups, them, (left, cell), tops, heights)
    layers = [
        plane.layer("rect", boxes, color=look.accent, stroke=look.paper, strokeWidth=1),
        *_values(boxes, plane),
        plane.text(_heads(them, heads, left, cell)),
        plane.text(_names(names, tops, heights, left), align="right"),
    ]
    return plane.layered(layers), numbered


def written(value: float, *, digits: int = 2) -> str:
    """Write a score without its leading zero; a cell is narrow.

    >>> written(0.7), written(1.0), written(-0.256)
    ('.70', '1.00', '-.26')
    """
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(float(text)) < 1 else text


def _named(group: Group) -> str:
    return f"{group.name} ({group.count})"


def _headed(one: ChartRun, them: Sequence[ChartRun]) -> str:
    return f"{one.number} {one.name}" if len(them) > 1 else one.name


def _boxes(
    groups: Sequence[Group],
    them: Sequence[ChartRun],
    across: tuple[float, float],
    tops: list[float],
    heights: list[float],
) -> list[dict[str, Any]]:
    """Return a box per value; the highest of all has the darkest shade, the lowest none."""
    every = [value for group in groups for value in group.values.values()]
    low, room = min(every), (max(every) - min(every)) or 1.0
    left, cell = across
    return [
        {
            "x": left + at * cell,
            "x2": left + (at + 1) * cell,
            "y": top,
            "y2": top + high,
            "opacity": round(0.04 + (MARGIN - 0.04) * (value - low) / room, 3),
            "text": written(value),
            "best": value == group.best,
            "say": said(f"{group.name}, {one.name}: {value:.3f}", run=one.number),
        }
        for group, top, high in zip(groups, tops, heights, strict=True)
        for at, one in enumerate(them)
        if (value := group.values.get(one.number)) is not None
    ]


def _values(boxes: list[dict[str, Any]], plane: Plane) -> list[Any]:
    """Write each value into its box, the best of a row in bold."""
    rows = [
        {
            "x": (box["x"] + box["x2"]) / 2,
            "y": (box["y"] + box["y2"]) / 2,
            "text": box["text"],
            "best": box["best"],
            "say": box["say"],
        }
        for box in boxes
    ]
    best = [row for row in rows if row["best"]]
    others = [row for row in rows if not row["best"]]
    bold = [plane.text(best, fontWeight="bold")]
    return [*([plane.text(others)] if others else []), *bold]


def _is_cut(head: list[str], one: ChartRun, them: Sequence[ChartRun]) -> bool:
    """Tell whether a name did not fit above its column, or only by breaking a word."""
    return " ".join(head) != " ".join(_headed(one, them).split())


def _heads(
    them: Sequence[ChartRun], heads: list[list[str]], left: float, cell: float
) -> list[dict[str, Any]]:
    """Write the lines of each name so that the last of all stand in one line."""
    most = max(map(len, heads))
    return [
        {
            "x": left + (at + 0.5) * cell,
            "y": LINE * (most - len(lines) + place + 0.5) + 1,
            "text": line,
            "say": said(one.name, run=one.number),
        }
        for at, (one, lines) in enumerate(zip(them, heads, strict=True))
        for place, line in enumerate(lines)
    ]


def _names(
    names: list[list[str]], tops: list[float], heights: list[float], left: float
) -> list[dict[str, Any]]:
    return [
        {"x": left - 8, "y": top + high / 2 + LINE * (at - (len(lines) - 1) / 2), "text": line}
        for lines, top, high in zip(names, tops, heights, strict=True)
        for at, line in enumerate(lines)
    ]
