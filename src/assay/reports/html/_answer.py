"""Answer: the first card: which run to ship, its gain, the reason, and its runner-up."""

from typing import Any

from assay.records import Report, Run
from assay.reports.comparisons.decisions import heading
from assay.reports.html._quality_sketch import quality_sketch
from assay.reports.runs.phrases.answer import Answer, answer
from assay.reports.runs.phrases.answer_lines import reason_sentence
from assay.reports.runs.phrases.doubts import doubts
from assay.reports.runs.phrases.run_label import run_label

__all__ = ["answer_card", "ended"]

LABELS = {
    "SHIP": "Recommended",
    "KEEP": "Recommended: keep the baseline",
    "PICK": "Recommended",
    "LEADING": "Leading, not yet proven",
    "MEASURED": "Measured",
    "NO PICK": "No pick",
}


def answer_card(report: Report) -> dict[str, Any]:
    """Return what the first card shows."""
    found = answer(report)
    runs = {run.name: run for run in report.runs}
    label = LABELS[found.status] + (f" {found.scope}" if found.scope else "")
    return {
        "label": label,
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
    first = {"p95": run.latency_ms.get("p95"), "index": run.storage.get("bytes_per_document")}
    shown = {"p95": lambda value: f"{value:,.1f} ms", "index": lambda value: _kilobytes(value)}
    return {
        "titles": [found.metric, *(title for title, *_ in next_.costs)],
        "first": [
            found.score,
            *(
                "–" if first[title] is None else shown[title](first[title])
                for title, *_ in next_.costs
            ),
        ],
        "run": next_.run,
        "number": _number(report, next_.run),
        "second": [
            {"text": next_.score, "change": change},
            *({"text": value, "change": changed} for _, value, changed in next_.costs),
        ],
    }


def _kilobytes(value: float) -> str:
    return f"{value / 1000:,.1f} KB/doc"


def _number(report: Report, name: str) -> int:
    """Count runs from 1; 0 is none."""
    return next((at for at, run in enumerate(report.runs, 1) if run.name == name), 0)
