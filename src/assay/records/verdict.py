"""What is decided about a candidate, and the sentence that says why."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Broken", "Outcome", "Verdict"]

Outcome = Literal["ship", "hold", "dont_ship", "needs_queries"]


@dataclass(frozen=True, slots=True)
class Broken:
    """A guardrail or budget that is shown to be broken: ``what`` is, and what would ``keep`` it."""

    what: str
    keep: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """One of four outcomes; ``queries_needed`` counts further queries, or is None.

    ``change`` is the sentence that says what would change it. ``queries_needed`` would find a
    difference as large as the margin; ``queries_to_show`` a gain as large as the one that is seen.
    """

    outcome: Outcome
    reason: str
    queries_needed: int | None = None
    change: str = ""
    queries_to_show: int | None = None
