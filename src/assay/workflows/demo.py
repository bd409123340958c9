"""Demo: real searches over a corpus that every machine with Python has."""

from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

from assay.records import Report, Track, untracked
from assay.workflows.run import run

__all__ = ["demo"]


def demo(
    *,
    workspace: str | Path | None = None,
    asks: int = 3,
    resume: bool = False,
    track: Track = untracked,
    begun: Callable[[str], None] | None = None,
) -> Report:
    """Benchmark six searches over a part of the standard library, as ``assay.run`` would."""
    with as_file(files("assay.benchmarks") / "demo.yaml") as file:
        return run(file, workspace=workspace, asks=asks, resume=resume, track=track, begun=begun)
