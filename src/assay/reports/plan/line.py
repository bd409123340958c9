"""What a benchmark will cost, in one line."""

from assay.records.plan import Plan
from assay.reports.plan.about import about
from assay.reports.plan.counted import counted

__all__ = ["line"]


def line(plan: Plan) -> str:
    """Write the line that is shown before a run."""
    missing = sum(not one.made for one in plan.indexes if one.kept)
    done = plan.searches - plan.searches_left
    told = [
        counted(plan.cells, "cell"),
        counted(len(plan.runs), "run"),
        f"{counted(missing, 'index', 'indexes')} to build",
        f"{'at most ' if plan.race else ''}{counted(plan.searches_left, 'search', 'searches')}"
        + (f" ({done:,} are recorded already)" if done else ""),
        f"{about(plan.building_s + plan.searching_s)} of work",
    ]
    return ", ".join(told)
