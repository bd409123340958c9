"""Each built-in model in dense and hybrid search, with BM25 as the baseline."""

from typing import Any

__all__ = ["embedding_comparison"]


def embedding_comparison() -> list[dict[str, Any]]:
    """Compare the built-in models in dense and hybrid search, with BM25 as the baseline."""
    return [
        {"name": "bm25", "search": "lexical"},
        {"name": "dense", "search": "dense", "model": ["static", "minilm"]},
        {"name": "hybrid", "search": "hybrid", "model": ["static", "minilm"]},
    ]
