"""What came of a sitting -> a few sentences: how much is settled, and what is still open."""

from typing import Any

from assay.records.judging import Contest, JudgingResult
from assay.text import sanitize
from assay.text.count_noun import count_noun

__all__ = ["as_value", "summary"]

SHOWN = 6  # lines about comparisons
NOTHING = "no more documents to grade: what is open depends on documents that cannot be shown"


def summary(judged: JudgingResult) -> list[str]:
    """Tell how many comparisons are settled, and of some what they could still be.

    Only here are ends told: while documents are shown, they would tell a judge what to wish for.
    """
    pairs = [*zip(judged.before, judged.after, strict=True)]
    order = sorted(pairs, key=lambda pair: _rank(*pair))
    shown = order if len(order) <= SHOWN else order[: SHOWN - 1]
    rest = len(order) - len(shown)
    more = [f"... and {rest:,} more comparisons (see --json)"] if rest else []
    stuck = any(one.open for one in judged.after) and not (judged.left or judged.skipped)
    told = [_contest(after) for _, after in shown]
    return [_counts(judged), *([NOTHING] if stuck else []), *told, *more, *judged.notes]


def _counts(judged: JudgingResult) -> str:
    """Put what came of it first, then what it took and what is left."""
    settled, every = sum(not one.open for one in judged.after), len(judged.after)
    parts = [f"{settled:,} of {count_noun(every, 'comparison')} settled"] if every else []
    before = f" ({judged.graded_before:,} earlier)" if judged.graded_before else ""
    skipped = f", {judged.skipped:,} skipped" if judged.skipped else ""
    parts.append(f"{count_noun(judged.graded, 'document')} graded{before}{skipped}")
    documents = count_noun(judged.left, "document")
    most = f"at most {documents}" if every else documents
    return "; ".join([*parts, *([f"{most} left to grade"] if judged.left else [])])


def _rank(before: Contest, after: Contest) -> tuple[bool, bool, int]:
    """Put what was settled just now first, then what is open, the nearest to its end first."""
    return not (before.open and not after.open), not after.open, after.documents


def _contest(after: Contest) -> str:
    pair = f'"{sanitize(after.candidate)}" vs "{sanitize(after.baseline)}"'
    unjudged = count_noun(after.documents, "unjudged document")
    if after.low is None or after.high is None:
        return f"{pair}: {unjudged} in the results of either run"
    state = f"open, at most {unjudged} to grade" if after.open else _side(after)
    ends = f"{after.low:+.4f} to {after.high:+.4f}"
    return f"{pair}: difference {ends} over all possible grades; {state}"


def _side(contest: Contest) -> str:
    """Say how it ended: what is not open is on one side, or nothing is left to grade."""
    if contest.low is not None and contest.low > 0:
        return "settled: higher whatever the other grades are"
    if contest.high is not None and contest.high < 0:
        return "settled: lower whatever the other grades are"
    return "settled: every document that matters is judged"


def as_value(judged: JudgingResult) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "output": judged.output,
        **({"outputs": dict(judged.outputs)} if judged.outputs else {}),
        "graded": judged.graded,
        "graded_before": judged.graded_before,
        "skipped": judged.skipped,
        "left": judged.left,
        "comparisons": [
            {
                "baseline": after.baseline,
                "candidate": after.candidate,
                "open": after.open,
                "documents": after.documents,
                "holes": _ends(after),
                "holes_before": _ends(before),
            }
            for before, after in zip(judged.before, judged.after, strict=True)
        ],
        "notes": list(judged.notes),
    }


def _ends(contest: Contest) -> list[float] | None:
    if contest.low is None or contest.high is None:
        return None
    return [contest.low, contest.high]
