"""One candidate's case: the questions that the rules ask of it, and its figures in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.records import Comparison, ToJudge

__all__ = ["Case"]


@dataclass(frozen=True, slots=True)
class Case:
    """A comparison, and what is asked of it; ``margin`` is absolute.

    ``noninferior`` is the finding of a corrected test; without one the interval decides.
    ``cheaper`` says in what it costs less, ``to_judge`` which documents would settle most;
    ``to_show`` counts the further queries that would show a gain as large as the one seen.
    """

    comparison: Comparison
    alpha: float
    margin: float
    noninferior: bool
    cheaper: Sequence[str] = ()
    to_judge: Sequence[ToJudge] = ()
    candidates: int = 1
    to_show: int | None = None

    @property
    def worse(self) -> bool:
        """Whether even the upper end of the difference is a loss."""
        return self.comparison.interval.high < 0

    @property
    def better(self) -> bool:
        """Whether a gain is shown."""
        return self.comparison.p_corrected < self.alpha and self.comparison.difference > 0

    @property
    def as_good(self) -> bool:
        """Whether it is shown to lose less than the margin, and to cost less."""
        return self.noninferior and bool(self.cheaper)

    def holds_above(self, least: float) -> bool:
        """Whether every grading of the unjudged documents leaves the difference above it."""
        return self.comparison.holes is None or self.comparison.holes[0] > least

    @property
    def imprecise(self) -> bool:
        """Whether these queries would miss a difference as large as the margin."""
        return self.comparison.smallest_detectable > self.margin

    @property
    def why_worse(self) -> str:
        """Name the rule for a loss, which asks the interval and not the corrected p."""
        said = f"its {self._level} interval lies below 0"
        if self.comparison.p_corrected < self.alpha:
            return said
        return f"{said} (for a loss that is enough, whatever the corrected p)"

    @property
    def why_undecided(self) -> str:
        """Say what is not shown, in agreement with the interval and the p that stand beside it."""
        c = self.comparison
        if c.interval.low > 0:
            above = f"its {self._level} interval lies above 0"
            if c.p < self.alpha and self.candidates > 1:
                return f"A gain is not shown after correction for {self.candidates} candidates"
            return f"A gain is not shown: {above}, but the randomisation test does not reject"
        if c.p_corrected < self.alpha:  # and no gain: that would have been decided
            return f"A loss is likely, but its {self._level} interval reaches 0"
        return "No difference is shown"

    @property
    def figures(self) -> str:
        """The difference and how sure it is, in a few words."""
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
        ends = f"{self._level} interval {interval.low:+.4f} to {interval.high:+.4f}"
        return f"{ends}, {interval.note}" if interval.note else ends

    @property
    def _level(self) -> str:
        return f"{self.comparison.interval.level * 100:.0f} %"

    @property
    def cheaper_in(self) -> str:
        """What it costs less of."""
        return "; ".join(self.cheaper)
