"""Clusters: queries about the same topic, the hardest first."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._grid import weights_note
from assay.reports.analysis._harder_groups import said_of
from assay.reports.analysis._named import heads
from assay.reports.analysis._table_of import Shown, table_of
from assay.text import sanitize

__all__ = ["clusters"]

SHOWN = 8


def clusters(report: Report) -> Table | None:
    """Lay out the clusters of the lowest means, and name those that differ significantly."""
    found = report.analysis.get("clusters") or []
    if len(found) < 2:
        return None
    rows = [_row(report, one["terms"], one) for one in found[:SHOWN]]
    by_name = {str(one["cluster"]): one for one in found}
    said = said_of(report, "clusters", "query cluster", "in cluster", rows=by_name)
    titles = ("typical terms", "queries", "mean", "best", "best run")
    return table_of(titles, rows, f"{said}{weights_note(report)}", names=[0, 4])


def _row(report: Report, terms: list[str], one: Mapping[str, Any]) -> list[Shown]:
    best = max(one["scores"], key=lambda run: float(one["scores"][run]))
    score, run = one["scores"][best], heads(report, [best])[0][0]
    numbers = [(one["mean"], f"{one['mean']:.3f}"), (score, f"{score:.3f}")]
    return [(_name(terms),) * 2, (one["queries"], f"{one['queries']:,}"), *numbers, (run, run)]


def _name(terms: list[str]) -> str:
    return sanitize(", ".join(map(str, terms)))
