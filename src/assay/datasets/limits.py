"""How large a dataset may be when it comes from somebody else."""

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that the own JSON format and uploads may hold; other formats have no such limit."""

    size_bytes: int = 10_000_000
    queries: int = 1_000
    judgments: int = 100
    """Judgments of one query."""
