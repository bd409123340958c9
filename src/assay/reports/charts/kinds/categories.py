"""Score of each run by category of queries, lowest mean first."""

from dataclasses import replace

from assay.records import Report
from assay.reports.charts.drawing.frame import frame
from assay.reports.charts.drawing.grid import Group, grid
from assay.reports.charts.drawing.key import key
from assay.reports.charts.drawing.plane import Drawing
from assay.reports.charts.drawing.shown_runs import ChartRun, known, left_out, primary, rises, shown
from assay.reports.charts.look import ChartStyle
from assay.text import sanitize

__all__ = ["categories"]

MOST = 40  # categories that one picture has room for
LONGEST = 200


def categories(report: Report, look: ChartStyle, *, run: str | None = None) -> Drawing | None:
    """Draw the mean of the primary metric for each category and run."""
    metric = primary(report)
    there = shown(report, lambda one: one.categories)
    better = rises(report)
    found = [replace(_group(name, there, metric), rises=better) for name in _names(there)]
    groups = [group for group in found if group.values]
    groups.sort(key=lambda one: (one.ease, one.name))
    if not groups:
        return None
    drawn, numbered = grid(groups[:MOST], there, look)
    more = f"The lowest {MOST} of {len(groups)} categories." if len(groups) > MOST else ""
    first = "Lowest mean first. " * look.titled  # which a page says above
    return frame(
        [drawn, *([key(there, look, marked=False)] if numbered else [])],
        report,
        look,
        title=f"{metric} by category",
        lines=[
            f"{first}The number of queries is in brackets; row maxima are bold. {more}".strip(),
            left_out(report, there),
        ],
        tells=f"Lowest mean: {groups[0].name}; highest: {groups[-1].name}",
    )


def _names(there: list[ChartRun]) -> list[str]:
    return list(dict.fromkeys(name for one in there for name in one.run.categories))


def _group(name: str, there: list[ChartRun], metric: str) -> Group:
    held = {one.number: one.run.categories.get(name, {}) for one in there}
    values = {number: known(scores.get(metric)) for number, scores in held.items()}
    counts = [known(scores.get("queries")) or 0 for scores in held.values()]
    shortened = sanitize(name)[:LONGEST] or "(none)"
    told = {number: value for number, value in values.items() if value is not None}
    return Group(shortened, int(max(counts, default=0)), told)
