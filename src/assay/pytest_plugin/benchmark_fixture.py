"""The fixture: an ordinary test runs a benchmark, reads its report and asserts a gate."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assay.benchmarks.gates.read_checks import CheckSource
from assay.errors import AssayError
from assay.pytest_plugin.benchmark_runs import BenchmarkRuns
from assay.pytest_plugin.file_checks import asked_checks, baselines_folder
from assay.pytest_plugin.messages import gate_text
from assay.pytest_plugin.notes import PendingNotes, gate_properties
from assay.pytest_plugin.options import is_strict
from assay.records import Report
from assay.records.gate import Gate
from assay.workflows.gate import gate

__all__ = ["BenchmarkFixture", "BenchmarkResult"]


@dataclass(frozen=True)
class BenchmarkFixture:
    """What the fixture ``assay_benchmark`` is: call it with a file."""

    config: pytest.Config
    notes: PendingNotes

    @classmethod
    def of(cls, config: pytest.Config) -> "BenchmarkFixture":
        """Make it, and let the notes of gates reach the tests."""
        notes = PendingNotes()
        config.pluginmanager.register(notes)
        return cls(config, notes)

    def __repr__(self) -> str:
        return "<assay_benchmark>"

    def __call__(self, file: str | Path, **options: object) -> "BenchmarkResult":
        """Run a benchmark, or take the report of this session.

        The path is relative to the root folder of pytest. ``options`` are those of ``assay run``:
        ``suite="quick_test"``, ``sample=10``, ``untimed=True``.
        """
        place = self.config.rootpath / file
        try:
            report = BenchmarkRuns.of(self.config).report(place, options)
        except AssayError as error:
            problem = str(error)
        else:
            return BenchmarkResult(report, place, self)
        pytest.fail(problem, pytrace=False)


@dataclass(frozen=True, eq=False)
class BenchmarkResult:
    """A benchmark that was run: its ``report``, and gates on it."""

    report: Report
    file: Path
    fixture: BenchmarkFixture

    def gate(  # noqa: PLR0913 - every option is a name of its own
        self,
        *,
        allow: CheckSource = (),
        min: CheckSource = (),  # noqa: A002
        max: CheckSource = (),  # noqa: A002
        preset: str | Sequence[str] = (),
        run: str = "",
        baseline: str | Path | None = None,
        strict: bool | None = None,
        bare: bool = False,
        strict_env: bool = False,
    ) -> Gate:
        """Assert that no check fails, with the options of ``assay.gate``; return the gate.

        Without checks it takes those of the session, else those of the blessed baseline. What is
        inconclusive passes with a note, unless ``strict``, which is by default that of the session.
        """
        __tracebackhide__ = True
        given = {"allow": allow, "min": min, "max": max, "preset": preset}
        asked = {kind: one for kind, one in given.items() if one}
        rules = {"run": run, "bare": bare, "strict_env": strict_env}
        found = self._gate(asked or asked_checks(self.fixture.config), baseline, rules)
        counts = is_strict(self.fixture.config) if strict is None else strict
        failed = (*found.of("fail"), *(found.of("inconclusive") if counts else ()))
        if failed:
            raise AssertionError(gate_text(found, failed))
        self.fixture.notes.pending += gate_properties(found)
        return found

    def _gate(
        self, asked: dict[str, Any], baseline: str | Path | None, rules: dict[str, Any]
    ) -> Gate:
        folder = baselines_folder(self.file, self.fixture.config)
        reports = [self.report] if baseline is None else [self._placed(baseline), self.report]
        try:
            return gate(*reports, **asked, **rules, baselines=folder)
        except AssayError as error:
            problem = str(error)
        pytest.fail(problem, pytrace=False)

    def _placed(self, baseline: str | Path) -> str | Path:
        """Take a file from the root folder of pytest, as the benchmark; else it is a name."""
        place = self.fixture.config.rootpath / baseline
        return place if place.is_file() else baseline
