"""Ship: what to do with a candidate, decided on the primary metric, in one plain sentence."""

from collections.abc import Sequence

from assay.errors import UsageError
from assay.records import BrokenLimit, Comparison, Rule, ToJudge, Verdict
from assay.verdicts import _change as change
from assay.verdicts._case import FEWEST, Case, further
from assay.verdicts.margin import margin_of, reaches

__all__ = ["ship"]

RULES = ("better", "noninferior")
FIRST: tuple[Rule, ...] = ("budget", "category", "errors")  # of several broken ones, in this order


def ship(  # noqa: PLR0913 - each thing that decides is a name of its own
    *,
    comparison: Comparison,
    alpha: float = 0.05,
    margin: float | None = None,
    gain: float | None = None,
    more: int | None = None,
    for_margin: int | None = None,
    broken: Sequence[BrokenLimit] = (),
    unknown: Sequence[str] = (),
    candidates: int = 1,
    ship_if: str = "better",
    cheaper: Sequence[str] = (),
    noninferior: bool = False,
    to_judge: Sequence[ToJudge] = (),
    same_as: str = "",
) -> Verdict:
    """Apply the rules in their order; the first that holds decides and is named in the verdict.

    ``margin`` is absolute, by default 2% of the baseline's score. ``gain`` is the one to count
    queries for: by default the observed one. ``more`` queries would show it, ``for_margin`` a gain
    as small as the margin. ``broken`` are the guardrails and budgets that are shown to be broken,
    ``unknown`` says which budgets could not be checked. p is corrected for the number of
    ``candidates``. ``cheaper`` says in what the candidate is materially cheaper, ``noninferior``
    whether a corrected test shows that it loses less than the margin. ``to_judge`` are the unjudged
    documents that matter most, ``same_as`` is a run with the same rankings.
    """
    if ship_if not in RULES:
        hint = f"use {' or '.join(RULES)}"
        raise UsageError(f'ship_if: invalid value "{ship_if}"', hint=hint)
    case = Case(
        comparison,
        alpha,
        margin_of(comparison.baseline) if margin is None else margin,
        comparison.difference if gain is None else gain,
        noninferior=noninferior,
        cheaper=tuple(cheaper),
        unknown=tuple(unknown),
        to_judge=tuple(to_judge),
        candidates=candidates,
        more=more,
        for_margin=for_margin,
        same_as=same_as,
    )
    verdict = _decided(case, frugal=ship_if == "noninferior")
    return _refused(case, broken, verdict) if broken else verdict


def _refused(case: Case, broken: Sequence[BrokenLimit], rest: Verdict) -> Verdict:
    """Say what is broken, and what the verdict would be without that."""
    ordered = sorted(broken, key=lambda one: FIRST.index(one.rule))
    why = "; ".join(one.what.strip().rstrip(".") for one in ordered)
    reason = f"{why}; {case.figures}."
    return Verdict("dont_ship", reason, change=change.keeping(ordered, rest), rule=ordered[0].rule)


def _decided(case: Case, *, frugal: bool) -> Verdict:
    """Decide by the figures alone; ``frugal`` ships what is non-inferior and cheaper, too."""
    if case.too_few:
        reason = f"Not enough queries: a verdict needs at least {FEWEST}; {case.figures}."
        return Verdict("hold", reason, change=change.enough(case), rule="too_few")
    if case.in_doubt:
        which = "better" if case.better else "worse"
        reason = f"Significantly {which}, but grading the unjudged documents could reverse this"
        more = change.more_judgments(case)
        return Verdict("hold", f"{reason}: {case.figures}.", change=more, rule="judge")
    if case.worse:
        reason = f"Significantly worse: {case.figures}{_unbounded(case)}."
        return Verdict("dont_ship", reason, change=change.larger_gain(case), rule="worse")
    if case.better or (frugal and case.as_good):
        return _shipped(case)
    return _undecided(case)


def _shipped(case: Case) -> Verdict:
    """Ship, unless a cost that the user limits is not known."""
    if case.unknown:
        reason = f"Would ship, but {' and '.join(case.unknown)}: {case.figures}."
        return Verdict("hold", reason, change=change.measuring(case), rule="unknown_cost")
    if case.better:
        gain = case.comparison.difference
        small = "" if reaches(gain, case.margin) else " by less than the margin"
        reason = f"Significantly better{small}: {case.figures}{_unbounded(case)}."
        return Verdict("ship", reason, change=change.undoing(case), rule="better")
    reason = f"Non-inferior (margin {case.margin_text}) and cheaper ({case.cheaper_in})"
    reason = f"{reason}: {case.figures}{_unbounded(case)}."
    return Verdict("ship", reason, change=change.stricter(case), rule="noninferior")


def _undecided(case: Case) -> Verdict:
    """Ask for queries where somebody could add as many as are missing; else hold."""
    for_margin = case.for_margin
    if not case.gains:
        reason = f"{_no_gain(case)}: {case.figures}."
        told = change.of_no_gain(case)
        return Verdict("hold", reason, change=told, rule="no_gain", queries_for_margin=for_margin)
    if not case.in_reach:
        far = further(case.more) if case.more else "an unknown number of queries"
        reason = f"{case.not_shown}, and confirming a gain of {case.gain_text} would take {far}"
        return Verdict(
            "hold",
            f"{reason}: {case.figures}.",
            change=change.more_queries(case),
            rule="too_many_queries",
            queries_for_margin=for_margin,
        )
    return Verdict(
        "needs_queries",
        f"{case.not_shown}: {case.figures}.",
        queries_needed=case.more,
        change=change.more_queries(case),
        queries_to_show=case.more,
        rule="needs_queries",
        queries_for_margin=for_margin,
    )


def _no_gain(case: Case) -> str:
    """Say why no further queries are asked for."""
    if case.same_as:
        return f"Its rankings are identical to those of {case.same_as}"
    if case.all_tie:
        return "Every query has the same score"
    observed = case.comparison.difference
    if observed < 0:
        return "Lower score, not significant"
    if not reaches(observed, case.margin):
        return f"No gain of at least the margin ({case.margin_text})"
    if case.gain <= 0:
        return "No gain of the best candidate is left after winner's-curse correction"
    left = f"{case.gain_text} after winner's-curse correction"
    return f"The gain of the best candidate is {left}, less than the margin ({case.margin_text})"


def _unbounded(case: Case) -> str:
    if not case.comparison.unbounded:
        return ""
    return f"; the effect of unjudged documents on {case.comparison.metric} is not bounded"
