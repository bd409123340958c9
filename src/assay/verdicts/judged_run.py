"""One of two runs that are compared, as it is and as it is judged."""

from dataclasses import dataclass

from assay.records import JudgedRankings, Rankings

__all__ = ["JudgedRun"]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRun:
    """One of the two runs, as it is and as it is judged."""

    rankings: Rankings
    judged: JudgedRankings
