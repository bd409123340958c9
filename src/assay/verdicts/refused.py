"""Refused: the runs that are not to be picked, whatever else speaks for them."""

from collections.abc import Sequence

from assay.records import Comparisons, Run

__all__ = ["refused"]


def refused(comparisons: Comparisons | None, runs: Sequence[Run]) -> set[str]:
    """Name those whose verdict is DON'T SHIP, and those that are shown to break a budget.

    The baseline has no verdict, but budgets as all others have.
    """
    candidates = comparisons.candidates if comparisons else ()
    found = {one.run for one in candidates if one.verdict.outcome == "dont_ship"}
    return found | {run.name for run in runs if _breaks(run)}


def _breaks(run: Run) -> bool:
    return any(one.get("state") == "broken" for one in run.budgets.values())
