"""A request for a benchmark -> the benchmark with all its runs, in the ledger."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from hashlib import sha256
from typing import Any
from uuid import uuid4

from assay.benchmarks.collections.stored_datasets import stored_collections
from assay.benchmarks.file.listed_configurations import suite_names
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.race.race import refuse_race
from assay.benchmarks.work.job import BenchmarkJob, about_benchmark
from assay.errors import ConflictError, InputError, NotFoundError
from assay.records import Benchmark
from assay.records.fingerprint import fingerprint_of
from assay.records.run_settings import Invocation, RunSettings
from assay.records.service import BenchmarkStatus
from assay.searches.check import check_systems
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workflows.service.allowed import Allowed
from assay.workspace.ledger.ledger import Ledger
from assay.workspace.locate import Workspace
from assay.workspace.store.store import ServiceStore

__all__ = ["REQUEST_KEYS", "create_benchmark", "read_request"]

# What a benchmark file says, other than where its data is: that are mappings here.
REQUEST_KEYS = (
    *("name", "description", "metrics", "primary", "baseline", "budgets", "margin", "alpha"),
    *("ship_if", "unjudged", "query_weights", "race", "match_weights", "unit", "breakdowns"),
    *("suite", "matrix", "configurations", "config_matrix", "top_k", "metrics_to_compute"),
)
OWN = ("mappings", "mapping_id", "settings", "parallel")
STAND_IN = "stdlib"  # a dataset that comes along, in whose place those of the mappings are put
MOST_MAPPINGS = 100
LETTERS = 12  # of an id


def create_benchmark(
    request: Mapping[str, Any],
    *,
    place: Workspace,
    store: ServiceStore,
    ledger: Ledger,
    allowed: Allowed,
    author: str,
    key: str = "",
) -> tuple[str, bool]:
    """Check a request and create its benchmark, pending, with a run for each configuration.

    Returns its id, and whether it is new: the same ``key`` of the same author is the same
    benchmark, however often it is sent.
    """
    identity = fingerprint_of("request", dict(request))
    named = sha256(f"{author}\0{key}".encode()).hexdigest() if key else uuid4().hex
    id_ = named[:LETTERS]
    if key:
        with suppress(NotFoundError):
            _refuse_deleted(ledger.find(id_))
            return ledger.create(**_nothing_new(id_, identity, author))
    benchmark, pins, settings = read_request(request, store=store, allowed=allowed)
    invocation = _invocation(request)
    job = BenchmarkJob.of(benchmark, settings, (), place.folder)
    for pin in pins:  # before it is there: a mapping in use cannot be deleted any more
        store.mappings.use(str(pin["mapping"]), id_, author=author)
    return ledger.create(
        name=benchmark.name,
        about=about_benchmark(benchmark, settings=settings),
        runs=[chosen.name for chosen, _ in distinct(benchmark.configurations)],
        job=replace(job, mappings=tuple(pins)).as_json(),
        author=author,
        id_=id_,
        identity=identity,
        parallel=invocation.parallel,
        lane=" ".join(sorted({str(pin["corpus"]) for pin in pins})),
    )


def _refuse_deleted(status: BenchmarkStatus) -> None:
    if status.deleted:
        problem = "the benchmark of this Idempotency-Key was deleted"
        hint = "use a new key, or bring the benchmark back with undelete"
        raise ConflictError(problem, where=status.id, hint=hint)


def read_request(
    request: Mapping[str, Any], *, store: ServiceStore, allowed: Allowed
) -> tuple[Benchmark, list[dict[str, Any]], RunSettings]:
    """Check a request: the benchmark that it is for, its mappings as they are now, its settings."""
    for name in request:
        if name not in (*REQUEST_KEYS, *OWN):
            hint = did_you_mean(str(name), [*REQUEST_KEYS, *OWN])
            raise InputError(f"unknown key {quote_value(name)}", where="benchmark", hint=hint)
    _refuse_not_allowed(request, allowed)
    settings = _settings(request)
    pins = [store.mappings.pin(one) for one in _mappings(request)]
    told = {name: request[name] for name in REQUEST_KEYS if request.get(name) is not None}
    benchmark = read_benchmark({"dataset": STAND_IN, **told})
    benchmark = _over(benchmark, pins, settings)
    check_systems(benchmark, run=False)
    if benchmark.race:
        refuse_race(benchmark, distinct(benchmark.configurations))
    return benchmark, pins, settings


def _over(
    benchmark: Benchmark, pins: Sequence[Mapping[str, Any]], settings: RunSettings
) -> Benchmark:
    """Let a benchmark search the datasets of mappings in their corpora."""
    from assay.benchmarks.file.criteria import RACE

    collections = stored_collections(pins)
    first = collections[0]
    several = tuple(collections) if len(collections) > 1 else ()
    race = benchmark.race or (RACE if settings.race else {})
    return replace(
        benchmark, dataset=first.dataset, corpus=first.corpus, datasets=several, race=race
    )


def _mappings(request: Mapping[str, Any]) -> list[str]:
    given = request.get("mappings")
    if request.get("mapping_id") is not None:
        if given is not None:
            hint = "remove one of them"
            problem = "mappings and mapping_id cannot be combined"
            raise InputError(problem, where="mapping_id", hint=hint)
        given = [request["mapping_id"]]
    texts = isinstance(given, list) and all(isinstance(one, str) and one for one in given)
    if not texts or not given or len(set(given)) < len(given) or len(given) > MOST_MAPPINGS:
        hint = f"expected a list of 1 to {MOST_MAPPINGS} different ids of mappings"
        raise InputError("no valid mappings specified", where="mappings", hint=hint)
    return [str(one) for one in given]


def _refuse_not_allowed(request: Mapping[str, Any], allowed: Allowed) -> None:
    """Check everything that could name a place, before anything of it is opened."""
    for key in ("configurations", "matrix", "config_matrix"):
        given = request.get(key)
        listed = given if isinstance(given, list) else [given]
        for at, one in enumerate(one for one in listed if isinstance(one, Mapping)):
            where = f"{key}[{at}]" if isinstance(given, list) else key
            for name in one:
                if key != "config_matrix":
                    _refuse_unknown_setting(str(name), where)
            allowed.refuse_settings(where, one)
    suite = request.get("suite")
    if suite is not None and suite not in suite_names():
        hint = did_you_mean(str(suite), suite_names())
        raise InputError(f"unknown suite {quote_value(suite)}", where="suite", hint=hint)


def _refuse_unknown_setting(name: str, where: str) -> None:
    from assay.searches.configuration.settings import SETTINGS

    if name not in (*SETTINGS, "name"):
        hint = did_you_mean(name, [*SETTINGS])
        raise InputError(f"unknown setting {quote_value(name)}", where=where, hint=hint)


def _settings(request: Mapping[str, Any]) -> RunSettings:
    given = request.get("settings")
    return RunSettings(**_fields(RunSettings, {} if given is None else given, "settings"))


def _invocation(request: Mapping[str, Any]) -> Invocation:
    given = {key: request[key] for key in ("parallel",) if request.get(key) is not None}
    return Invocation(**_fields(Invocation, given, "parallel"))


def _fields(record: type, given: object, where: str) -> dict[str, Any]:
    known = [one.name for one in fields(record)]
    if not isinstance(given, Mapping):
        raise InputError(
            f"invalid value {quote_value(given)}", where=where, hint="expected an object"
        )
    for name in given:
        if name not in known:
            hint = did_you_mean(str(name), known)
            raise InputError(f"unknown setting {quote_value(name)}", where=where, hint=hint)
    return {name: value for name, value in given.items() if value is not None}


def _nothing_new(id_: str, identity: str, author: str) -> dict[str, Any]:
    """Ask for a benchmark that is there already; one of another request is refused."""
    told: dict[str, Any] = {"name": "", "about": {}, "runs": (), "job": {}}
    return {**told, "author": author, "id_": id_, "identity": identity}
