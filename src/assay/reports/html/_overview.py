"""Overview: what was asked of what, which run to take, and what is decided about each."""

from collections.abc import Iterator, Mapping
from typing import Any

from assay.records import Candidate, Interval, Report, Run
from assay.reports.comparisons.decisions import heading
from assay.reports.html._scale import Scale
from assay.reports.runs.failures import failures
from assay.reports.runs.recommendations import recommendations

__all__ = ["overview"]

FEW = 6  # candidates whose reasons are all open


def overview(report: Report) -> dict[str, Any]:
    """Return what the top of the page shows."""
    compared = report.comparisons
    others = [line for line in recommendations(report) if not line.startswith("pick")]
    return {
        "title": str(report.benchmark.get("name") or "benchmark"),
        "description": str(report.benchmark.get("description") or ""),
        "facts": list(_facts(report)),
        "answer": _answer(report),
        "winner": _winner(report),
        "lessons": _lessons(report),
        "verdicts": _verdicts(report),
        "baseline": compared.baseline if compared else "",
        "primary": str(report.benchmark.get("primary", "")),
        "open": compared is not None and len(compared.candidates) <= FEW,
        "others": [dict(zip(("by", "said"), line.split(": ", 1), strict=True)) for line in others],
        "failures": failures(report),
        "cancelled": report.status == "cancelled",
    }


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the figures that a reader asks for first."""
    counts = (
        (report.dataset.get("queries"), "queries"),
        (report.corpus.get("documents"), "documents"),
        (len(report.runs), "runs" if len(report.runs) != 1 else "run"),
    )
    for number, noun in counts:
        if isinstance(number, int):
            yield f"{number:,}", noun
    truth = report.truth
    if truth.get("total"):
        yield f"{truth.get('resolved', 0) / truth['total']:.0%}", "judgments resolved"
    if truth.get("judged@10") is not None:
        yield f"{truth['judged@10']:.1%}", "of the first 10 judged"
    if truth.get("leaked"):
        yield f"{truth['leaked']:,}", "leaked queries"


def _answer(report: Report) -> dict[str, Any]:
    """Return the pick, or the only run, with the sentence that says why."""
    picks = report.recommendations
    pick = picks.get("pick_within_budgets") or picks.get("pick")
    done = [run for run in report.runs if run.status == "completed"]
    if len(done) == 1 and not pick:
        return {"label": "Measured", "run": done[0].name, "reason": "", "number": _at(report, done)}
    if not isinstance(pick, Mapping) or len(done) < 2:
        return _unpicked(report, done)
    within = " within the budgets" if picks.get("pick_within_budgets") else ""
    label = "Pick for now" if pick.get("sure") is False else "Pick"
    chosen = [run for run in report.runs if run.name == pick.get("run")]
    return {
        "label": label + within,
        "run": pick.get("run"),
        "reason": _sentence(str(pick.get("reason") or "")),
        "number": _at(report, chosen),
    }


def _unpicked(report: Report, done: list[Run]) -> dict[str, Any]:
    """Tell who scores best, where nobody recommended a run."""
    if report.comparisons is None:
        none = "No run was completed." if not done else "The runs were not compared."
        return {"label": "Result", "run": None, "reason": none, "number": 0}
    best = [run for run in done if run.name == report.comparisons.best]
    primary = report.comparisons.primary
    scores = [f"{primary} {run.scores[primary]:.4f}." for run in best if primary in run.scores]
    return {
        "label": "Scores best",
        "run": report.comparisons.best,
        "reason": "".join(scores),
        "number": _at(report, best),
    }


def _at(report: Report, found: list[Run]) -> int:
    """Count runs from 1; 0 is none."""
    return report.runs.index(found[0]) + 1 if found else 0


def _winner(report: Report) -> str:
    several = report.comparisons is not None and len(report.comparisons.candidates) > 1
    return str(report.winner.get("sentence") or "") if several else ""


def _lessons(report: Report) -> list[str]:
    from assay.reports.analysis.lessons import lessons

    return [_sentence(line) for line in lessons(report)]


def _sentence(text: str) -> str:
    ended = not text or text[-1] in ".!?"
    return text[:1].upper() + text[1:] + ("" if ended else ".")


def _verdicts(report: Report) -> list[dict[str, Any]]:
    """Give each candidate its verdict, and its interval on the scale of all."""
    compared = report.comparisons
    if compared is None:
        return []
    found = [one.metrics[compared.primary] for one in compared.candidates]
    scale = Scale.of([0.0, *(end for one in found for end in _ends(one.interval, one.difference))])
    numbers = {run.name: at for at, run in enumerate(report.runs, 1)}
    return [_verdict(one, compared.primary, scale, numbers) for one in compared.candidates]


def _verdict(
    one: Candidate, primary: str, scale: Scale, numbers: Mapping[str, int]
) -> dict[str, Any]:
    found, verdict = one.metrics[primary], one.verdict
    low, high = _ends(found.interval, found.difference)
    return {
        "run": one.run,
        "number": numbers.get(one.run, 0),
        "outcome": verdict.outcome,
        "shout": heading(verdict.outcome, verdict.queries_needed),
        "reason": verdict.reason,
        "change": verdict.change,
        "difference": f"{found.difference:+.4f}",
        "interval": f"{low:+.3f} to {high:+.3f}" if low < high else "",
        "left": scale.at(low),
        "width": round(scale.at(high) - scale.at(low), 2),
        "dot": scale.at(found.difference),
        "zero": scale.at(0.0),
        "counts": (found.wins, found.ties, found.losses),
    }


def _ends(interval: Interval, middle: float) -> tuple[float, float]:
    """Return both ends; an interval that is not known is the value itself."""
    known = abs(interval.high) < float("inf") and abs(interval.low) < float("inf")
    return (interval.low, interval.high) if known else (middle, middle)
