"""Queries without relevant documents: every search scores 0 on them."""

from typing import Any

from assay.datasets.checks._evidence import Evidence, check
from assay.records import Finding

__all__ = ["without_relevant"]

NO_JUDGMENT = "nothing judged"
NO_RELEVANT = "nothing relevant"
NOT_FOUND = "not in the corpus"
AMBIGUOUS = "ambiguous"  # it may be in the corpus, but nobody can tell which document it is


@check(rank=30)
def without_relevant(evidence: Evidence) -> Finding:
    """Find queries without a relevant document in the corpus."""
    rows: list[dict[str, Any]] = []
    for number, query in enumerate(evidence.dataset.queries):
        reason = _reason(evidence, number)
        if reason:
            rows.append({"query": query.key, "reason": reason, "text": query.text})
    return Finding(
        said="every search scores 0 on these queries." if rows else "",
        brief=f"{len(rows):,} without a relevant document" if rows else "",
        rows=tuple(rows),
        shown=("query", "reason", "text"),
        defects=len(rows),
    )


def _reason(evidence: Evidence, number: int) -> str:
    judgments = evidence.dataset.queries[number].judgments
    if not judgments:
        return NO_JUDGMENT
    if not any(judgment.grade > 0 for judgment in judgments):
        return NO_RELEVANT
    if evidence.resolution is not None and not evidence.gold(number):
        rows = zip(judgments, evidence.resolved(number), strict=True)
        reasons = {row.reason for judgment, row in rows if row and judgment.grade > 0}
        return AMBIGUOUS if "ambiguous" in reasons else NOT_FOUND
    return ""
