import pytest

from assay.records import Interval, Report, Run


def run(name, quality, p50, **options):
    return Run(
        name=name,
        fingerprint="ab" * 32,
        configuration={"search": "lexical", "weights": [0.4, 0.6]},
        scores={"ndcg@10": quality, "recall@5": 0.5},
        intervals={"ndcg@10": Interval(quality - 0.1, quality + 0.1)},
        latency_ms={"mean": p50, "p50": p50, "p95": 2 * p50, "p99": 3 * p50, "stages": {}},
        indexing={"files": 3, "seconds": 1234.5},
        storage={"index_bytes": 123456, "bytes_per_document": 4567.8},
        per_query={"q1": {"ndcg@10": quality, "recall@5": 0.5}},
        judged_at_10=0.75,
        **options,
    )


@pytest.fixture
def report():
    def make(*names, **options):
        runs = tuple(run(name, 0.1 * at, 10.0 * at) for at, name in enumerate(names, 1))
        return Report(
            benchmark={"name": "bench", "metrics": ["ndcg@10", "recall@5"], "primary": "ndcg@10"},
            dataset={"name": "d", "queries": 1200, "fingerprint": "0"},
            corpus={"name": "c", "documents": 34567, "fingerprint": "1"},
            environment={"cores": 2},
            truth={"total": 3, "resolved": 2, "leaked": 1, "judged@10": 0.75},
            **{"runs": runs, **options},
        )

    return make


@pytest.fixture
def make_run():
    return run
