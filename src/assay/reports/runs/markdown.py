"""Markdown of a whole report: the answer, scores, verdicts, findings, and the details."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.records import Report, Table, Verdict
from assay.records.report import NO_CORPUS
from assay.reports.analysis.busy import busy
from assay.reports.comparisons.decisions import heading
from assay.reports.escape_links import escape_links
from assay.reports.formats.md import md
from assay.reports.runs.phrases.answer_lines import GAP, answer_lines
from assay.reports.runs.phrases.doubts import doubts
from assay.reports.runs.phrases.failures import failures
from assay.reports.runs.phrases.recommendations import recommendations
from assay.reports.runs.phrases.report_notes import report_notes
from assay.reports.runs.phrases.run_label import label_runs, run_label
from assay.reports.runs.phrases.run_numbers import is_numbered, number_runs
from assay.text.count_noun import count_noun, plural

__all__ = ["markdown"]

COMMAND = re.compile(r"(`(?:assay |ship_if: |race: )[^`]+`)")


def markdown(
    report: Report,
    summary: Table,
    details: Sequence[Table],
    *,
    date: str,
    steps: Sequence[str] = (),
    findings: Sequence[str] = (),
    analysis: Sequence[Table] = (),
) -> bytes:
    """Write what one would paste into a pull request; further tables come at the end.

    ``steps`` say what to do next, ``findings`` are sentences, ``analysis`` the tables that they
    come from. Where sentences name runs by number, the first table has the numbers.
    """
    parts = [
        f"# {_escaped(str(report.benchmark['name']))}",
        *filter(None, [_escaped(str(report.benchmark.get("description") or ""))]),
        *_answer(report),
        _tables([_with_numbers(report, summary)]),
        *_bullets("", [*filter(None, [busy(report)]), *failures(report), *doubts(report)]),
        *_bullets("Next steps", [step for step in steps if step != busy(report)]),
        *_verdicts(report),
        *_bullets("Best by a single measure", recommendations(report)),
        *_bullets("Findings", findings),
        *_bullets("Data", list(_about(report, date))),
        *_bullets("Notes", report_notes(report)),
    ]
    parts += ["## Analysis", _tables(analysis)] if analysis else []
    parts += ["## Details", _tables(details)] if details else []
    return ("\n\n".join(parts) + "\n").encode()


def _about(report: Report, date: str) -> Iterator[str]:
    dataset, corpus, truth = report.dataset, report.corpus, report.truth
    name = str(dataset.get("name") or "")
    yield f"dataset: {name}{', ' * bool(name)}{_count(dataset.get('queries'), 'query')}"
    name = str(corpus.get("name") or "")
    known = name != NO_CORPUS or "documents" in corpus
    size = _count(corpus.get("documents"), "document") if known else ""
    yield f"corpus: {', '.join(filter(None, (name, size)))}"
    if truth.get("resolved", 0) < truth.get("total", 0):
        yield f"judgments: {truth.get('resolved', 0):,} of {truth['total']:,} resolved"
    if truth.get("leaked"):
        yield f"leaked queries: {truth['leaked']:,}"
    if truth.get("judged@10") is not None:
        yield f"judged@10: {truth['judged@10']:.1%}"
    yield f"generated: {date}"
    if report.id:
        yield f"id: {report.id}"
    if report.status == "cancelled":
        yield "status: cancelled before everything was measured"


def _count(number: object, noun: str) -> str:
    if isinstance(number, int):
        return count_noun(number, noun)
    return f"{plural(0, noun)} not counted"


def _with_numbers(report: Report, summary: Table) -> Table:
    """Put the numbers of runs before their names, whether these stand in rows or in columns."""
    names = [run.name for run in report.runs]
    if not is_numbered(names):
        return summary
    place = {name: f"{at} {name}" for at, name in enumerate(names, 1)}
    titles = tuple(place.get(title, title) for title in summary.titles)
    return replace(number_runs(summary, names), titles=titles)


def _verdicts(report: Report) -> list[str]:
    """Write a paragraph for each verdict, then one for each run with coherence ranking."""
    compared = report.comparisons
    told: dict[str, list[str]] = {}
    for run, verdict in report.verdicts.items():
        told.setdefault(_verdict(report, verdict), []).append(_label(report, run))
    said = [f"**{', '.join(runs)}: {verdict}" for verdict, runs in told.items()]
    said += [
        f"**{_label(report, run.name)}**: {_escaped(run.structure.verdict)}"
        for run in report.runs
        if run.structure is not None
    ]
    if not said:
        return []
    against = (
        f": {compared.primary} compared with {run_label(report, compared.baseline)}"
        if compared
        else ""
    )
    return [f"## Verdicts{_escaped(against)}", *said]


def _label(report: Report, run: str) -> str:
    """Name a run at the head of a paragraph."""
    numbers = is_numbered([one.name for one in report.runs])
    return _escaped(run_label(report, run) if numbers else run)


def _verdict(report: Report, one: Verdict) -> str:
    shout = heading(one.outcome, one.queries_needed)
    change = f" What would change it: {one.change}" if one.change else ""
    return f"{shout}.** {_escaped(label_runs(report, one.reason + change))}"


def _answer(report: Report) -> list[str]:
    """Write the answer in bold, and a paragraph for its reason and its runner-up."""
    first, *rest = [_escaped(line.replace(GAP, ": ")) for line in answer_lines(report)]
    return [f"**{first}**", *rest]


def _bullets(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    told = "\n".join(f"- {_escaped(line)}" for line in lines)
    return [f"## {title}", told] if title else [told]


def _tables(tables: Sequence[Table]) -> str:
    return md(list(tables)).decode().rstrip("\n")


def _escaped(text: str) -> str:
    r"""Escape text that others wrote: no emphasis, no markup, no picture, one line.

    Commands stay code.

    >>> _escaped("a*b <i>"), _escaped("`x`"), _escaped("type `assay run a*`")
    ('a\\*b \\<i>', '\\`x\\`', 'type `assay run a*`')
    >>> _escaped("![i](http://x)"), _escaped("a [0, 1]\nb")
    ('![i]\\(http://x)', 'a [0, 1] b')
    """
    parts = COMMAND.split(" ".join(text.split()))
    return "".join(part if at % 2 else _plain(part) for at, part in enumerate(parts))


def _plain(text: str) -> str:
    return escape_links(re.sub(r"[\\*<`]", r"\\\g<0>", text))
