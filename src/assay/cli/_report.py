"""How a report is shown and written, for every command that has one."""

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli._output import check_outputs, write
from assay.cli._wrapped import wrapped
from assay.errors import InputError

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = [
    "check_report_outputs",
    "report_tables",
    "show_report",
    "show_short",
    "text_width",
    "write_report",
]

RUN_FILES = (".run", ".trec")
LONG = ("queries", "scores")  # x.queries.csv has a row per query, x.scores.csv per metric
REASONS = 5  # candidates whose reasons are told at the end of a run


def check_report_outputs(outputs: Sequence[str]) -> None:
    """Refuse files that no report can be written to, before anything is measured."""
    for path in outputs:
        if Path(path).suffix.lower() in RUN_FILES:
            hint = "--save-runs FOLDER writes a run file for each configuration"
            raise InputError("a report is no run file", where=path, hint=hint)
    check_outputs(outputs)


def write_report(outputs: Sequence[str], report: "Report") -> None:
    """Write each file; the name before the extension picks queries or scores, else the summary."""
    for path in outputs:
        kind = Path(Path(path).stem).suffix.lower().removeprefix(".")
        if kind in LONG:
            write([path], _long(report, kind), partial(_value, report))
        else:
            pages = {"md": partial(_page, report)}
            write([path], partial(report_tables, report), partial(_value, report), pages=pages)


def _value(report: "Report") -> dict[str, Any]:
    from assay.reports.runs.json import json

    return json(report)


def _page(report: "Report") -> bytes:
    """Write the whole report for people: on a page of its own."""
    import time

    from assay.reports.runs.markdown import markdown

    summary, *details = report_tables(report, "md")
    return markdown(report, summary, details, date=time.strftime("%Y-%m-%d %H:%M"))


def _long(report: "Report", kind: str) -> "Callable[[str], list[Table]]":
    from assay.reports.runs.per_query import per_query
    from assay.reports.runs.scores import scores

    return lambda _: [per_query(report) if kind == "queries" else scores(report)]


def report_tables(report: "Report", extension: str) -> "list[Table]":
    """Give values to programs, the summary to papers, and all that people read to people."""
    from assay.reports.comparisons.differences import differences
    from assay.reports.runs.collections import collections
    from assay.reports.runs.repeats import repeats
    from assay.reports.runs.settings import settings
    from assay.reports.runs.values import values

    if extension in ("csv", "parquet"):
        return [values(report)]
    if extension == "tex":
        return [_summary(report)]
    told = [_summary(report), settings(report), collections(report), repeats(report)]
    told += _structures(report)
    if report.comparisons is not None:
        told += [differences(report.comparisons)]
    return [table for table in told if table is not None]


def show_report(report: "Report", *, place: str = "") -> None:
    """Print all that people read: scores, settings, structure, verdicts, recommendations.

    ``place`` is what the report is called by whoever asks for it.
    """
    from assay.reports.runs.failures import failures
    from assay.reports.runs.headline import headline
    from assay.reports.runs.recommendations import recommendations
    from assay.reports.terminal import terminal

    click.echo(wrapped(headline(report), out=True))
    terminal(_numbered(report, _summary(report, width=_columns())))
    _lines(failures(report))
    _show_settings(report)
    _show_structure(report)
    _show_verdicts(report, place or report.id[:8] or "REPORT")
    _lines(recommendations(report))


def show_short(report: "Report", *, workspace: str | None = None, brief: bool = False) -> None:
    """Print a benchmark on about a screen: scores, verdicts, what to take, and where the rest is.

    In ``brief`` a line per run has scores and verdicts, and where the rest is the caller says.
    """
    from assay.reports.runs.brief import brief as in_a_table
    from assay.reports.runs.failures import failures
    from assay.reports.runs.headline import headline
    from assay.reports.runs.recommendations import recommendations
    from assay.reports.terminal import terminal

    click.echo(wrapped(headline(report), out=True))
    columns = _columns()
    table = in_a_table(report) if brief else _summary(report, width=columns, brief=True)
    terminal(_numbered(report, table))
    _lines(failures(report))
    if not brief:
        _show_apart(report)
    _show_decided(report, brief=brief)
    several = report.comparisons is not None and len(report.comparisons.candidates) > 1
    best = [str(report.winner.get("sentence") or "")] if several else []
    _lines([*filter(None, best), *recommendations(report, picks=True)])
    if not brief and report.id:
        where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
        rest = f"assay show {report.id[:8]}{where} [--run NAME | --query KEY]"
        to_err = not sys.stdout.isatty()
        click.echo(wrapped(f"\nall of it: {rest}", out=not to_err), err=to_err)


