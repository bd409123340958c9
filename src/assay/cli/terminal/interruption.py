"""What is said when a benchmark is interrupted with Ctrl-C: how to resume it."""

from pathlib import Path

from assay.cli.terminal.output import note
from assay.cli.terminal.progress import clear
from assay.errors import AssayError

__all__ = ["explain_interruption"]


def explain_interruption(
    again: str, *, since: float, workspace: str | Path | None, resumed: bool = False
) -> None:
    """Say how to resume, or that nothing was measured ``since`` it was started.

    ``again`` resumes it; what was ``resumed`` may have been started at any time.
    """
    clear()
    if _is_begun(0.0 if resumed else since, workspace):
        note(f"completed work is stored. Resume with {again}")
    else:
        note("nothing was measured yet; run the same command to start over")


def _is_begun(since: float, workspace: str | Path | None) -> bool:
    """Tell whether the workspace has a benchmark to resume, started or stopped since then."""
    from assay.benchmarks.open_report import list_benchmarks

    try:
        listed = list_benchmarks(workspace=workspace)
    except AssayError:  # not the place to complain
        return False
    times = [max(one.created, one.finished or 0) for one in listed if one.state != "completed"]
    return any(time >= since for time in times)
