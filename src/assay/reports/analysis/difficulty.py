"""Difficulty: what each run scores on easy and on hard queries, as given, measured, predicted."""

from collections.abc import Mapping
from typing import Any

from assay.records import Report, Table
from assay.reports.analysis._grid import grid
from assay.text import sanitize
from assay.text.count_noun import count_noun

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
        hardest = count_noun(hard["queries"], "hardest query", "hardest queries")
        said.append(f"The highest mean score of any run on the {hardest} is {best:.2f}.")
    if predicted.get("correlation") is not None:
        ends, r = predicted.get("ci"), predicted["correlation"]
        told = f"{r:.2f}" + (f", 95% CI {ends[0]:.2f} to {ends[1]:.2f}" if ends else "")
        are = "are" if ends and ends[0] > 0 else "are not"
        said.append(
            f"Predicted and measured difficulty {are} significantly correlated (rank correlation "
            f"{told})."
        )
    return " ".join(said) or "Scores by query difficulty."
