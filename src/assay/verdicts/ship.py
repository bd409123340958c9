"""Ship: what to do with a candidate, decided on the primary metric, in one plain sentence."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.records import Comparison, Verdict

__all__ = ["ship"]

MARGIN = 0.02  # of the baseline's score: a difference that nobody would notice


def ship(
    *,
    comparison: Comparison,
    alpha: float = 0.05,
    margin: float | None = None,
    broken: Sequence[str] = (),
    queries_needed: int | None = None,
    ship_if: Literal["better", "noninferior"] = "better",
    cheaper: bool = False,
) -> Verdict:
    """Apply the rules in their order: don't ship, ship, needs queries, hold.

    ``margin`` is absolute, by default 2 % of the baseline's score. ``broken`` holds one sentence
    for each guardrail or budget that is shown to be broken. ``queries_needed`` counts the further
    queries after which a difference as large as the margin is found four times out of five.
    """
    margin = MARGIN * abs(comparison.baseline) if margin is None else margin
    case = _Case(comparison, alpha, margin)
    if broken:
        return Verdict("dont_ship", f"{_join(broken)}; {case.figures}.")
    if comparison.interval.high < 0:
        return Verdict("dont_ship", f"It is worse: {case.figures}.")
    if case.better and case.settled:
        return Verdict("ship", f"It is better: {case.figures}{case.unbounded}.")
    if ship_if == "noninferior" and cheaper and case.noninferior and case.settled:
        return Verdict("ship", f"It is cheaper and loses less than {margin:.4f}: {case.figures}.")
    if comparison.smallest_detectable > margin and not case.better:
        advice = case.more_queries(queries_needed)
        return Verdict(
            "needs_queries", f"{case.undecided}: {case.figures}; {advice}.", queries_needed
        )
    advice = case.change(cheaper=cheaper)
    return Verdict("hold", f"{case.undecided}: {case.figures}; {advice}.")


@dataclass(frozen=True, slots=True)
class _Case:
    """The questions that the rules ask of a comparison, and its figures in words."""

    comparison: Comparison
    alpha: float
    margin: float

    @property
    def better(self) -> bool:
        return self.comparison.p_corrected < self.alpha and self.comparison.difference > 0

    @property
    def noninferior(self) -> bool:
        return self.comparison.interval.low > -self.margin

    @property
    def settled(self) -> bool:
        """Whether no grading of the unjudged documents could turn the finding round."""
        if self.comparison.holes is None:
            return True
        return self.comparison.holes[0] > (0 if self.better else -self.margin)

    @property
    def figures(self) -> str:
        c = self.comparison
        counted = f"{c.queries} quer{'y' if c.queries == 1 else 'ies'}"
        p = "< .0001" if c.p_corrected < 0.0001 else f"{c.p_corrected:.2g}"
        sureness = f"{self._interval}, corrected p {p}, {counted}"
        return f"{c.metric} {c.difference:+.4f} ({sureness})"

    @property
    def _interval(self) -> str:
        interval = self.comparison.interval
        if math.isinf(interval.high):
            return "no interval from a single query"
        ends = f"{interval.level * 100:.0f} % interval {interval.low:+.4f} to {interval.high:+.4f}"
        return f"{ends}, {interval.note}" if interval.note else ends

    @property
    def undecided(self) -> str:
        if self.better:
            return "It looks better, but unjudged documents could undo that"
        return "No difference is shown"

    @property
    def unbounded(self) -> str:
        if not self.comparison.unbounded:
            return ""
        return f"; what unjudged documents could change is not known for {self.comparison.metric}"

    def more_queries(self, count: int | None) -> str:
        """Say what these queries can find, and how many more would find the margin."""
        if self.margin == 0:
            return "no number of queries finds a margin of 0: set one"
        more = "more queries" if count is None else f"{count:,} more queries"
        wanted = f"{more} would find one of {self.margin:.4f}, the margin"
        if math.isinf(self.comparison.smallest_detectable):
            return f"these queries find no difference reliably, {wanted}"
        found = f"these queries find differences from {self.comparison.smallest_detectable:.4f} on"
        return f"{found}, {wanted}"

    def change(self, *, cheaper: bool) -> str:
        """Say what would turn a hold into something else."""
        if self.better:
            return self._judging
        if cheaper and self.noninferior:
            return (
                f"it is cheaper and loses less than the margin of {self.margin:.4f}: "
                "`ship_if: noninferior` would ship it"
            )
        if self.comparison.wins == self.comparison.losses == 0:
            return "every query scores alike"
        found = f"these queries find differences from {self.comparison.smallest_detectable:.4f} on"
        return f"{found}, so a gain above the margin of {self.margin:.4f} is unlikely"

    @property
    def _judging(self) -> str:
        if not self.better or self.comparison.holes is None:
            return ""
        low, high = self.comparison.holes
        ends = f"over every grading the difference is {low:+.4f} to {high:+.4f}"
        return f"judging them settles it ({ends})"


def _join(sentences: Sequence[str]) -> str:
    return "; ".join(sentence.strip().rstrip(".") for sentence in sentences)
