"""What the ledger keeps of a benchmark: its identity, and all that a process must know of it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.describe import dataset_fingerprint
from assay.errors import InputError
from assay.records import Benchmark, Collection, Configuration
from assay.records.command import unplaced
from assay.records.fingerprint import fingerprint_of
from assay.records.run_settings import RunSettings
from assay.searches.configuration.configuration import describe
from assay.workspace.ledger.ledger import Ledger

__all__ = ["BenchmarkJob", "about_benchmark", "decided_before", "decision_of", "identity_of"]

VERSION = 1  # raised when what is stored changes its meaning


@dataclass(frozen=True, slots=True)
class BenchmarkJob:
    """A benchmark with all its configurations and settings, and what its data held at the start.

    Its paths are as they were given, in ``folder``. ``contents`` are the fingerprints of the
    corpora and ``datasets`` those of the datasets, in their order, ``vectors`` those of the vectors
    that were given; ``workspace`` is the folder in which its indexes are built. ``notes`` are for
    the report. ``mappings`` are those of the store of a service, as they were when the benchmark
    was created; whoever opens them first notes the ``contents``. ``within`` lists the folders that
    a service allowed then: what is read must lie in them. None: no service created it.
    """

    benchmark: Benchmark
    settings: RunSettings
    contents: tuple[str, ...]
    datasets: tuple[str, ...]
    folder: str = ""
    workspace: str = ""
    notes: tuple[str, ...] = ()
    vectors: tuple[str, ...] = ()
    mappings: tuple[Mapping[str, Any], ...] = ()
    within: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        benchmark: Benchmark,
        settings: RunSettings,
        collections: Sequence[OpenCollection],
        workspace: Path,
    ) -> "BenchmarkJob":
        """Describe a benchmark whose datasets are open."""
        here, there = str(Path.cwd()), str(workspace.absolute())
        unread = cls(benchmark, settings, (), (), folder=here, workspace=there)
        return unread.settled(collections)

    def settled(self, collections: Sequence[OpenCollection]) -> "BenchmarkJob":
        """Note what its data holds: it must stay the same until the benchmark is completed."""
        return replace(
            self,
            contents=tuple(one.content for one in collections),
            datasets=tuple(dataset_fingerprint(one.dataset) for one in collections),
            vectors=tuple(_vectors_of(one) for one in collections),
        )

    @property
    def placed(self) -> Benchmark:
        """The benchmark with paths that can be opened wherever a process is started."""
        given, folder = self.benchmark, self.folder
        datasets = tuple(
            replace(one, dataset=_absolute(one.dataset, folder)) for one in given.datasets
        )
        return replace(
            given,
            home=os.path.join(folder, given.home),  # noqa: PTH118 - never raises
            dataset=_absolute(given.dataset, folder),
            datasets=datasets,
        )

    def as_json(self) -> dict[str, Any]:
        """Write it."""
        return {"version": VERSION, **asdict(self)}

    @classmethod
    def from_json(cls, told: Mapping[str, Any], *, where: str = "") -> "BenchmarkJob":
        """Read it; what another version of Assay wrote may not be understood."""
        try:
            if told["version"] != VERSION:
                raise ValueError(f"version {told['version']}")  # noqa: TRY301
            return cls(
                benchmark=_read_benchmark(told["benchmark"]),
                settings=RunSettings(**told["settings"]),
                contents=tuple(told["contents"]),
                datasets=tuple(told["datasets"]),
                folder=str(told["folder"]),
                workspace=str(told["workspace"]),
                notes=tuple(told["notes"]),
                vectors=tuple(told.get("vectors", ())),
                mappings=tuple(told.get("mappings", ())),
                within=None if told.get("within") is None else tuple(told["within"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            problem = f"this benchmark was started by another version of Assay ({error})"
            hint = "continue with that version, or run the benchmark file again"
            raise InputError(problem, where=where, hint=hint) from None

    def refuse_changed(self, collections: Sequence[OpenCollection]) -> None:
        """Refuse datasets, or vectors, that changed since the benchmark was started."""
        vectors = self.vectors or ("",) * len(collections)
        for one, before, given in zip(collections, self.datasets, vectors, strict=True):
            if dataset_fingerprint(one.dataset) != before:
                problem = "the dataset changed since the benchmark was started"
                hint = "run the benchmark again to measure the current dataset"
                raise InputError(problem, where=one.dataset.name, hint=hint)
            if _vectors_of(one) != given:
                problem = "the given vectors changed since the benchmark was started"
                hint = "run the benchmark again to measure the current vectors"
                raise InputError(problem, where=one.dataset.name, hint=hint)


def identity_of(
    benchmark: Benchmark, collections: Sequence[OpenCollection], settings: RunSettings
) -> str:
    """Name a benchmark by all that decides its work, so that the same can be gone on with.

    Judgments belong to it: a report must not take the place of one with others. So do the settings:
    the seed chooses a sample, and the order of the queries in a race.
    """
    configurations = [[one.name, describe(one)] for one in benchmark.configurations]
    searched = [_searched(collection) for collection in collections]
    raced = [[dict(benchmark.race), benchmark.primary, benchmark.baseline]]
    further = [*(raced if benchmark.race else []), *([] if benchmark.scored else ["unscored"])]
    given = (configurations, searched, settings.identity, *further)
    return fingerprint_of("benchmark", *given)


def decision_of(benchmark: Benchmark, collections: Sequence[OpenCollection]) -> str:
    """Name what is decided: configurations, queries, judgments and documents, however measured."""
    configurations = [[one.name, describe(one)] for one in benchmark.configurations]
    searched = [_searched(collection) for collection in collections]
    return fingerprint_of("decision", configurations, searched, benchmark.primary)


def _searched(collection: OpenCollection) -> list[str]:
    """Name the content of a dataset and its corpus, and of the vectors that were given."""
    named = [collection.name, dataset_fingerprint(collection.dataset), collection.content]
    return [*named, *filter(None, [_vectors_of(collection)])]


def _vectors_of(collection: OpenCollection) -> str:
    return collection.vectors.fingerprint if collection.vectors else ""


def about_benchmark(benchmark: Benchmark, *, settings: RunSettings) -> dict[str, Any]:
    """Tell what was asked for, and how it is measured."""
    corpus = benchmark.corpus
    return {
        "name": benchmark.name,
        "description": benchmark.description,
        "metrics": list(benchmark.metrics),
        "primary": benchmark.primary,
        "baseline": benchmark.baseline or None,
        "budgets": dict(benchmark.budgets),
        "margin": benchmark.margin,
        "alpha": benchmark.alpha,
        "ship_if": benchmark.ship_if,
        "unjudged": benchmark.unjudged,
        **({} if benchmark.unit == "document" else {"unit": benchmark.unit}),
        **({} if benchmark.scored else {"scored": False}),
        **({} if benchmark.query_weights == "use" else {"query_weights": "ignore"}),
        **({"breakdowns": list(benchmark.breakdowns)} if benchmark.breakdowns else {}),
        "race": dict(benchmark.race) or None,
        **({} if benchmark.match_weights is None else {"match_weights": benchmark.match_weights}),
        "asks": settings.rounds,
        "repeats": settings.repeats,
        "live": settings.live,
        "timed": settings.timed,
        "dataset": benchmark.dataset,
        "corpus": corpus if corpus is None or isinstance(corpus, str) else dict(corpus),
        "datasets": [one.name for one in benchmark.datasets],
        "configurations": [one.name for one in benchmark.configurations],
        **({"prices": prices} if (prices := _prices(benchmark)) else {}),
        **({"command": unplaced(benchmark.command)} if benchmark.command else {}),
    }


def _prices(benchmark: Benchmark) -> dict[str, dict[str, float]]:
    return {one.name: dict(one.price) for one in benchmark.configurations if one.price}


def decided_before(ledger: Ledger, benchmark: str) -> int:
    """Count the other decisions that were completed under the name of a benchmark.

    The same configurations on the same queries, judgments and documents are one decision, however
    often they are measured.
    """
    listed = ledger.benchmarks()
    own = next(one for one in listed if one.id == benchmark)
    mine = own.about.get("decision", own.identity)
    earlier = {
        one.about.get("decision", one.identity)
        for one in listed
        if one.name == own.name and one.state == "completed" and one.created <= own.created
        if one.about.get("scored", True)
    }
    return len(earlier - {mine})


def _read_benchmark(told: Mapping[str, Any]) -> Benchmark:
    known = {one.name for one in fields(Benchmark)}
    given = {key: value for key, value in told.items() if key in known}
    configurations = tuple(_read_configuration(one) for one in told["configurations"])
    datasets = tuple(Collection(**one) for one in told["datasets"])
    lists = {name: tuple(told[name]) for name in ("metrics", "merged", "replaced")}
    return Benchmark(**given | lists | {"configurations": configurations, "datasets": datasets})


def _read_configuration(told: Mapping[str, Any]) -> Configuration:
    weights = told.get("weights")
    return Configuration(**{**told, "weights": tuple(weights) if weights else None})


def _absolute(dataset: str, folder: str) -> str:
    """Name a dataset by its whole path, if it is a file; the name of one in a list stays."""
    path, mark, name = dataset.partition("#")
    place = os.path.join(folder, dataset)  # noqa: PTH118 - a shipped name is no path
    if os.path.exists(place):  # noqa: PTH110
        return place
    beside = os.path.join(folder, path)  # noqa: PTH118
    return f"{beside}#{name}" if mark and os.path.exists(beside) else dataset  # noqa: PTH110
