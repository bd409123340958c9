"""File types: what each run scores on queries that want a document of each type."""

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.reports.spelled import spelled

__all__ = ["file_types"]

SHOWN = 12


def file_types(report: Report) -> Table | None:
    """Lay out the types of most queries, and say which of them is found the least."""
    found = report.analysis.get("file_types") or []
    if len(found) < 2:
        return None
    groups = [(spelled(str(one["file_type"])), one) for one in found[:SHOWN]]
    least = min(found, key=lambda one: max(one["recall"].values(), default=0.0))
    share = max(least["recall"].values(), default=0.0)
    k = f"the first {least['k']}" if least.get("k") else "the first results"
    said = (
        f"Least is found of {spelled(str(least['file_type']))}: at best {share:.0%} of its "
        f"relevant documents are among {k}."
    )
    more = [f"{len(found) - SHOWN:,} more"] if len(found) > SHOWN else []
    return grid(report, "file type", groups, caption=said, footer=more)
