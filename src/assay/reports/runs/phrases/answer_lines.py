"""The answer in lines: what to ship with its figures, why, and the runner-up with its costs."""

from collections.abc import Callable

from assay.records import Report
from assay.reports.comparisons.decisions import reason_head
from assay.reports.runs.phrases.answer import INDEX, Answer, RunnerUp, answer
from assay.reports.runs.phrases.run_label import label_runs, run_label
from assay.reports.runs.phrases.run_numbers import is_numbered
from assay.text import sanitize

__all__ = ["GAP", "answer_lines", "reason_sentence", "run_name"]

GAP = "    "
STATUSES = {"KEEP": "KEEP (baseline)"}
RULES = {
    "better": "significantly better than {}",
    "noninferior": "non-inferior to {} and cheaper",
}


def answer_lines(report: Report) -> list[str]:
    """Write what a reader wants to know first, in up to three lines."""
    found = answer(report)
    return [
        *filter(None, [_first(report, found), _why(report, found)]),
        *([_runner_up(report, found.runner_up)] if found.runner_up else []),
    ]


def run_name(report: Report, name: str) -> str:
    """Name a run where no other word can be meant: bare, or by its number where it has one."""
    numbers = is_numbered([run.name for run in report.runs])
    return run_label(report, name) if numbers else sanitize(name)


def _first(report: Report, found: Answer) -> str:
    """Write what to do, and the figures that it rests on."""
    scope = f" {found.scope}" if found.scope else ""
    if not found.run:
        return f"No pick{scope}: {_lower(label_runs(report, found.reason))}"
    name, figures = run_name(report, found.run), _figures(report, found)
    if found.status == "MEASURED":
        return f"{name}: {figures}"
    if found.status == "LEADING":
        advice = f"; {label_runs(report, found.advice)}" if found.advice else ""
        return f"Leading{scope}: {name}, not yet proven{advice}{GAP}{figures}"
    return f"{name}: {STATUSES.get(found.status, found.status)}{scope}{GAP}{figures}"


def _figures(report: Report, found: Answer) -> str:
    gain = f", {found.gain} over {run_name(report, found.baseline)}" if found.gain else ""
    sure = ", ".join(filter(None, [found.interval, found.evidence]))
    return f"{found.metric} {found.score}{gain}" + (f" ({sure})" if sure else "")


def reason_sentence(
    report: Report,
    found: Answer,
    *,
    evidence: bool = False,
    name: Callable[[Report, str], str] | None = None,
) -> str:
    """Write the reason, with the rule by which it ships, or what it lacks to be proven.

    ``evidence`` adds the p value and the number of queries.
    """
    verdict = report.verdicts.get(found.run)
    rule = RULES.get(verdict.rule if verdict else "", "")
    against = rule.format((name or run_name)(report, found.baseline)) if found.baseline else ""
    sure = f" ({found.evidence})" if evidence and found.run and found.evidence else ""
    reason = label_runs(report, found.reason).rstrip(".")
    if not reason:
        return ""
    lacks = ""
    if verdict and found.status == "LEADING":
        lacks = f" Not proven: {_lower(label_runs(report, reason_head(verdict.reason)))}."
    return f"{'; '.join(filter(None, [reason, against]))}{sure}.{lacks}"


def _why(report: Report, found: Answer) -> str:
    if not found.run or not found.reason:
        return ""
    reason = reason_sentence(report, found)
    return reason if found.status == "MEASURED" else f"Why: {_lower(reason)}"


def _runner_up(report: Report, next_: RunnerUp) -> str:
    change = ", ".join(filter(None, [next_.change, next_.significance]))
    parts = [f"{next_.score} ({change})"] if next_.score else []
    parts += [
        f"{'' if title == INDEX else f'{title} '}{value}" + (f" ({changed})" if changed else "")
        for title, value, changed in next_.costs
    ]
    return f"Runner-up: {run_name(report, next_.run)}{GAP}{', '.join(parts)}".rstrip()


def _lower(text: str) -> str:
    """Begin in lower case, unless a name or an abbreviation does."""
    return text if text[1:2].isupper() else f"{text[:1].lower()}{text[1:]}"
