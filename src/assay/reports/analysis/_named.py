"""Names of runs at the heads of columns, where there is little room."""

from collections.abc import Sequence

from assay.records import Report
from assay.reports.runs.phrases.run_numbers import is_numbered

__all__ = ["LEGEND", "heads"]

LEGEND = " Column heads are run numbers."


def heads(report: Report, runs: Sequence[str]) -> tuple[list[str], str]:
    """Return the titles of the columns of runs; the numbers of many and long ones, and a legend."""
    names = [run.name for run in report.runs]
    if not is_numbered(names):
        return [*runs], ""
    place = {name: str(at) for at, name in enumerate(names, 1)}
    return [place.get(name, name) for name in runs], LEGEND
