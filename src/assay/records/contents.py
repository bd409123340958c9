"""What a dataset holds, in numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Contents"]


@dataclass(frozen=True, slots=True)
class Contents:
    """Counts of a dataset that could be read."""

    name: str
    queries: int
    judgments: int
    documents: int
    scale: int
    grades: Mapping[int, int]
    categories: Mapping[str, int]
    collections: Mapping[str, int]
    groups: int
    without_text: int
    description: str = ""
    notes: tuple[str, ...] = ()
