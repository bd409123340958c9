from assay.records import Run
from assay.records.times import incomparable, unlike_loads


def run(name, **latency_ms):
    return Run(name, name, {}, latency_ms={"p50": 1.0, "busy": False, **latency_ms})


def test_times_with_and_without_embedding_cannot_be_compared():
    given, other = run("a", query_vectors="given"), run("b", query_vectors="given")

    assert incomparable([given, other]) == ""
    assert '"a"' in incomparable([given, run("words")])
    assert '"words"' not in unlike_loads([given, run("words")])
    assert "concurrent" in incomparable([given, run("c", concurrency=4)])
