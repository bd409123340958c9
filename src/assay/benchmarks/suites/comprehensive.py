"""Every way to search, over small and large chunks, with and without a reranker."""

from typing import Any

__all__ = ["comprehensive"]


def comprehensive() -> list[dict[str, Any]]:
    """Ask which of twelve combines chunks, search, fusion and reranker best."""
    sizes = [128, 256]
    return [
        {"name": "words", "search": "lexical", "lexical_unit": "chunk", "chunk_size": sizes},
        {
            "name": "vectors",
            "search": "dense",
            "model": "minilm",
            "chunk_size": sizes,
            "rerank": [None, "maxsim"],
        },
        {
            "name": "both",
            "search": "hybrid",
            "model": "minilm",
            "chunk_size": sizes,
            "fusion": ["blend", "rrf"],
        },
        {
            "name": "both reranked",
            "search": "hybrid",
            "model": "minilm",
            "chunk_size": sizes,
            "rerank": "maxsim",
        },
    ]
