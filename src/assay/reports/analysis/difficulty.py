"""Difficulty: what each run scores on easy and on hard queries, as given, measured, predicted."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.text import sanitize

__all__ = ["difficulty"]

LEVELS = ("given", "measured")


def difficulty(report: Report) -> Table | None:
    """Lay out the levels, and say how well difficulty could be predicted."""
    found = report.analysis.get("difficulty") or {}
    predicted = found.get("predicted") or {}
    levels = {name: found.get(name) or [] for name in LEVELS}
    levels["predicted"] = predicted.get("levels") or []
    groups = [
        (f"{name}: {sanitize(str(one['level']))}", one) for name in levels for one in levels[name]
    ]
    if not groups:
        return None
    return grid(report, "difficulty", groups, caption=_said(levels["measured"], predicted))


def _said(measured: list[Mapping[str, Any]], predicted: Mapping[str, Any]) -> str:
    said = []
    if len(measured) > 1:
        hard = measured[-1]
        best = max(hard["scores"].values(), default=0.0)
        said.append(
            f"On the hardest third ({hard['queries']:,} queries) the best run scores {best:.2f}."
        )
    if predicted.get("correlation") is not None:
        ends, r = predicted.get("ci"), predicted["correlation"]
        told = f"{r:.2f}" + (f", {ends[0]:.2f} to {ends[1]:.2f}" if ends else "")
        known = ends and ends[0] > 0
        how = "Hard queries can" if known else "Nothing shows that hard queries can"
        said.append(f"{how} be told beforehand (rank correlation {told}).")
    return " ".join(said) or "Queries by their difficulty."
