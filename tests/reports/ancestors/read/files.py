"""JSON in each layout that gates read, with figures that are easy to check."""

__all__ = ["FILES"]


def akashic(**changes):
    """A file with two queries, as Akashic's document has it."""
    rows = [
        {"id": "q1", "query": "open a file", "mrr": 1.0, "recall_at_5": 1.0, "recall_at_10": 1.0},
        {"id": "q2", "query": "catch it", "mrr": 0.5, "recall_at_5": 0.0, "recall_at_10": 0.5},
    ]
    rows[0] |= {"category": "api_search", "ndcg_at_10": 1.0, "latency_ms": 100.0}
    rows[1] |= {"category": "error_search", "ndcg_at_10": 0.5, "latency_ms": 200.0}
    rows[0]["expected_files"], rows[1]["expected_files"] = ["io.py"], ["errors.py", "log.py"]
    summary = {"avg_mrr": 0.75, "avg_recall_at_5": 0.5, "avg_recall_at_10": 0.75}
    summary |= {"total_queries": 2, "avg_ndcg_at_10": 0.75, "avg_latency_ms": 150.0}
    whole = {
        "config": {"name": "small chunks", "chunk_size": 256, "use_reranker": False},
        "timestamp": "2026-02-01T08:00:00",
        "summary": summary,
        "category_metrics": {"api_search": {"count": 1, "avg_mrr": 1.0}},
        "query_results": rows,
    }
    return whole | changes


def exocortex(**changes):
    """A partial report: some figures that the interface has are not in the document's example."""
    performance = {
        "indexing": {"totalFiles": 400, "filesPerSecond": 12.5, "peakMemoryMB": 1000},
        "search": {"p50Ms": 20, "p95Ms": 60, "p99Ms": 90},
    }
    return {
        "modelId": "some-model",
        "timestamp": "2026-02-01T08:00:00Z",
        "environment": {"platform": "linux-x64", "nodeVersion": "22.1.0", "memory": 8192},
        "results": {
            "retrieval": {"mrr10": 0.5, "recall10": 0.75, "ndcg10": 0.625},
            "performance": performance,
            "storage": {"indexSizeBytes": 2_000_000, "bytesPerDocument": 5000},
        },
    } | changes


def sia_code(**changes):
    """A summary of two configurations."""
    first = {"name": "lexical_only", "recall@5": 0.9, "mrr": 0.8}
    second = {"name": "hybrid", "recall@5": 0.85, "mrr": 0.75}
    counts = {"queries_processed": 398, "queries_failed": 2}
    both = [first | counts, second | counts]
    return {"benchmark": "some code", "total_queries": 400, "configurations": both} | changes


def sia_code_results(**changes):
    """The results of one configuration, query by query."""
    ranks = {"a1": 1, "a2": 0, "b1": 2, "b2": 1}
    rows = [
        {"query_id": key, "repo": key[0], "hit": rank > 0, "rank": rank}
        for key, rank in ranks.items()
    ]
    return {
        "benchmark": "some code",
        "total_queries": 4,
        "name": "lexical_only",
        "recall@5": 0.75,  # of repository a .5, of b 1
        "mrr": 0.625,
        "results": rows,
    } | changes


def semantik(**changes):
    """An export of two runs: figures by name and k, or under one key for each."""
    config = {"search_mode": "dense", "use_reranker": False, "top_k": 100, "score_threshold": None}
    first = {"mrr": 0.5, "ap": 0.375, "precision": {"5": 0.25}, "ndcg": {"5": 0.5, "10": 0.625}}
    second = {"precision@5": 0.3, "recall@10": 0.75, "ndcg@10": 0.65, "mrr": 0.55, "ap": 0.4}
    runs = [
        {"config": config, "config_hash": "c1", "status": "completed", "metrics": first},
        {"config": config | {"search_mode": "hybrid", "rrf_k": 60}, "metrics": second},
    ]
    return {"benchmark_id": "b1", "primary_k": 10, "runs": runs} | changes


def semantik_queries(**changes):
    """The results of one run, query by query."""
    rows = [
        {"query_key": "q1", "query_text": "one", "reciprocal_rank": 1.0, "ndcg_at_k": 0.75},
        {"query_key": "q2", "query_text": "two", "reciprocal_rank": 0.25, "ndcg_at_k": 0.5},
    ]
    for row, took in zip(rows, (10, 30), strict=True):
        row["search_time_ms"] = took
    return {"run_id": "r1", "primary_k": 5, "results": rows, "total": 2} | changes


def consciousdb(**changes):
    """The table of methods, as the benchmark of the document writes it."""
    table = {
        "Cosine": (0.4, 0.5, 10.0),
        "ConsciousDB": (0.5, 0.6, 40.0),
        "ConsciousDB+MMR": (0.48, 0.55, 44.0),
    }
    rows = [
        {"method": name, "nDCG@10": ndcg, "MRR@10": mrr, "P95_latency_ms": p95}
        for name, (ndcg, mrr, p95) in table.items()
    ]
    rows[1] |= {"nDCG_uplift_pct": 25.0, "MRR_uplift_pct": 20.0}
    return {"k": 10, "m": 400, "queries": 200, "methods": rows} | changes


FILES = {
    one.__name__: one
    for one in (
        *(akashic, exocortex, sia_code, sia_code_results),
        *(semantik, semantik_queries, consciousdb),
    )
}
