"""JSON of a diff, lossless, with the keys that other programs rely on."""

from typing import Any

from assay.records import Interval
from assay.records.diff import Diff, DiffTotals, QueryDiff

__all__ = ["json"]


def json(diff: Diff) -> dict[str, Any]:
    """Return what ``assay diff --json`` prints."""
    return {
        "before": diff.before,
        "after": diff.after,
        "k": diff.k,
        "p": diff.p,
        "queries": len(diff.changes),
        "changed": len(diff.changed),
        "totals": _totals(diff.totals),
        "totals_unweighted": _totals(diff.unweighted) if diff.unweighted else None,
        "failed": {name: dict(one) for name, one in diff.failed.items()},
        "latency_ms": {name: dict(one) for name, one in diff.latency_ms.items()} or None,
        "judging": {
            "changed": diff.plan.changed,
            "changed_share": diff.plan.share,
            "queries_needed": {name: dict(one) for name, one in diff.plan.needed.items()},
            "detectable": {str(one): dict(of) for one, of in diff.plan.detectable.items()},
        },
        "sample": dict(diff.sample) or None,
        "changes": [_query(one, diff.k) for one in diff.changes],
        "report": diff.report or None,
        "notes": list(diff.notes),
    }


def _totals(totals: DiffTotals) -> dict[str, Any]:
    return {
        "changed": totals.changed,
        "changed_ci": _ends(totals.changed_interval),
        "documents_changed": totals.documents_changed,
        "documents_changed_ci": _ends(totals.documents_changed_interval),
        "first_changed": totals.first_changed,
        "first_changed_ci": _ends(totals.first_changed_interval),
        "rbo": totals.rbo,
        "rbo_ci": _ends(totals.rbo_interval),
        "overlap": totals.overlap,
        "empty_before": totals.empty_before,
        "empty_after": totals.empty_after,
    }


def _ends(interval: Interval) -> list[float] | None:
    known = abs(interval.high) < float("inf")
    return [interval.low, interval.high] if known else None


def _query(one: QueryDiff, k: int) -> dict[str, Any]:
    return {
        "query": one.query,
        "text": one.text,
        "weight": one.weight,
        "share": one.share,
        "rbo": one.rbo,
        f"overlap@{k}": one.overlap,
        "changed": one.changed,
        "first_changed": one.first_changed,
        "new": list(one.new),
        "gone": list(one.gone),
        "moved": [
            {"document": document, "before": old, "after": new} for document, old, new in one.moved
        ],
        "before": list(one.before),
        "after": list(one.after),
    }
