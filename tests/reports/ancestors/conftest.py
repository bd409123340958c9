import pytest

from assay.records import (
    Correlation,
    Distribution,
    Interval,
    Method,
    Relation,
    Report,
    Run,
    Structure,
    Uplift,
)

QUERIES = {
    "q1": {"text": "wie gross ist α?", "category": "api", "judged": {"a.py": 3, "b.py": 0}},
    "q2": {"text": "<b>", "category": "error", "judged": {"ü.py": 1}},
}
SCORES = {"mrr@10": 0.75, "recall@5": 0.5, "recall@10": 1.0, "ndcg@10": 0.625}


def run(name="hybrid", **options):
    return Run(
        **{
            "name": name,
            "fingerprint": "f" * 64,
            "configuration": {
                "search": "hybrid",
                "chunk_size": 256,
                "model": "minilm",
                "rerank": "maxsim",
            },
            "scores": SCORES,
            "intervals": {"ndcg@10": Interval(0.5, 0.75), "mrr@10": Interval(0, float("inf"))},
            "latency_ms": {
                "mean": 6.0,
                "p50": 5.0,
                "p95": 8.0,
                "p99": 9.0,
                "queries": {"q1": 4.0, "q2": 8.0},
            },
            "indexing": {
                "files": 3,
                "tokens": 600,
                "seconds": 1.5,
                "files_per_second": 2.0,
                "tokens_per_second": 400.0,
                "peak_memory_mb": 2.097152,
                "seconds_complete": False,
            },
            "storage": {"index_bytes": 3000, "bytes_per_document": 1000.0, "text_bytes": 77},
            "per_query": {
                "q1": {"mrr@10": 1.0, "recall@5": 1.0, "recall@10": 1.0, "ndcg@10": 0.75},
                "q2": {"mrr@10": 0.5, "recall@5": 0.0, "recall@10": 1.0, "ndcg@10": 0.5},
            },
            "rankings": {"q1": ("a.py", "x.py"), "q2": ("b.py", "ü.py")},
            "categories": {
                "api": {
                    "queries": 1,
                    "mrr@10": 1.0,
                    "recall@5": 1.0,
                    "recall@10": 1.0,
                    "ndcg@10": 0.75,
                },
                "error": {"queries": 1, "mrr@10": 0.5, "ndcg@10": 0.5},
            },
        }
        | options
    )


def report(*runs, **options):
    return Report(
        **{
            "benchmark": {"name": "bench", "metrics": [*SCORES], "primary": "ndcg@10"},
            "dataset": {"name": "d", "queries": 2},
            "corpus": {"name": "c", "documents": 3},
            "environment": {
                "platform": "Linux-6",
                "python": "3.11.7",
                "cores": 2,
                "memory_mb": 16384,
            },
            "queries": QUERIES,
            "runs": runs,
        }
        | options
    )


def uplift(before, after):
    ends = Interval(after - before - 0.1, after - before + 0.1)
    relative = (after - before) / before
    return Uplift(2, before, after, after - before, ends, relative, 0.2, 1, 1, 0)


def structure():
    ndcg, mrr = uplift(0.4, 0.5), uplift(0.8, 0.6)
    fall = Distribution(2, 0, 2.5, 2.0, 3.0, {"p10": 2.1, "p50": 2.5, "p95": 2.9}, (2.0, 3.0), (2,))
    unknown = Correlation(None, None, None)
    return Structure(
        primary="ndcg@10",
        queries=2,
        studied=2,
        methods=(
            Method("cosine", {"ndcg@10": 0.4, "mrr@10": 0.8}, {}),
            Method(
                "coherence", {"ndcg@10": 0.5, "mrr@10": 0.6}, {}, {"ndcg@10": ndcg, "mrr@10": mrr}
            ),
            Method("coherence_mmr", {"ndcg@10": 0.45, "mrr@10": 0.6}, {}, {"ndcg@10": ndcg}),
            Method("coherence_open", {"ndcg@10": 0.41, "mrr@10": 0.6}, {}, {}),
            Method("neighbour_average", {"ndcg@10": 0.44, "mrr@10": 0.7}, {}, {"ndcg@10": ndcg}),
            Method("shuffled_graph", {"ndcg@10": 0.42, "mrr@10": 0.7}, {}, {"ndcg@10": ndcg}),
        ),
        against={},
        gates={"none": 1, "easy": 1},
        fallbacks={"none": 2},
        rates={"easy": 0.5, "low_impact": 0.0, "fallback": 0.25},
        parts={},
        distributions={"delta_h": fall},
        redundancy=uplift(0.375, 0.3),
        diversified=0,
        relations={"delta_h": Relation(2, unknown, unknown, None, None, "It tells nothing.")},
        suggested_alpha=0.125,
        targets={},
        verdict="Coherence cannot be told from cosine.",
    )


class Made:
    """What makes a report, a run, and what structure is worth."""

    report = staticmethod(report)
    run = staticmethod(run)
    structure = staticmethod(structure)


@pytest.fixture
def made():
    return Made


@pytest.fixture(scope="session")
def made_by():
    """Give the same to examples that hypothesis makes."""
    return Made
