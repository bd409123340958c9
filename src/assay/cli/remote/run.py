"""``assay run --url``: upload, map, create and start a benchmark, and wait for its report."""

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.cli.remote.resume import find_named, find_newest, go_on, is_file
from assay.cli.remote.wait import explain_leaving, follow, report_of, tracked
from assay.cli.terminal.output import note
from assay.errors import ConflictError, InputError, NotFoundError, ProblemsError, UsageError
from assay.records.run_settings import Invocation, RunSettings
from assay.text.count_noun import count_noun
from assay.text.join_list import first_named
from assay.text.near_miss import near_miss
from assay.text.quote import quote_value

if TYPE_CHECKING:
    from assay.client import Client
    from assay.records import Benchmark, Collection, Report
    from assay.records.service import CorpusEntry, MappingEntry
    from assay.workflows.uploads.pack_benchmark import PackedDataset

__all__ = ["run_remotely"]

# Options of `assay run` that are about the workspace of this machine.
LOCAL = ("workspace", "save_runs")
SHORT = 8
SHOWN = 5
SENT = "dataset.json"


def run_remotely(
    benchmark: str | None, url: str, options: dict[str, Any], *, quiet: bool
) -> "Report":
    """Run a benchmark on a service, or wait for it again (resume), and return its report.

    What is resumed is named by its file, or by its id or name there.
    """
    from assay.client import Client

    _refuse_local(options)
    given = {one.name: options[one.name] for one in fields(Invocation) if one.name in options}
    invocation = Invocation(**given)
    with Client(url) as client:
        if invocation.resume:
            id_, name = _resumed(client, benchmark, options, invocation)
        else:
            id_, name = _created(client, benchmark, options, invocation, quiet=quiet)
        with explain_leaving(client, id_):
            if not invocation.resume:
                client.benchmarks.start(id_)
            follow(client, id_, name, quiet=quiet)
            return report_of(client, id_)


def _resumed(
    client: "Client", benchmark: str | None, options: dict[str, Any], invocation: Invocation
) -> tuple[str, str]:
    """Let a benchmark go on, and return its id and name."""
    if invocation.fresh:
        hint = "remove --fresh: a benchmark is resumed as it was started"
        raise UsageError("--fresh and --resume cannot be combined with --url", hint=hint)
    if benchmark is not None and not is_file(benchmark):
        found = find_named(client, benchmark)
    else:
        found = find_newest(client, _read(benchmark, options).name)
    go_on(client, found, retry=invocation.retry_failed)
    return found.id, found.name


def _created(
    client: "Client",
    benchmark: str | None,
    options: dict[str, Any],
    invocation: Invocation,
    *,
    quiet: bool,
) -> tuple[str, str]:
    """Upload what a benchmark needs and create it; return its id and name."""
    from assay.workflows.uploads.pack_benchmark import pack_benchmark

    named = options.get("corpus")
    found = _known_corpus(client, str(named)) if named else None
    asked = _read(benchmark, {**options, "corpus": None} if found else options)
    request = pack_benchmark(
        asked, _settings(options), parallel=invocation.parallel, fresh=invocation.fresh
    )
    given = found.id if found else ""
    mappings = [_map(client, one, asked, corpus=given, quiet=quiet) for one in asked.collections]
    return client.benchmarks.create({**request, "mappings": mappings}).id, asked.name


def _refuse_local(options: dict[str, Any]) -> None:
    given = [name for name in LOCAL if options.get(name)]
    if given:
        named = f"--{given[0].replace('_', '-')}"
        hint = "remove it: the service has a workspace of its own"
        raise UsageError(f"{named} cannot be combined with --url", hint=hint)


def _read(file: str | None, options: dict[str, Any]) -> "Benchmark":
    """Read the benchmark, with what options replace in it."""
    from assay.workflows.options import asked_benchmark

    others = {*LOCAL, *(one.name for kind in (RunSettings, Invocation) for one in fields(kind))}
    left = {name: value for name, value in options.items() if name not in others}
    return asked_benchmark(file, _settings(options), **left)


def _settings(options: dict[str, Any]) -> RunSettings:
    return RunSettings(**{one.name: options[one.name] for one in fields(RunSettings)})


def _known_corpus(client: "Client", named: str) -> "CorpusEntry | None":
    """Find a corpus of the service; what is neither there nor on this machine is refused."""
    from assay.workflows.uploads.pack_benchmark import STDLIB

    found = client.corpora.find(named)
    if found is not None or named == STDLIB or ":" in named or Path(named).exists():
        return found
    names = [one.name for one in client.corpora.list()]
    close = near_miss(named, names)
    hint = f'did you mean "{close}"?' if close else "give a folder or a file of this machine"
    hint += f"; corpora of the service: {first_named(names, SHOWN)}" if names else ""
    problem = f"no corpus {quote_value(named)}, neither of the service nor a file of this machine"
    raise NotFoundError(problem, where=client.url, hint=hint)


def _map(
    client: "Client", collection: "Collection", asked: "Benchmark", *, corpus: str, quiet: bool
) -> str:
    """Upload a dataset unless it is there already, and map it; returns the id of the mapping."""
    from assay.workflows.uploads.pack_benchmark import pack_dataset

    corpus = corpus or _own_corpus(client, collection, asked.home)
    packed = pack_dataset(collection, asked, has_corpus=bool(corpus))
    dataset = _uploaded(client, packed)
    mapping = _mapping(client, dataset, corpus or dataset)
    for _ in tracked(quiet)([0], f"resolving {packed.name}"):
        entry = client.mappings.wait(mapping.id)
    if entry.state != "resolved" and not quiet:
        left = entry.total - entry.resolved
        about = f"{count_noun(left, 'expected item')} of {entry.total:,} not found in the corpus"
        note(f"{packed.name}: {about} (mapping {entry.id})")
    return entry.id


def _own_corpus(client: "Client", collection: "Collection", home: str) -> str:
    """Return the corpus of the service in place of one that is not uploaded, if there is one.

    The standard library comes with every service; any other word that is not a file is a name
    there.
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
                file_name=SENT,
                key=f"{digest[:40]} {name}"[:200],
            )
        except ConflictError:
            if name == other:
                raise
            continue
        except InputError as error:
            raise _renamed(error, packed.source) from None
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


def _renamed(error: InputError, source: str) -> InputError:
    """Name the file that was read, in place of the one that was sent."""
    if isinstance(error, ProblemsError):
        problems = [_renamed(one, source) for one in error.problems]
        about = error.about.replace(SENT, source, 1)
        return ProblemsError(problems, where=about, then=error.then, count=error.count)
    where = error.where.replace(SENT, source, 1)
    return type(error)(error.problem, where=where, hint=error.hint)
