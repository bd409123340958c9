"""``assay run``: build, search, score and compare the configurations of a benchmark."""

import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.check_options import check_options, exit_code
from assay.cli.options import MATCH_WEIGHTS, READING, REPORT_OUTPUT
from assay.cli.record_options import record_options
from assay.cli.terminal.interruption import explain_interruption
from assay.cli.terminal.notes import show_notes
from assay.cli.terminal.output import as_json, wrap
from assay.cli.terminal.progress import clear, progress
from assay.cli.terminal.report import check_report_outputs, show_short, write_report
from assay.errors import UsageError
from assay.records.run_settings import Invocation, RunSettings

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["run"]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_OPTIONS: list[Decorator] = [
    click.option("--suite", metavar="NAME", help="Try this suite of the file, or of Assay's own."),
    click.option(
        "--dataset",
        metavar="DATASET",
        help="Run over this one instead, with its corpus if it has one.",
    ),
    click.option("--corpus", metavar="CORPUS", help="Search this corpus instead."),
    *READING,
    click.option("--model", metavar="NAME,...", help="Without FILE: compare these models."),
    *record_options(RunSettings, Invocation),
    MATCH_WEIGHTS,
    click.option(
        "--workspace",
        type=click.Path(file_okay=False),
        metavar="FOLDER",
        help="Where all that is recorded is kept (default: the nearest .assay).",
    ),
    click.option(
        "--save-runs",
        metavar="FOLDER",
        help="Write a run file for each configuration: TREC's, or JSON where ids have spaces.",
    ),
]


def _run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say what is run, and how."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("run", short_help="Run a benchmark: which configuration to ship.")
@click.argument("benchmark", metavar="[FILE]", required=False)
@_run_options
@click.option("--json", "json_", is_flag=True, help="Print the report as JSON at full precision.")
@REPORT_OUTPUT
@click.option("--plan", is_flag=True, help="Tell what it would do and cost, and do nothing.")
@check_options
def run(
    benchmark: str | None,
    outputs: tuple[str, ...],
    *,
    json_: bool,
    plan: bool,
    check: bool,
    check_all: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Build each configuration of the benchmark in FILE, search with it, score and compare.

    FILE is YAML or JSON: a dataset, and a list of configurations. Without it, --dataset is searched
    with a --suite, or with each --model. What configurations share is done once; what was done
    before is used again. Exits with 0 once everything was measured, and with 1 if a configuration
    answered no judged query.
    """
    if plan:
        options.pop("save_runs")
        return _plan(benchmark, outputs, options, json_=json_)
    check_report_outputs(outputs)
    from assay.workflows.run import run as workflow

    since = time.time()
    try:
        begun = _begun if sys.stderr.isatty() else None
        report = workflow(benchmark, progress=progress, begun=begun, **options)
    except (KeyboardInterrupt, SystemExit):
        _stopped(options, since)
        raise
    write_report(outputs, report)
    _show(report, benchmark, options, json_=json_)
    code = exit_code(report.verdicts.values(), check=check, check_all=check_all)
    return int(_has_failed(report)) if code is None else code


def _show(report: "Report", benchmark: str | None, options: dict[str, Any], *, json_: bool) -> None:
    """Print the results, below the first notes of many."""
    workspace = options["workspace"]
    where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
    show_notes(report, rest=f"assay show {report.id[:8]}{where}" if report.id else "")
    if json_:
        from assay.reports.runs.json.json import json

        click.echo(as_json(json(report)))
    else:
        show_short(_as_typed(report, benchmark, options), workspace=workspace)


def _as_typed(report: "Report", benchmark: str | None, options: dict[str, Any]) -> "Report":
    """Let commands name files as whoever looks has typed them: a report that is kept does not."""
    from assay.records.command import asked_as

    kept = report.benchmark.get("command") or {}
    typed = {**kept, **asked_as(benchmark, **options)}
    return replace(report, benchmark={**report.benchmark, "command": typed})


def _begun(line: str) -> None:
    """Say what is to be done before it is begun, to whoever looks."""
    clear()
    click.echo(wrap(line), err=True)


def _plan(
    benchmark: str | None, outputs: tuple[str, ...], asked: dict[str, Any], *, json_: bool
) -> int:
    from assay.reports.plan.json import json
    from assay.reports.plan.lines import lines
    from assay.workflows.plan import plan

    if outputs:
        raise UsageError("a plan is not written to files", hint="--plan --json > FILE")
    told = plan(benchmark, progress=progress, **asked)
    click.echo(
        as_json(json(told)) if json_ else "\n".join(wrap(one, out=True) for one in lines(told))
    )
    return 0


def _stopped(options: dict[str, Any], since: float) -> None:
    """Say how to go on with what was begun."""
    resumed = bool(options["resume"])
    again = "the same command" if resumed else "the same command with --resume"
    explain_interruption(again, since=since, workspace=options["workspace"], resumed=resumed)


def _has_failed(report: "Report") -> bool:
    return any(one.status == "failed" for one in report.runs)
