"""What is decided about a candidate, and the sentence that says why."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = ["DONT_SHIP", "OUTCOMES", "BrokenLimit", "Outcome", "Rule", "Verdict"]

Outcome = Literal["ship", "hold", "dont_ship", "needs_queries"]
# How each is written wherever people read it.
OUTCOMES: Mapping[str, str] = {
    "ship": "SHIP",
    "hold": "HOLD",
    "dont_ship": "DON'T SHIP",
    "needs_queries": "NEEDS MORE QUERIES",
}
DONT_SHIP = OUTCOMES["dont_ship"]
# The rule that decided, by its name; "" in reports of versions that did not name it.
Rule = Literal[
    "",
    "failed",
    "budget",
    "category",
    "errors",
    "no_baseline",
    "raced",
    "too_few",
    "judge",
    "worse",
    "unknown_cost",
    "better",
    "noninferior",
    "needs_queries",
    "no_gain",
    "too_many_queries",
]


@dataclass(frozen=True, slots=True)
class BrokenLimit:
    """A guardrail or budget that is shown to be broken, and what would ``keep`` it."""

    what: str
    keep: str
    rule: Rule = "budget"


@dataclass(frozen=True, slots=True)
class Verdict:
    """One of four outcomes, and the name of the ``rule`` that decided.

    ``queries_needed`` counts the further queries after which the observed gain would be shown four
    times out of five, or is None; ``queries_to_show`` is the same number. ``queries_for_margin``
    counts those for a gain as small as the margin. ``change`` says what would change the verdict.
    """

    outcome: Outcome
    reason: str
    queries_needed: int | None = None
    change: str = ""
    queries_to_show: int | None = None
    rule: Rule = ""
    queries_for_margin: int | None = None
