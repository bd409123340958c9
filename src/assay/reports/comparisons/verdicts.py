"""Verdicts in words: the decision on each candidate, its reason, and what would change it."""

from assay.records import Candidate, Comparisons, ToJudge, Verdict
from assay.reports.comparisons.decisions import heading
from assay.text import sanitize
from assay.text.figures import difference_text, interval_text, p_text
from assay.text.quote import quote
from assay.text.wrap import wrap_prose

__all__ = [
    *("FEW", "decision_words", "judge_next", "unweighted_words", "verdict_words", "verdicts"),
]

FEW = 3  # candidates that get a paragraph each; more of them get a table
ASKED = 3  # documents to judge that are named beside a table


def verdicts(comparisons: Comparisons, *, width: int = 100, best: bool = True) -> str:
    """Write a paragraph per candidate if they are few, and the ``best`` run of several."""
    few = len(comparisons.candidates) <= FEW
    lines = [verdict_words(c, comparisons.primary, width=width) for c in comparisons.candidates]
    lines = lines if few else []
    if best and len(comparisons.candidates) > 1:
        lines.append(_winner(comparisons, width))
    return "\n\n".join(lines)


def judge_next(comparisons: Comparisons) -> str:
    """List the documents whose grades matter most; the first of them for many candidates."""
    few = len(comparisons.candidates) <= FEW
    most = len(comparisons.judge_next) if few else ASKED
    rows = [
        sanitize(f"  {one.query}  {one.document}{_influence(one)}")
        for one in comparisons.judge_next[:most]
    ]
    return "\n".join(["Judge next (largest effect on the comparison first)", *rows]) if rows else ""


def verdict_words(candidate: Candidate, primary: str, *, width: int = 100) -> str:
    """Write the paragraph of one candidate."""
    more = [*unweighted_words(candidate, primary), *_over_holes(candidate, primary)]
    more += _alike(candidate)
    return decision_words(candidate.run, candidate.verdict, *more, width=width)


def decision_words(run: str, verdict: Verdict, *more: str, width: int = 100) -> str:
    """Write the verdict on a run, its reason, what would change it, and ``more``."""
    title = f"{sanitize(run)}: {heading(verdict.outcome, verdict.queries_needed)}"
    body = [
        verdict.reason,
        *([f"What would change it: {verdict.change}"] if verdict.change else []),
    ]
    return "\n".join([title, *(_wrap(text, width) for text in (*body, *more))])


def unweighted_words(candidate: Candidate, primary: str) -> list[str]:
    """Say what it is without the weights of queries, and whether the verdict would be another."""
    plain = candidate.unweighted
    if plain is None:
        return []
    one, told = plain.metrics[primary], plain.verdict
    shout = heading(told.outcome, told.queries_needed)
    same = told.outcome == candidate.verdict.outcome
    other = f"the same verdict, {shout}" if same else f"another verdict: {shout}"
    ends = f"95% CI {interval_text(one.interval.low, one.interval.high)}, "
    sure = f"{ends if abs(one.interval.high) < float('inf') else ''}{p_text(one.p_corrected)}"
    return [f"Without the weights of queries {difference_text(one.difference)} ({sure}): {other}."]


def _over_holes(candidate: Candidate, primary: str) -> list[str]:
    holes = candidate.metrics[primary].holes
    said = candidate.verdict.reason + candidate.verdict.change
    if not holes or holes[0] == holes[1] or "all possible grades" in said:
        return []
    ends = interval_text(*holes)
    return [f"Over all possible grades of the unjudged documents, the difference is {ends}."]


def _alike(candidate: Candidate) -> list[str]:
    alike = ", ".join(f"{name} {value:.2f}" for name, value in candidate.agreement.items())
    return [f"Similarity of its rankings to the baseline's: {alike}."] if alike else []


def _winner(comparisons: Comparisons, width: int) -> str:
    others = [name for name in comparisons.best_set if name != comparisons.best]
    names, best = ", ".join(map(quote, others)), quote(comparisons.best)
    observed, expected = comparisons.observed_gain, comparisons.corrected_gain
    gain = f"{best} gains {difference_text(observed)}"
    if not round(observed, 4):
        gain = f"{best} gains nothing"
    elif observed < 0:
        gain = f"No candidate gains; {best} loses least, {difference_text(observed)}"
    elif expected is not None and difference_text(expected) != difference_text(observed):
        gain += f" ({difference_text(expected)} after winner's-curse correction)"
    same = f"Not significantly different: {names}." if others else ""
    text = f"{gain}. {same or 'All other runs are significantly different.'}"
    return "\n".join(["Best run", _wrap(text, width)])


def _influence(one: ToJudge) -> str:
    return "" if one.influence is None else f"  (changes its query by up to {one.influence:.3f})"


def _wrap(text: str, width: int) -> str:
    return "\n".join(wrap_prose(text, width, first="  ", rest="  "))
