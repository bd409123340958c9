"""The tables of a report, by what reads them: programs, papers or people."""

from dataclasses import replace

from assay.metrics import parse
from assay.records import Report, Table
from assay.reports.comparisons.differences import differences
from assay.reports.runs.tables.collection_costs import collection_costs
from assay.reports.runs.tables.collections import collections
from assay.reports.runs.tables.per_query import per_query
from assay.reports.runs.tables.repeats import repeats
from assay.reports.runs.tables.scores import scores
from assay.reports.runs.tables.settings import settings
from assay.reports.runs.tables.summary import summary
from assay.reports.runs.tables.values import values
from assay.reports.structure.figures import figures
from assay.reports.structure.summary import summary as structure_summary

__all__ = ["LONG", "report_tables", "summary_of"]

LONG = {"queries": per_query, "scores": scores}  # a row per query, or per metric, of each run


def report_tables(report: Report, extension: str, *, kind: str = "") -> list[Table]:
    """Give values to programs, the summary to papers, and all that people read to people."""
    if kind in LONG:
        return [LONG[kind](report)]
    if extension in ("csv", "parquet"):
        return [values(report)]
    if extension == "tex":
        return [summary_of(report)]
    told = [summary_of(report), settings(report), collections(report), collection_costs(report)]
    told += [repeats(report), *_structures(report)]
    if report.comparisons is not None:
        told += [differences(report.comparisons)]
    return [table for table in told if table is not None]


def summary_of(report: Report, *, width: int | None = None) -> Table:
    """Lay out what each run scores and costs; each metric knows what is better."""
    named = [str(name) for name in report.benchmark["metrics"]]
    lower = frozenset(name for name in named if not parse(name).kind.higher_is_better)
    return summary(report, lower_is_better=lower, width=width)


def _structures(report: Report) -> list[Table]:
    """Lay out the effect of coherence, for each run that ranks by it: methods, then figures."""
    found = [(one.name, one.structure) for one in report.runs if one.structure is not None]
    return [
        table
        for name, structure in found
        for table in (
            replace(structure_summary(structure), caption=f"{name}: {structure.verdict}"),
            figures(structure, caption=f"{name}: figures of its receipts"),
        )
    ]
