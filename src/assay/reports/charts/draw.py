"""Draw: a chart of a report as SVG, which a page or a file takes, or as PNG."""

import hashlib
import re
from html import escape, unescape
from types import ModuleType
from typing import Any

from assay import catalogue
from assay.errors import InputError
from assay.extras import install_command
from assay.records import Report
from assay.reports.charts import kinds
from assay.reports.charts.drawing.frame import CAPTION
from assay.reports.charts.drawing.plane import Drawing
from assay.reports.charts.look import PAPER, ChartStyle

__all__ = ["captioned", "chart", "finished", "names", "png", "svg"]

# As a reader asks: who is best, at what price, where, and why.
ORDER = (
    "quality",
    "differences",
    "categories",
    "scores",
    "waterfall",
    "effects",
    "latency",
    "recall",
    "load",
)
ROOT = re.compile(r"<svg [^>]*>")
SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')
ROLE = re.compile(r' (?:role|aria-roledescription|aria-hidden|pointer-events)="[^"]*"')
MARK = re.compile(r"<(path|line|text|rect|g)((?: [^<>]*?)?) aria-label=\"([^\"]*)\"([^<>]*?)(/?)>")
EMPTY = re.compile(r'<path class="(?:background|foreground)"[^>]*?/>')
NAMED = re.compile(r'(?:\bid="|url\(#)([^")]+)')
RUN = re.compile(r"^⟦(\d+)⟧")
AXIS = re.compile(r"^[XY]-axis ")
BROKEN = re.compile(r"</tspan>(?=<tspan)")  # a line of a text, which is no end of a word
TEXT = re.compile(r"<text ([^>]*)>([^<]*)</text>")
STROKED = re.compile(r' (stroke="[^"]*"[^>]*)')
PLACE = re.compile(r'transform="([^"]*)"')


def names() -> list[tuple[str, str]]:
    """List the charts, each with a sentence that tells what it shows."""
    known = catalogue.files(kinds)
    order = [*ORDER, *(name for name in known if name not in ORDER)]
    return [(name, _meaning(name)) for name in order]


def chart(
    report: Report, name: str, *, look: ChartStyle = PAPER, run: str | None = None
) -> Drawing:
    """Return a chart as Altair has it, or None where the report has nothing to draw."""
    draws: Any = catalogue.find(kinds, name)
    _refuse_missing()
    return draws(report, look, run=run)


def svg(report: Report, name: str, *, look: ChartStyle = PAPER, run: str | None = None) -> str:
    """Draw a chart as SVG; an empty text where the report has nothing to draw."""
    return captioned(report, name, look=look, run=run)[0]


def captioned(
    report: Report, name: str, *, look: ChartStyle = PAPER, run: str | None = None
) -> tuple[str, list[str]]:
    """Draw a chart as SVG, and return the lines of its caption that are not drawn in it."""
    made = chart(report, name, look=look, run=run)
    if made is None:
        return "", []
    told = made.to_dict()
    caption = (told.pop("usermeta", None) or {}).get(CAPTION, [])
    title, _, tells = told.pop("description").partition("\n")
    drawn = _converter().vegalite_to_svg(told)
    return finished(drawn, title=title, tells=tells, alone=look.titled), caption


def png(report: Report, name: str, *, scale: float = 2, run: str | None = None) -> bytes:
    """Draw a chart as PNG on paper; no bytes where the report has nothing to draw."""
    drawn = svg(report, name, run=run)
    return bytes(_converter().svg_to_png(drawn, scale=scale)) if drawn else b""


def _meaning(name: str) -> str:
    from importlib import import_module

    module = import_module(f"{kinds.__name__}.{name}")
    return (module.__doc__ or "").partition("\n")[0]


def _refuse_missing() -> None:
    try:
        import altair  # noqa: F401 - it is there, or it is not
    except ImportError:
        problem = "charts need the packages altair and vl-convert-python"
        raise InputError(problem, hint=install_command("plots")) from None


