"""What the ledger keeps of a benchmark, so that any process can go on with it."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.describe import dataset_fingerprint
from assay.errors import InputError
from assay.records import Benchmark, Collection, Configuration
from assay.records.run_settings import RunSettings

__all__ = ["BenchmarkJob"]

VERSION = 1  # raised when what is stored changes its meaning


@dataclass(frozen=True, slots=True)
class BenchmarkJob:
    """A benchmark with all its configurations and settings, and what its data held at the start.

    Its paths are as they were given, in ``folder``. ``contents`` are the fingerprints of the
    corpora and ``datasets`` those of the datasets, in their order; ``workspace`` is the folder in
    which its indexes are built. ``notes`` are for the report.
    """

    benchmark: Benchmark
    settings: RunSettings
    contents: tuple[str, ...]
    datasets: tuple[str, ...]
    folder: str = ""
    workspace: str = ""
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        benchmark: Benchmark,
        settings: RunSettings,
        collections: Sequence[OpenCollection],
        workspace: Path,
    ) -> "BenchmarkJob":
        """Describe a benchmark whose datasets are open."""
        return cls(
            benchmark=benchmark,
            settings=settings,
            contents=tuple(one.content for one in collections),
            datasets=tuple(dataset_fingerprint(one.dataset) for one in collections),
            folder=str(Path.cwd()),
            workspace=str(workspace.absolute()),
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
            )
        except (KeyError, TypeError, ValueError) as error:
            problem = f"another version of Assay began this benchmark ({error})"
            hint = "go on with that version, or run its file again"
            raise InputError(problem, where=where, hint=hint) from None

    def refuse_changed(self, collections: Sequence[OpenCollection]) -> None:
        """Refuse datasets that are not what the benchmark was begun with."""
        for one, before in zip(collections, self.datasets, strict=True):
            if dataset_fingerprint(one.dataset) != before:
                problem = "the dataset changed since the benchmark was begun"
                hint = "run the benchmark again: it then measures the dataset as it is now"
                raise InputError(problem, where=one.dataset.name, hint=hint)


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
