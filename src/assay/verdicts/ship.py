"""Ship: what to do with a candidate, decided on the primary metric, in one plain sentence."""

from collections.abc import Sequence

from assay.errors import UsageError
from assay.records import Broken, Comparison, ToJudge, Verdict
from assay.verdicts import _change as change
from assay.verdicts._case import Case

__all__ = ["ship"]

MARGIN = 0.02  # of the baseline's score: a difference that nobody would notice
RULES = ("better", "noninferior")


def ship(  # noqa: PLR0913 - each thing that decides is a name of its own
    *,
    comparison: Comparison,
    alpha: float = 0.05,
    margin: float | None = None,
    broken: Sequence[Broken] = (),
    queries_needed: int | None = None,
    to_show: int | None = None,
    candidates: int = 1,
    ship_if: str = "better",
    cheaper: Sequence[str] = (),
    noninferior: bool | None = None,
    to_judge: Sequence[ToJudge] = (),
) -> Verdict:
    """Apply the rules in their order: don't ship, ship, needs queries, hold.

    ``margin`` is absolute, by default 2 % of the baseline's score. ``broken`` are the guardrails
    and budgets that are shown to be broken. ``queries_needed`` counts the further queries after
    which a difference as large as the margin is found four times out of five, ``to_show`` those for
    one as large as is seen. p is corrected for the number of ``candidates``. ``cheaper`` says in
    what the candidate is shown to cost less; ``noninferior`` whether a test that is corrected for
    the number of candidates shows that it loses less than the margin (default: its interval does).
    ``to_judge`` are the unjudged documents that matter most.
    """
    if ship_if not in RULES:
        hint = f"choose {' or '.join(RULES)}"
        raise UsageError(f'"{ship_if}" is no rule to ship by', hint=hint)
    margin = MARGIN * abs(comparison.baseline) if margin is None else margin
    shown = comparison.interval.low > -margin if noninferior is None else noninferior
    case = Case(
        comparison, alpha, margin, shown, tuple(cheaper), tuple(to_judge), candidates, to_show
    )
    verdict = _decided(case, queries_needed, frugal=ship_if == "noninferior")
    if not broken:
        return verdict
    why = "; ".join(one.what.strip().rstrip(".") for one in broken)
    return Verdict("dont_ship", f"{why}; {case.figures}.", change=change.keeping(broken, verdict))


def _decided(case: Case, queries_needed: int | None, *, frugal: bool) -> Verdict:
    """Decide by the figures alone; ``frugal`` ships what is as good and cheaper, too."""
    if case.worse:
        reason = f"It is worse, {case.why_worse}: {case.figures}."
        return Verdict("dont_ship", reason, change=change.larger_gain(case))
    if case.better and case.holds_above(0):
        reason = f"It is better: {case.figures}{_unbounded(case)}."
        return Verdict("ship", reason, change=change.undoing(case))
    if frugal and case.as_good and case.holds_above(-case.margin):
        reason = f"It is cheaper ({case.cheaper_in}) and loses less than {case.margin:.4f}"
        return Verdict("ship", f"{reason}: {case.figures}.", change=change.stricter(case))
    return _undecided(case, queries_needed, frugal=frugal)


def _undecided(case: Case, queries_needed: int | None, *, frugal: bool) -> Verdict:
    """Ask for queries where they help; a gain that only unjudged documents put in doubt holds."""
    if case.better:
        reason = "It looks better, but unjudged documents could undo that (judging them settles it)"
        return Verdict("hold", f"{reason}: {case.figures}.", change=change.more_judgments(case))
    reason = f"{case.why_undecided}: {case.figures}."
    if case.imprecise:
        advice = change.more_queries(case, queries_needed)
        return Verdict("needs_queries", reason, queries_needed, advice, case.to_show)
    shown = case.to_show if case.comparison.interval.low > 0 else None
    return Verdict("hold", reason, None, _of_hold(case, frugal=frugal), shown)


def _of_hold(case: Case, *, frugal: bool) -> str:
    """Say what would turn a hold into something else."""
    if frugal and case.as_good and not case.holds_above(-case.margin):
        return change.more_judgments(case)
    if told := change.less_strict(case) or change.for_the_gain(case, least=0):
        return told.strip()
    if case.comparison.wins == case.comparison.losses == 0:
        return change.judging(case)
    now = case.comparison.difference
    found = f"{change.found_gain(case)}, and it shows {now:+.4f}"
    return f"A gain would: {found}, so one above the margin of {case.margin:.4f} is unlikely."


def _unbounded(case: Case) -> str:
    if not case.comparison.unbounded:
        return ""
    return f"; what unjudged documents could change is not known for {case.comparison.metric}"
