"""Markdown of a whole report: scores, verdicts, what to take, what to learn, and the details."""

from collections.abc import Iterator, Sequence

from assay.records import Candidate, Report, Table
from assay.reports.comparisons.decisions import heading
from assay.reports.formats.md import md
from assay.reports.runs.bound import bound
from assay.reports.runs.failures import failures
from assay.reports.runs.numbers import numbers
from assay.reports.runs.recommendations import recommendations

__all__ = ["markdown"]


def markdown(
    report: Report,
    summary: Table,
    details: Sequence[Table],
    *,
    date: str,
    lessons: Sequence[str] = (),
    analysis: Sequence[Table] = (),
) -> bytes:
    """Write what one would paste into a pull request; further tables stand at the end.

    ``lessons`` are the sentences that stand out, ``analysis`` the tables that they come from.
    """
    parts = [
        f"# {_escaped(str(report.benchmark['name']))}",
        "\n".join(f"- {_escaped(line)}" for line in _about(report, date)),
        _tables([summary]),
        *_bullets("", failures(report)),
        *_verdicts(report),
        *_best(report),
        *_learnt(report, lessons),
        *_bullets("Notes", report.notes),
    ]
    parts += ["## Analysis", _tables(analysis)] if analysis else []
    parts += ["## Details", _tables(details)] if details else []
    return ("\n\n".join(parts) + "\n").encode()


def _about(report: Report, date: str) -> Iterator[str]:
    dataset, corpus, truth = report.dataset, report.corpus, report.truth
    name = str(dataset.get("name") or "")
    yield f"dataset: {name}{', ' * bool(name)}{_count(dataset.get('queries'), 'queries')}"
    name = str(corpus.get("name") or "")
    yield f"corpus: {name}{', ' * bool(name)}{_count(corpus.get('documents'), 'documents')}"
    if truth.get("resolved", 0) < truth.get("total", 0):
        yield f"judgments: {truth.get('resolved', 0):,} of {truth['total']:,} resolved"
    if truth.get("leaked"):
        yield f"leaked queries: {truth['leaked']:,}"
    if truth.get("judged@10") is not None:
        yield f"judged@10: {truth['judged@10']:.1%}"
    yield f"written: {date}"
    if report.id:
        yield f"id: {report.id}"
    if report.status == "cancelled":
        yield "stopped before its end"


def _count(number: object, noun: str) -> str:
    return f"{number:,} {noun}" if isinstance(number, int) else f"{noun} not counted"


def _verdicts(report: Report) -> list[str]:
    """Write a paragraph for each candidate, then one for each run that ranks by structure."""
    compared = report.comparisons
    told = [_verdict(one) for one in compared.candidates] if compared else []
    told += [
        f"**{_escaped(run.name)}**: {_escaped(run.structure.verdict)}"
        for run in report.runs
        if run.structure is not None
    ]
    if not told:
        return []
    against = f", against {compared.baseline} by {compared.primary}" if compared else ""
    return [f"## Verdicts{_escaped(against)}", *told]


def _verdict(one: Candidate) -> str:
    shout = heading(one.verdict.outcome, one.verdict.queries_needed)
    change = f" What would change it: {one.verdict.change}" if one.verdict.change else ""
    return f"**{_escaped(one.run)}: {shout}.** {_escaped(one.verdict.reason + change)}"


def _best(report: Report) -> list[str]:
    """Tell the winner, the picks, what a race may have cost, then the other recommendations."""
    several = report.comparisons is not None and len(report.comparisons.candidates) > 1
    told = [str(report.winner["sentence"])] if several and report.winner.get("sentence") else []
    picks = recommendations(report, picks=True)
    told += picks
    told += [bound(report)] if told and bound(report) else []
    told += [line for line in recommendations(report) if line not in picks]
    return _bullets("Which to take", told)


def _learnt(report: Report, lessons: Sequence[str]) -> list[str]:
    """Write what stands out, below the numbers of the runs that it may speak of."""
    names = [f"{at}. {_escaped(name)}" for at, name in enumerate(numbers(report), 1)]
    key = ["The runs by their numbers:", "\n".join(names)] if names and lessons else []
    title, *told = _bullets("What is to be learnt", lessons) or [""]
    return [title, *key, *told] if title else []


def _bullets(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    told = "\n".join(f"- {_escaped(' '.join(line.split()))}" for line in lines)
    return [f"## {title}", told] if title else [told]


def _tables(tables: Sequence[Table]) -> str:
    return md(list(tables)).decode().rstrip("\n")


def _escaped(text: str) -> str:
    r"""Let text that others wrote be text: no emphasis, no markup of a page.

    >>> _escaped("a*b <i>")
    'a\\*b \\<i>'
    """
    return text.replace("\\", "\\\\").replace("*", "\\*").replace("<", "\\<").replace("`", "\\`")
