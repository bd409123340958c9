"""What would change a verdict: queries, judgments, a guardrail that holds, or a larger gain."""

import math
from collections.abc import Sequence

from assay.records import BrokenLimit, Verdict
from assay.text.figures import interval_text
from assay.text.quote import quote_line
from assay.verdicts._case import FEWEST, Case, further
from assay.verdicts.margin import SAME

__all__ = [
    "enough",
    "keeping",
    "larger_gain",
    "measuring",
    "more_judgments",
    "more_queries",
    "of_no_gain",
    "stricter",
    "undoing",
]

NAMED = 3  # documents to judge that are named; the comparison lists more
UNSEEN = 0.05  # the chance that none of n queries differs, where a larger share of all does


def keeping(broken: Sequence[BrokenLimit], rest: Verdict) -> str:
    """Say what must hold, and what the verdict would be then."""
    kept = " and ".join(one.keep for one in broken)
    if rest.outcome == "ship":
        return f"It would ship with {kept}."
    if rest.outcome == "dont_ship":
        return f"With {kept} it would still not ship: it is significantly worse."
    return f"With {kept} it would be undecided. {rest.change}"


def enough(case: Case) -> str:
    """Say how many queries are missing before anything is decided."""
    return f"At least {further(FEWEST - case.comparison.queries)} with judgments."


def measuring(case: Case) -> str:
    """Say that the costs with a limit must be measured."""
    return f"A measurement on an idle machine: it ships if it keeps {_budgets(case)}."


def _budgets(case: Case) -> str:
    return "this budget" if len(case.unknown) == 1 else "these budgets"


def larger_gain(case: Case) -> str:
    """Say how much better a candidate would have to be for these queries to show it."""
    return f"A gain instead of a loss: {_detectable(case)}."


def _detectable(case: Case) -> str:
    """Say which gain these queries show; a score is at most 1, and a gain what is left.

    A metric of others may go beyond that, as a baseline above 1 shows.
    """
    least, baseline = case.comparison.smallest_detectable, case.comparison.baseline
    if math.isinf(least) or baseline <= 1 < baseline + least:
        return "these queries are too few to confirm any gain, even that of a perfect score"
    return f"the minimum detectable difference of these queries is {least:.3f}"


def of_no_gain(case: Case) -> str:
    """Say what would turn a hold without a gain into something else."""
    if told := _less_strict(case):
        return told
    if case.all_tie:
        return _judging(case)
    detectable = _detectable(case)
    return f"A larger gain, with this or another configuration: {detectable}.{_margin(case)}"


def _judging(case: Case) -> str:
    """Say what could differ where every query scores the same."""
    share = 1 - UNSEEN ** (1 / case.comparison.queries)
    other = f"Other queries: up to {share:.1%} of all queries may still differ"
    holes = case.comparison.holes
    if case.comparison.unbounded:
        return f"{other}. {_unbounded(case)}"
    if holes is None or math.isclose(*holes, abs_tol=SAME):
        return f"{other}."
    ends = f"{interval_text(*holes)} over all possible grades"
    return f"{other}. Or grades of the unjudged documents ({ends}){_first(case)}."


def undoing(case: Case) -> str:
    """Say what could still undo a gain that is shown."""
    if case.comparison.unbounded:
        return _unbounded(case)
    others = "Other queries, a category that gets worse, or a broken budget"
    if case.comparison.holes is None or case.comparison.holes[0] == case.comparison.holes[1]:
        return f"{others}."
    ends = interval_text(*case.comparison.holes)
    return f"{others}. Grades of the unjudged documents cannot ({ends} over all possible grades)."


def _unbounded(case: Case) -> str:
    metric = case.comparison.metric
    return f"Possibly grades of the unjudged documents: their effect on {metric} is not bounded."


def stricter(case: Case) -> str:
    """Say what the verdict would be if only a gain counted."""
    return f"`ship_if: better` would leave it undecided: {_detectable(case)}."


def more_queries(case: Case) -> str:
    """Say how many more queries would show the gain, and how many one as small as the margin."""
    more = "more queries" if case.more is None else further(case.more)
    found = f"If the true gain is {case.gain_text}, {more} would confirm it with 80% probability"
    return f"{found}.{_margin(case)}{_also(case)}"


def _margin(case: Case) -> str:
    if not case.for_margin:
        return ""
    return f" A gain equal to the margin ({case.margin_text}) takes {further(case.for_margin)}."


def _also(case: Case) -> str:
    told = _less_strict(case)
    return f" {told}" if told else ""


def _less_strict(case: Case) -> str:
    """Say that it could ship for costing less, where it does."""
    if not case.as_good:
        return ""
    cheaper = f"It is cheaper ({case.cheaper_in}) and non-inferior (margin {case.margin_text})"
    return f"{cheaper}: `ship_if: noninferior` would ship it."


def more_judgments(case: Case) -> str:
    """Name the documents whose grades settle it."""
    holes = case.comparison.holes
    ends = f" ({interval_text(*holes)} over all possible grades)" if holes else ""
    complete = "Or `unjudged: zero`, if the dataset lists every relevant document."
    return f"Grades of the unjudged documents{ends}{_first(case)}. {complete}"


def _first(case: Case) -> str:
    named = [f"{quote_line(one.document)} for {quote_line(one.query)}" for one in case.to_judge]
    return f"; grade first: {', '.join(named[:NAMED])}" if named else ""
