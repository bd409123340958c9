"""Names of runs where there is little room: in a sentence, or at the head of a column."""

from collections.abc import Sequence

from assay.records import Report
from assay.reports.runs.numbered import FEW, SHORT
from assay.reports.shortened import shortened
from assay.reports.spelled import spelled

__all__ = ["LEGEND", "called", "heads", "listed"]

LONGEST = 34  # characters of a name in a sentence
LISTED = 4  # runs that a sentence names
LEGEND = " Columns are runs, by number."


def heads(report: Report, runs: Sequence[str]) -> tuple[list[str], str]:
    """Return the titles of the columns of runs; the numbers of many and long ones, and a legend."""
    if not _has_numbers(report):
        return [*runs], ""
    place = _places(report)
    return [place.get(name, name) for name in runs], LEGEND


def called(report: Report, run: object) -> str:
    """Call a run by its name; one of many with long names by its number, too."""
    names = [one.name for one in report.runs]
    told = dict(zip(names, shortened(names, LONGEST), strict=True)).get(str(run), str(run))
    told = spelled(told)
    if _has_numbers(report) and str(run) in _places(report):
        return f"run {_places(report)[str(run)]} ({told})"
    return f'"{told}"' if set(told) & {",", ":", ";"} else told


def listed(report: Report, runs: Sequence[str]) -> str:
    """List some runs: their numbers, where they have any, else the first few names."""
    if _has_numbers(report):
        return ", ".join(heads(report, runs)[0])
    more = f" and {len(runs) - LISTED} more" if len(runs) > LISTED else ""
    return ", ".join(called(report, run) for run in runs[:LISTED]) + more


def _has_numbers(report: Report) -> bool:
    """Tell whether tables number the runs, as ``numbered`` does."""
    names = [run.name for run in report.runs]
    return len(names) > FEW and max(map(len, names)) > SHORT


def _places(report: Report) -> dict[str, str]:
    return {run.name: str(at) for at, run in enumerate(report.runs, 1)}
