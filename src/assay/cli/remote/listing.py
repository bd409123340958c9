"""``assay show --url``: the benchmarks of a service, newest first."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from assay.cli.terminal.output import as_json, note

if TYPE_CHECKING:
    from assay.records.service import BenchmarkStatus

__all__ = ["list_remote"]


@dataclass(frozen=True, slots=True)
class ListedBenchmark:
    """A benchmark of a service, as the list of a workspace shows one."""

    id: str
    identity: str
    name: str
    state: str
    created: float
    finished: float | None
    runs: Mapping[str, Any]
    done: int
    total: int
    interrupted: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)


def list_remote(url: str, *, json_: bool) -> int:
    """Print the benchmarks of a service."""
    from assay.client import Client
    from assay.reports.runs.tables.benchmark_list import benchmark_list, benchmark_list_json
    from assay.reports.terminal import terminal

    with Client(url) as client:
        found = [_listed(one) for one in client.benchmarks.list()]
    if json_:
        click.echo(as_json(benchmark_list_json(found)))
    elif found:
        terminal(benchmark_list(found))
    else:
        note("no benchmarks on this service yet; `assay run FILE --url URL` creates one")
    return 0


def _listed(one: "BenchmarkStatus") -> ListedBenchmark:
    return ListedBenchmark(
        id=one.id,
        identity=one.id,
        name=one.name,
        state=one.state,
        created=one.created,
        finished=one.finished,
        runs=one.runs,
        done=one.done,
        total=one.total,
    )
