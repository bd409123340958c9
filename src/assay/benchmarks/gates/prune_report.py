"""A report -> the small part of it that a gate compares later reports with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assay.benchmarks.since.match import RESOLVED, resolved_digest
from assay.records import Report, Run

__all__ = ["prune_report"]

ABOUT = (
    *("name", "description", "metrics", "primary", "baseline", "budgets", "margin", "alpha"),
    *("ship_if", "unjudged", "unit", "breakdowns", "layout", "race", "asks", "repeats"),
    *("live", "timed"),
)
TIMES = (
    *("mean", "p50", "p95", "p99", "intervals", "samples", "repeats", "cpu", "busy"),
    *("concurrency", "query_vectors", "note"),
)
FACTS = ("digest", "category", "collection", "difficulty", "predicted", "weight", "breakdowns")


def prune_report(report: Report) -> Report:
    """Keep scores, costs, structure, and of queries what tells whether they are still the same."""
    return Report(
        benchmark=_some(report.benchmark, ABOUT),
        dataset=report.dataset,
        corpus=report.corpus,
        environment=report.environment,
        runs=tuple(_run(run) for run in report.runs if run.status == "completed"),
        id=report.id,
        truth=_some(report.truth, ("resolved", "ambiguous", "missing")),
        status=report.status,
        queries={
            key: _some(one, FACTS) | ({} if "digest" in one else {RESOLVED: resolved_digest(one)})
            for key, one in report.queries.items()
        },
    )


def _run(run: Run) -> Run:
    return Run(
        name=run.name,
        fingerprint=run.fingerprint,
        configuration=run.configuration,
        status=run.status,
        scores=run.scores,
        intervals=run.intervals,
        latency_ms=_some(run.latency_ms, TIMES),
        indexing=run.indexing,
        storage=run.storage,
        failed=dict.fromkeys(run.failed, "failed"),
        per_query=run.per_query,
        aliases=run.aliases,
        judged_at_10=run.judged_at_10,
        structure=None if run.structure is None else replace(run.structure, relations={}),
        repeats=_some(run.repeats, ("figures",)),
    )


def _some(told: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: told[name] for name in names if name in told}
