"""Grades: how many there are of each, and how many judgments a query has."""

from collections import Counter
from statistics import median

from assay.datasets.checks._evidence import Evidence, check
from assay.records import Finding, Table

__all__ = ["grades"]

NOUNS = {"judgments": "judgments", "relevant": "relevant documents"}


@check(rank=70)
def grades(evidence: Evidence) -> Finding:
    """Count the judgments per grade and per query."""
    queries = evidence.dataset.queries
    counts = Counter(judgment.grade for query in queries for judgment in query.judgments)
    spread = {
        "judgments": _spread([len(query.judgments) for query in queries]),
        "relevant": _spread([sum(one.grade > 0 for one in query.judgments) for query in queries]),
    }
    unused = [grade for grade in range(evidence.dataset.scale + 1) if not counts[grade]]
    return Finding(
        said=_said(spread, unused, evidence.dataset.scale),
        table=Table(("grade", "judgments"), [[grade, counts[grade]] for grade in sorted(counts)]),
        figures={
            "counts": {str(grade): counts[grade] for grade in sorted(counts)},
            "per_query": spread,
            "scale": evidence.dataset.scale,
            "unused": unused,
        },
    )


def _spread(numbers: list[int]) -> dict[str, float] | None:
    if not numbers:
        return None
    return {"min": min(numbers), "median": median(numbers), "max": max(numbers)}


def _said(spread: dict[str, dict[str, float] | None], unused: list[int], scale: int) -> str:
    parts = [
        f"{numbers['min']:,} to {numbers['max']:,} {NOUNS[what]} per query"
        f" (median {numbers['median']:g})"
        for what, numbers in spread.items()
        if numbers
    ]
    if unused:
        grades = f"grade {', '.join(map(str, unused))}"
        parts.append(f"no judgment has {grades} of the scale 0 to {scale}")
    return "; ".join(parts) + "." if parts else ""
