"""Breakdowns: what each run scores by the fields that the benchmark names."""

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.reports.analysis._harder_groups import said_of
from assay.text import sanitize

__all__ = ["breakdowns"]

SHOWN = 12  # values of a field


def breakdowns(report: Report) -> Table | None:
    """Lay out the values of each field, and name those that are significantly harder or easier."""
    found = report.analysis.get("breakdowns") or {}
    groups, said, more = [], [], []
    for field, values in found.items():
        name = sanitize(str(field))
        groups += [(f"{name}: {sanitize(str(one['value']))}", one) for one in values[:SHOWN]]
        if len(values) > SHOWN:
            more.append(f"{name}: {len(values) - SHOWN:,} more")
        if len(values) > 1:
            ends = {str(one["value"]): one.get("ci") for one in values}
            question = f"breakdowns.{field}"
            said.append(said_of(report, question, f"value of {name}", f"with {name}", ends=ends))
    if not groups:
        return None
    return grid(report, "field", groups, caption=" ".join(said), footer=more)
