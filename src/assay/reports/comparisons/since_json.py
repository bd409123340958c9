"""JSON of what changed between reports, in the shape of a comparison with further keys."""

from collections.abc import Sequence
from typing import Any

from assay.records import Interval
from assay.records.since import CostChange, RunChange, Since
from assay.reports.comparisons.json import candidate_json, to_judge_json, verdict_json
from assay.reports.comparisons.values import finite

__all__ = ["since_json"]


def since_json(changes: Sequence[Since]) -> dict[str, Any]:
    """Return what ``assay compare REPORT REPORT --json`` prints."""
    first = changes[0]
    return {
        "baseline": first.before,
        "primary": first.primary,
        "queries": first.queries,
        "candidates": [_change(one, since) for since in changes for one in since.changes],
        "uncompared": [
            {"run": run, "report": since.after, "verdict": verdict_json(verdict)}
            for since in changes
            for run, verdict in since.uncompared.items()
        ],
        "judge_next": [to_judge_json(one) for since in changes for one in since.judge_next],
        "reports": [_report(since) for since in changes],
        "settings": dict(first.settings),
    }


def _change(one: RunChange, since: Since) -> dict[str, Any]:
    return {
        **candidate_json(one.candidate),
        "report": since.after,
        "baseline_run": one.before.name,
        "configuration": {
            name: {"before": old, "after": new} for name, (old, new) in one.settings.items()
        },
        "fingerprint": {"before": one.before.fingerprint, "after": one.after.fingerprint},
        "costs": {name: _cost(cost) for name, cost in one.costs.items()},
        "errors": {"before": one.before.errors, "after": one.after.errors},
    }


def _cost(one: CostChange) -> dict[str, Any]:
    return {
        "before": one.before,
        "before_ci": _ends(one.before_interval),
        "after": one.after,
        "after_ci": _ends(one.after_interval),
        "shown": one.shown,
    }


def _ends(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [finite(interval.low), finite(interval.high)]


def _report(since: Since) -> dict[str, Any]:
    return {
        "report": since.after,
        "primary": since.primary,
        "queries": since.queries,
        "only_before": list(since.only_before),
        "only_after": list(since.only_after),
        "rejudged": list(since.rejudged),
        "new": list(since.new),
        "gone": list(since.gone),
        "verdicts": {
            name: {"before": old, "after": new} for name, (old, new) in since.decisions.items()
        },
        "criteria": {
            name: {"before": old, "after": new} for name, (old, new) in since.criteria.items()
        },
        "environment": {
            name: {"before": old, "after": new} for name, (old, new) in since.environment.items()
        },
        "times_comparable": since.comparable,
        "notes": list(since.notes),
    }
