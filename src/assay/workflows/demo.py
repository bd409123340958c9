"""Demo: real searches over a corpus that every machine with Python has."""

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError
from assay.records import Report
from assay.records.command import asked_as
from assay.records.run_settings import Invocation, RunSettings
from assay.workflows.options import with_options
from assay.workflows.report_files.output_files import refuse_files, write_files
from assay.workflows.run import run
from assay.workspace.locate import locate

__all__ = ["demo", "demo_page"]


@with_options(settings=RunSettings, invocation=Invocation)
def demo(
    *,
    full: bool = False,
    workspace: str | Path | None = None,
    begun: Callable[[str], None] | None = None,
    settings: RunSettings,
    invocation: Invocation,
) -> Report:
    """Benchmark searches over a part of the standard library, as ``assay.run`` would.

    Lexical, dense and hybrid; ``full`` adds fixed-size chunks, a reranker and coherence.
    """
    with as_file(files("assay.benchmarks") / "demo.yaml") as file:
        read = read_benchmark(file, suite="full" if full else None)
        asked = replace(read, command=asked_as(None, verb="demo", full=full))
        return run(
            asked, workspace=workspace, begun=begun, settings=settings, invocation=invocation
        )


def demo_page(report: Report, *, workspace: str | Path | None = None) -> str:
    """Write the HTML report of a demo into the workspace, and return its path."""
    folder = locate(given=workspace).folder / "reports"
    path = str(folder / f"demo-{report.id[:8]}.html")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"cannot be made ({error.strerror})"
        raise InputError(problem, where=str(folder), hint="check the workspace") from None
    refuse_files([path])
    write_files(report, [path])
    return path
