"""One candidate's case: the questions that the rules ask of it, and its figures in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from assay.records import Comparison, ToJudge
from assay.text.count_noun import count_noun
from assay.text.figures import difference_text, digits_apart, interval_text, p_text
from assay.verdicts.margin import reaches

__all__ = ["Case", "further"]

FEWEST = 10  # queries: with fewer nothing is decided
MOST_TIMES = 9  # as many queries as there are: more than that nobody adds
PRACTICAL = 9_999


@dataclass(frozen=True, slots=True)
class Case:
    """A comparison, and what is asked of it; ``margin`` is absolute.

    ``gain`` is the observed one, or the corrected one of the best candidate where that is smaller;
    ``more`` counts the further queries that would show it, ``for_margin`` those for a gain as small
    as the margin. ``noninferior`` is the finding of a corrected test, ``cheaper`` says in what it
    is materially cheaper, ``unknown`` which budgets could not be checked. ``to_judge`` are the
    documents that matter most; ``same_as`` names a run with identical rankings.
    """

    comparison: Comparison
    alpha: float
    margin: float
    gain: float
    noninferior: bool = False
    cheaper: Sequence[str] = ()
    unknown: Sequence[str] = ()
    to_judge: Sequence[ToJudge] = ()
    candidates: int = 1
    more: int | None = None
    for_margin: int | None = None
    same_as: str = ""

    @property
    def too_few(self) -> bool:
        """Whether there are too few queries to decide anything."""
        return self.comparison.queries < FEWEST

    @property
    def significant(self) -> bool:
        """Whether the corrected test shows a difference, in either direction."""
        return self.comparison.p_corrected < self.alpha

    @property
    def better(self) -> bool:
        """Whether a gain is shown."""
        return self.significant and self.comparison.difference > 0

    @property
    def worse(self) -> bool:
        """Whether a loss is shown."""
        return self.significant and self.comparison.difference < 0

    @property
    def in_doubt(self) -> bool:
        """Whether some grading of the unjudged documents turns the sign of a shown difference."""
        holes = self.comparison.holes
        if holes is None or not self.significant:
            return False
        return holes[0] <= 0 if self.better else holes[1] >= 0

    @property
    def as_good(self) -> bool:
        """Whether it is shown to lose less than the margin, and is materially cheaper."""
        return self.noninferior and bool(self.cheaper)

    @property
    def gains(self) -> bool:
        """Whether a gain of at least the margin is left after the winner's-curse correction."""
        return reaches(self.gain, self.margin)

    @property
    def in_reach(self) -> bool:
        """Whether so few queries are missing that somebody could add them."""
        return self.more is not None and self.more <= MOST_TIMES * self.comparison.queries

    @property
    def all_tie(self) -> bool:
        """Whether every query scores the same with both runs."""
        return self.comparison.wins == self.comparison.losses == 0

    @property
    def not_shown(self) -> str:
        """Say that no difference is shown; several candidates may be why."""
        if self.comparison.p < self.alpha and self.candidates > 1:
            return f"Not significant after correction for {self.candidates} candidates"
        return "Not significant"

    @property
    def figures(self) -> str:
        """The difference and how sure it is, in a few words."""
        c = self.comparison
        counted = count_noun(c.queries, "query")
        sureness = f"{self._interval}, {self._p}, {counted}"
        return f"{c.metric} {difference_text(c.difference, self.digits)} ({sureness})"

    @property
    def digits(self) -> int:
        """How many digits show whether the difference and the gain reach the margin."""
        values = (abs(self.comparison.difference), abs(self.gain))
        return max(digits_apart(one, self.margin) for one in values if math.isfinite(one))

    @property
    def margin_text(self) -> str:
        """The margin, as precise as what is compared with it."""
        return f"{self.margin:.{self.digits}f}"

    @property
    def gain_text(self) -> str:
        """The gain, as precise as the margin."""
        return difference_text(self.gain, self.digits)

    @property
    def _p(self) -> str:
        """The p value that decides; it is corrected where there are several candidates."""
        corrected = "corrected " if self.candidates > 1 else ""
        return f"{corrected}{p_text(self.comparison.p_corrected)}"

    @property
    def _interval(self) -> str:
        interval = self.comparison.interval
        if math.isinf(interval.high):
            return "no CI"
        ends = f"{interval.level:.0%} CI {interval_text(interval.low, interval.high)}"
        return f"{ends}, {interval.note}" if interval.note else ends

    @property
    def cheaper_in(self) -> str:
        """What it costs less of."""
        return "; ".join(self.cheaper)


def further(queries: int) -> str:
    """Count further queries; a number that is too large to be of use is not given.

    >>> further(1), further(2_014), further(281_866)
    ('1 more query', '2,014 more queries', 'more queries than is practical')
    """
    if queries > PRACTICAL:
        return "more queries than is practical"
    return count_noun(queries, "more query")
