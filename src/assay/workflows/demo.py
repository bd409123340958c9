"""Demo: real searches over a corpus that every machine with Python has."""

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError
from assay.records import Report, Track, untracked
from assay.records.command import asked_as
from assay.workflows.report_files.output_files import refuse_files, write_files
from assay.workflows.run import run
from assay.workspace.locate import locate

__all__ = ["demo", "demo_page"]


def demo(
    *,
    workspace: str | Path | None = None,
    asks: int = 3,
    resume: bool = False,
    fresh: bool = False,
    track: Track = untracked,
    begun: Callable[[str], None] | None = None,
) -> Report:
    """Benchmark six searches over a part of the standard library, as ``assay.run`` would."""
    with as_file(files("assay.benchmarks") / "demo.yaml") as file:
        asked = replace(read_benchmark(file), command=asked_as(None, verb="demo"))
        return run(
            asked,
            workspace=workspace,
            asks=asks,
            resume=resume,
            fresh=fresh,
            track=track,
            begun=begun,
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
