"""Score of each run by cluster of similar queries, lowest mean first."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assay.records import Report
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.grid import Group, grid
from assay.reports.charts.drawing.key import key
from assay.reports.charts.drawing.plane import Drawing
from assay.reports.charts.drawing.shown_runs import ChartRun, known, left_out, primary, rises, shown
from assay.reports.charts.look import ChartStyle
from assay.text import sanitize

__all__ = ["clusters"]

MOST = 40
TERMS = 4  # that name a cluster


def clusters(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw the mean of the primary metric for each cluster and run."""
    told = report.analysis.get("clusters") or []
    scored = {name for cluster in told for name in cluster.get("scores") or {}}
    there = shown(report, lambda one: one.name in scored)
    better = rises(report)
    found = [replace(_group(cluster, there), rises=better) for cluster in told]
    groups = [group for group in found if group.values]
    groups.sort(key=lambda one: (one.ease, one.name))
    if not groups:
        return None
    drawn, numbered = grid(groups[:MOST], there, look)
    first = "Lowest mean first. " * look.titled  # which a page says above
    return frame(
        [drawn, *([key(there, look, marked=False)] if numbered else [])],
        report,
        look,
        title=f"{primary(report)} by cluster of queries",
        lines=[
            f"{first}Rows show the terms most typical of each cluster, and the number of "
            "queries in brackets; row maxima are bold.",
            left_out(report, there),
        ],
        tells=f"Lowest mean: {groups[0].name}; highest: {groups[-1].name}",
    )


def _group(cluster: Mapping[str, Any], there: list[ChartRun]) -> Group:
    words = ", ".join(map(str, cluster.get("terms") or [])) or f"cluster {cluster.get('cluster')}"
    name = ", ".join(words.split(", ")[:TERMS])
    scores = {one.number: known((cluster.get("scores") or {}).get(one.run.name)) for one in there}
    values = {number: value for number, value in scores.items() if value is not None}
    return Group(sanitize(name)[:200], int(known(cluster.get("queries")) or 0), values)
