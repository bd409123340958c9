"""The fewest configurations that tell something, in the shortest time."""

from typing import Any

__all__ = ["quick_test"]


def quick_test() -> list[dict[str, Any]]:
    """Ask whether vectors add anything to words, when a fast model makes them."""
    return [
        {"name": "words", "search": "lexical"},
        {"name": "words and vectors", "search": "hybrid", "model": "static"},
    ]
