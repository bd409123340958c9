"""The same search with each model that comes along, by itself and beside words."""

from typing import Any

__all__ = ["embedding_comparison"]


def embedding_comparison() -> list[dict[str, Any]]:
    """Ask which model finds more, and whether words make up for a weaker one."""
    return [
        {"name": "words", "search": "lexical"},
        {"name": "model", "search": ["dense", "hybrid"], "model": ["static", "minilm"]},
    ]
