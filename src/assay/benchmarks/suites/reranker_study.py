"""Searches with and without a second look at what they found."""

from typing import Any

__all__ = ["reranker_study"]


def reranker_study() -> list[dict[str, Any]]:
    """Ask what reranking gains, and how deep it should look."""
    return [
        {"name": "no reranker", "search": ["dense", "hybrid"], "model": "minilm"},
        {
            "name": "maxsim",
            "search": ["dense", "hybrid"],
            "model": "minilm",
            "rerank": "maxsim",
            "rerank_depth": [20, 50],
        },
    ]
