"""What a measurement is told: sizes, repeats, and the folder for its data."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Settings"]

QUERIES, DOCUMENTS = 6_980, 1_000


@dataclass(frozen=True, slots=True)
class Settings:
    """Sizes that the targets are stated for, unless the caller says otherwise."""

    folder: Path
    queries: int = QUERIES
    documents: int = DOCUMENTS
    repeats: int = 3
    rounds: int = 30

    @property
    def standard(self) -> bool:
        """Whether the targets apply: they are stated for these sizes."""
        return (self.queries, self.documents) == (QUERIES, DOCUMENTS)
