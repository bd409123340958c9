"""``assay run``: build, search, score and compare the configurations of a benchmark."""

import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from assay.cli.check_options import check_options, exit_code
from assay.cli.environment_model import MODEL_VARIABLES, model_from_environment
from assay.cli.options import (
    MATCH_WEIGHTS,
    MAX_FILE_SIZE,
    READING,
    REPORT_OUTPUT,
    SHARE,
    URL,
    WORKSPACE,
)
from assay.cli.record_options import record_options
from assay.cli.remote.reports import without_token
from assay.cli.terminal.interruption import explain_interruption
from assay.cli.terminal.notes import show_notes
from assay.cli.terminal.output import as_json, wrap
from assay.cli.terminal.progress import clear, progress
from assay.cli.terminal.report import (
    check_report_outputs,
    show_more,
    show_short,
    write_report,
    wrote,
)
from assay.errors import UsageError
from assay.records.run_settings import Invocation, RunSettings
from assay.records.track import untracked
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from assay.records import Report

__all__ = ["run"]

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
_OPTIONS: list[Decorator] = [
    click.option("--suite", metavar="NAME", help="Run this suite of FILE, or a built-in one."),
    click.option(
        "--dataset",
        metavar="DATASET",
        help="Use this dataset instead, with its corpus if it has one.",
    ),
    click.option("--corpus", metavar="CORPUS", help="Use this corpus instead."),
    MAX_FILE_SIZE,
    *READING,
    click.option(
        "--model",
        metavar="NAME,...",
        envvar=MODEL_VARIABLES,
        show_envvar=True,
        help="Embedding models to compare, without FILE and --suite.",
    ),
    click.option(
        "--primary",
        metavar="METRIC",
        help="Metric that decides the verdicts (default: that of FILE).",
    ),
    click.option(
        "--margin",
        type=SHARE,
        metavar="SHARE",
        help="Smallest gain that matters, relative to the baseline's score, e.g. 2% (default: that "
        "of FILE, else 2%).",
    ),
    click.option(
        "--alpha",
        type=click.FloatRange(0.0001, 0.5),
        metavar="A",
        help="Significance level (default: that of FILE, else 0.05).",
    ),
    click.option(
        "--unjudged",
        type=click.Choice(["bounds", "zero"]),
        help="bounds: a difference decides only if no grades of unjudged documents could reverse "
        "it; zero: they count as not relevant (default: that of FILE, else bounds).",
    ),
    click.option(
        "--unit",
        type=click.Choice(["document", "chunk", "symbol"]),
        help="What is evaluated (default: that of FILE, else document).",
    ),
    click.option(
        "--query-weights",
        type=click.Choice(["use", "ignore"]),
        help="ignore: every query counts the same, whatever weights the dataset has (default: that "
        "of FILE, else use).",
    ),
    *record_options(RunSettings, Invocation),
    MATCH_WEIGHTS,
    WORKSPACE,
    click.option(
        "--save-runs",
        metavar="FOLDER",
        help="Write a run file for each configuration (TREC format; JSON if ids contain spaces).",
    ),
]


def _run_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of what is run, and how."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("run", short_help="Run a benchmark and say which configuration to ship.")
@click.argument("benchmark", metavar="[FILE]", required=False)
@_run_options
@click.option("--json", "json_", is_flag=True, help="Print the report as JSON at full precision.")
@REPORT_OUTPUT
@click.option(
    "--plan", is_flag=True, help="Show what would be done and its cost, without doing it."
)
@click.option("--quiet", is_flag=True, help="Print results and errors only: no progress or notes.")
@URL
@click.option("--cancel", metavar="ID", help="With --url: cancel this benchmark of the service.")
@check_options
@model_from_environment(unless=("benchmark", "suite"), noted=True)
def run(
    benchmark: str | None,
    outputs: tuple[str, ...],
    *,
    json_: bool,
    plan: bool,
    quiet: bool,
    url: str | None,
    check: bool,
    check_all: bool,
    **options: Any,  # noqa: ANN401
) -> int:
    """Build each configuration of the benchmark in FILE, run its queries, score and compare.

    FILE is YAML or JSON: a dataset and a list of configurations. Without FILE, --dataset is
    searched with a --suite or with each --model. Work that configurations share is done once, and
    earlier results are reused. Exits with 0 once everything is measured, and with 1 if a
    configuration failed on every judged query. With --url and --resume, FILE may be the id of a
    benchmark of the service.
    """
    if (cancel := options.pop("cancel")) is not None:
        return _cancel(benchmark, url, cancel)
    if plan:
        _refuse_url(url)
        options.pop("save_runs")
        return _plan(benchmark, outputs, options, json_=json_, quiet=quiet)
    check_report_outputs(outputs)
    report = _measured(benchmark, url, options, quiet=quiet)
    written = write_report(outputs, report)
    typed = _as_typed(report, benchmark, url, options)
    _show(report if json_ else typed, json_=json_)
    if not quiet:
        _show_more(typed, written, options["workspace"], json_=json_)
    code = exit_code(report.verdicts.values(), check=check, check_all=check_all)
    return int(_has_failed(report)) if code is None else code


