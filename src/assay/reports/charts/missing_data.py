"""Missing data: why a report has nothing to draw for a chart, and what would change that."""

from collections.abc import Mapping

from assay.records import Report

__all__ = ["missing_data"]

CLUSTERED = 20  # queries from which on they are put in clusters
NEEDS: Mapping[str, str] = {
    "quality": "it needs a run with scores",
    "differences": "it needs a baseline and another run with the scores of each query",
    "categories": "it needs queries that have categories",
    "scores": "it needs a run with the scores of each query",
    "waterfall": "it needs a run with what each stage loses, which older reports lack",
    "effects": "it needs two runs that differ in one setting alone",
    "latency": "it needs runs that were timed (without --untimed)",
    "load": "it needs runs that were timed (without --untimed)",
    "depth": "it needs timed runs that differ in a number alone, such as depth",
    "energy": "it needs a run that ranks by coherence",
}
OF_SEVERAL = ("differences", "effects", "depth")  # runs


def missing_data(report: Report, name: str) -> str:
    """Say what a chart needs that a report has not; nothing of a chart that is not known."""
    if name != "clusters":
        return "; ".join(filter(None, [NEEDS.get(name, ""), _stopped(report, name)]))
    queries = len(report.queries) or int(report.dataset.get("queries") or 0)
    if queries < CLUSTERED:
        return f"queries are put in clusters from {CLUSTERED} on, and there are {queries}"
    return "no clusters of queries stand out"


def _stopped(report: Report, name: str) -> str:
    """Say that runs which a race stopped do not count, where they may be what is lacking."""
    stopped = sum(run.status == "beaten" for run in report.runs)
    if not stopped or name not in OF_SEVERAL:
        return ""
    some = f"{stopped} of {len(report.runs)} runs"
    return f"the race stopped {some}, which do not count (without a race all are measured)"
