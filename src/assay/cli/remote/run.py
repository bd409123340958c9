"""``assay run --url``: upload, map, create and start a benchmark, and wait for its report."""

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from assay.cli.terminal.output import note
from assay.cli.terminal.progress import clear, progress
from assay.errors import AssayError, CancelledError, ConflictError, NotFoundError, UsageError
from assay.records.track import untracked
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from assay.client import Client
    from assay.records import Benchmark, Collection, Report
    from assay.records.service import BenchmarkProgress, MappingEntry
    from assay.workflows.uploads.pack_benchmark import PackedDataset

__all__ = ["run_remotely"]

# Options of `assay run` that are about the workspace of this machine.
LOCAL = ("workspace", "save_runs", "retry_failed", "fresh")
SHORT = 8


def run_remotely(
    benchmark: str | None, url: str, options: dict[str, Any], *, quiet: bool
) -> "Report":
    """Run a benchmark on a service, or wait for it again (resume), and return its report."""
    from assay.client import Client

    _refuse_local(options)
    with Client(url) as client:
        asked, request, given = _asked(client, benchmark, options)
        if options.get("resume"):
            id_ = _resumed(client, asked.name)
        else:
            mappings = [
                _map(client, one, asked, corpus=given, quiet=quiet) for one in asked.collections
            ]
            id_ = client.benchmarks.create({**request, "mappings": mappings}).id
            client.benchmarks.start(id_)
        try:
            _follow(client, id_, asked.name, quiet=quiet)
        except KeyboardInterrupt:
            clear()
            _leave(client, id_)
            raise
        return _report(client, id_)


def _resumed(client: "Client", name: str) -> str:
    """Find the newest benchmark of this name that is not completed, and let it go on."""
    listed = (one for one in client.benchmarks.list(contains=name) if one.name == name)
    newest = next(listed, None)
    if newest is None or newest.state == "completed":
        hint = "run it without --resume"
        problem = f"no unfinished benchmark {quote_value(name)}"
        raise NotFoundError(problem, where=client.url, hint=hint)
    if newest.state == "pending":
        client.benchmarks.start(newest.id)
    elif newest.state != "running":
        client.benchmarks.resume(newest.id)
    return newest.id


def _refuse_local(options: dict[str, Any]) -> None:
    given = [name for name in LOCAL if options.get(name)]
    if given:
        named = f"--{given[0].replace('_', '-')}"
        hint = "remove it: the service has a workspace of its own"
        raise UsageError(f"{named} cannot be combined with --url", hint=hint)


def _asked(
    client: "Client", file: str | None, options: dict[str, Any]
) -> tuple["Benchmark", dict[str, Any], str]:
    """Read the benchmark, and tell the corpus of the service that --corpus names, if one does."""
    from assay.records.run_settings import Invocation, RunSettings
    from assay.workflows.options import asked_benchmark
    from assay.workflows.uploads.pack_benchmark import pack_benchmark

    left = {name: value for name, value in options.items() if name not in LOCAL}
    settings = RunSettings(**{one.name: left.pop(one.name) for one in fields(RunSettings)})
    parallel = left.pop("parallel", 1)
    for one in fields(Invocation):
        left.pop(one.name, None)
    named = left.get("corpus")
    found = client.corpora.find(str(named)) if named else None
    if found is not None:
        left["corpus"] = None
    asked = asked_benchmark(file, settings, **left)
    request = pack_benchmark(asked, settings, parallel=parallel)
    return asked, request, found.id if found else ""


def _map(
    client: "Client", collection: "Collection", asked: "Benchmark", *, corpus: str, quiet: bool
) -> str:
    """Upload a dataset unless it is there already, and map it; returns the id of the mapping."""
    from assay.workflows.uploads.pack_benchmark import pack_dataset

    corpus = corpus or _own_corpus(client, collection, asked.home)
    packed = pack_dataset(collection, asked, has_corpus=bool(corpus))
    dataset = _uploaded(client, packed)
    mapping = _mapping(client, dataset, corpus or dataset)
    for _ in _tracked(quiet)([0], f"resolving {packed.name}"):
        entry = client.mappings.wait(mapping.id)
    if entry.state != "resolved" and not quiet:
        left = entry.total - entry.resolved
        about = f"{count_noun(left, 'expected item')} of {entry.total:,} not found in the corpus"
        note(f"{packed.name}: {about} (mapping {entry.id})")
    return entry.id


def _own_corpus(client: "Client", collection: "Collection", home: str) -> str:
    """Return the corpus of the service in place of one that is not uploaded, if there is one.

    The standard library comes with every service; a word that is no file is a name there.
    """
    from assay.workflows.uploads.pack_benchmark import STDLIB, word_for_corpus

    named = word_for_corpus(collection, home)
    found = client.corpora.find(named) if named else None
    if found is None and named == STDLIB:
        found = client.corpora.create(STDLIB, {"source": STDLIB})
    return found.id if found else ""


def _uploaded(client: "Client", packed: "PackedDataset") -> str:
    """Store the content once, whatever else has the name; its first version is what was sent."""
    digest = packed.digest
    other = f"{packed.name[:180]} ({digest[:SHORT]})"
    if (known := client.datasets.find(other)) is not None:
        return known.id
    for name in (packed.name, other):
        try:
            made = client.datasets.upload(
                packed.content,
                name=name,
                file_name="dataset.json",
                key=f"{digest[:40]} {name}"[:200],
            )
        except ConflictError:
            if name == other:
                raise
            continue
        return made.id
    raise AssertionError


def _mapping(client: "Client", dataset: str, corpus: str) -> "MappingEntry":
    try:
        return client.mappings.create(dataset, corpus, version=1)
    except ConflictError:
        listed = client.mappings.list(dataset=dataset, corpus=corpus)
        found = next((one for one in listed if one.version == 1), None)
        if found is None:
            raise
        return found


def _follow(client: "Client", benchmark: str, name: str, *, quiet: bool) -> None:
    """Show the queries that are done, their rate and the remaining time, once a worker began."""
    tracked, states = _tracked(quiet), client.benchmarks.watch(benchmark)
    *_, last = tracked(_until_begun(states), f"{name}: waiting for a worker")
    if total := _queries(last, "total"):
        for _ in tracked(_steps(last, states), name, total=total, unit="queries"):
            pass


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


def _tracked(quiet: bool) -> Callable[..., Any]:  # noqa: FBT001
    return untracked if quiet else progress


def _report(client: "Client", benchmark: str) -> "Report":
    from assay.cli.remote.reports import fetch_report

    status = client.benchmarks.get(benchmark)
    if status.state == "cancelled":
        hint = "the same command with --resume resumes it"
        problem = "the benchmark was cancelled"
        raise CancelledError(problem, where=f"benchmark {benchmark}", hint=hint)
    if not status.reported:
        hint = "correct the cause; the same command with --resume tries again"
        problem = status.error or f"the benchmark is {status.state}"
        raise AssayError(problem, where=f"benchmark {benchmark}", hint=hint)
    return fetch_report(client, benchmark)


def _leave(client: "Client", benchmark: str) -> None:
    """Let the benchmark continue, unless somebody at the terminal wants it to be cancelled."""
    if _wants_to_cancel():
        client.benchmarks.cancel(benchmark)
        note("cancelled; completed work is stored. Resume with the same command with --resume")
        return
    note("the benchmark continues on the service")
    note("to wait for it again, run the same command with --resume")
    note(f"to see its results: assay show {benchmark[:SHORT]} --url {client.url}")


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
