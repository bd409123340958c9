"""The run that is shown against the baseline where none is named: one rule for every picture."""

import math
from collections.abc import Mapping
from typing import Any

from assay.records import Report, Run
from assay.reports.metric_direction import is_lower_better

__all__ = ["baseline_of", "rival"]

PerQuery = Mapping[str, Mapping[str, Any]]
PICKS = ("pick_within_budgets", "pick")


def rival(report: Report) -> str:
    """Return the pick within the budgets, else the pick, else the best of the other runs.

    Only completed runs other than the baseline that have the scores of each query count, and those
    that score each query as the baseline does only where all do: there is nothing to see of them.
    Of equally good ones it is the first of the report. Nothing where there is none.
    """
    baseline = baseline_of(report)
    others = [run for run in report.runs if run.name != baseline and _is_whole(run)]
    base = next((run.per_query for run in report.runs if run.name == baseline), {})
    others = [run for run in others if not _is_same(report, run.per_query, base)] or others
    names = {run.name for run in others}
    picks = (*(_run(report.recommendations.get(one)) for one in PICKS), report.winner.get("pick"))
    if picked := next((name for name in picks if name in names), None):
        return str(picked)
    return max(others, key=lambda run: _worth(report, run)).name if others else ""


def baseline_of(report: Report) -> str:
    """Return the name of the baseline; nothing where none is known."""
    if report.comparisons is not None:
        return report.comparisons.baseline
    return str(report.benchmark.get("baseline") or "")


def _is_whole(run: Run) -> bool:
    return run.status == "completed" and bool(run.per_query)


def _is_same(report: Report, one: PerQuery, other: PerQuery) -> bool:
    """Tell whether two runs score each query alike on the primary metric."""
    metric = _primary(report)
    told = [{key: scores.get(metric) for key, scores in each.items()} for each in (one, other)]
    return told[0] == told[1]


def _run(told: Any) -> Any:  # noqa: ANN401 - as a report has it
    return told.get("run") if isinstance(told, Mapping) else None


def _worth(report: Report, run: Run) -> float:
    """Return the primary score, so that more is better; what is not known is worst."""
    primary = _primary(report)
    score = run.scores.get(primary)
    if score is None or not math.isfinite(score):
        return -math.inf
    return -score if is_lower_better(report, primary) else score


def _primary(report: Report) -> str:
    compared = report.comparisons
    return compared.primary if compared else str(report.benchmark.get("primary") or "")
