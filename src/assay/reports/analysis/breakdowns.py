"""Breakdowns: what each run scores by the fields that the benchmark names."""

from collections.abc import Iterator, Mapping, Sequence

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.reports.analysis._harder_groups import Group, are_unlike, said_of
from assay.reports.runs.phrases.frequent_values import frequent_values
from assay.text import sanitize
from assay.text.figures import p_text
from assay.text.join_list import join_list

__all__ = ["breakdowns"]


def breakdowns(report: Report) -> Table | None:
    """Lay out the values of each field, and name those that are significantly harder or easier."""
    found = report.analysis.get("breakdowns") or {}
    groups, more = [], []
    for field, values in found.items():
        name = sanitize(str(field))
        shown, rest = frequent_values(values)
        groups += [(f"{name}: {sanitize(str(one['value']))}", one) for one in shown]
        more += [f"{name}: {rest}"] if rest else []
    if not groups:
        return None
    several = {str(field): values for field, values in found.items() if len(values) > 1}
    return grid(report, "field", groups, caption=" ".join(_said(report, several)), footer=more)


def _said(report: Report, found: Mapping[str, Sequence[Group]]) -> Iterator[str]:
    """Tell what was found of each field; those of which nothing was found share a sentence."""
    tested = report.analysis.get("harder") or {}
    alike = [field for field in found if not are_unlike(report, f"breakdowns.{field}")]
    alike = [field for field in alike if f"breakdowns.{field}" in tested]
    for field in (one for one in found if one not in alike or len(alike) == 1):
        name, rows = sanitize(field), {str(one["value"]): one for one in found[field]}
        kind, of = f"value of {name}", f"with {name}"
        yield said_of(report, f"breakdowns.{field}", kind, of, rows=rows, several=of)
    if len(alike) > 1:
        least = min(float(tested[f"breakdowns.{field}"]["p_holm"]) for field in alike)
        fields = join_list([sanitize(field) for field in alike], most=len(alike))
        what = f"No value of {fields} is significantly harder or easier than the others"
        yield f"{what} (smallest {p_text(least)})."
