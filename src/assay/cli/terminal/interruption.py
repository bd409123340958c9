"""What is said to whoever stops a benchmark: how to go on with it, if anything was begun."""

from pathlib import Path

from assay.cli.terminal.output import note
from assay.cli.terminal.progress import clear
from assay.errors import AssayError

__all__ = ["explain_interruption"]


def explain_interruption(
    again: str, *, since: float, workspace: str | Path | None, resumed: bool = False
) -> None:
    """Say how to go on, or that nothing was measured ``since`` it was started.

    ``again`` resumes it; what was ``resumed`` may have been begun at any time.
    """
    clear()
    if _is_begun(0.0 if resumed else since, workspace):
        note(f"stopped; what was measured is kept, and {again} goes on")
    else:
        note("stopped before anything was measured: the same command begins anew")


def _is_begun(since: float, workspace: str | Path | None) -> bool:
    """Tell whether the workspace has a benchmark to go on with, begun or stopped since then."""
    from assay.benchmarks.open_report import list_benchmarks

    try:
        listed = list_benchmarks(workspace=workspace)
    except AssayError:  # it is not for this to complain
        return False
    times = [max(one.created, one.finished or 0) for one in listed if one.state != "completed"]
    return any(time >= since for time in times)
