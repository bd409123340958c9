"""Dense and hybrid search with and without a reranker."""

from typing import Any

__all__ = ["reranker_study"]


def reranker_study() -> list[dict[str, Any]]:
    """Measure the effect of reranking and of its depth, in dense and hybrid search."""
    return [
        {"name": "no-rerank", "search": ["dense", "hybrid"], "model": "minilm"},
        {
            "name": "rerank",
            "search": ["dense", "hybrid"],
            "model": "minilm",
            "rerank": "maxsim",
            "rerank_depth": [20, 50],
        },
    ]
