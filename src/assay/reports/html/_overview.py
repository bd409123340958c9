"""Overview: the first card, the data, findings, and the verdict on each run."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from assay.records import Candidate, Comparison, Comparisons, Interval, Report
from assay.reports.comparisons.decisions import heading
from assay.reports.html._answer import answer_card, ended
from assay.reports.html._repeats import split_sentences
from assay.reports.html._scale import Scale
from assay.reports.runs.phrases.failures import EACH, failures
from assay.reports.runs.phrases.recommendations import recommendations
from assay.reports.runs.phrases.run_label import list_runs
from assay.reports.runs.phrases.stopped_runs import stopped_runs
from assay.text.count_noun import plural
from assay.text.figures import difference_text, interval_text

__all__ = ["overview"]

FEW = 6  # candidates whose reasons are all open
RANGE = re.compile(r" \([+-][^()]*\)")  # of differences, over all possible grades


def overview(report: Report, tables: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Return what the top of the page shows; findings lead to the ``tables`` that they sum up."""
    compared = report.comparisons
    stopped = stopped_runs(report, most=EACH)
    others = recommendations(report)
    return {
        "title": str(report.benchmark.get("name") or "benchmark"),
        "description": str(report.benchmark.get("description") or ""),
        "facts": list(_facts(report)),
        "answer": answer_card(report),
        **_next(report),
        "findings": _findings(report, tables),
        **_decided(report),
        "baseline": compared.baseline if compared else "",
        "against": _place(report, compared.baseline) if compared else 0,
        "primary": str(report.benchmark.get("primary", "")),
        "open": compared is not None and len(compared.candidates) <= FEW,
        "others": [dict(zip(("by", "said"), line.split(": ", 1), strict=True)) for line in others],
        "failures": [line for line in failures(report) if line not in stopped],
        "beaten": stopped,
        "cancelled": report.status == "cancelled",
    }


def _place(report: Report, name: str) -> int:
    """Count runs from 1; 0 is none."""
    return next((at for at, run in enumerate(report.runs, 1) if run.name == name), 0)


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    """Yield the size of the data, and how complete its judgments are."""
    counts = (
        (report.dataset.get("queries"), "query"),
        (report.corpus.get("documents"), "document"),
        (len(report.runs), "run"),
    )
    for number, noun in counts:
        if isinstance(number, int):
            yield f"{number:,}", plural(number, noun)
    if (unit := report.benchmark.get("unit", "document")) != "document":
        yield str(unit), "unit of evaluation"
    truth = report.truth
    if truth.get("total") and "documents" in report.corpus:
        yield _resolved(int(truth.get("resolved") or 0), int(truth["total"])), "judgments resolved"
    if truth.get("judged@10") is not None:
        yield f"{truth['judged@10']:.1%}", "of the top 10 judged"
    if truth.get("leaked"):
        yield f"{truth['leaked']:,}", plural(truth["leaked"], "leaked query")


def _resolved(some: int, total: int) -> str:
    """Count what is not all: a percentage close to 100 would be rounded to it."""
    return "100%" if some == total else f"{some:,} of {total:,}"


def _next(report: Report) -> dict[str, Any]:
    """Return what to do next, and the warning about latencies that stands before it."""
    from assay.reports.analysis.busy import busy
    from assay.reports.analysis.next_steps import next_steps

    warned = busy(report)
    return {"busy": warned, "steps": [one for one in next_steps(report) if one != warned]}


def _findings(
    report: Report, tables: Sequence[Mapping[str, Any]]
) -> list[tuple[str, Mapping[str, Any] | None]]:
    from assay.reports.analysis.lessons import lessons

    said = [line.replace(" -> ", " → ") for line in lessons(report)]
    return [
        (ended(line), next((one for one in tables if one["caption"].startswith(line)), None))
        for line in said
    ]


def _decided(report: Report) -> dict[str, Any]:
    """Return the verdicts, and what would change several of them, which is there once."""
    compared = report.comparisons
    if compared is None:
        return {"verdicts": [], "changes": []}
    told = {one.run: split_sentences(one.verdict.change) for one in compared.candidates}
    alike: dict[str, list[str]] = {}
    for run, sentences in told.items():
        for one in sentences:
            alike.setdefault(RANGE.sub("", one), []).append(run)
    shared = {one: runs for one, runs in alike.items() if len(runs) > 1}
    own = {
        run: [one for one in sentences if RANGE.sub("", one) not in shared]
        for run, sentences in told.items()
    }
    ranged = {
        run
        for run, sentences in told.items()
        if any(RANGE.search(one) and one not in own[run] for one in sentences)
    }
    return {
        "verdicts": _verdicts(report, compared, own, ranged),
        "changes": _changes(report, shared),
    }


def _changes(report: Report, shared: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Return the runs that share sentences, and these."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for sentence, runs in shared.items():
        groups.setdefault(tuple(runs), []).append(sentence)
    return [(list_runs(report, runs), " ".join(said)) for runs, said in groups.items()]


def _verdicts(
    report: Report,
    compared: Comparisons,
    changes: Mapping[str, Sequence[str]],
    ranged: Collection[str],
) -> list[dict[str, Any]]:
    """Give each candidate its verdict, and its interval on the scale of all."""
    found = [one.metrics[compared.primary] for one in compared.candidates]
    scale = Scale.of([0.0, *(end for one in found for end in _ends(one.interval, one.difference))])
    numbers = {run.name: at for at, run in enumerate(report.runs, 1)}
    return [
        _verdict(one, compared.primary, scale, numbers)
        | {
            "change": " ".join(changes[one.run]),
            "grades": _grades(one.metrics[compared.primary]) if one.run in ranged else "",
        }
        for one in compared.candidates
    ]


def _grades(found: Comparison) -> str:
    """Write what the difference may be with other grades of the unjudged documents."""
    if found.holes is None:
        return ""
    return f"With any grades of the unjudged documents: {interval_text(*found.holes)}."


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
        "reason": _reason(verdict.reason, found),
        "difference": difference_text(found.difference),
        "interval": f"{low:+.3f} to {high:+.3f}" if low < high else "",
        "left": scale.at(low),
        "width": round(scale.at(high) - scale.at(low), 2),
        "dot": scale.at(found.difference),
        "zero": scale.at(0.0),
        "counts": (found.wins, found.ties, found.losses),
    }


def _reason(reason: str, found: Comparison) -> str:
    """Leave out the difference and its interval, which stand beside it."""
    ends = interval_text(found.interval.low, found.interval.high)
    told = f": {found.metric} {difference_text(found.difference)} (95% CI {ends}, "
    return reason.replace(told, " (", 1)


def _ends(interval: Interval, middle: float) -> tuple[float, float]:
    """Return both ends; an interval that is not known is the value itself."""
    known = abs(interval.high) < float("inf") and abs(interval.low) < float("inf")
    return (interval.low, interval.high) if known else (middle, middle)
