"""``assay worker``: work on the pending and running jobs of a workspace."""

import shlex
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from assay.cli.options import WORKSPACE
from assay.cli.terminal.output import as_json, note, wrap
from assay.cli.terminal.progress import clear, progress
from assay.errors import UsageError
from assay.text import sanitize

if TYPE_CHECKING:
    from assay.workflows.worker import WorkerResult

__all__ = ["worker"]

SHORT = 8  # letters of an id that are shown
MB = 1024 * 1024


@click.command(short_help="Work on the pending and running benchmarks of the workspace.")
@click.argument("job", metavar="[ID]", required=False)
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.option("--serve", "serving", is_flag=True, help="Wait for further work, until stopped.")
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Number of processes with --serve (default: 1).",
)
@click.option(
    "--memory-limit",
    type=click.IntRange(64),
    metavar="MB",
    help="Memory limit of each process with --serve; a job that exceeds it fails.",
)
@WORKSPACE
def worker(
    job: str | None,
    *,
    json_: bool,
    serving: bool,
    processes: int | None,
    memory_limit: int | None,
    workspace: str | None,
) -> int:
    """Work on the benchmark or job ID, or on all pending and running ones of the workspace.

    A worker continues the work of a process that died, and shares the work of one that is running.
    Everything it needs is in the workspace, or in the database at ASSAY_DATABASE_URL. It ends when
    nothing is left to do. Exit code 1: not all of them completed.

    With --serve it waits for the next benchmark instead, as the workers of `assay serve` do, until
    SIGTERM or Ctrl-C: unfinished work is then released to other workers.
    """
    if serving:
        return _serve(job, json_=json_, workspace=workspace, processes=processes, mb=memory_limit)
    if processes is not None or memory_limit is not None:
        hint = "add --serve"
        raise UsageError("--processes and --memory-limit require --serve", hint=hint)
    from assay.workflows.worker import worker as workflow

    try:
        results = workflow(job, workspace=workspace, progress=progress)
    except (KeyboardInterrupt, SystemExit):
        clear()
        note("completed work is stored, and other workers continue")
        raise
    clear()
    if json_:
        click.echo(as_json({"jobs": [asdict(one) for one in results]}))
    else:
        _show(results, workspace)
    return int(any(one.state != "completed" for one in results))


def _serve(
    job: str | None,
    *,
    json_: bool,
    workspace: str | None,
    processes: int | None,
    mb: int | None,
) -> int:
    from assay.workflows.jobs.run_workers import run_workers

    if job is not None or json_:
        hint = "remove --serve to work on one job"
        raise UsageError("--serve cannot be combined with an ID or --json", hint=hint)
    run_workers(
        workspace=workspace,
        processes=processes or 1,
        memory_limit=None if mb is None else mb * MB,
        tell=lambda line: click.echo(sanitize(line), err=True),
    )
    return 0


def _show(results: "list[WorkerResult]", workspace: str | None) -> None:
    for one in results:
        click.echo(f"{one.id}  {sanitize(one.name)}  {one.state}")
        if one.error:
            told = "\n".join(map(sanitize, one.error.splitlines()))
            click.echo(wrap(told, indent=2, lines=True), err=True)
    if not results:
        note("nothing to do in this workspace")
    done = [one.id for one in results if one.kind == "benchmark" and one.state == "completed"]
    if done:
        where = f" --workspace {shlex.quote(workspace)}" if workspace else ""
        click.echo(f"report: assay show {done[-1][:SHORT]}{where}", err=not sys.stdout.isatty())
