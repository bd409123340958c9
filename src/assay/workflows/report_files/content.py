"""A report -> the content of a file, by its extension and the name before it."""

import json as plain_json
import time
from pathlib import Path
from typing import Any

from assay import catalogue
from assay.errors import InputError
from assay.records import Report
from assay.workflows.report_files.find_chart import find_chart
from assay.workflows.report_files.report_tables import report_tables
from assay.workflows.report_files.with_analysis import with_analysis

__all__ = ["CHARTS", "EXTRAS", "SHAPED", "ancestor_of", "chart_of", "content", "kind_of"]

CHARTS = ("svg", "png")
EXTRAS = {"html": "plots", **dict.fromkeys(CHARTS, "plots"), "parquet": "frames"}
SHAPED = {
    "akashic": ("json",),
    "exocortex": ("json",),
    "consciousdb": ("json", "md"),
    "sia_code": ("json",),
}


def content(report: Report, path: str, *, run: str | None = None) -> bytes:
    """Return the bytes of one file; ``run`` is the one that a chart or a layout is about."""
    extension, kind = kind_of(path)
    if extension in CHARTS:
        return _chart(report, path, extension, run)
    if ancestor := ancestor_of(path):
        return _ancestor(report, ancestor, extension, run)
    if extension == "json":
        return _dumped(_json(report))
    if extension == "html":
        return _page(report)
    if extension == "md" and kind not in ("queries", "scores"):
        return _markdown(report)
    render: Any = catalogue.find(_formats(), extension)
    found: bytes = render(report_tables(report, extension, kind=kind))
    return found


def kind_of(path: str) -> tuple[str, str]:
    """Return the extension of a file, and the one before it, which selects the content.

    >>> kind_of("out/x.queries.csv"), kind_of("queries.CSV")
    (('csv', 'queries'), ('csv', ''))
    """
    name = Path(path)
    kinds = (name.suffix, Path(name.stem).suffix)
    extension, kind = (one.lower().removeprefix(".") for one in kinds)
    return extension, kind


def ancestor_of(path: str) -> str:
    """Return whose layout a file has: ``x.akashic.json``; nothing for a file of our own."""
    named = kind_of(path)[1]
    return named if named in SHAPED else ""


def chart_of(path: str) -> str:
    """Return the chart that a file is named after; refuse an unknown one."""
    named = Path(path).stem.rpartition(".")[2].lower()
    return find_chart(named, where=path, ending=Path(path).suffix)


def _formats() -> Any:  # noqa: ANN401
    from assay.reports import formats

    return formats


def _json(report: Report) -> dict[str, Any]:
    from assay.reports.runs.json.json import json

    return json(report)


def _dumped(value: object) -> bytes:
    text = plain_json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return text.encode() + b"\n"


def _page(report: Report) -> bytes:
    from assay.reports.html.page import page

    return page(with_analysis(report), date=time.strftime("%Y-%m-%d %H:%M"))


def _markdown(report: Report) -> bytes:
    """Write the whole report for people: on a page of its own."""
    from assay.reports.analysis.lessons import lessons
    from assay.reports.analysis.next_steps import next_steps
    from assay.reports.analysis.tables import tables
    from assay.reports.runs.markdown import markdown

    told = with_analysis(report)
    summary, *details = report_tables(told, "md")
    date = time.strftime("%Y-%m-%d %H:%M")
    said = {"steps": next_steps(told), "findings": lessons(told)}
    return markdown(told, summary, details, date=date, analysis=tables(told), **said)


def _chart(report: Report, path: str, extension: str, run: str | None) -> bytes:
    from assay.reports.charts.draw import png, svg
    from assay.reports.charts.missing_data import missing_data

    name, told = chart_of(path), with_analysis(report)
    drawn = svg(told, name, run=run).encode() if extension == "svg" else png(told, name, run=run)
    if not drawn:
        hint = "; ".join(
            filter(None, [missing_data(told, name), "`assay list charts` describes all charts"])
        )
        raise InputError(f"the report has no data for the chart {name}", where=path, hint=hint)
    return drawn


def _ancestor(report: Report, name: str, extension: str, run: str | None) -> bytes:
    from assay.reports import ancestors
    from assay.reports.ancestors.markdown.consciousdb import page
    from assay.workflows.report_files.fill_scores import fill_scores

    shape: Any = catalogue.find(ancestors, name)
    date = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    told = shape(fill_scores(report), date=date, run=run)
    return page(told) if extension == "md" else _dumped(told)
