"""Breakdowns: what each run scores by the fields that the benchmark names."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.reports.analysis._harder_groups import said_of
from assay.reports.runs.phrases.frequent_values import frequent_values
from assay.text import sanitize

__all__ = ["breakdowns"]


def breakdowns(report: Report) -> Table | None:
    """Lay out the values of each field, and name those that are significantly harder or easier."""
    found = report.analysis.get("breakdowns") or {}
    groups, said, more = [], [], []
    for field, values in found.items():
        name = sanitize(str(field))
        shown, rest = frequent_values(values)
        groups += [(f"{name}: {sanitize(str(one['value']))}", one) for one in shown]
        more += [f"{name}: {rest}"] if rest else []
        if len(values) > 1:
            said.append(_said(report, str(field), values))
    if not groups:
        return None
    return grid(report, "field", groups, caption=" ".join(said), footer=more)


def _said(report: Report, field: str, values: Sequence[Mapping[str, Any]]) -> str:
    name, rows = sanitize(field), {str(one["value"]): one for one in values}
    kind, of = f"value of {name}", f"with {name}"
    return said_of(report, f"breakdowns.{field}", kind, of, rows=rows, several=of)
