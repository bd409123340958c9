"""Unresolved references: judgments that point at nothing, or at more than one document."""

from assay.datasets.checks._evidence import NO_CORPUS, Evidence, check
from assay.records import Finding

__all__ = ["unresolved"]


@check(rank=40)
def unresolved(evidence: Evidence) -> Finding:
    """Find references that lead to no document of the corpus, or to several."""
    found = evidence.resolution
    if found is None:
        return Finding(undone=f"{NO_CORPUS}, so no reference was looked up", listed="references")
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
    said = f"{found.resolved:,} of {found.total:,} expected items were found in the corpus."
    return Finding(
        said=said,
        brief=f"{len(rows):,} unresolved" if rows else "",
        rows=rows,
        shown=("query", "reference", "reason", "candidates"),
        figures={"status": found.status, **counts},
        listed="references",
        defects=len(rows),
    )
