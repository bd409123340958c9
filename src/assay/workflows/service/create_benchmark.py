"""A request for a benchmark -> the benchmark with all its runs, in the ledger."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from hashlib import sha256
from typing import Any, TypeVar
from uuid import uuid4

from assay.benchmarks.collections.stored_datasets import stored_collections
from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.race.race import refuse_race
from assay.benchmarks.work.job import BenchmarkJob, about_benchmark
from assay.errors import (
    AssayError,
    ConflictError,
    InputError,
    NotFoundError,
    ProblemsError,
    UnavailableError,
)
from assay.records import Benchmark
from assay.records.fingerprint import fingerprint_of
from assay.records.run_settings import Invocation, RunSettings
from assay.records.service import BenchmarkStatus
from assay.searches.check import check_systems
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value
from assay.workflows.service.allowed import Allowed
from assay.workflows.service.allowlist.refused_settings import is_about_refused, without_refused
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
FRESH = "fresh"  # beside the settings of a run: it decides nothing that is measured

_Made = TypeVar("_Made")


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
    return ledger.create(
        name=benchmark.name,
        about=about_benchmark(benchmark, settings=settings),
        runs=[chosen.name for chosen, _ in distinct(benchmark.configurations)],
        job=replace(job, mappings=tuple(pins), within=allowed.places).as_json(),
        author=author,
        id_=id_,
        identity=identity,
        parallel=invocation.parallel,
        lane=" ".join(sorted({str(pin["corpus"]) for pin in pins})),
        mappings=[str(pin["mapping"]) for pin in pins],
        fresh=invocation.fresh,
    )


def _refuse_deleted(status: BenchmarkStatus) -> None:
    if status.deleted:
        problem = "the benchmark of this Idempotency-Key was deleted"
        hint = "use a new key, or bring the benchmark back with undelete"
        raise ConflictError(problem, where=status.id, hint=hint)


def read_request(
    request: Mapping[str, Any], *, store: ServiceStore, allowed: Allowed
) -> tuple[Benchmark, list[dict[str, Any]], RunSettings]:
    """Check a request: the benchmark that it is for, its mappings as they are now, its settings.

    All problems that can be found independently are reported together.
    """
    found = [*_unknown_keys(request)]
    left, refused = without_refused(request, allowed)
    found += refused
    settings = _attempt(found, lambda: _settings(request))
    pins = _attempt(found, lambda: _pins(request, store, allowed))
    told = {name: left[name] for name in REQUEST_KEYS if left.get(name) is not None}
    benchmark = _attempt(found, lambda: read_benchmark({"dataset": STAND_IN, **told}))
    _refuse_found([one for one in found if not is_about_refused(one)])
    if settings is None or pins is None or benchmark is None:
        raise InputError("the request cannot be read", where="benchmark")
    benchmark = _over(benchmark, pins, settings)
    check_systems(benchmark, run=False)
    if benchmark.race:
        refuse_race(benchmark, distinct(benchmark.configurations))
    return benchmark, pins, settings


def _unknown_keys(request: Mapping[str, Any]) -> Iterator[AssayError]:
    known = [*REQUEST_KEYS, *OWN]
    for name in request:
        if name not in known:
            hint = did_you_mean(str(name), known)
            yield InputError(f"unknown key {quote_value(name)}", where="benchmark", hint=hint)


def _attempt(found: list[AssayError], make: Callable[[], _Made]) -> _Made | None:
    """Make something; what is wrong with it goes to ``found``."""
    try:
        return make()
    except UnavailableError:  # nothing is wrong with the request
        raise
    except ProblemsError as error:
        found += error.problems
    except AssayError as error:
        found.append(error)
    return None


def _refuse_found(found: Sequence[AssayError]) -> None:
    """Raise a single problem as what it is, and several together."""
    if len(found) == 1:
        raise found[0]
    if found:
        listed = [InputError(one.problem, where=one.where, hint=one.hint) for one in found]
        raise ProblemsError(listed, where="benchmark")


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


def _pins(
    request: Mapping[str, Any], store: ServiceStore, allowed: Allowed
) -> list[dict[str, Any]]:
    """Describe the mappings as they are now, whose corpora must be allowed now."""
    pins = [store.mappings.pin(one) for one in _mappings(request)]
    for pin in pins:
        allowed.refuse_corpus(pin["where"])  # the list may have changed since it was noted
    return pins


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


def _settings(request: Mapping[str, Any]) -> RunSettings:
    given = _given_settings(request)
    given.pop(FRESH, None)
    return RunSettings(**given)


def _invocation(request: Mapping[str, Any]) -> Invocation:
    """Return how workers share it, and whether it may use what was recorded before."""
    given = {"parallel": request.get("parallel"), FRESH: _given_settings(request).get(FRESH)}
    return Invocation(**{name: value for name, value in given.items() if value is not None})


def _given_settings(request: Mapping[str, Any]) -> dict[str, Any]:
    given, where = request.get("settings"), "settings"
    given = {} if given is None else given
    known = [*(one.name for one in fields(RunSettings)), FRESH]
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
