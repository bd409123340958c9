"""From the fastest search to the one that spends the most on an answer."""

from typing import Any

__all__ = ["speed_quality"]


def speed_quality() -> list[dict[str, Any]]:
    """Ask how much quality each millisecond buys."""
    return [
        {"name": "fastest", "search": "lexical"},
        {"name": "fast", "search": "hybrid", "model": "static", "depth": 100},
        {"name": "balanced", "search": "hybrid", "model": "minilm", "depth": 100},
        {"name": "deep", "search": "hybrid", "model": "minilm", "depth": 400, "rerank": "maxsim"},
    ]
