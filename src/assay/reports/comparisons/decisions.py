"""Decisions: what is to be done with each candidate, and why."""

from assay.records import Comparisons, Table
from assay.records.verdict import OUTCOMES
from assay.text.quote import quote

__all__ = ["decisions", "heading"]

PRACTICAL = 9_999  # queries: a larger number is not told


def decisions(comparisons: Comparisons) -> Table:
    """Give each candidate a row."""
    rows = [
        [one.run, heading(one.verdict.outcome, one.verdict.queries_needed), one.verdict.reason]
        for one in comparisons.candidates
    ]
    caption = f"Against {quote(comparisons.baseline)}, by {comparisons.primary}"
    return Table(("run", "verdict", "reason"), rows, caption=caption)


def heading(outcome: str, queries_needed: int | None) -> str:
    """Return the verdict as it is shouted."""
    told = queries_needed is not None and queries_needed <= PRACTICAL
    number = f"{queries_needed:,} " if told else ""
    needs = OUTCOMES["needs_queries"].replace(" ", f" {number}", 1)
    return needs if outcome == "needs_queries" else OUTCOMES.get(outcome, needs)
