"""Categories: what each run scores on each kind of query, the hardest first."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.reports.spelled import spelled

__all__ = ["categories"]


def categories(report: Report) -> Table | None:
    """Lay out the categories, and say which is the easiest and which the hardest."""
    found = report.analysis.get("categories") or []
    if len(found) < 2:
        return None
    groups = [(spelled(str(one["category"])), one) for one in found]
    hardest, easiest = groups[0], groups[-1]
    said = (
        f"Hardest are the queries of {hardest[0]} ({_sure(hardest[1])} over all runs), "
        f"easiest those of {easiest[0]} ({_sure(easiest[1])})."
    )
    return grid(report, "category", groups, caption=said)


def _sure(one: Mapping[str, Any]) -> str:
    """Write a mean with its interval, where there is one."""
    ends = one.get("ci")
    return f"{one['mean']:.2f}" + (f" [{ends[0]:.2f}, {ends[1]:.2f}]" if ends else "")
