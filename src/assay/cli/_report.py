"""How a report is shown and written, for every command that has one."""

import shlex
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from assay.cli._wrapped import wrapped

if TYPE_CHECKING:
    from assay.records import Report, Table

__all__ = [
    "check_report_outputs",
    "show_analysis",
    "show_report",
    "show_short",
    "text_width",
    "write_report",
    "wrote",
]

REASONS = 5  # candidates whose reasons are told at the end of a run


def check_report_outputs(outputs: Sequence[str]) -> None:
    """Refuse files that no report can be written to, before anything is measured."""
    if outputs:
        from assay.workflows._report_files import refuse_files

        refuse_files(outputs)


def write_report(outputs: Sequence[str], report: "Report") -> None:
    """Write each file: the extension picks the format, the name before it the chart or shape."""
    if outputs:
        from assay.workflows._report_files import write_files

        later = f"`assay report {report.id[:8]} -o FILE` writes it later" if report.id else ""
        write_files(report, outputs, later=later, wrote=wrote)


def wrote(path: str) -> None:
    """Say that a file is there now."""
    click.echo(f"wrote {path}", err=True)


def show_report(report: "Report", *, place: str = "") -> None:
    """Print all that people read: scores, settings, structure, verdicts, recommendations.

    ``place`` is what the report is called by whoever asks for it.
    """
    from assay.reports.runs.bound import bound
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
    told = recommendations(report)
    _lines([*told, *filter(None, [bound(report) if told else ""])])


def show_analysis(report: "Report") -> None:
    """Print what to take, what is to be learnt in sentences, then a table per question.

    The answer to a load that was asked for comes before all of it.
    """
    from assay.reports.analysis.borne import borne
    from assay.reports.analysis.lessons import lessons
    from assay.reports.analysis.tables import tables
    from assay.reports.runs.brief import brief
    from assay.reports.runs.failures import failures
    from assay.reports.runs.headline import headline
    from assay.reports.terminal import terminal

    click.echo(wrapped(headline(report), out=True))
    if answer := borne(report):
        click.echo(wrapped(f"\n{answer}\n", out=True))
    terminal(_numbered(report, brief(report)))
    _lines(failures(report))
    _show_picks(report)
    _lines([f"- {line}" for line in lessons(report) if line != answer])
    found = tables(report, width=_columns())
    for table in found:
        click.echo()
        terminal(table)
    if not found:
        click.echo("\nnothing was measured that there is something to learn from")


def show_short(report: "Report", *, workspace: str | None = None, brief: bool = False) -> None:
    """Print a benchmark on about a screen: scores, verdicts, what to take, and where the rest is.

    In ``brief`` a line per run has scores and verdicts, and where the rest is the caller says.
    """
    from assay.reports.runs.brief import brief as in_a_table
    from assay.reports.runs.failures import failures
    from assay.reports.runs.headline import headline
    from assay.reports.terminal import terminal

    click.echo(wrapped(headline(report), out=True))
    columns = _columns()
    table = in_a_table(report) if brief else _summary(report, width=columns, brief=True)
    terminal(_numbered(report, table))
    _lines(failures(report))
    if not brief:
        _show_apart(report)
    _show_decided(report, brief=brief)
    _show_picks(report)
    if not brief and report.id:
        where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
        id_, to_err = report.id[:8], not sys.stdout.isatty()
        rest = f"all of it: assay show {id_}{where} [--run NAME | --query KEY]"
        learn = f"to learn from it: assay report {id_}{where} [-o report.html]"
        click.echo(wrapped(f"\n{rest}\n{learn}", out=not to_err), err=to_err)


def _show_picks(report: "Report") -> None:
    """Tell the winner of several candidates, what to take, and what a race may have cost."""
    from assay.reports.runs.bound import bound
    from assay.reports.runs.recommendations import recommendations

    several = report.comparisons is not None and len(report.comparisons.candidates) > 1
    best = [str(report.winner.get("sentence") or "")] if several else []
    told = [*filter(None, best), *recommendations(report, picks=True)]
    _lines([*told, *filter(None, [bound(report) if told else ""])])


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
    from assay.workflows._report_tables import summary_of

    return summary_of(report, width=width, brief=brief)
