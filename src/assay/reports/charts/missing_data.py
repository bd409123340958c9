"""Missing data: why a report has nothing to draw for a chart, and what would change that."""

from collections.abc import Mapping

from assay.records import Report

__all__ = ["missing_data"]

CLUSTERED = 20  # queries from which on they are put in clusters
NEEDS: Mapping[str, str] = {
    "quality": "needs a run with scores",
    "differences": "needs a baseline and another run with per-query scores",
    "categories": "needs queries with categories",
    "scores": "needs a run with per-query scores",
    "waterfall": "needs loss by stage, which reports of older versions lack",
    "effects": "needs two runs that differ in one setting only",
    "latency": "needs measured latencies (run without --untimed)",
    "recall": "needs a run with an approximate dense index, such as dense: hnsw",
    "load": "needs measured latencies (run without --untimed)",
    "depth": "needs timed runs that differ only in a numeric setting, such as depth",
    "energy": "needs a run with coherence ranking",
}
OF_SEVERAL = ("differences", "effects", "depth")  # runs


def missing_data(report: Report, name: str) -> str:
    """Say what a chart needs that a report has not; nothing of a chart that is not known."""
    if name != "clusters":
        return "; ".join(filter(None, [NEEDS.get(name, ""), _stopped(report, name)]))
    queries = len(report.queries) or int(report.dataset.get("queries") or 0)
    if queries < CLUSTERED:
        return f"clustering needs at least {CLUSTERED} queries; this report has {queries}"
    return "no clear clusters of queries"


def _stopped(report: Report, name: str) -> str:
    """Say that runs which a race stopped do not count, where they may be what is lacking."""
    stopped = sum(run.status == "beaten" for run in report.runs)
    if not stopped or name not in OF_SEVERAL:
        return ""
    some = f"{stopped} of {len(report.runs)} runs"
    return f"the race stopped {some} early; without --race all are measured"
