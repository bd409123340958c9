"""A benchmark file -> its checks with their names, before anything is run."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.gates.presets import DEFAULT, GateChecks
from assay.errors import InputError
from assay.records import Benchmark, Configuration, Report, Run
from assay.records.gate import Check
from assay.text import sanitize
from assay.workflows.baseline import find_baseline

__all__ = ["CheckKey", "FileChecks", "asked_checks", "baselines_folder", "read_file_checks"]

FOLDER = "assay-baselines"
CheckKey = tuple[str, str, str]
"""What a check is known by: the run, the figure with its group, and the kind."""


@dataclass(frozen=True, slots=True)
class FileChecks:
    """The ``names`` of all checks of a file, and the texts of those that a gate is given.

    ``lacks_baseline`` tells that a check needs a baseline and none is blessed.
    """

    benchmark: str
    names: Mapping[CheckKey, str]
    asked: Mapping[str, tuple[str, ...]]
    baselines: Path | None
    lacks_baseline: bool

    def refuse_missing_baseline(self, file: str) -> None:
        """Say how to make the baseline that is missing."""
        if self.lacks_baseline:
            hint = f"assay run {file} -o report.json && assay baseline bless report.json"
            problem = f'no baseline is blessed for the benchmark "{self.benchmark}"'
            raise InputError(problem, where=file, hint=hint)


def read_file_checks(file: Path, config: pytest.Config) -> FileChecks:
    """Read a benchmark and its baseline: checks are those of the session, else the baseline's."""
    benchmark = read_benchmark(file)
    folder = baselines_folder(file, config)
    baseline = find_baseline(benchmark.name, folder=folder)
    stored: Mapping[str, Any] = baseline.checks if baseline else {}
    usual = {"allow": (f"{benchmark.primary}:{DEFAULT}",)}
    asked = asked_checks(config) or dict(stored) or usual
    checks = GateChecks.read(**asked)
    names = dict(_names(benchmark, checks))
    compares = any(kind == "allow" for _, _, kind in names)
    return FileChecks(benchmark.name, names, asked, folder, compares and baseline is None)


def asked_checks(config: pytest.Config) -> dict[str, Any]:
    """Return the checks that a session was given, by kind."""
    given = {
        kind: tuple(getattr(config.option, f"assay_search_{kind}"))
        for kind in ("allow", "min", "max", "preset")
    }
    return {kind: texts for kind, texts in given.items() if texts}


def baselines_folder(file: Path, config: pytest.Config) -> Path | None:
    """Return the folder of baselines: the one given, or the nearest of the file or above."""
    if given := config.option.assay_search_baselines:
        return Path(given).absolute()
    if named := config.getini("assay_search_baselines"):
        return config.rootpath / str(named)
    for place in file.parents:
        if (place / FOLDER).is_dir():
            return place / FOLDER
        if place == config.rootpath:
            break
    return None


def _names(benchmark: Benchmark, checks: GateChecks) -> Iterator[tuple[CheckKey, str]]:
    nothing = Report({}, {}, {}, {}, ())
    for configuration, _ in distinct(benchmark.configurations):
        run = _run(configuration)
        for check in checks.of(nothing, run):
            yield (run.name, check.name, check.kind), _name(run, check)


def _run(configuration: Configuration) -> Run:
    """Make a run with as much as presets ask for: its model, and whether it has coherence."""
    coherence: Any = configuration.coherence
    told = {"model": configuration.model}
    return Run(configuration.name, "", told, structure=coherence)


def _name(run: Run, check: Check) -> str:
    """Name a check; amounts of a preset may depend on the corpus, so that it has the preset's name.

    Two colons separate the parts of a test's id.
    """
    amount = f"({check.preset})" if check.preset else check.amount_text
    name = f"{run.name}: {check.name} {check.kind} {amount}"
    return sanitize(name).replace("::", ":")
