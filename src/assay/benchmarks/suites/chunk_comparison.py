"""The same search over chunks of several sizes."""

from typing import Any

__all__ = ["chunk_comparison"]


def chunk_comparison() -> list[dict[str, Any]]:
    """Ask how large chunks should be, and whether to cut between the parts of a text."""
    return [
        {
            "name": "chunks",
            "search": "hybrid",
            "model": "minilm",
            "chunker": ["auto", "fixed"],
            "chunk_size": [64, 128, 256, 512],
        }
    ]