def _converter() -> ModuleType:
    try:
        import vl_convert
    except ImportError:
        problem = "pictures need the package vl-convert-python"
        raise InputError(problem, hint=install_command("plots")) from None
    return vl_convert  # type: ignore[no-any-return,unused-ignore]


def finished(drawn: str, *, title: str, tells: str, alone: bool) -> str:
    """Return what Vega drew as one image with a title: each mark tells what it is.

    In a picture that stands ``alone`` that is its title, which browsers show when it is pointed at;
    on a page it is its label, which a script shows.

    The number of a mark's run is in ``data-run``. Ids begin with a name of the picture itself, so
    that several can stand in one page.
    """
    body = ROOT.sub("", drawn, count=1).removesuffix("</svg>")
    body = _without_doubles(ROLE.sub("", _bare(body)))
    body = _spaced(MARK.sub(_titled if alone else _labelled, body))
    body = _owned(body, "c")  # before it is hashed: Vega counts on from picture to picture
    own = "c" + hashlib.sha256(f"{title}{body}".encode()).hexdigest()[:10]
    size = SIZE.search(drawn)
    width, height = size.groups() if size else ("680", "400")
    words = f'<title id="{own}-t">{escape(title)}</title>\n'
    words += f'<desc id="{own}-d">{escape(tells)}</desc>\n'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'class="drawing" role="img" aria-labelledby="{own}-t {own}-d" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"{words}{_owned(body, own)}</svg>"
    )


def _bare(body: str) -> str:
    """Take out what is never seen: backgrounds of groups that have none."""
    return EMPTY.sub(lambda one: one[0] if " fill=" in one[0] or " stroke=" in one[0] else "", body)


def _without_doubles(body: str) -> str:
    """Let each text have its halo itself: one that stands behind it would be read and copied."""
    halos: dict[tuple[str, str], str] = {}

    def take(text: re.Match[str]) -> str:
        found = STROKED.search(text[1])
        if not found:
            return text[0]
        halos[_place(text)] = found[1]
        return ""

    def give(text: re.Match[str]) -> str:
        own = halos.get(_place(text))
        halo = f'paint-order="stroke" {own} ' if own else ""
        return f"<text {halo}{text[1]}>{text[2]}</text>"

    return TEXT.sub(give, TEXT.sub(take, body))


def _place(text: re.Match[str]) -> tuple[str, str]:
    found = PLACE.search(text[1])
    return (found[1] if found else ""), text[2]


def _spaced(body: str) -> str:
    """Part lines and texts, which are read and copied as one text otherwise."""
    return BROKEN.sub("</tspan> ", body).replace("</text>", "</text>\n")


def _titled(mark: re.Match[str]) -> str:
    tag, before, label, after, closed = mark.groups()
    number, words = _parted(tag, label)
    if not words:
        return f"<{tag}{before}{after}{closed}>"
    end = f"</{tag}>" if closed else ""
    return f"<{tag}{before}{number}{after}><title>{escape(words, quote=False)}</title>{end}"


def _labelled(mark: re.Match[str]) -> str:
    tag, before, label, after, closed = mark.groups()
    number, words = _parted(tag, label)
    role = f' role="graphics-symbol" aria-label="{escape(words)}"' if words else ""
    return f"<{tag}{before}{number}{role}{after}{closed}>"


def _parted(tag: str, label: str) -> tuple[str, str]:
    """Take the number of the run from what a mark tells; axes and groups tell nothing."""
    words = unescape(label)
    run = RUN.match(words)
    if AXIS.match(words) or (tag == "g" and run is None):
        return "", ""
    return (f' data-run="{run[1]}"' if run else ""), RUN.sub("", words)


def _owned(body: str, own: str) -> str:
    """Give each id the name of the picture, and a number in the order in which they come."""
    found = {name: f"{own}-{at}" for at, name in enumerate(dict.fromkeys(NAMED.findall(body)))}
    return NAMED.sub(lambda one: one[0].replace(one[1], found[one[1]]), body)
