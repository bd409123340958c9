"""Hybrid search over chunks of several sizes."""

from typing import Any

__all__ = ["chunk_comparison"]


def chunk_comparison() -> list[dict[str, Any]]:
    """Compare 4 chunk sizes with structure-aware and fixed-size chunks, in hybrid search."""
    return [
        {
            "name": "hybrid",
            "search": "hybrid",
            "model": "minilm",
            "chunker": ["auto", "fixed"],
            "chunk_size": [64, 128, 256, 512],
        }
    ]
