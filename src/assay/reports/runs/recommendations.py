"""Recommendations in words: which run is the best by what."""

from assay.records import Report

__all__ = ["recommendations"]

NAMES = {
    "best_quality": "best quality",
    "fastest": "fastest",
    "best_recall": "best recall",
    "best_balance": "best balance of quality and speed",
    "pick": "fastest of those that cannot be told from the best",
}


def recommendations(report: Report) -> list[str]:
    """Write a line for each; a single run that was measured is the best of nothing."""
    if sum(run.status == "completed" for run in report.runs) < 2:
        return []
    told = ((NAMES[key], one) for key, one in report.recommendations.items() if one)
    return [f"{what}: {one['run']} ({_figure(one['by'], one['value'])})" for what, one in told]


def _figure(by: str, value: float) -> str:
    if by == "latency_p50_ms":
        return f"p50 {value:,.2f} ms"
    return f"{value:.2f}" if by == "balance" else f"{by} {value:.4f}"
