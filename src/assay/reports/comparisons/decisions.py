"""Decisions: the verdict on each candidate, and its reason."""

from assay.records import Comparisons, Table
from assay.records.verdict import OUTCOMES
from assay.text.quote import quote

__all__ = ["decisions", "heading", "reason_head"]

PRACTICAL = 9_999  # queries: a larger number is not shown


def decisions(comparisons: Comparisons) -> Table:
    """Give each candidate a row."""
    rows = [
        [one.run, heading(one.verdict.outcome, one.verdict.queries_needed), one.verdict.reason]
        for one in comparisons.candidates
    ]
    caption = f"{comparisons.primary} compared with {quote(comparisons.baseline)}"
    return Table(("run", "verdict", "reason"), rows, caption=caption)


def heading(outcome: str, queries_needed: int | None) -> str:
    """Return the verdict in capitals."""
    told = queries_needed is not None and queries_needed <= PRACTICAL
    number = f"{queries_needed:,} " if told else ""
    needs = OUTCOMES["needs_queries"].replace(" ", f" {number}", 1)
    return needs if outcome == "needs_queries" else OUTCOMES.get(outcome, needs)


def reason_head(reason: str) -> str:
    """Return a reason without its figures.

    >>> reason_head("Significantly better: ndcg@10 +0.105 (95% CI +0.045 to +0.164, 90 queries).")
    'Significantly better'
    """
    head, colon, _ = reason.rpartition(": ")
    return head if colon else reason.rstrip(".")
