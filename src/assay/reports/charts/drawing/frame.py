"""What stands around every chart: its title, what to know of it, and fonts and colours."""

from collections.abc import Sequence
from typing import Any

from assay.records import Report
from assay.reports.charts.drawing.plane import Drawing
from assay.reports.charts.drawing.widths import wrapped
from assay.reports.charts.look import ChartStyle
from assay.text import sanitize

__all__ = ["CAPTION", "frame"]

CAPTION = "caption"
LONGEST = 120  # letters of a benchmark's name


def frame(
    charts: Sequence[Any],
    report: Report,
    look: ChartStyle,
    *,
    title: str,
    lines: Sequence[str],
    tells: str,
) -> Drawing:
    """Put charts below each other, with a title and lines of text above.

    ``tells`` is what the chart shows in words, for those who do not see it. A page has the lines
    as text of its own, which wraps: they are handed on in ``usermeta``.
    """
    import altair as alt

    whole = charts[0] if len(charts) == 1 else alt.vconcat(*charts, spacing=14)
    named = f"{sanitize(str(report.benchmark.get('name') or 'benchmark'))[:LONGEST]}: {title}"
    told = [line for line in lines if line]
    head = {"title": _title(named, told, look)} if look.titled else {"usermeta": {CAPTION: told}}
    whole = whole.properties(
        **head,
        description=f"{named}\n{tells}",
        background=look.paper if look.titled else "transparent",
        padding={"left": 10, "right": 14, "top": 10, "bottom": 10},
    )
    return _configured(whole, look)


def _title(named: str, lines: Sequence[str], look: ChartStyle) -> Drawing:
    import altair as alt

    plain = [line.replace("`", "") for line in lines]  # of commands
    below = [part for line in plain for part in wrapped(line, look.width, 11, lines=6)]
    return alt.TitleParams(
        wrapped(named, look.width, 14 * 1.06, lines=3),
        subtitle=below,
        anchor="start",
        frame="bounds",
        offset=12,
        color=look.ink,
        fontSize=14,
        subtitleColor=look.quiet,
        subtitleFontSize=look.size,
        subtitlePadding=5,
    )


def _configured(chart: Drawing, look: ChartStyle) -> Drawing:
    import altair as alt

    axis = alt.AxisConfig(
        labelColor=look.quiet,
        titleColor=look.ink,
        labelFontSize=look.size,
        titleFontSize=look.size,
        titleFontWeight="normal",
        domainColor=look.axis,
        tickColor=look.axis,
        gridColor=look.grid,
        labelFlush=False,
        labelOverlap=False,
    )
    # In one call: each copies all that is drawn.
    return chart.configure(font=look.font, axis=axis, view=alt.ViewConfig(stroke=None))
