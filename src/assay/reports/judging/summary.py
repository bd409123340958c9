"""What came of a sitting -> sentences: how many grades, where they are, and what is still open."""

from typing import Any

from assay.records import harmless
from assay.records.judging import Contest, Judged

__all__ = ["as_value", "summary"]

SHOWN = 10  # comparisons that are told
NOTHING = "nothing unjudged stands in the way: no comparison hangs on a document that can be shown"


def summary(judged: Judged, *, metric: str = "") -> list[str]:
    """Tell of each comparison what it could be before and after the sitting.

    Only here are ends told: while documents are shown, they would tell a judge what to wish for.
    """
    skipped = f", {judged.skipped:,} skipped" if judged.skipped else ""
    said = [f"{judged.graded:,} graded{skipped}"]
    if judged.before and not judged.left and not judged.skipped:
        said.append(NOTHING)
    told = [_contest(*pair, metric) for pair in zip(judged.before, judged.after, strict=True)]
    more = [f"... and {len(told) - SHOWN:,} more comparisons (--json)"] if told[SHOWN:] else []
    return [*said, *told[:SHOWN], *more, *judged.notes]


def _contest(before: Contest, after: Contest, metric: str) -> str:
    pair = f"{harmless(after.candidate)} against {harmless(after.baseline)}"
    what = f" {metric}" if metric else ""
    if after.low is None or after.high is None or before.low is None or before.high is None:
        return f"{pair}: unjudged documents that either shows: {after.documents:,}"
    ends = f"{after.low:+.4f} to {after.high:+.4f}"
    was = f" (before: {before.low:+.4f} to {before.high:+.4f})" if _moved(before, after) else ""
    state = f"open, at most {after.documents:,} documents settle it" if after.open else _side(after)
    return f"{pair}:{what} {ends} over every grading{was}; {state}"


def _moved(before: Contest, after: Contest) -> bool:
    return (before.low, before.high) != (after.low, after.high)


def _side(contest: Contest) -> str:
    """Say how it ended: what is not open is on one side, or nothing is left to grade."""
    if contest.low is not None and contest.low > 0:
        return "no grading puts it behind"
    if contest.high is not None and contest.high < 0:
        return "no grading puts it ahead"
    return "all is judged that matters"


def as_value(judged: Judged) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "output": judged.output,
        **({"outputs": dict(judged.outputs)} if judged.outputs else {}),
        "graded": judged.graded,
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
