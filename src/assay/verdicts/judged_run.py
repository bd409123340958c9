"""One of two runs that are compared, as it is and as it is judged."""

from dataclasses import dataclass

from assay.records import JudgedRankings, Rankings

__all__ = ["Side"]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the two runs, as it is and as it is judged."""

    rankings: Rankings
    judged: JudgedRankings
