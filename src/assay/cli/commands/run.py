"""``assay run``: build, search, score and compare the configurations of a benchmark."""

import shlex
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.check_options import check_options, exit_code
from assay.cli.options import REPORT_OUTPUT
from assay.cli.run_options import run_options
from assay.cli.terminal.interruption import tell_stopped
from assay.cli.terminal.notes import show_notes
from assay.cli.terminal.output import as_json
from assay.cli.terminal.progress import clear, progress
from assay.cli.terminal.report import check_report_outputs, show_short, write_report
from assay.cli.terminal.wrapped import wrapped
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["run"]

ASKED = [
    *("suite", "dataset", "corpus", "model", "workspace", "seed", "sample", "asks", "repeats"),
    *("fresh", "live", "untimed", "race", "binary", "subtopics"),
]


@click.command("run", short_help="Run a benchmark: which configuration to ship.")
@click.argument("benchmark", metavar="[FILE]", required=False)
@run_options
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
        asked = {name: value for name, value in options.items() if name in ASKED}
        return _plan(benchmark, outputs, asked, json_=json_)
    check_report_outputs(outputs)
    from assay.workflows.run import run as workflow

    since = time.time()
    try:
        begun = _begun if sys.stderr.isatty() else None
        report = workflow(benchmark, track=progress, begun=begun, **options)
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
    click.echo(wrapped(line), err=True)


def _plan(
    benchmark: str | None, outputs: tuple[str, ...], asked: dict[str, Any], *, json_: bool
) -> int:
    from assay.reports.plan.json import json
    from assay.reports.plan.lines import lines
    from assay.workflows.plan import plan

    if outputs:
        raise UsageError("a plan is not written to files", hint="--plan --json > FILE")
    told = plan(benchmark, track=progress, **asked)
    click.echo(
        as_json(json(told)) if json_ else "\n".join(wrapped(one, out=True) for one in lines(told))
    )
    return 0


def _stopped(options: dict[str, Any], since: float) -> None:
    """Say how to go on with what was begun."""
    resumed = bool(options["resume"])
    again = "the same command" if resumed else "the same command with --resume"
    tell_stopped(again, since=since, workspace=options["workspace"], resumed=resumed)


def _has_failed(report: "Report") -> bool:
    return any(one.status == "failed" for one in report.runs)
