"""The result of ``checkRegression`` as Exocortex's document has it, field by field."""

from typing import Any

from assay.records.gate import CheckResult, Gate

__all__ = ["exocortex"]

NAMES = {
    "mrr@10": "mrr10",
    "recall@10": "recall10",
    "ndcg@10": "ndcg10",
    "latency_p50_ms": "p50Latency",
    "latency_p95_ms": "p95Latency",
    "latency_p99_ms": "p99Latency",
}


def exocortex(gate: Gate) -> dict[str, Any]:
    """Write ``passed`` and ``metrics``; several runs are in ``reports``, each with its name.

    ``delta`` is relative, as there; null where the baseline is 0. What is inconclusive has passed.
    Checks that are not relative to a baseline have no place in ``metrics``, but ``passed`` counts
    them: it agrees with the exit code of a gate that is not strict.
    """
    runs = dict.fromkeys(one.run for one in gate.results)
    reports = [_run([one for one in gate.results if one.run == run], run) for run in runs]
    if len(reports) == 1:
        return {key: value for key, value in reports[0].items() if key != "run"}
    return {"passed": all(one["passed"] for one in reports), "reports": reports}


def _run(results: list[CheckResult], run: str) -> dict[str, Any]:
    metrics = [_metric(one) for one in results if one.check.kind == "allow" and one.check.relative]
    passed = all(one.outcome != "fail" for one in results)
    return {"run": run, "passed": passed, "metrics": metrics}


def _metric(one: CheckResult) -> dict[str, Any]:
    return {
        "name": NAMES.get(one.check.name, one.check.name),
        "baseline": one.baseline,
        "current": one.current,
        "delta": one.relative,
        "threshold": one.check.amount,
        "passed": one.outcome != "fail",
    }
