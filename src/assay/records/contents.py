"""What a dataset holds, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Contents"]


@dataclass(frozen=True, slots=True)
class Contents:
    """Counts of a dataset that could be read."""

    name: str
    format: str
    queries: int
    judgments: int
    documents: int
    """Those that the dataset itself holds."""
    corpus: Mapping[str, Any]
    """Where the others are, if the dataset says so."""
    scale: int
    grades: Mapping[int, int]
    categories: Mapping[str, int]
    collections: Mapping[str, int]
    groups: int
    without_text: int
    description: str = ""
    notes: tuple[str, ...] = ()
