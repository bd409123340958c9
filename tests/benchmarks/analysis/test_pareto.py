"""Who fails is not on the front, and the front is by the percentile that is asked for."""

from dataclasses import replace

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


def test_equal_runs_whose_latencies_overlap_are_on_the_front_together():
    def timed(name, p50, low, high, score=0.6):
        return replace(
            run(name, score, p50, 9), latency_ms={"p50": p50, "intervals": {"p50": [low, high]}}
        )

    near = timed("a", 3.7, 3.2, 4.1), timed("b", 3.4, 3.0, 3.9)
    assert pareto(report(*near), seed=0)["front"] == ["a", "b"]
    apart = timed("a", 3.7, 3.6, 3.8), timed("b", 3.4, 3.3, 3.5)
    assert pareto(report(*apart), seed=0)["dominated"] == {"a": "b"}
    lower = timed("a", 3.7, 3.2, 4.1, score=0.5), near[1]
    assert pareto(report(*lower), seed=0)["dominated"] == {"a": "b"}  # whose score is lower, too
    few = timed("a", 3.7, 3.2, None), timed("b", 3.4, None, None)
    assert pareto(report(*few), seed=0)["front"] == ["a", "b"]


FAILED = {"q1": "timeout"}
