"""``assay demo``: what a benchmark looks like, over a corpus that is already here."""

import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.check_options import check_options, exit_code
from assay.cli.options import REPORT_OUTPUT
from assay.cli.record_options import record_options
from assay.cli.terminal.interruption import explain_interruption
from assay.cli.terminal.output import as_json, note, wrap
from assay.cli.terminal.progress import progress
from assay.cli.terminal.report import check_report_outputs, show_short, write_report
from assay.errors import InputError
from assay.records.run_settings import Invocation
from assay.text import sanitize

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["demo"]

HELLO = (
    "{searches} searches over 1.9 MB of the Python standard library's own source, asked 90 "
    "questions whose answers were graded by hand. The first time, turning the source into vectors "
    "takes about {time}.\n"
)
FIRST = HELLO.format(searches="Three", time="a minute")
FULL = HELLO.format(searches="Six", time="two minutes")


def _demo_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(record_options(Invocation, only=("resume", "fresh"))):
        command = option(command)
    return command


@click.command(short_help="See a benchmark of real searches over the standard library.")
@click.option("--full", is_flag=True, help="Add fixed-size chunks, a reranker and coherence.")
@click.option("--json", "json_", is_flag=True, help="Print the report as JSON at full precision.")
@REPORT_OUTPUT
@check_options
@_demo_options
@click.option(
    "--workspace",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    help="Where all that is recorded is kept (default: the nearest .assay).",
)
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
    """Benchmark real searches over a part of the standard library, and tell which to ship.

    Lexical, dense (vectors of an embedded model) and hybrid. --full adds three that need more
    time: hybrid over fixed-size chunks instead of those of code, hybrid with a reranker, and dense
    with coherence beside its controls.
    """
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
    write_report(outputs, report)
    if json_:
        from assay.reports.runs.json.json import json

        click.echo(as_json(json(report)))
    else:
        show_short(report, brief=True)
        click.echo(_next(report.id, workspace, full=full), err=not sys.stdout.isatty())
        _show_page(report, outputs, workspace)
    return exit_code(report.verdicts.values(), check=check, check_all=check_all) or 0


def _show_page(report: "Report", outputs: tuple[str, ...], workspace: str | None) -> None:
    """Name the page of the report at the very end, where nobody misses it.

    It is the one that was asked for, or one in the workspace.
    """
    from assay.workflows.demo import demo_page

    named = [path for path in outputs if path.lower().endswith(".html")]
    try:
        page = named[0] if named else demo_page(report, workspace=workspace)
    except InputError as error:  # the page is not why anyone waited
        note(f"no HTML report: {error.problem}" + (f" ({error.hint})" if error.hint else ""))
        return
    click.echo(f"\nHTML report: {sanitize(_nearer(page))}")


def _nearer(path: str) -> str:
    """Name a file as it is seen from here, if it is below: that can be read and copied."""
    below = Path(path).absolute()
    return str(below.relative_to(Path.cwd())) if below.is_relative_to(Path.cwd()) else path


def _next(id_: str, workspace: str | None, *, full: bool) -> str:
    """Say what to look at now, in lines that fit everywhere."""
    where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
    named = f"{id_[:8]}{where}"
    more = f"\nthree more:    assay demo --full{where}   (chunks, reranker, coherence)"
    return f"""{"" if full else more}
to learn:      assay report {named}
all of it:     assay show {named}
one run:       assay show {named} --run both
one question:  assay show {named} --query error-01
your own:      assay init   (writes a benchmark for this folder)"""
