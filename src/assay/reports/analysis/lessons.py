"""Findings: the few sentences of an analysis that matter most."""

from collections.abc import Iterator

from assay.records import Report, Table
from assay.reports.analysis._harder_groups import are_unlike
from assay.reports.analysis._named import LEGEND
from assay.reports.analysis.approximate import approximate
from assay.reports.analysis.bearable_load import bearable_load
from assay.reports.analysis.breakdowns import breakdowns
from assay.reports.analysis.categories import categories
from assay.reports.analysis.leaked import leaked
from assay.reports.analysis.main_effects import main_effects
from assay.reports.analysis.pareto import pareto
from assay.reports.analysis.time_to_answer import time_to_answer
from assay.reports.analysis.uplift import uplift
from assay.reports.analysis.waterfall import waterfall

__all__ = ["lessons"]

MOST = 6


def lessons(report: Report) -> list[str]:
    """Return the main findings, at most six sentences; nothing where there are none."""
    return [*_said(report)][:MOST]


def _said(report: Report) -> Iterator[str]:
    analysis = report.analysis
    if answer := bearable_load(report):
        yield answer
    if (analysis.get("leaked") or {}).get("changes_winner"):
        yield from _caption(leaked(report))
    yield from _caption(waterfall(report))
    if analysis.get("main_effects"):
        yield from _caption(main_effects(report))
    elif len(analysis.get("uplift") or {}) > 1:
        yield from _caption(uplift(report))
    if are_unlike(report, "categories"):
        yield from _caption(categories(report))
    if any(are_unlike(report, f"breakdowns.{one}") for one in analysis.get("breakdowns") or ()):
        yield from _caption(breakdowns(report))
    yield from _caption(approximate(report))
    yield from _caption(pareto(report))
    yield from _caption(time_to_answer(report))


def _caption(table: Table | None) -> Iterator[str]:
    """Take the sentence of a table, without what explains its columns."""
    if table is not None:
        yield table.caption.removesuffix(LEGEND).split(" *: ")[0]
