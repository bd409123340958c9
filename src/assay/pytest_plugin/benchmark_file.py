"""A benchmark file as pytest collects it: one test for each check of each run."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from assay.errors import AssayError
from assay.pytest_plugin.benchmark_runs import BenchmarkRuns
from assay.pytest_plugin.file_checks import CheckKey, FileChecks, read_file_checks
from assay.pytest_plugin.messages import check_text
from assay.pytest_plugin.notes import Property, note_property, outcome_property, reason_property
from assay.pytest_plugin.options import is_strict
from assay.records.gate import CheckResult, Gate
from assay.text.quote import quote
from assay.workflows.gate import gate

__all__ = ["BenchmarkFile", "GateItem"]


class BenchmarkFile(pytest.File):
    """A benchmark, which is run when the first of its checks is."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - those of pytest
        super().__init__(**options)
        self._checks: FileChecks | None = None
        self._gate: Gate | None = None
        self._failed_in = ""
        self.runs: frozenset[str] = frozenset()
        self.untold: list[Property] = []

    def collect(self) -> Iterable["GateItem"]:
        """Name the checks, without running anything."""
        try:
            self._checks = read_file_checks(self.path, self.config)
        except AssayError as error:
            raise self.CollectError(str(error)) from None
        for key, name in self._checks.names.items():
            yield GateItem.from_parent(self, name=name, key=key)

    def open_gate(self, item: str) -> Gate:
        """Run the benchmark and its gate; the first item that asks says what went wrong."""
        if self._failed_in:
            pytest.fail(f"{self.name} could not be checked, see {self._failed_in}", pytrace=False)
        try:
            self._gate = self._gate or self._run_gate()
        except AssayError as error:
            problem = str(error)
        else:
            return self._gate
        self._failed_in = item
        pytest.fail(problem, pytrace=False)

    def _run_gate(self) -> Gate:
        checks = self._checks
        assert checks is not None  # noqa: S101 - collected before
        checks.refuse_missing_baseline(self.nodeid)
        report = BenchmarkRuns.of(self.config).report(self.path)
        self.runs = frozenset(run.name for run in report.runs)
        asked: dict[str, Any] = dict(checks.asked)
        found = gate(report, **asked, baselines=checks.baselines)
        self.untold = [note_property(f"{self.name}: {one}") for one in found.notes]
        return found


class GateItem(pytest.Item):
    """One check of one run."""

    def __init__(self, *, key: CheckKey, **options: Any) -> None:  # noqa: ANN401 - of pytest
        super().__init__(**options)
        self._key = key
        self._gate: Gate | None = None

    @property
    def _file(self) -> BenchmarkFile:
        assert isinstance(self.parent, BenchmarkFile)  # noqa: S101 - nothing else makes items
        return self.parent

    def setup(self) -> None:
        """Let the benchmark be run, unless another item did; the first one has its notes."""
        self._gate = self._file.open_gate(self.nodeid)
        self.user_properties += self._file.untold
        self._file.untold = []

    def runtest(self) -> None:
        """Pass or fail as the gate did; what is inconclusive passes with a note unless strict."""
        assert self._gate is not None  # noqa: S101 - by setup
        result = self._result(self._gate)
        self.user_properties += [outcome_property(result.outcome), reason_property(result.reason)]
        strict = is_strict(self.config)
        if result.outcome == "fail" or (strict and result.outcome == "inconclusive"):
            pytest.fail(check_text(self._gate, result), pytrace=False)

    def _result(self, found: Gate) -> CheckResult:
        for one in found.results:
            if (one.run, one.check.name, one.check.kind) == self._key:
                return one
        return self._refuse()

    def _refuse(self) -> NoReturn:
        """Say why a check of the file has no result: it must not pass."""
        run, name, kind = self._key
        if run not in self._file.runs:
            again = f"the report has no run {quote(run)}: run the benchmark again"
            pytest.fail(again, pytrace=False)
        if kind == "allow":
            pytest.skip(f"the baseline has no run {quote(run)}: bless a report that has it")
        pytest.skip(f"the run {quote(run)} has no {name}")

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return where it is from, and its headline.

        pytest would write the dots of a headline that ends an id, as in 0.6, as two colons.
        """
        return self.path, None, f"{self.path.name} {self.name}"
