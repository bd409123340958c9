"""Where a chart is drawn: two axes, and layers of marks on them, as Altair writes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.reports.charts.drawing.span import AxisSpan
from assay.reports.charts.look import ChartStyle

__all__ = ["PLAIN", "Drawing", "Plane", "pixels", "said"]

Drawing = Any  # what Altair makes: a chart, or several on top of or below each other
Style = Any  # what a mark of Altair takes
Row = Mapping[str, Any]
PLAIN = ",.6~f"  # with as many digits as there are
CHANNELS = {"colour": "color", "opacity": "opacity", "shape": "shape", "size": "size"}


def said(words: str, *, run: int | None = None) -> str:
    """Write what a mark tells; the number of its run goes into an attribute of its own."""
    return f"⟦{run}⟧{words}" if run is not None else words


def pixels(length: float) -> AxisSpan:
    """Return an axis that counts pixels, from the top or the left, and is not drawn."""
    return AxisSpan(0.0, length, length)


@dataclass(frozen=True, slots=True)
class Plane:
    """Two axes; those without ticks are not drawn. Rows downwards are an axis in pixels."""

    x: AxisSpan
    y: AxisSpan
    look: ChartStyle
    formats: tuple[str, str] = (PLAIN, PLAIN)

    def layer(
        self, mark: str, rows: Sequence[Row], *, fixed: Row | None = None, **style: Style
    ) -> Drawing:
        """Draw rows as one kind of mark: ``x y x2 y2`` are values, the others as they are.

        ``say`` is what a mark tells; ``of`` tells lines apart. ``fixed`` are pixels for all.
        """
        import altair as alt  # costs more than most reports

        keys = {key for row in rows for key in row}
        drawn = getattr(alt.Chart(), f"mark_{mark}")(aria="say" in keys, **style)
        drawn = drawn.encode(**self._places(keys, dict(fixed or {})), **_channels(keys))
        drawn.data = alt.InlineData(values=[dict(row) for row in rows])  # last: calls copy it
        return drawn

    def text(self, rows: Sequence[Row], *, fixed: Row | None = None, **style: Style) -> Drawing:
        """Write the ``text`` of rows."""
        ink = {} if any("colour" in row for row in rows) else {"color": self.look.ink}
        plain = {"fontSize": self.look.size, "baseline": "middle", **ink, **style}
        return self.layer("text", rows, fixed=fixed, **plain)

    def halo(self, rows: Sequence[Row], **style: Style) -> Drawing:
        """Write texts behind themselves in the paper's colour: lines do not cross letters."""
        bare = [{key: row[key] for key in ("x", "y", "text")} for row in rows]
        outline: dict[str, Any] = {
            "color": self.look.paper,
            "stroke": self.look.paper,
            "strokeWidth": 4,
        }
        return self.text(bare, **outline, strokeJoin="round", **style)

    def layered(self, layers: Sequence[Any]) -> Drawing:
        """Put layers on top of each other, the last one in front."""
        import altair as alt

        whole = alt.layer(*[layer for layer in layers if layer is not None])
        return whole.properties(width=self.x.length, height=self.y.length)

    def _places(self, keys: set[str], fixed: dict[str, Any]) -> dict[str, Any]:
        import altair as alt

        x, y = self.x, self.y
        ends = (x.low, x.high), (y.low, y.high) if y.down else (y.high, y.low)
        axes = {
            "x": _channel(x, ends[0], self.formats[0]),
            "y": _channel(y, ends[1], self.formats[1]),
        }
        made = {"x": alt.X, "y": alt.Y}
        told: dict[str, Any] = {
            key: made[key](f"{key}:Q", **axes[key]) for key in ("x", "y") if key in keys
        }
        told |= {key: f"{key}:Q" for key in ("x2", "y2") if key in keys}
        return told | {key: alt.value(value) for key, value in fixed.items()}


def _channel(axis: AxisSpan, ends: tuple[float, float], form: str) -> dict[str, Any]:
    import altair as alt

    kind: dict[str, Any] = {"type": "log"} if axis.log else {"zero": False}
    scale = alt.Scale(domain=list(ends), nice=False, **kind)
    if not axis.ticks:
        return {"scale": scale, "axis": None}
    # A sign is for what is more or less than 0, and is the one of all other texts.
    plain = "datum.value == 0 ? '0' : replace(datum.label, '\u2212', '-')"
    for tick, name in zip(axis.ticks, axis.names, strict=False):
        plain = f"abs(datum.value - {tick!r}) < 1e-9 ? '{name}' : {plain}"
    title = axis.title or None
    shown = alt.Axis(values=list(axis.ticks), title=title, format=form, labelExpr=plain)
    return {"scale": scale, "axis": shown}


def _channels(keys: set[str]) -> dict[str, Any]:
    """Return what is in the rows as it is, without any scale."""
    import altair as alt

    made = {"color": alt.Color, "opacity": alt.Opacity, "shape": alt.Shape, "size": alt.Size}
    told: dict[str, Any] = {
        channel: made[channel](f"{key}:{'Q' if key in ('opacity', 'size') else 'N'}", scale=None)
        for key, channel in CHANNELS.items()
        if key in keys
    }
    told |= {"text": alt.Text("text:N")} if "text" in keys else {}
    told |= {"description": alt.Description("say:N")} if "say" in keys else {}
    return told | ({"detail": alt.Detail("of:N")} if "of" in keys else {})
