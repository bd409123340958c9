"""``assay run --url`` with --resume or --cancel: a benchmark of a service that is there already."""

import os
from typing import TYPE_CHECKING

from assay.cli.remote.reports import find_benchmark
from assay.cli.remote.wait import command_for
from assay.cli.terminal.output import note
from assay.errors import ConflictError, NotFoundError
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from assay.client import Client
    from assay.records.service import BenchmarkStatus

__all__ = ["cancel_remotely", "find_named", "find_newest", "go_on", "is_file"]


def cancel_remotely(url: str, named: str) -> None:
    """Cancel a benchmark of a service."""
    from assay.client import Client

    with Client(url) as client:
        found = find_benchmark(client, named)
        client.benchmarks.cancel(found.id)
        note(f"cancelled benchmark {found.id}; completed work is stored")
        note(f"to resume it: {command_for(client, found.id, act='resume')}")


def is_file(named: str | None) -> bool:
    """Tell whether a benchmark is asked for by its file, or by options alone."""
    return named is None or named == "-" or os.path.isfile(named)  # noqa: PTH113 - never raises


def find_named(client: "Client", named: str) -> "BenchmarkStatus":
    """Find the benchmark to resume by what was given in place of a file: its id or name."""
    try:
        return find_benchmark(client, named)
    except NotFoundError as error:
        problem = f"neither a file nor a benchmark of {client.url}"
        raise NotFoundError(problem, where=named, hint=error.hint) from None


def find_newest(client: "Client", name: str) -> "BenchmarkStatus":
    """Find the newest benchmark with the name of a file."""
    listed = (one for one in client.benchmarks.list(contains=name) if one.name == name)
    newest = next(listed, None)
    if newest is None:
        hint = "run it without --resume"
        raise NotFoundError(f"no benchmark {quote_value(name)}", where=client.url, hint=hint)
    return newest


def go_on(client: "Client", found: "BenchmarkStatus", *, retry: bool) -> None:
    """Let a benchmark continue, or with ``retry`` also run again what failed in it."""
    if found.state == "pending":
        client.benchmarks.start(found.id)
    elif found.state == "running":
        return
    elif retry:
        if not client.benchmarks.retry(found.id):
            note("no query had failed, so none is run again")
    elif found.state == "completed":
        again = command_for(client, found.id, act="retry")
        hint = f"run it without --resume; to run failed queries again: {again}"
        raise ConflictError("already completed", where=f"benchmark {found.id}", hint=hint)
    else:
        client.benchmarks.resume(found.id)
