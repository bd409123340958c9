"""Categories: what each run scores on each kind of query, the hardest first."""

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.reports.analysis._harder_groups import said_of
from assay.text import sanitize

__all__ = ["categories"]


def categories(report: Report) -> Table | None:
    """Lay out the categories, and name those that are significantly harder or easier."""
    found = report.analysis.get("categories") or []
    if len(found) < 2:
        return None
    groups = [(sanitize(str(one["category"])), one) for one in found]
    rows = {str(one["category"]): one for one in found}
    said = said_of(report, "categories", "category", "in category", rows=rows)
    return grid(report, "category", groups, caption=said)
