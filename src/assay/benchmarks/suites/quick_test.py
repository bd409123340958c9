"""The smallest and fastest comparison."""

from typing import Any

__all__ = ["quick_test"]


def quick_test() -> list[dict[str, Any]]:
    """Compare BM25 with hybrid search using the fast model static."""
    return [
        {"name": "bm25", "search": "lexical"},
        {"name": "hybrid", "search": "hybrid", "model": "static"},
    ]
