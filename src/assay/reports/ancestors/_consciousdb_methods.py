"""The rows of ConsciousDB's table: the cosines, coherence, its controls, and the other runs."""

from typing import Any

from assay.records import Method, Report, Run, Structure, Uplift
from assay.reports.ancestors._run_fields import RunFields

__all__ = ["methods"]

NAMES = {
    "cosine": "Cosine",
    "coherence": "ConsciousDB",
    "coherence_mmr": "ConsciousDB+MMR",
    "neighbour_average": "Neighbour average (control)",
    "shuffled_graph": "Shuffled graph (control)",
}
EXPLAINED = ("coherence", "coherence_mmr")
SOLVED_FROM = "cosine"  # the fall is counted from its energy, so that its own is 0
UNMEASURED = "energy is measured only for coherence ranking"
UNTIMED = "computed for comparison and not timed separately"


def methods(report: Report, run: Run, fill: RunFields) -> list[dict[str, Any]]:
    """Give each method a row; uplift is in percent of the first."""
    structure = run.structure
    rest = [one for one in report.runs if one.structure is None and one.status == "completed"]
    if structure is None:
        rest.sort(key=lambda one: one.name != run.name)  # the baseline comes first
        return _others(rest, rest[0] if rest else None, fill)
    ordered = [structure.method(name) for name in NAMES]
    rows = [_method(one, structure, run, fill) for one in ordered if one is not None]
    return rows + _others(rest, structure.method("cosine"), fill)


def _method(one: Method, structure: Structure, run: Run, fill: RunFields) -> dict[str, Any]:
    name = NAMES[one.name]
    energy = structure.distributions.get("delta_h")
    solved = one.name in EXPLAINED
    fall = energy.mean if energy and solved else None
    fall = 0.0 if energy and one.name == SOLVED_FROM else fall
    first = one.name == SOLVED_FROM
    p95 = one.latency_ms.get("p95")
    if p95 is None and one.name == structure.returned:
        p95 = run.latency_ms.get("p95")
    return {
        "method": name,
        **{m: fill.score(f"methods.{name}.{m}", m, one.scores) for m in ("ndcg@10", "mrr@10")},
        "p95_latency_ms": fill.known(f"methods.{name}.p95_latency_ms", p95, _untimed(run)),
        "avg_deltaH": fill.known(f"methods.{name}.avg_deltaH", fall, "its energy is not recorded"),
        "explainability": "receipt" if solved else "none",
        "ndcg_uplift_percent": 0.0 if first else _percent(one.uplift.get("ndcg@10")),
        "mrr_uplift_percent": 0.0 if first else _percent(one.uplift.get("mrr@10")),
        "ndcg_difference_ci": _ends(one.uplift.get("ndcg@10")),
        "mrr_difference_ci": _ends(one.uplift.get("mrr@10")),
    }


def _untimed(run: Run) -> str:
    return UNTIMED if run.latency_ms else "nothing was timed"


def _percent(uplift: Uplift | None) -> float | None:
    return None if uplift is None or uplift.relative is None else 100 * uplift.relative


def _ends(uplift: Uplift | None) -> list[float] | None:
    known = uplift is not None and abs(uplift.interval.high) < float("inf")
    return [uplift.interval.low, uplift.interval.high] if uplift is not None and known else None


def _others(
    runs: list[Run], baseline: Run | Method | None, fill: RunFields
) -> list[dict[str, Any]]:
    """Give each run without coherence ranking a row."""
    if runs:
        fill.say("methods.avg_deltaH", UNMEASURED)
    for metric in ("ndcg@10", "mrr@10"):
        if any(metric not in one.scores for one in runs):
            fill.say(f"methods.{metric}", fill.unmeasured(metric))
    if baseline and not all(baseline.scores.get(m) for m in ("ndcg@10", "mrr@10")):
        fill.say("methods.uplift", "not defined: the baseline scores 0, or was not measured")
    return [_other(one, baseline) for one in runs]


def _other(run: Run, baseline: Run | Method | None) -> dict[str, Any]:
    reranker = run.configuration.get("rerank")
    return {
        "method": f"Reranker-{reranker} ({run.name})" if reranker else run.name,
        "ndcg@10": run.scores.get("ndcg@10"),
        "mrr@10": run.scores.get("mrr@10"),
        "p95_latency_ms": run.latency_ms.get("p95"),
        "avg_deltaH": None,
        "explainability": "none",
        "ndcg_uplift_percent": _change(run, baseline, "ndcg@10"),
        "mrr_uplift_percent": _change(run, baseline, "mrr@10"),
        "ndcg_difference_ci": None,
        "mrr_difference_ci": None,
    }


def _change(run: Run, baseline: Run | Method | None, metric: str) -> float | None:
    if baseline is run:
        return 0.0 if metric in run.scores else None
    before = baseline.scores.get(metric) if baseline else None
    after = run.scores.get(metric)
    return None if not before or after is None else 100 * (after - before) / before
