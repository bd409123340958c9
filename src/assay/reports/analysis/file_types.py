"""File types: what each run scores on queries with relevant documents of each type."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.reports.analysis._harder_groups import harder_of, said_of
from assay.text import sanitize

__all__ = ["file_types"]

SHOWN = 12


def file_types(report: Report) -> Table | None:
    """Lay out the types of most queries, and name those that are significantly harder."""
    found = report.analysis.get("file_types") or []
    if len(found) < 2:
        return None
    groups = [(sanitize(str(one["file_type"])), one) for one in found[:SHOWN]]
    means = {str(one["file_type"]): {"mean": fmean(one["scores"].values())} for one in found}
    kind, of = "file type", "with relevant documents of type"
    said = said_of(report, "file_types", kind, of, rows=means) + _found(report, found)
    more = [f"{len(found) - SHOWN:,} more"] if len(found) > SHOWN else []
    return grid(report, "file type", groups, caption=said, footer=more)


def _found(report: Report, found: Sequence[Mapping[str, Any]]) -> str:
    """Say how much is found of the hardest type, where one is significantly harder."""
    hardest = harder_of(report, "file_types")[:1]
    for one in (one for one in found if one["file_type"] in hardest):
        share = max(one["recall"].values(), default=0.0)
        top = f"the top {one['k']}" if one.get("k") else "the results"
        name = sanitize(str(one["file_type"]))
        return f" At best, {share:.0%} of the relevant documents of type {name} are in {top}."
    return ""
