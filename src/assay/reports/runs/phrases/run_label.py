"""Called: what a run is called in a sentence, by its number where tables number the runs."""

import re
from collections.abc import Sequence
from functools import lru_cache

from assay.records import Report
from assay.reports.runs.phrases.run_numbers import is_numbered
from assay.reports.shorten_names import shorten_names
from assay.text import sanitize
from assay.text.join_list import first_few
from assay.text.quote import quote

__all__ = ["label_runs", "list_runs", "run_label"]

LONGEST = 34  # characters of a name beside its number
LISTED = 4  # runs that a sentence names


def run_label(report: Report, run: object) -> str:
    """Call a run by its number and a short name, where tables number it; else by its quoted name.

    A sentence in which names stand bare could not be read: a run may be called "both".
    """
    known = _numbers(tuple(one.name for one in report.runs))
    return known.get(str(run)) or quote(sanitize(str(run)))


@lru_cache(maxsize=4)
def _numbers(names: tuple[str, ...]) -> dict[str, str]:
    """Return what each run is called where there are numbers; of a thousand runs that is work."""
    if not is_numbered(names):
        return {}
    short = enumerate(zip(names, shorten_names(names, LONGEST), strict=True), 1)
    return {name: f"run {at} ({sanitize(told)})" for at, (name, told) in short}


def list_runs(report: Report, runs: Sequence[str]) -> str:
    """List some runs: their numbers, where they have any, else the first few names."""
    names = [one.name for one in report.runs]
    if len(runs) > 1 and is_numbered(names) and {*runs} <= {*names}:
        return f"runs {', '.join(str(names.index(run) + 1) for run in runs)}"
    return first_few([run_label(report, run) for run in runs], LISTED)


def label_runs(report: Report, sentence: str) -> str:
    """Write a sentence that a report holds, in which names are quoted in full, as others are."""
    known = _pattern(tuple(one.name for one in report.runs))
    return (
        known.sub(lambda found: run_label(report, found[0][1:-1]), sentence) if known else sentence
    )


@lru_cache(maxsize=4)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Find quoted names, the longest first; None where names are not numbered."""
    longest = sorted(names, key=len, reverse=True)
    known = "|".join(re.escape(quote(name)) for name in longest)
    return re.compile(known) if _numbers(names) else None
