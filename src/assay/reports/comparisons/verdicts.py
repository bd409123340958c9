"""Verdicts in words: each candidate's decision, its reason, and what would change it."""

from collections.abc import Mapping
from typing import Any

from assay.records import Candidate, Comparisons, ToJudge, Verdict
from assay.reports.comparisons.decisions import heading
from assay.text import sanitize
from assay.text.quote import quote
from assay.text.wrap import wrap_prose

__all__ = ["decision_words", "verdict_words", "verdicts"]

FEW = 3  # candidates that get a paragraph each; more of them get a table
ASKED = 3  # documents to judge that are named beside a table


def verdicts(
    comparisons: Comparisons, *, width: int = 100, winner: Mapping[str, Any] | None = None
) -> str:
    """Write a paragraph per candidate if they are few, the honest winner and what to judge next."""
    few = len(comparisons.candidates) <= FEW
    lines = [verdict_words(c, comparisons.primary, width=width) for c in comparisons.candidates]
    lines = lines if few else []
    if len(comparisons.candidates) > 1:
        told = str((winner or {}).get("sentence") or "")
        lines.append(
            "\n".join(["best", _wrap(told, width)]) if told else _winner(comparisons, width)
        )
    if comparisons.judge_next:
        lines.append(_judge(comparisons, len(comparisons.judge_next) if few else ASKED))
    return "\n\n".join(lines)


def verdict_words(candidate: Candidate, primary: str, *, width: int = 100) -> str:
    """Write the paragraph of one candidate."""
    more = [*_over_holes(candidate, primary), *_alike(candidate)]
    return decision_words(candidate.run, candidate.verdict, *more, width=width)


def decision_words(run: str, verdict: Verdict, *more: str, width: int = 100) -> str:
    """Write what is decided of a run, why, what would change it, and ``more`` of it."""
    title = f"{sanitize(run)}: {heading(verdict.outcome, verdict.queries_needed)}"
    body = [
        verdict.reason,
        *([f"What would change it: {verdict.change}"] if verdict.change else []),
    ]
    return "\n".join([title, *(_wrap(text, width) for text in (*body, *more))])


def _over_holes(candidate: Candidate, primary: str) -> list[str]:
    holes = candidate.metrics[primary].holes
    said = candidate.verdict.reason + candidate.verdict.change
    if not holes or holes[0] == holes[1] or "every grading" in said:
        return []
    ends = f"{holes[0]:+.4f} to {holes[1]:+.4f}"
    return [f"Over every grading of the unjudged documents the difference is {ends}."]


def _alike(candidate: Candidate) -> list[str]:
    alike = ", ".join(f"{name} {value:.2f}" for name, value in candidate.agreement.items())
    return [f"Its rankings and the baseline's: {alike}."] if alike else []


def _winner(comparisons: Comparisons, width: int) -> str:
    names, best = ", ".join(map(quote, comparisons.best_set)), quote(comparisons.best)
    observed, expected = comparisons.observed_gain, comparisons.corrected_gain
    gain = f"{best} gains {observed:+.4f}"
    if not round(observed, 4):
        gain = f"{best} gains nothing"
    elif observed < 0:
        gain = f"No candidate gains; {best} loses least, {observed:+.4f}"
    elif expected is not None and f"{expected:.4f}" == f"{observed:.4f}":
        gain += " as measured, and no luck of the best of several is in that"
    elif expected is not None:
        gain += f" as measured; {expected:+.4f} is to be expected, since the best is also lucky"
    text = f"Cannot be told from the best on {comparisons.primary}: {names}. {gain}."
    return "\n".join(["best", _wrap(text, width)])


def _judge(comparisons: Comparisons, most: int) -> str:
    rows = [
        sanitize(f"  {one.query}  {one.document}{_influence(one)}")
        for one in comparisons.judge_next[:most]
    ]
    return "\n".join(["judge next: the grades that would move the comparison most", *rows])


def _influence(one: ToJudge) -> str:
    return "" if one.influence is None else f"  (moves its query by up to {one.influence:.4f})"


def _wrap(text: str, width: int) -> str:
    return "\n".join(wrap_prose(text, width, first="  ", rest="  "))
