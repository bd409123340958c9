"""What a benchmark will cost, in one line."""

from assay.records.plan import Plan
from assay.reports.plan.about import about
from assay.text.count_noun import count_noun

__all__ = ["line"]


def line(plan: Plan) -> str:
    """Write the line that is shown before a run."""
    missing = sum(not one.made for one in plan.indexes if one.kept)
    done = plan.searches - plan.searches_left
    told = [
        count_noun(plan.cells, "configuration"),
        count_noun(len(plan.runs), "run"),
        f"{count_noun(missing, 'index', 'indexes')} to build",
        f"{'at most ' if plan.race else ''}{count_noun(plan.searches_left, 'search', 'searches')}"
        + (f" ({done:,} already recorded)" if done else ""),
        f"{about(plan.building_s + plan.searching_s)} in total",
    ]
    return ", ".join(told)
