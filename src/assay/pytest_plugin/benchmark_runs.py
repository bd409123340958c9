"""A benchmark file -> its report: run once per session, by one of several workers, or given.

It is run by ``assay run`` in a process of its own, as the report of the baseline was: coverage, the
plugins of pytest and other threads of its process would change what is measured.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from assay.errors import AssayError, InputError, UsageError
from assay.pytest_plugin.options import WORKERS
from assay.pytest_plugin.shared_reports import Outcome, shared_outcome
from assay.records import Report
from assay.reports.runs.json.read import load_report

__all__ = ["BenchmarkRunError", "BenchmarkRuns"]

COVERAGE = ("COV_CORE_", "COVERAGE_")  # variables by which a coverage tool follows a process
_runs = pytest.StashKey["BenchmarkRuns"]()


class BenchmarkRunError(AssayError):
    """``assay run`` failed; the message is what it printed."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.args = (text,)


@dataclass
class BenchmarkRuns:
    """The reports of a session, each of a file and options of ``assay run``.

    ``root`` is where commands are run, ``given`` has the reports that users named, and ``shared``
    is the folder that all workers of pytest-xdist see, if there are any.
    """

    root: Path
    given: Sequence[str] = ()
    shared: Path | None = None
    _known: dict[str, Report | AssayError] = field(default_factory=dict)

    @classmethod
    def of(cls, config: pytest.Config) -> "BenchmarkRuns":
        """Return those of a session."""
        worker: Mapping[str, str] = getattr(config, "workerinput", {})
        shared = Path(worker[WORKERS]) if WORKERS in worker else None
        new = cls(config.rootpath, config.option.assay_search_report, shared)
        return config.stash.setdefault(_runs, new)

    def report(self, file: Path, options: Mapping[str, object] | None = None) -> Report:
        """Return the report of a benchmark; what failed once fails again without being run."""
        asked = dict(options or {})
        key = json.dumps([str(file), asked], sort_keys=True, default=str)
        if key not in self._known:
            try:
                self._known[key] = self._found(key, file, asked)
            except AssayError as error:
                self._known[key] = error
        found = self._known[key]
        if isinstance(found, AssayError):
            raise found.with_traceback(None)
        return found

    def _found(self, key: str, file: Path, options: Mapping[str, object]) -> Report:
        if self.given and not options:
            return self._given(file)
        done = (
            self._run(file, options)
            if self.shared is None
            else shared_outcome(self.shared, key, lambda: self._run(file, options))
        )
        if not done.completed:
            raise BenchmarkRunError(done.content.decode())
        return load_report(done.content, where=self._shown(file))

    def _given(self, file: Path) -> Report:
        """Choose the report that is of the benchmark of a file."""
        from assay.benchmarks.file.read_benchmark import read_benchmark
        from assay.workflows.show import show

        name = read_benchmark(file).name
        reports = [show(place) for place in self.given]
        known = [str(one.benchmark.get("name") or "") for one in reports]
        if name not in known:
            hint = f"add one, or remove the option; given: {', '.join(known)}"
            problem = f'--assay-search-report: no report of the benchmark "{name}"'
            raise InputError(problem, where=self._shown(file), hint=hint)
        return reports[known.index(name)]

    def _run(self, file: Path, options: Mapping[str, object]) -> Outcome:
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            program = (sys.executable, "-P", "-m", "assay", "run", self._shown(file), "--quiet")
            done = subprocess.run(  # noqa: S603 - our own program
                [*program, "-o", str(report), *_flags(options)],
                cwd=self.root,
                env=_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
            if report.is_file():
                return Outcome(completed=True, content=report.read_bytes())
        told = done.stderr.decode(errors="replace").strip().removeprefix("error: ")
        lost = f"{self._shown(file)}: `assay run` ended with exit code {done.returncode}"
        return Outcome(completed=False, content=(told or lost).encode())

    def _shown(self, file: Path) -> str:
        return str(file.relative_to(self.root) if file.is_relative_to(self.root) else file)


def _flags(options: Mapping[str, object]) -> Iterator[str]:
    """Write options as a command has them: ``sample=10`` is --sample 10."""
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            yield flag
        elif isinstance(value, str | int | float | Path) and value is not False:
            yield f"{flag}={value}"
        elif value is not None and value is not False:
            hint = "give a text or a number, as in a command"
            raise UsageError(f"{name}: invalid value {value!r}", hint=hint)


def _environment() -> dict[str, str]:
    """Return the environment, without what lets a coverage tool slow down a measured process."""
    kept = {name: one for name, one in os.environ.items() if not name.startswith(COVERAGE)}
    return {**kept, "COLUMNS": "1000"}  # pytest wraps lines where it shows them
