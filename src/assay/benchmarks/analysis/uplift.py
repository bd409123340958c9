"""Uplift: what each run gains over the baseline in every metric, absolute and relative."""

from typing import Any

from assay.benchmarks.analysis._comparable_runs import ComparableRuns, comparable_runs, ends
from assay.records import Report, Run
from assay.statistics.effect import effect
from assay.statistics.fieller import fieller
from assay.statistics.t_interval import t_interval

__all__ = ["uplift"]


def uplift(report: Report, *, seed: int) -> dict[str, Any]:
    """Compare each run with the baseline, query by query.

    The interval of the difference is Student's, that of the relative difference Fieller's. Both
    are candidate less baseline, also where less is better. Where the baseline scores 0 there is
    nothing to be relative to, and where its score may be 0 the relative difference has no bounds.
    ``note`` says what weakens the interval, e.g. that queries are few, or all gain the same.
    """
    found = comparable_runs(report)
    named = str(report.benchmark.get("baseline") or "")
    baseline = next((run for run in found.runs if named in (run.name, *run.aliases)), None)
    if baseline is None:
        return {}
    others = [run for run in found.runs if run is not baseline]
    return {
        run.name: {"baseline": baseline.name, "metrics": _metrics(found, baseline, run)}
        for run in others
    }


def _metrics(found: ComparableRuns, baseline: Run, run: Run) -> dict[str, Any]:
    both = (run, baseline)
    shared = [
        metric
        for metric in run.scores
        if all(metric in one.per_query[query] for one in both for query in found.queries)
    ]
    return {metric: _gained(found, baseline, run, metric) for metric in shared}


def _gained(found: ComparableRuns, baseline: Run, run: Run, metric: str) -> dict[str, Any]:
    before, after = found.column(baseline, metric), found.column(run, metric)
    gained = effect(after - before, **found.counted).difference
    start = effect(before, **found.counted).difference
    interval = t_interval(after - before, **found.counted)
    ratio = fieller(after - before, before, **found.counted) if start else None
    return {
        "absolute": gained,
        "ci": ends(interval),
        "relative": gained / start if start else None,
        "relative_ci": ends(ratio),
        "note": ratio.note if ratio else interval.note,
    }
