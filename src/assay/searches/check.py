"""Open every model and store that a benchmark names, before anything is built with one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.errors import InputError, ProblemsError
from assay.records import (
    Benchmark,
    Configuration,
    Embedder,
)
from assay.records.configuration import GIVEN
from assay.searches.configuration.nested_settings import is_asked, is_store
from assay.searches.open_models import OpenModels
from assay.searches.systems import open_system

__all__ = ["check_models", "check_stores", "check_systems"]


def check_models(benchmark: Benchmark, models: OpenModels) -> None:
    """Refuse a benchmark whose models cannot be opened; each of them is reported once.

    A server is asked for one vector, so that a missing model is noticed before the run.
    """
    found = [*_problems(benchmark, models)]
    if found:
        raise ProblemsError(found, where=_about(benchmark))


def check_stores(benchmark: Benchmark) -> None:
    """Refuse a benchmark with a store that cannot be opened: all of them, before the first run."""
    from assay.searches.stores import open_store_of

    found = []
    for chosen in (one for one in benchmark.configurations if is_store(one.system)):
        with TemporaryDirectory(prefix="assay-", ignore_cleanup_errors=True) as folder:
            try:
                open_store_of(chosen, folder=Path(folder), home=benchmark.home).close()
            except InputError as error:
                found.append(_named(error, benchmark, chosen))
    if found:
        raise ProblemsError(found, where=_about(benchmark))


def _problems(benchmark: Benchmark, models: OpenModels) -> Iterator[InputError]:
    opened: dict[str | None, Embedder | None] = {}
    tried: set[object] = set()
    for configured in benchmark.configurations:
        chosen = _with_model(configured)
        if chosen.model == GIVEN:  # opened with its data
            continue
        model, pair = chosen.model, (chosen.model, chosen.rerank)
        try:
            if model not in tried:
                tried.add(model)
                opened[model] = _asked(models.embedder(chosen))
            _check_width(chosen, opened.get(model))
            if chosen.rerank and model in opened and pair not in tried:
                tried.add(pair)
                models.reranker(chosen)
        except InputError as error:
            yield _named(error, benchmark, chosen)


def _check_width(chosen: Configuration, embedder: Embedder | None) -> None:
    from assay.searches.stores import check_width

    if embedder is not None and is_store(chosen.system):
        check_width(chosen, embedder.dimension)


def _with_model(chosen: Configuration) -> Configuration:
    """Name the model that turns queries into vectors for a system that is asked as it is."""
    own = (chosen.system or {}).get("model")
    return replace(chosen, model=str(own)) if is_asked(chosen.system) and own else chosen


def _asked(embedder: Embedder | None) -> Embedder | None:
    if embedder is not None:
        _ = embedder.dimension  # a server that is not there is noticed when it is asked
    return embedder


def _named(error: InputError, benchmark: Benchmark, chosen: Configuration) -> InputError:
    places = (_about(benchmark), f'configuration "{chosen.name}"', error.where)
    where = ", ".join(place for place in places if place)
    return InputError(error.problem, where=where, hint=error.hint)


def _about(benchmark: Benchmark) -> str:
    return benchmark.file or benchmark.name


def check_systems(benchmark: Benchmark, *, run: bool = True) -> None:
    """Refuse a benchmark whose systems cannot be asked: all of them, before anything is built.

    Without ``run`` no code of the user is run, and servers are only connected to.
    """
    found, check = [], "trial" if run else "reach"
    for chosen in benchmark.configurations:
        if not is_asked(chosen.system):
            continue
        try:
            open_system(
                dict(chosen.system or {}), home=benchmark.home, check=check, run=run
            ).close()
        except InputError as error:
            about = benchmark.file or benchmark.name
            where = f'{about}, configuration "{chosen.name}", {error.where}'.removesuffix(", ")
            found.append(InputError(error.problem, where=where, hint=error.hint))
    if found:
        raise ProblemsError(found, where=benchmark.file or benchmark.name)
