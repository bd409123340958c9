"""Answer: the first card: which run to ship, its gain, the reason, and its runner-up."""

from typing import Any

from assay.records import Report, Run
from assay.reports.comparisons.decisions import heading
from assay.reports.html._quality_sketch import quality_sketch
from assay.reports.runs.phrases.answer import INDEX, Answer, answer
from assay.reports.runs.phrases.answer_lines import reason_sentence
from assay.reports.runs.phrases.doubts import doubts
from assay.reports.runs.phrases.run_label import run_label

__all__ = ["answer_card", "ended"]

LABELS = {  # with a place for "within the budgets"
    "SHIP": "Recommended{}",
    "KEEP": "Recommended{}: keep the baseline",
    "PICK": "Recommended{}",
    "LEADING": "Leading{}, not yet proven",
    "MEASURED": "Measured{}",
    "NO PICK": "No pick{}",
}
# The costs of a run: a title with its unit, its meaning, and the unit, which values then lack.
COSTS = {
    "p95": ("p95 ms", "95% of the searches took no longer", " ms"),
    INDEX: ("KB/doc", "index size per document", " KB/doc"),
}


def answer_card(report: Report) -> dict[str, Any]:
    """Return what the first card shows."""
    found = answer(report)
    runs = {run.name: run for run in report.runs}
    return {
        "label": LABELS[found.status].format(f" {found.scope}" if found.scope else ""),
        "run": found.run,
        "number": _number(report, found.run),
        "badge": _badge(report, found),
        "figure": found.gain or found.score,
        "about": _about(found),
        "baseline": found.baseline,
        "against": _number(report, found.baseline),
        "advice": ended(f"{found.advice[:1].upper()}{found.advice[1:]}"),
        "reason": reason_sentence(report, found, evidence=True, name=run_label),
        "rivals": _rivals(report, found, runs),
        "doubts": doubts(report, name=run_label),
        "sketch": quality_sketch(report, found),
    }


def ended(text: str) -> str:
    """End with a full stop."""
    return text if not text or text[-1] in ".!?" else f"{text}."


def _about(found: Answer) -> str:
    """Say what the large figure is, with its interval."""
    return ", ".join(filter(None, [found.metric, found.interval]))


def _badge(report: Report, found: Answer) -> dict[str, str] | None:
    if verdict := report.verdicts.get(found.run):
        shout = heading(verdict.outcome, verdict.queries_needed)
        return {"outcome": verdict.outcome, "shout": shout}
    return {"outcome": "baseline", "shout": "baseline"} if found.status == "KEEP" else None


def _rivals(report: Report, found: Answer, runs: dict[str, Run]) -> dict[str, Any] | None:
    """Lay out the run to ship above its runner-up, with the differences."""
    next_, run = found.runner_up, runs.get(found.run)
    if next_ is None or run is None:
        return None
    change = ", ".join(filter(None, [next_.change, next_.significance]))
    costs = [(title, *COSTS[title], value, changed) for title, value, changed in next_.costs]
    return {
        "titles": [(found.metric, ""), *((shown, about) for _, shown, about, *_ in costs)],
        "first": [found.score, *(_cost(run, title) for title, *_ in costs)],
        "run": next_.run,
        "number": _number(report, next_.run),
        "second": [
            {"text": next_.score, "change": change},
            *(
                {"text": value.removesuffix(unit), "change": changed.removesuffix(unit)}
                for _, _, _, unit, value, changed in costs
            ),
        ],
    }


def _cost(run: Run, title: str) -> str:
    """Write a cost of the run to ship, without its unit."""
    size = run.storage.get("bytes_per_document")
    value = run.latency_ms.get("p95") if title != INDEX else None if size is None else size / 1000
    return "–" if value is None else f"{value:,.1f}"


def _number(report: Report, name: str) -> int:
    """Count runs from 1; 0 is none."""
    return next((at for at, run in enumerate(report.runs, 1) if run.name == name), 0)