def _show_apart(report: "Report") -> None:
    """Show what tells runs apart beside their scores: collections, and settings but for names."""
    from assay.reports.runs.collections import collections
    from assay.reports.runs.settings import settings
    from assay.reports.terminal import terminal

    for table in (collections(report), settings(report, named=False)):
        if table is not None:
            click.echo()
            terminal(_numbered(report, table))


def _show_decided(report: "Report", *, brief: bool) -> None:
    """Show a line per candidate, with its reason where they are few; then what structure is."""
    from assay.reports.comparisons.decided import decided, decided_lines
    from assay.reports.terminal import terminal

    compared = report.comparisons
    few = compared is not None and len(compared.candidates) <= REASONS
    if compared is not None and not few and not brief:
        click.echo()
        terminal(_numbered(report, decided(compared, width=_columns())))
    said = decided_lines(compared) if compared is not None and (few or brief) else []
    said += [f"{run.name}: {run.structure.verdict}" for run in report.runs if run.structure]
    _lines(said)


def _numbered(report: "Report", table: "Table") -> "Table":
    from assay.reports.runs.numbered import numbered

    return numbered(table, [run.name for run in report.runs])


def _lines(told: Sequence[str]) -> None:
    if told:
        click.echo()
        click.echo("\n".join(wrapped(line, out=True) for line in told))


def _show_settings(report: "Report") -> None:
    from assay.reports.runs.collections import collections
    from assay.reports.runs.repeats import repeats
    from assay.reports.runs.settings import alike, settings
    from assay.reports.terminal import terminal

    for table in (collections(report), repeats(report), settings(report)):
        if table is not None:
            click.echo()
            terminal(_numbered(report, table))
    if said := alike(report):
        click.echo(wrapped(said, out=True))


def _show_structure(report: "Report") -> None:
    """Show what structure is worth beside its controls, for each run that ranks by it."""
    from assay.reports.structure.lines import lines
    from assay.reports.structure.summary import summary
    from assay.reports.terminal import terminal

    found = [(one.name, one.structure) for one in report.runs if one.structure is not None]
    for name, structure in found:
        click.echo(f"\n{name}: what structure is worth")
        terminal(summary(structure))
        click.echo("\n".join(lines(structure, width=text_width(), brief=True)))
    if found:
        click.echo("More on gates, receipts and correlations: -o FILE.md, or --json.")


def _show_verdicts(report: "Report", place: str) -> None:
    from assay.reports.comparisons.decided import decided
    from assay.reports.comparisons.verdicts import FEW, verdicts
    from assay.reports.terminal import terminal

    compared = report.comparisons
    if compared is None:
        return
    click.echo()
    if len(compared.candidates) > FEW:
        terminal(_numbered(report, decided(compared, width=_columns())))
        click.echo(f"Why, and what would change it: assay show {place} --run NAME\n")
    click.echo(verdicts(compared, width=text_width(), winner=report.winner))


def _columns() -> int | None:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def text_width() -> int:
    """Return how wide paragraphs are: as the terminal, up to what reads well."""
    return min(100, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100


def _summary(report: "Report", *, width: int | None = None, brief: bool = False) -> "Table":
    from assay.metrics import parse
    from assay.reports.runs.summary import summary

    named = [str(name) for name in report.benchmark["metrics"]]
    lower = frozenset(name for name in named if not parse(name).kind.higher_is_better)
    return summary(report, lower_is_better=lower, width=width, brief=brief)


def _structures(report: "Report") -> "list[Table]":
    """Lay out what structure is worth, for each run that ranks by it: methods, then figures."""
    from dataclasses import replace

    from assay.reports.structure.figures import figures
    from assay.reports.structure.summary import summary

    found = [(one.name, one.structure) for one in report.runs if one.structure is not None]
    return [
        table
        for name, structure in found
        for table in (
            replace(summary(structure), caption=f"{name}: {structure.verdict}"),
            figures(structure, caption=f"{name}: what its receipts tell"),
        )
    ]
