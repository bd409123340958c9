"""Noted: what a reader must know besides the figures; what holds for several runs is said once."""

from collections.abc import Sequence

from assay.records import Report
from assay.reports.runs.phrases.run_label import label_runs, run_label
from assay.text.join_list import first_few

__all__ = ["report_notes"]

FEW = 3  # runs that a note names


def report_notes(report: Report) -> list[str]:
    """Return the notes of a report; those that say the same of several runs are one."""
    kinds: dict[str, list[str]] = {}
    for note in report.notes:
        kind, about = _parted(note, report)
        kinds.setdefault(kind, []).append(about)
    return [_joined(kind, about, len(report.runs)) for kind, about in kinds.items()]


def _parted(note: str, report: Report) -> tuple[str, str]:
    """Return what a note says, and of which run, if it is about one."""
    names = sorted((run.name for run in report.runs), key=len, reverse=True)
    starts = ((name, f"{start}: ") for name in names for start in (name, f'"{name}"'))
    run, start = next((one for one in starts if note.startswith(one[1])), ("", ""))
    if not run:
        return label_runs(report, note), ""
    return label_runs(report, note.removeprefix(start)), run_label(report, run)


def _joined(said: str, about: Sequence[str], runs: int) -> str:
    if not any(about):
        return said
    if 1 < len(about) < runs:
        return f"{said}: {first_few(about, FEW)}"
    return f"{about[0]}: {said}" if len(about) == 1 else f"all runs: {said}"
