"""ConsciousDB's JSON and Markdown: each method beside the cosines, and figures of its receipts.

A run with coherence ranking is one object: the methods of the table, then the lines of the
reporting template. Several are in ``reports``. Without any, the runs of the report are the
methods, beside its baseline.
"""

from collections.abc import Mapping
from typing import Any

from assay.records import Distribution, Report, Run
from assay.reports.ancestors._consciousdb_methods import methods
from assay.reports.ancestors._run_fields import RunFields, queries_of

__all__ = ["consciousdb"]

DISTRIBUTIONS = {  # theirs: ours, of the receipts
    "deltaH_total": "delta_h",
    "coherence_fraction": "coherence_fraction",
    "solver_efficiency": "efficiency",
    "condition_bound": "condition_bound",
    "edge_overlap": "edge_overlap",
}
STAGES = {  # the latencies that ConsciousDB breaks a search into
    "embed": "embed",
    "ann": "dense",
    "build": "coherence_build",
    "solve": "coherence_solve",
    "rank": "coherence_rank",
}
UNSTRUCTURED = "this run has no coherence ranking"
NOT_ENOUGH = "too few queries of this run were ranked by coherence (the others were gated, or used "
NOT_ENOUGH += "the fallback)"
DIFFERENT = {
    "date": "when this file was written, in UTC",
    "deltaH_total": "the exact decrease of the energy; ConsciousDB reports 12 to 14 times as much",
    "coherence_fraction": "not clamped to 1; ConsciousDB clamps it",
    "condition_bound": "a true upper bound; ConsciousDB's value is below the true condition number",
    "fallback_rate": "without forced fallbacks",
}


def consciousdb(report: Report, *, date: str, run: str | None = None) -> dict[str, Any]:
    """Fill ConsciousDB's report; ``date`` is ISO 8601 in UTC, ``run`` chooses one of several."""
    chosen = [one for one in report.runs if run in (None, one.name)]
    found = [one for one in chosen if one.structure is not None]
    if len(found) > 1:
        return {"reports": [_one(report, one, date) for one in found]}
    return _one(report, found[0] if found else _first(report, chosen), date)


def _first(report: Report, chosen: list[Run]) -> Run:
    """Take the run that is named, else the baseline; an empty report has an empty run."""
    baseline = report.comparisons.baseline if report.comparisons else ""
    named = [one for one in chosen if len(chosen) == 1 or one.name == baseline]
    return [*named, *chosen, Run("", "", {}, "failed", error="the report has no runs")][0]


def _one(report: Report, run: Run, date: str) -> dict[str, Any]:
    fill = RunFields(run)
    told = {
        **_about(report, run, fill, date),
        "methods": methods(report, run, fill),
        "ndcg": {f"@{k}": _pair(run, k, fill) for k in (5, 10)},
        "latency_ms": {
            name: fill.measured(f"latency_ms.{name}", "latency_ms", name) for name in ("p50", "p95")
        },
        "latency_stages_ms": _stages(run),
        **_rates(run, fill),
        **_receipts(run, fill),
        "interpretation": _readings(run),
    }
    for field, remark in DIFFERENT.items():
        if told.get(field) is not None:
            fill.say(field, remark)
    return {**told, "notes": fill.notes}


def _about(report: Report, run: Run, fill: RunFields, date: str) -> dict[str, Any]:
    chosen = run.configuration
    settings = chosen.get("coherence")
    alpha = settings.get("alpha") if isinstance(settings, Mapping) else None
    return {
        "benchmark": report.benchmark.get("name"),
        "run": run.name,
        "date": date[:10],
        "corpus": report.corpus.get("name"),
        "queries": queries_of(report, run),
        "m": fill.known("m", chosen.get("depth"), "this search has no depth"),
        "k": _cutoffs(run),
        "alpha": fill.known("alpha", alpha, UNSTRUCTURED),
    }


def _pair(run: Run, k: int, fill: RunFields) -> dict[str, Any]:
    """Give the score of the cosines beside that of coherence, and the relative difference."""
    metric, field = f"ndcg@{k}", f"ndcg.@{k}"
    structure = run.structure
    cosine = structure.method("cosine") if structure else None
    ours = structure.method(structure.returned) if structure else None
    uplift = ours.uplift.get(metric) if ours else None
    reason = fill.unmeasured(metric) if structure else UNSTRUCTURED
    fill.known(field, uplift, reason)
    return {
        "vector": cosine.scores.get(metric) if cosine else None,
        "conscious": ours.scores.get(metric) if ours else None,
        "delta_relative": uplift.relative if uplift else None,
    }


def _stages(run: Run) -> dict[str, Any]:
    stages = run.latency_ms.get("stages") or {}
    return {name: dict(stages[ours]) for name, ours in STAGES.items() if ours in stages}


def _rates(run: Run, fill: RunFields) -> dict[str, Any]:
    rates: Mapping[str, float | None] = run.structure.rates if run.structure else {}
    named = {"fallback_rate": "fallback", "easy_gate_rate": "easy"}
    named["low_impact_gate_rate"] = "low_impact"
    return {
        field: fill.known(field, rates.get(name), _lacking(run)) for field, name in named.items()
    }


def _receipts(run: Run, fill: RunFields) -> dict[str, Any]:
    structure = run.structure
    alike = structure.redundancy if structure else None
    alpha = structure.suggested_alpha if structure else None
    before = alike.baseline if alike else None
    return {
        **{field: _spread(run, name, field, fill) for field, name in DISTRIBUTIONS.items()},
        "redundancy": fill.known("redundancy", before, _lacking(run)),
        "suggested_alpha": fill.known("suggested_alpha", alpha, _lacking(run)),
    }


def _spread(run: Run, name: str, field: str, fill: RunFields) -> dict[str, Any] | None:
    """Give a figure of the receipts, where it is known."""
    found = run.structure.distributions.get(name) if run.structure else None
    exact = run.structure is not None and name == "edge_overlap"
    fill.known(field, found, "the graph is exact" if exact else _lacking(run))
    return None if found is None else _figures(found)


def _lacking(run: Run) -> str:
    return UNSTRUCTURED if run.structure is None else NOT_ENOUGH


def _figures(found: Distribution) -> dict[str, Any]:
    return {
        "mean": found.mean,
        "median": found.percentiles.get("p50"),
        **{key: found.percentiles.get(key) for key in ("p10", "p95")},
        "min": found.least,
        "max": found.most,
        "histogram": {"edges": list(found.edges), "counts": list(found.counts)},
    }


def _readings(run: Run) -> dict[str, str]:
    """Return how deltaH and redundancy are related to the uplift."""
    relations = run.structure.relations if run.structure else {}
    return {name: one.reading for name, one in relations.items()}


def _cutoffs(run: Run) -> list[int]:
    """List at how many results nDCG was measured."""
    found = [name.removeprefix("ndcg@") for name in run.scores if name.startswith("ndcg@")]
    return sorted(int(k) for k in found if k.isdigit())