def _measured(
    benchmark: str | None, url: str | None, options: dict[str, Any], *, quiet: bool
) -> "Report":
    """Run the benchmark here, or on a service."""
    if url is not None:
        from assay.cli.remote.run import run_remotely

        return run_remotely(benchmark, url, options, quiet=quiet)
    from assay.workflows.run import run as workflow

    since = time.time()
    try:
        begun = _begun if sys.stderr.isatty() and not quiet else None
        track = untracked if quiet else progress
        return workflow(benchmark, progress=track, begun=begun, **options)
    except (KeyboardInterrupt, SystemExit):
        _stopped(options, since)
        raise


def _cancel(benchmark: str | None, url: str | None, named: str) -> int:
    """Cancel a benchmark of a service."""
    if url is None:
        hint = "add --url; a run of this machine is cancelled with Ctrl-C"
        raise UsageError("--cancel requires --url", hint=hint)
    if benchmark is not None:
        hint = f"remove {quote_value(benchmark)}: nothing is run"
        raise UsageError("FILE and --cancel cannot be combined", hint=hint)
    from assay.cli.remote.resume import cancel_remotely

    cancel_remotely(url, named)
    return 0


def _refuse_url(url: str | None) -> None:
    if url is not None:
        hint = "remove --url: the plan is made on this machine"
        raise UsageError("--plan and --url cannot be combined", hint=hint)


def _show(report: "Report", *, json_: bool) -> None:
    """Print the results."""
    if json_:
        from assay.reports.runs.json.json import json

        click.echo(as_json(json(report)))
    else:
        show_short(report)


def _show_more(
    report: "Report",
    written: list[str],
    workspace: str | None,
    *,
    json_: bool,
) -> None:
    """Print the first of the notes, the files that were written, and what is next."""
    from assay.records.command import report_place

    where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
    rest = f"assay show {report_place(report)}{where}" if report.id else ""
    show_notes(report, rest=rest, gap=not json_)
    wrote(*written)
    if not json_:
        show_more(report, workspace=workspace)


def _as_typed(
    report: "Report", benchmark: str | None, url: str | None, options: dict[str, Any]
) -> "Report":
    """Name files in commands as the user typed them; a stored report does not."""
    from assay.cli.remote.resume import is_file
    from assay.records.command import asked_as, at_service

    if url is not None and not is_file(benchmark):  # the id of a benchmark there
        return at_service(report, without_token(url))
    kept = report.benchmark.get("command") or {}
    typed = {**kept, **asked_as(benchmark, **options)}
    named = replace(report, benchmark={**report.benchmark, "command": typed})
    return named if url is None else at_service(named, without_token(url))


def _begun(line: str) -> None:
    """Say on a terminal what is about to be done."""
    clear()
    click.echo(wrap(line), err=True)


def _plan(
    benchmark: str | None,
    outputs: tuple[str, ...],
    asked: dict[str, Any],
    *,
    json_: bool,
    quiet: bool,
) -> int:
    from assay.reports.plan.json import json
    from assay.reports.plan.lines import lines
    from assay.workflows.plan import plan

    if outputs:
        raise UsageError("--plan does not write files", hint="use --plan --json > FILE")
    told = plan(benchmark, progress=untracked if quiet else progress, **asked)
    click.echo(
        as_json(json(told)) if json_ else "\n".join(wrap(one, out=True) for one in lines(told))
    )
    return 0


def _stopped(options: dict[str, Any], since: float) -> None:
    """Say how to resume."""
    resumed = bool(options["resume"])
    again = "the same command" if resumed else "the same command with --resume"
    explain_interruption(again, since=since, workspace=options["workspace"], resumed=resumed)


def _has_failed(report: "Report") -> bool:
    return any(one.status == "failed" for one in report.runs)
