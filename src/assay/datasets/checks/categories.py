"""Categories: how many queries each has, and which have too few to tell anything."""

from collections import Counter

from assay.datasets.checks._evidence import Evidence, check
from assay.records import Finding, Table

__all__ = ["categories"]


@check(rank=80)
def categories(evidence: Evidence) -> Finding:
    """Count the queries per category, and list categories with too few queries."""
    counts = Counter(query.category for query in evidence.dataset.queries if query.category)
    ordered = dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
    least = evidence.settings.category_queries
    small = [name for name, number in ordered.items() if number < least]
    without = sum(not query.category for query in evidence.dataset.queries)
    said = f"Fewer than {least} queries: {', '.join(small)}." if small else ""
    return Finding(
        said=said,
        table=Table(("category", "queries"), list(ordered.items())) if counts else None,
        figures={"counts": ordered, "small": small, "without": without},
    )
