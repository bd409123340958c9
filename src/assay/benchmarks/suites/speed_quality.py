"""From the fastest search to the most expensive one."""

from typing import Any

__all__ = ["speed_quality"]


def speed_quality() -> list[dict[str, Any]]:
    """Compare quality and latency, from BM25 to deep hybrid search with a reranker."""
    return [
        {"name": "bm25", "search": "lexical"},
        {"name": "hybrid-static", "search": "hybrid", "model": "static", "depth": 100},
        {"name": "hybrid", "search": "hybrid", "model": "minilm", "depth": 100},
        {
            "name": "hybrid-rerank",
            "search": "hybrid",
            "model": "minilm",
            "depth": 400,
            "rerank": "maxsim",
        },
    ]
