"""``assay demo``: what a benchmark looks like, over a corpus that is already here."""

import shlex
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.check_options import check_options, exit_code
from assay.cli.options import REPORT_OUTPUT, WORKSPACE
from assay.cli.record_options import record_options
from assay.cli.terminal.interruption import explain_interruption
from assay.cli.terminal.output import as_json, note, wrap
from assay.cli.terminal.progress import progress
from assay.cli.terminal.report import check_report_outputs, show_short, write_report, wrote
from assay.cli.terminal.report_parts import show_commands
from assay.errors import InputError
from assay.extras import install_command, missing_extras
from assay.records.run_settings import Invocation
from assay.text import sanitize

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["demo"]

HELLO = (
    "Comparing {searches} searches over 1.9 MB of Python's standard library source, with 90 "
    "queries graded by hand. The first run embeds the source and takes about {time}.\n"
)
FIRST = HELLO.format(searches="three", time="a minute")
FULL = HELLO.format(searches="six", time="two minutes")


def _demo_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(record_options(Invocation, only=("resume", "fresh"))):
        command = option(command)
    return command


@click.command(short_help="Run a benchmark of real searches over the standard library.")
@click.option(
    "--full", is_flag=True, help="Add fixed-size chunks, a reranker and coherence ranking."
)
@click.option("--json", "json_", is_flag=True, help="Print the report as JSON at full precision.")
@REPORT_OUTPUT
@check_options
@_demo_options
@WORKSPACE
def demo(
    outputs: tuple[str, ...],
    *,
    full: bool,
    json_: bool,
    resume: bool,
    fresh: bool,
    workspace: str | None,
    check: bool,
    check_all: bool,
) -> int:
    """Benchmark real searches over a part of the standard library, and say which one to ship.

    Lexical (BM25), dense (an embedded model) and hybrid. --full adds three that take longer:
    hybrid over fixed-size chunks instead of code-aware ones, hybrid with a reranker, and dense with
    coherence ranking beside its controls.
    """
    _check_extras()
    check_report_outputs(outputs)
    from assay.workflows.demo import demo as workflow

    click.echo(wrap(FULL if full else FIRST, indent=0, lines=True), err=True)
    since = time.time()
    try:
        report = workflow(
            full=full, workspace=workspace, resume=resume, fresh=fresh, progress=progress
        )
    except (KeyboardInterrupt, SystemExit):
        again = f"`assay demo {'--full ' if full else ''}--resume`"
        explain_interruption(again, since=since, workspace=workspace, resumed=resume)
        raise
    show = partial(show_short, steps=0)
    written = write_report(outputs, report, show=show)
    if json_:
        from assay.reports.runs.json.json import json

        click.echo(as_json(json(report)))
        wrote(*written)
    else:
        show(report)
        _show_page(report, outputs, workspace)
        wrote(*written)
        show_commands("Next", _next(report.id, workspace, full=full))
    return exit_code(report.verdicts.values(), check=check, check_all=check_all) or 0


def _check_extras() -> None:
    """Name all that is missing at once: without plots it would only lack its page."""
    missing = missing_extras("search", "plots")
    if "search" in missing:
        problem = "assay demo needs packages that are not installed"
        raise InputError(problem, hint=install_command(*missing))


def _show_page(report: "Report", outputs: tuple[str, ...], workspace: str | None) -> None:
    """Name the page of the report: the one that was asked for, or one in the workspace."""
    from assay.workflows.demo import demo_page

    named = [path for path in outputs if path.lower().endswith(".html")]
    try:
        page = named[0] if named else demo_page(report, workspace=workspace)
    except InputError as error:  # the page is not why anyone waited
        note(f"no HTML report: {error.problem}" + (f" ({error.hint})" if error.hint else ""))
        return
    click.echo(f"Open {sanitize(_nearer(page))} for details.")


def _nearer(path: str) -> str:
    """Write a path relative to the current folder, if it is inside."""
    below = Path(path).absolute()
    return str(below.relative_to(Path.cwd())) if below.is_relative_to(Path.cwd()) else path


def _next(id_: str, workspace: str | None, *, full: bool) -> list[tuple[str, str]]:
    """List the commands to try next, each with what it shows."""
    where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
    named = f"{id_[:8]}{where}"
    more = (f"assay demo --full{where}", "adds fixed-size chunks, a reranker and coherence")
    return [
        *([] if full else [more]),
        (f"assay report {named}", "losses by stage, effect of each setting"),
        (f"assay show {named} --query error-01", "one query, side by side"),
        ("assay init", "a benchmark for this folder"),
    ]
