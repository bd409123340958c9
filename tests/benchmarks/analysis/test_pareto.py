"""Who fails is not on the front, and the front is by the percentile that is asked for."""

from assay.benchmarks.analysis.pareto import pareto
from assay.records import Report, Run


def run(name, score, p50, p95, **options):
    return Run(
        name,
        name,
        {},
        scores={"ndcg@10": score},
        latency_ms={"p50": p50, "p95": p95},
        storage={"index_bytes": 5} if "failed" not in options else {},
        **options,
    )


def report(*runs, **about):
    told = {"name": "b", "primary": "ndcg@10", "metrics": ["ndcg@10"], **about}
    return Report(told, {}, {}, {}, runs)


def test_a_run_with_failed_queries_is_off_the_front_and_takes_no_axis_from_others():
    made = report(run("a", 0.5, 5, 9), run("b", 0.6, 6, 7), run("odd", 0.9, 1, 1, failed=FAILED))
    told = pareto(made, seed=0)
    assert (told["front"], told["failed"]) == (["a", "b"], ["odd"])
    assert [*told["axes"]] == ["quality", "latency", "storage"]


def test_a_budget_chooses_the_percentile():
    runs = run("a", 0.5, 5, 9), run("b", 0.6, 6, 7)
    assert pareto(report(*runs), seed=0)["front"] == ["a", "b"]
    told = pareto(report(*runs, budgets={"latency_p95_ms": 20}), seed=0)
    assert told["axes"]["latency"] == "latency_ms.p95"
    assert told["front"] == ["b"]


FAILED = {"q1": "timeout"}
