"""JSON of a report, lossless, with the keys that other programs rely on."""

from functools import lru_cache
from typing import Any

from assay.records import Comparisons, Interval, Report, Run
from assay.records.command import without_service
from assay.reports.comparisons.json import json as comparisons_json
from assay.reports.comparisons.json import verdict_json
from assay.reports.structure.json import json as structure_json

__all__ = ["SCHEMA_VERSION", "json"]

SCHEMA_VERSION = 1  # raised when a key changes its meaning; keys are added, never renamed


@lru_cache(maxsize=1)
def json(report: Report) -> dict[str, Any]:
    """Return what ``assay run --json`` prints, ``-o report.json`` and the ledger hold.

    It is made once for all of them: nobody may change it.
    """
    compared = None if report.comparisons is None else comparisons_json(report.comparisons)
    return {
        "schema_version": SCHEMA_VERSION,
        "id": report.id,
        "status": report.status,
        "benchmark": without_service(report.benchmark),
        "dataset": dict(report.dataset),
        "corpus": dict(report.corpus),
        "environment": dict(report.environment),
        "plan": dict(report.plan),
        "runs": [_run(run) for run in report.runs],
        "comparisons": [] if compared is None else _comparisons(compared),
        "verdicts": _verdicts(report),
        "best_set": [] if compared is None else compared["best_set"],
        "winner": dict(report.winner) or _winner(report),
        "judge_next": [] if compared is None else compared["judge_next"],
        "compared": None if compared is None else _compared(compared),
        "recommendations": dict(report.recommendations),
        "truth": dict(report.truth),
        "queries": {key: dict(one) for key, one in report.queries.items()},
        "analysis": dict(report.analysis),
        "race": dict(report.race) or None,
        "notes": list(report.notes),
    }


def _run(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "aliases": list(run.aliases),
        "fingerprint": run.fingerprint,
        "configuration": dict(run.configuration),
        "status": run.status,
        "error": run.error,
        "scores": dict(run.scores),
        **({"scores_unweighted": dict(run.scores_unweighted)} if run.scores_unweighted else {}),
        "scores_answered": dict(run.scores_answered) or None,
        "scores_resolved": dict(run.scores_resolved) or None,
        "scores_unleaked": dict(run.scores_unleaked) or None,
        "intervals": {name: _ends(interval) for name, interval in run.intervals.items()},
        "interval_notes": {name: one.note for name, one in run.intervals.items() if one.note},
        "reachable": dict(run.reachable) or None,
        "judged@10": run.judged_at_10,
        "latency_ms": dict(run.latency_ms),
        "indexing": dict(run.indexing),
        "storage": dict(run.storage),
        "budgets": {name: dict(one) for name, one in run.budgets.items()},
        "errors": run.errors,
        "failed": dict(run.failed),
        "categories": {name: dict(scores) for name, scores in run.categories.items()},
        "collections": {name: dict(scores) for name, scores in run.collections.items()},
        "macro": {name: dict(one) for name, one in run.macro.items()},
        "repeats": dict(run.repeats),
        "per_query": {query: dict(scores) for query, scores in run.per_query.items()},
        "rankings": {query: list(documents) for query, documents in run.rankings.items()},
        "ranking_scores": {query: list(scores) for query, scores in run.ranking_scores.items()},
        "ranking_symbols": {
            query: [list(some) for some in each] for query, each in run.ranking_symbols.items()
        },
        "others": {query: dict(scores) for query, scores in run.others.items()},
        "waterfall": dict(run.waterfall),
        "losses": {query: dict(one) for query, one in run.losses.items()},
        "missed": {query: dict(one) for query, one in run.missed.items()},
        "missed_more": dict(run.missed_more),
        "reading": {query: dict(one) for query, one in run.reading.items()},
        "notes": list(run.notes),
        **({"structure": structure_json(run.structure)} if run.structure else {}),
    }


def _ends(interval: Interval) -> list[float] | None:
    """Say nothing rather than infinity, which JSON does not know."""
    known = abs(interval.high) < float("inf")
    return [interval.low, interval.high] if known else None


def _comparisons(compared: dict[str, Any]) -> list[dict[str, Any]]:
    """Give each candidate its figures; the verdicts stand apart."""
    return [
        {
            "baseline": compared["baseline"],
            **{key: candidate[key] for key in candidate if key != "verdict"},
        }
        for candidate in compared["candidates"]
    ]


def _verdicts(report: Report) -> list[dict[str, Any]]:
    """Give each candidate its verdict, those that were compared first."""
    told = report.comparisons
    about = {
        "baseline": told.baseline if told else report.benchmark.get("baseline"),
        "primary": told.primary if told else report.benchmark.get("primary"),
    }
    return [{"run": run, **about, **verdict_json(one)} for run, one in report.verdicts.items()]


def _compared(compared: dict[str, Any]) -> dict[str, Any]:
    """Tell what all comparisons have in common."""
    shared = ("baseline", "primary", "queries", "best", "settings", "evaluations")
    return {key: compared[key] for key in shared}


def _winner(report: Report) -> dict[str, Any] | None:
    """Tell the best as the comparison has it, where nobody told it better."""
    compared: Comparisons | None = report.comparisons
    if compared is None:
        return None
    pick = report.recommendations.get("pick") or {}
    return {
        "best": compared.best,
        "best_set": list(compared.best_set),
        "observed_gain": compared.observed_gain,
        "corrected_gain": compared.corrected_gain,
        "pick": pick.get("run"),
        "sentence": "",
    }
