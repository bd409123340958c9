"""Who judges, how a document is shown and a key read, and how a sitting is noted."""

from collections.abc import Callable
from dataclasses import dataclass

from assay.records import Track
from assay.records.judging import Ask, Seen

__all__ = ["JudgeOptions"]


@dataclass(frozen=True, slots=True, eq=False)
class JudgeOptions:
    """What a first and a second judge are asked with; ``most`` limits the grades of a sitting."""

    ask: Ask
    judge: str
    most: int | None
    seed: int
    clock: Callable[[], float]
    track: Track
    seen: Seen
