"""The hooks of the plugin: next to nothing is imported before a benchmark file or test is met."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assay.pytest_plugin.options import (
    WORKERS,
    add_options,
    header,
    is_benchmark_file,
    unmatched_patterns,
)

if TYPE_CHECKING:
    from assay.pytest_plugin.benchmark_file import BenchmarkFile
    from assay.pytest_plugin.benchmark_fixture import BenchmarkFixture
    from assay.pytest_plugin.notes import SessionNotes

OURS = "assay_search_"  # how the names of our properties of reports begin
_folder: pytest.StashKey[str] = pytest.StashKey()
_notes: pytest.StashKey["SessionNotes"] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the options."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse a folder of benchmark files that is not there: its gates would be gone unseen."""
    for pattern in unmatched_patterns(config):
        problem = f"assay_search_benchmarks: no file matches {pattern}"
        raise pytest.UsageError(problem)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say what is checked, if anything is."""
    told = header(config)
    if told is None:
        return None
    from assay import __version__

    return f"assay-search: {__version__}, {told}"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "BenchmarkFile | None":
    """Make a benchmark file a collector of its checks."""
    if not is_benchmark_file(file_path, parent.session):
        return None
    from assay.pytest_plugin.benchmark_file import BenchmarkFile

    return BenchmarkFile.from_parent(parent, path=file_path)


@pytest.fixture(scope="session")
def assay_benchmark(request: pytest.FixtureRequest) -> "BenchmarkFixture":
    """Run a benchmark file, once per session: ``assay_benchmark("assay.yaml").gate()``."""
    from assay.pytest_plugin.benchmark_fixture import BenchmarkFixture

    return BenchmarkFixture.of(request.config)


def pytest_report_teststatus(
    report: pytest.CollectReport | pytest.TestReport, config: pytest.Config
) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Count checks that are inconclusive apart from those that pass; they pass all the same."""
    properties = getattr(report, "user_properties", ())
    if not any(str(name).startswith(OURS) for name, _ in properties):
        return None
    from assay.pytest_plugin.notes import SessionNotes

    notes = config.stash.setdefault(_notes, SessionNotes())
    if not notes.add(report):
        return None
    return "inconclusive", "?", ("INCONCLUSIVE", {"yellow": True})


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say why checks are inconclusive, and what there is to know of a baseline."""
    notes = config.stash.get(_notes, None)
    if notes is not None and notes.lines:
        terminalreporter.section("assay-search")
        for line in notes.lines:
            terminalreporter.write_line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: object) -> None:
    """Name a folder to a worker of pytest-xdist; it is made when a worker runs a benchmark."""
    import tempfile
    import uuid

    config: pytest.Config = node.config  # type: ignore[attr-defined]
    new = os.path.join(tempfile.gettempdir(), f"assay-search-{uuid.uuid4().hex}")  # noqa: PTH118
    node.workerinput[WORKERS] = config.stash.setdefault(_folder, new)  # type: ignore[attr-defined]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder that the workers shared."""
    folder = config.stash.get(_folder, None)
    if folder is not None and Path(folder).is_dir():
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
