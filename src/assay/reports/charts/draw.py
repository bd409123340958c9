"""Draw: a chart of a report as SVG, which a page or a file takes, or as PNG."""

from types import ModuleType
from typing import Any

from assay import catalogue
from assay.errors import InputError
from assay.records import Report
from assay.reports.charts import kinds
from assay.reports.charts._svg import finished
from assay.reports.charts.drawing.plane import Drawing
from assay.reports.charts.look import PAPER, Look

__all__ = ["chart", "names", "png", "svg"]

INSTALL = "pip install 'assay-search[plots]' (or '.[plots]' in a clone)"
# As a reader asks: who is best, at what price, where, and why.
ORDER = (
    "quality",
    "differences",
    "categories",
    "scores",
    "waterfall",
    "effects",
    "latency",
    "load",
)


def names() -> list[tuple[str, str]]:
    """List the charts, each with a sentence that tells what it shows."""
    known = catalogue.files(kinds)
    order = [*ORDER, *(name for name in known if name not in ORDER)]
    return [(name, _meaning(name)) for name in order]


def chart(report: Report, name: str, *, look: Look = PAPER, run: str | None = None) -> Drawing:
    """Return a chart as Altair has it, or None where the report has nothing to draw."""
    draws: Any = catalogue.find(kinds, name)
    _refuse_missing()
    return draws(report, look, run=run)


def svg(report: Report, name: str, *, look: Look = PAPER, run: str | None = None) -> str:
    """Draw a chart as SVG; an empty text where the report has nothing to draw."""
    made = chart(report, name, look=look, run=run)
    if made is None:
        return ""
    told = made.to_dict()
    title, _, tells = told.pop("description").partition("\n")
    drawn = _converter().vegalite_to_svg(told)
    return finished(drawn, title=title, tells=tells, alone=look.titled)


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
        raise InputError("charts need altair and vl-convert-python", hint=INSTALL) from None


def _converter() -> ModuleType:
    try:
        import vl_convert
    except ImportError:
        raise InputError("pictures need vl-convert-python", hint=INSTALL) from None
    return vl_convert  # type: ignore[no-any-return,unused-ignore]
