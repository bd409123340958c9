"""JSON of comparisons, lossless, with the keys that other programs rely on."""

from typing import Any

from assay.records import Candidate, Comparison, Comparisons, ToJudge, Verdict
from assay.reports.comparisons.values import finite
from assay.reports.evaluations.json import json as evaluations_json

__all__ = ["candidate_json", "json", "to_judge_json", "verdict_json"]


def json(comparisons: Comparisons) -> dict[str, Any]:
    """Return what ``assay compare --json`` prints."""
    return {
        "baseline": comparisons.baseline,
        "primary": comparisons.primary,
        "queries": comparisons.queries,
        "candidates": [candidate_json(candidate) for candidate in comparisons.candidates],
        "judge_next": [to_judge_json(one) for one in comparisons.judge_next],
        "best_set": list(comparisons.best_set),
        "best": {
            "run": comparisons.best,
            "observed_gain": comparisons.observed_gain,
            "corrected_gain": comparisons.corrected_gain,
        },
        "evaluations": evaluations_json(
            comparisons.evaluations, queries=comparisons.queries, per_query=False
        )["runs"],
        "settings": comparisons.settings,
    }


def to_judge_json(one: ToJudge) -> dict[str, Any]:
    """Return a document to judge next."""
    return {"query": one.query, "document": one.document, "influence": one.influence}


def candidate_json(candidate: Candidate) -> dict[str, Any]:
    """Return what is known of one candidate."""
    return {
        "run": candidate.run,
        "metrics": {name: _metric(one) for name, one in candidate.metrics.items()},
        "verdict": verdict_json(candidate.verdict),
        "agreement": candidate.agreement,
        "changes": [
            {
                "query": change.query,
                "baseline": change.baseline,
                "candidate": change.candidate,
                "difference": change.difference,
            }
            for change in candidate.changes
        ],
        **({} if candidate.unweighted is None else {"unweighted": _plain(candidate.unweighted)}),
    }


def _plain(candidate: Candidate) -> dict[str, Any]:
    """Return what the figures and the verdict are without the weights of queries."""
    return {
        "metrics": {name: _metric(one) for name, one in candidate.metrics.items()},
        "verdict": verdict_json(candidate.verdict),
    }


def verdict_json(verdict: Verdict) -> dict[str, Any]:
    """Return what is decided of one candidate, and by which rule."""
    return {
        "outcome": verdict.outcome,
        "rule": verdict.rule,
        "reason": verdict.reason,
        "queries_needed": verdict.queries_needed,
        "change": verdict.change,
        "queries_to_show": verdict.queries_to_show,
        "queries_for_margin": verdict.queries_for_margin,
    }


def _metric(one: Comparison) -> dict[str, Any]:
    return {
        "baseline": one.baseline,
        "baseline_ci": [finite(one.baseline_interval.low), finite(one.baseline_interval.high)],
        "candidate": one.candidate,
        "candidate_ci": [finite(one.candidate_interval.low), finite(one.candidate_interval.high)],
        "difference": one.difference,
        "ci": [finite(one.interval.low), finite(one.interval.high)],
        "ci_note": one.interval.note,
        "p": one.p,
        "p_corrected": one.p_corrected,
        "tests": one.tests,
        "standardised": finite(one.standardised),
        "wins": one.wins,
        "ties": one.ties,
        "losses": one.losses,
        "smallest_detectable": finite(one.smallest_detectable),
        "holes": None if one.holes is None else list(one.holes),
        "unbounded": one.unbounded,
        "sd": finite(one.sd),
        "queries": one.queries,
        "higher_is_better": one.higher_is_better,
    }
