"""How long each run takes: the middle half of its queries, the median, and the slowest."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report
from assay.reports.charts._framed import framed
from assay.reports.charts._plane import Drawing, Plane, pixels, said
from assay.reports.charts._rows import Band, rows
from assay.reports.charts._shown import known, left_out, shown
from assay.reports.charts._span import span
from assay.reports.charts.look import Look

__all__ = ["latency"]

FEW = 200  # queries of a run whose own latencies are drawn


def latency(report: Report, look: Look, *, run: str | None = None) -> Drawing | None:
    """Draw a box per run from its queries, with p50, p95 and p99 as they were measured."""
    there = shown(report, lambda one: known(one.latency_ms.get("p50")) is not None)
    if not there:
        return None
    laid = rows(there, look, band=20)
    told = {band.shown.number: _spread(band.shown.run.latency_ms) for band in laid.bands}
    values = [value for one in told.values() for value in one.values() if value is not None]
    across = span(values, look.width, "latency, ms", log=True)
    plane = Plane(across, pixels(laid.height), look)
    layers = [layer for band in laid.bands for layer in ()]
    layers += _boxes(laid.bands, told, plane)
    words = [_words(band, told) for band in laid.bands]
    return framed(
        [plane.layered([*layers, laid.names(plane)])],
        report,
        look,
        title="latency of a query",
        lines=["Box: the middle half of all queries; line: p5 to p95; ▲ p95, ◆ p99.", left_out(report, there)],
        tells=". ".join(words),
    )


def _spread(told: Mapping[str, Any]) -> dict[str, float | None]:
    """Return the measured percentiles, and those of the middle from the queries themselves."""
    import numpy as np

    own = [value for one in (told.get("queries") or {}).values() if (value := known(one)) is not None]
    found = {part: known(told.get(part)) for part in ("p50", "p95", "p99")}
    ends = np.percentile(own, [5, 25, 75]) if own else [None, None, None]
    inner = {name: known(end if end is None else float(end)) for name, end in zip(("p5", "p25", "p75"), ends, strict=True)}
    return found | inner


def _words(band: Band, told: dict[int, dict[str, float | None]]) -> str:
    parts = told[band.shown.number]
    figures = [f"{part} {value:.3g} ms" for part in ("p50", "p95", "p99") if (value := parts[part]) is not None]
    return f"{band.shown.name}: {', '.join(figures)}"


def _boxes(
    bands: tuple[Band, ...], told: dict[int, dict[str, float | None]], plane: Plane
) -> list[Any]:
    look = plane.look
    base = [
        ({"colour": look.run(band.shown.number), "say": said(_words(band, told), run=band.shown.number)}, band, told[band.shown.number])
        for band in bands
    ]
    whiskers = [own | {"x": part["p5"], "x2": part["p95"], "y": band.middle} for own, band, part in base if part["p5"] is not None and part["p95"] is not None]
    boxes = [own | {"x": part["p25"], "x2": part["p75"], "y": band.top + 3, "y2": band.bottom - 3} for own, band, part in base if part["p25"] is not None]
    medians = [own | {"x": part["p50"], "y": band.top, "y2": band.bottom} for own, band, part in base]
    ends = [own | {"x": part[name], "y": band.middle, "shape": shape} for own, band, part in base for name, shape in (("p95", "triangle-up"), ("p99", "diamond")) if part[name] is not None]
    return [
        *([plane.layer("rule", whiskers, strokeWidth=1.5)] if whiskers else []),
        *([plane.layer("rect", boxes, opacity=0.55)] if boxes else []),
        plane.layer("rule", medians, strokeWidth=3),
        *([plane.layer("point", ends, filled=True, size=55, opacity=1)] if ends else []),
    ]
