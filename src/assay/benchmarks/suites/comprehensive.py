"""Lexical, dense and hybrid search over small and large chunks, with and without a reranker."""

from typing import Any

__all__ = ["comprehensive"]


def comprehensive() -> list[dict[str, Any]]:
    """Compare 12 combinations of search, chunk size, fusion and reranker."""
    sizes = [128, 256]
    return [
        {"name": "bm25", "search": "lexical", "lexical_unit": "chunk", "chunk_size": sizes},
        {
            "name": "dense",
            "search": "dense",
            "model": "minilm",
            "chunk_size": sizes,
            "rerank": [None, "maxsim"],
        },
        {
            "name": "hybrid",
            "search": "hybrid",
            "model": "minilm",
            "chunk_size": sizes,
            "fusion": ["blend", "rrf"],
        },
        {
            "name": "hybrid-rerank",
            "search": "hybrid",
            "model": "minilm",
            "chunk_size": sizes,
            "rerank": "maxsim",
        },
    ]
