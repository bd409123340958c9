"""Whether lower values of a metric are better, as the comparisons of a report know it."""

from assay.records import Report

__all__ = ["is_lower_better"]


def is_lower_better(report: Report, metric: str) -> bool:
    """Tell whether lower is better; a metric that no comparison knows counts as the others do."""
    candidates = report.comparisons.candidates if report.comparisons else ()
    known = candidates[0].metrics.get(metric) if candidates else None
    return known is not None and not known.higher_is_better
