"""What would change a verdict: queries, judgments, a guardrail that holds, or a larger gain."""

import math
from collections.abc import Sequence

from assay.records import Broken, Verdict
from assay.verdicts._case import Case

__all__ = [
    "for_the_gain",
    "found_gain",
    "judging",
    "keeping",
    "larger_gain",
    "less_strict",
    "more_judgments",
    "more_queries",
    "stricter",
    "undoing",
]

SAME = 1e-12  # what rounding alone can do to a mean
NAMED = 3  # documents to judge that are named; the comparison lists more


def keeping(broken: Sequence[Broken], rest: Verdict) -> str:
    """Say what must hold, and what the verdict would be then."""
    kept = " and ".join(one.keep for one in broken)
    if rest.outcome == "ship":
        return f"It would ship with {kept}."
    if rest.outcome == "dont_ship":
        return f"With {kept} it would still not ship, being worse."
    return f"With {kept} it would be undecided. {rest.change}"


def larger_gain(case: Case) -> str:
    """Say how much better a candidate would have to be for these queries to show it."""
    least, now = case.comparison.smallest_detectable, case.comparison.difference
    if not 0 < least < math.inf:
        return "A gain would, and there is none."
    return f"A gain would: {found_gain(case)}, and it shows {now:+.4f}."


def found_gain(case: Case, which: str = "these queries", a: str = "one") -> str:
    """Say from where on these queries find a gain; a score is at most 1, and a gain what is left.

    A metric of others may go beyond that, as a baseline above 1 shows.
    """
    least, baseline = case.comparison.smallest_detectable, case.comparison.baseline
    if baseline <= 1 < baseline + least:
        return f"{which} are too few to show any gain, even that of a perfect score"
    return f"{which} find {a} from {least:.4f} on"


def judging(case: Case) -> str:
    """Say what judging could do where every query scores alike; it could do nothing if all is."""
    holes = case.comparison.holes
    if case.comparison.unbounded:
        return _unbounded(case)
    if holes is None or math.isclose(*holes, abs_tol=SAME):
        return "Nothing: every query scores alike."
    ends = f"over every grading {holes[0]:+.4f} to {holes[1]:+.4f}"
    return f"Judging the unjudged documents might ({ends}){_first(case)}: every query scores alike."


def undoing(case: Case) -> str:
    """Say what could still undo a gain that is shown."""
    if case.comparison.unbounded:
        return _unbounded(case)
    others = "other queries, or a guardrail or budget that breaks"
    if case.comparison.holes is None or case.comparison.holes[0] == case.comparison.holes[1]:
        return f"Only {others}."
    low, high = case.comparison.holes
    return f"No grading of the unjudged documents ({low:+.4f} to {high:+.4f}); only {others}."


def _unbounded(case: Case) -> str:
    metric = case.comparison.metric
    return f"Judging the unjudged documents might: how far they move {metric} is not known."


def stricter(case: Case) -> str:
    """Say what the verdict would be if only a gain counted."""
    return f"`ship_if: better` would leave it undecided: {found_gain(case, a='a gain')}."


def more_queries(case: Case, count: int | None) -> str:
    """Say how many more queries would show what is seen, and how many a gain like the margin."""
    if case.margin == 0:
        return f"{for_the_gain(case)}No number of queries finds a margin of 0: set one."
    least = case.comparison.smallest_detectable
    more = "More queries" if count is None else _counted(count)
    wanted = f"{more} of this spread would find a difference of {case.margin:.4f}, the margin"
    wanted = f"{for_the_gain(case)}{wanted}"
    if math.isinf(least):
        return f"{wanted}; these find none reliably."
    return f"{wanted}; {found_gain(case, 'these')}.{less_strict(case)}"


def for_the_gain(case: Case, *, least: float = -math.inf) -> str:
    """Count the queries that would show the gain that is seen; nothing where there is none.

    Nor is anything said of a gain whose interval reaches down to ``least``.
    """
    seen = case.comparison.difference
    if case.to_show is None or seen <= 0 or case.comparison.interval.low <= least:
        return ""
    if seen < case.margin:
        return f"The gain seen is less than the margin; {_counted(case.to_show)} would show it. "
    return f"{_counted(case.to_show)} would show a gain as large as the one seen. "


def _counted(queries: int) -> str:
    return f"{queries:,} more quer{'y' if queries == 1 else 'ies'}"


def less_strict(case: Case) -> str:
    """Say that it could ship for costing less, where it does."""
    if not case.as_good or not case.holds_above(-case.margin):
        return ""
    cheaper = f"It is cheaper ({case.cheaper_in}) and loses less than {case.margin:.4f}"
    return f" {cheaper}: `ship_if: noninferior` would ship it."


def more_judgments(case: Case) -> str:
    """Name the documents whose grades settle it."""
    holes = case.comparison.holes
    ends = f" (over every grading {holes[0]:+.4f} to {holes[1]:+.4f})" if holes else ""
    return f"Judging the unjudged documents settles it{ends}{_first(case)}."


def _first(case: Case) -> str:
    named = [f"{one.document} for {one.query}" for one in case.to_judge[:NAMED]]
    return f", first {', '.join(named)}" if named else ""
