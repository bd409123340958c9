"""Verdicts in words: each candidate's decision, its reason, and what would change it."""

import textwrap

from assay.records import Candidate, Comparisons, ToJudge, harmless
from assay.reports.comparisons.decisions import heading

__all__ = ["verdicts"]


def verdicts(comparisons: Comparisons, *, width: int = 100) -> str:
    """Write a paragraph per candidate, then the honest winner and what to judge next."""
    lines = [_candidate(one, comparisons, width) for one in comparisons.candidates]
    if len(comparisons.candidates) > 1:
        lines.append(_winner(comparisons, width))
    if comparisons.judge_next:
        lines.append(_judge(comparisons))
    return "\n\n".join(lines)


def _candidate(candidate: Candidate, comparisons: Comparisons, width: int) -> str:
    verdict = candidate.verdict
    title = f"{candidate.run}: {heading(verdict.outcome, verdict.queries_needed)}"
    holes = candidate.metrics[comparisons.primary].holes
    alike = ", ".join(f"{name} {value:.2f}" for name, value in candidate.agreement.items())
    body = [verdict.reason, f"Its rankings and the baseline's: {alike}."]
    if holes and holes[0] != holes[1] and "every grading" not in verdict.reason:
        ends = f"{holes[0]:+.4f} to {holes[1]:+.4f}"
        body.insert(1, f"Over every grading of the unjudged documents the difference is {ends}.")
    return "\n".join([title, *(_wrap(text, width) for text in body)])


def _winner(comparisons: Comparisons, width: int) -> str:
    names = ", ".join(comparisons.best_set)
    observed, expected = comparisons.observed_gain, comparisons.corrected_gain
    gain = f"{comparisons.best} gains {observed:+.4f}"
    if not round(observed, 4):
        gain = f"{comparisons.best} gains nothing"
    elif observed < 0:
        gain = f"No candidate gains; {comparisons.best} loses least, {observed:+.4f}"
    elif expected is not None and f"{expected:.4f}" == f"{observed:.4f}":
        gain += " as measured, and no luck of the best of several is in that"
    elif expected is not None:
        gain += f" as measured; {expected:+.4f} is to be expected, since the best is also lucky"
    text = f"Cannot be told from the best on {comparisons.primary}: {names}. {gain}."
    return "\n".join(["best", _wrap(text, width)])


def _judge(comparisons: Comparisons) -> str:
    rows = [
        harmless(f"  {one.query}  {one.document}{_influence(one)}")
        for one in comparisons.judge_next
    ]
    return "\n".join(["judge next: the grades that would move the comparison most", *rows])


def _influence(one: ToJudge) -> str:
    return "" if one.influence is None else f"  (moves its query by up to {one.influence:.4f})"


def _wrap(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ")
