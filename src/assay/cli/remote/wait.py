"""Wait for a benchmark of a service; whoever stops waiting is told how to come back to it."""

import shlex
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from assay.cli.terminal.output import note
from assay.cli.terminal.progress import clear, progress
from assay.errors import AssayError, CancelledError, ConflictError, UnavailableError
from assay.records.track import untracked

if TYPE_CHECKING:
    from assay.client import Client
    from assay.records import Report
    from assay.records.service import BenchmarkProgress

__all__ = ["command_for", "explain_leaving", "follow", "report_of", "tracked"]

SHORT = 8


def command_for(client: "Client", benchmark: str, *, act: str) -> str:
    """Write what one types to ``show``, ``resume``, ``retry`` or ``cancel`` a benchmark there."""
    id_ = benchmark[:SHORT]
    words = {
        "show": ["show", id_],
        "resume": ["run", id_, "--resume"],
        "retry": ["run", id_, "--resume", "--retry-failed"],
        "cancel": ["run", "--cancel", id_],
    }
    return shlex.join(["assay", *words[act], "--url", client.url])


def follow(client: "Client", benchmark: str, name: str, *, quiet: bool) -> None:
    """Show the queries that are done, their rate and the remaining time, once a worker began."""
    shown, states = tracked(quiet), client.benchmarks.watch(benchmark)
    *_, last = shown(_until_begun(states), f"{name}: waiting for a worker")
    if total := _queries(last, "total"):
        for _ in shown(_steps(last, states), name, total=total, unit="queries"):
            pass


def tracked(quiet: bool) -> Callable[..., Any]:  # noqa: FBT001
    """Return what shows progress, or what does not."""
    return untracked if quiet else progress


def report_of(client: "Client", benchmark: str) -> "Report":
    """Return the report of a benchmark that has ended; the error says why it has none."""
    from assay.benchmarks.work.worker import untold
    from assay.cli.remote.reports import fetch_report

    status, again = client.benchmarks.get(benchmark), command_for(client, benchmark, act="resume")
    where = f"benchmark {benchmark}"
    if status.state == "cancelled":
        raise CancelledError("the benchmark was cancelled", where=where, hint=f"resume it: {again}")
    if not status.reported:
        problem, told = untold(status.error or f"the benchmark is {status.state}")
        hint = f"{told or 'correct the cause'}; to try again: {again}"
        raise AssayError(problem, where=where, hint=hint)
    return fetch_report(client, benchmark)


@contextmanager
def explain_leaving(client: "Client", benchmark: str) -> Iterator[None]:
    """Say what becomes of a benchmark if it is interrupted here, or the service goes away."""
    try:
        yield
    except KeyboardInterrupt:
        clear()
        _leave(client, benchmark)
        raise
    except UnavailableError as error:
        clear()
        _tell_commands(client, benchmark)
        problem = f"the service {error.problem}"
        hint = "the benchmark is kept, and continues when the service runs again"
        where = f"benchmark {benchmark} at {client.url}"
        raise UnavailableError(problem, where=where, hint=hint) from None


def _until_begun(states: Iterable["BenchmarkProgress"]) -> Iterator["BenchmarkProgress"]:
    """Yield states until it is known how many queries there are, or there are no more states."""
    for state in states:
        yield state
        if _queries(state, "total"):
            return


def _queries(state: "BenchmarkProgress", which: str) -> int:
    return sum(getattr(run, which) for run in state.runs)


def _steps(first: "BenchmarkProgress", states: Iterable["BenchmarkProgress"]) -> Iterator[int]:
    """Yield once for each query that was completed."""
    done = 0
    for state in chain([first], states):
        now = _queries(state, "done")
        yield from range(done, now)
        done = max(done, now)


def _leave(client: "Client", benchmark: str) -> None:
    """Let the benchmark continue, unless somebody at the terminal wants it to be cancelled."""
    if _wants_to_cancel():
        try:
            client.benchmarks.cancel(benchmark)
        except ConflictError:
            note("the benchmark had ended before it could be cancelled")
            note(f"to see its results: {command_for(client, benchmark, act='show')}")
            return
        note("cancelled; completed work is stored")
        note(f"to resume it: {command_for(client, benchmark, act='resume')}")
        return
    note(f"benchmark {benchmark} continues on the service")
    _tell_commands(client, benchmark)


def _tell_commands(client: "Client", benchmark: str) -> None:
    note(f"to wait for it again: {command_for(client, benchmark, act='resume')}")
    note(f"to see its results once it has ended: {command_for(client, benchmark, act='show')}")
    note(f"to cancel it: {command_for(client, benchmark, act='cancel')}")


def _wants_to_cancel() -> bool:
    """Ask somebody at a terminal; another interrupt is a no."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # else further ones are ignored
    try:
        return click.confirm("\nCancel the benchmark on the service too?", err=True)
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        return False
    finally:
        signal.signal(signal.SIGINT, before)
