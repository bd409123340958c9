"""Unresolved references: judgments that point at nothing, or at more than one document."""

from assay.datasets.checks._evidence import NO_CORPUS, Evidence, check
from assay.records import Finding, Resolution
from assay.text.count_noun import count_noun

__all__ = ["unresolved"]


@check(rank=40)
def unresolved(evidence: Evidence) -> Finding:
    """Find references that match no document of the corpus, or several."""
    found = evidence.resolution
    if found is None:
        return Finding(undone=f"{NO_CORPUS}, so references were not resolved", listed="references")
    rows = tuple(
        {
            "query": row.query,
            "reference": str(row.reference),
            "reason": row.reason,
            "candidates": list(row.candidates),
        }
        for row in found.rows
        if row.reason and not row.spared
    )
    counts = {"total": found.total, "resolved": found.resolved}
    counts |= {"ambiguous": found.ambiguous, "missing": found.missing}
    counts |= {"several": sum(len(row.documents) > 1 for row in found.rows)}
    said = f"{found.resolved:,} of {count_noun(found.total, found.noun)} found in the corpus."
    return Finding(
        said=said,
        brief=f"{len(rows):,} unresolved" if rows else "",
        rows=rows,
        shown=("query", "reference", "reason", "candidates"),
        figures={"status": found.status, **counts},
        listed="references",
        defects=len(rows),
        noted=_several(found),
    )


def _several(found: Resolution) -> str:
    """Tell of references that several documents meet: right as a rule, but seldom all meant."""
    rows = [row for row in found.rows if len(row.documents) > 1]
    if not rows:
        return ""
    most = max(rows, key=lambda row: len(row.documents))
    number = count_noun(len(rows), "reference matches", "references match")
    return f"{number} several documents; {most.reference} matches {len(most.documents):,}."
