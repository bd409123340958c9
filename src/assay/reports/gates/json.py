"""JSON of a gate, with the keys that other programs rely on."""

from typing import Any

from assay.records import Change, Interval
from assay.records.gate import CheckResult, Gate
from assay.reports.comparisons.values import finite

__all__ = ["json"]


def json(gate: Gate) -> dict[str, Any]:
    """Return what ``assay gate --json`` prints."""
    return {
        "outcome": gate.outcome,
        "checks": [_check(one) for one in gate.results],
        "benchmark": gate.benchmark,
        "current": gate.current,
        "baseline": {"name": gate.baseline, **gate.about_baseline} if gate.baseline else None,
        "queries": gate.queries,
        "baseline_queries": gate.baseline_queries,
        "environment": {
            name: {"before": old, "after": new} for name, (old, new) in gate.environment.items()
        },
        "notes": list(gate.notes),
        "settings": dict(gate.settings),
    }


def _check(one: CheckResult) -> dict[str, Any]:
    group = one.check.group
    return {
        "metric": one.check.figure,
        "run": one.run,
        "check": one.check.kind,
        "group": {"field": group[0], "value": group[1]} if group else None,
        "baseline": one.baseline,
        "current": one.current,
        "delta": one.delta,
        "relative": one.relative,
        "allowed": one.check.amount,
        "allowed_is_relative": one.check.relative,
        "limit": one.limit,
        "p": one.p,
        "p_corrected": one.p_corrected,
        "outcome": one.outcome,
        "reason": one.reason,
        "warning": one.warning or None,
        "baseline_run": one.baseline_run or None,
        "preset": one.check.preset or None,
        "queries": one.queries,
        "queries_needed": one.queries_needed,
        "ci": _ends(one.interval),
        "baseline_ci": _ends(one.baseline_interval),
        "worst": [_change(change) for change in one.changes],
    }


def _change(one: Change) -> dict[str, Any]:
    return {
        "query": one.query,
        "baseline": one.baseline,
        "current": one.candidate,
        "delta": one.difference,
    }


def _ends(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [finite(interval.low), finite(interval.high)]
