"""Names of runs where there is little room: a sentence, or the head of a column."""

from collections.abc import Sequence

from assay.records import Report
from assay.reports.runs.numbered import FEW, SHORT
from assay.reports.shortened import bare
from assay.reports.spelled import spelled

__all__ = ["LEGEND", "heads", "short"]

LONGEST = 40  # characters of a name in a sentence
LEGEND = " Columns are runs, by number."


def heads(report: Report, runs: Sequence[str]) -> tuple[list[str], str]:
    """Return the titles of the columns of runs; the numbers of many and long ones, and a legend."""
    every = [run.name for run in report.runs]
    if len(every) <= FEW or max(map(len, every)) <= SHORT:
        return [*runs], ""
    place = {name: str(at) for at, name in enumerate(every, 1)}
    return [place.get(name, name) for name in runs], LEGEND


def short(name: object) -> str:
    """Shorten a name that stands in a sentence, at a word's end where there is one.

    >>> short("both chunk_size=256")
    'both 256'
    """
    told = spelled(bare(str(name)))
    if len(told) > LONGEST:
        cut = told[:LONGEST].rsplit(" ", 1)[0]
        told = f"{cut if len(cut) > LONGEST // 2 else told[: LONGEST - 1]}…"
    return f'"{told}"' if "," in told or ":" in told else told
