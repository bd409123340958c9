"""Show: what a benchmark measured, from a file or from the workspace."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from assay.benchmarks.open_report import open_report
from assay.errors import InputError
from assay.records import Report, Run
from assay.reports.shorten_names import bare
from assay.text.join_list import first_named
from assay.text.near_miss import did_you_mean

__all__ = ["find_query", "find_run", "show"]

SHOWN = 10  # names that a hint lists
NUMBERED = re.compile(r"(\d{1,6})(?: +(\S.*))?")


def show(report: object, *, workspace: str | Path | None = None) -> Report:
    """Return a report: of a file, or of the benchmark in the workspace with this id or prefix."""
    return open_report(report, workspace=workspace)


def find_run(report: Report, name: str) -> Run:
    """Return the run with a name or an alias, as it is or as a table prints it.

    Its number, the start of its fingerprint, or a unique part of its name is enough.
    """
    found = _runs_named(report.runs, name)
    if len(found) == 1:
        return found[0]
    known = [one for run in report.runs for one in (run.name, *run.aliases)]
    if not found:
        raise _unknown("run", name, known)
    listed = first_named([run.name for run in found], SHOWN)
    hint = f"give more of the name, or the number of the run: {listed}"
    raise InputError(f'ambiguous run "{name[:100]}": {len(found)} runs match', hint=hint)


def find_query(report: Report, name: str) -> str:
    """Return the key of a query; its text, or a unique part of its key, is enough.

    Such a part is its beginning, or all but the name of its collection.
    """
    keys = list(
        dict.fromkeys(
            query for run in report.runs for query in (*run.per_query, *run.failed, *run.rankings)
        )
    )
    if name in keys:
        return name
    texts = [key for key in keys if report.queries.get(key, {}).get("text") == name]
    begun = [key for key in keys if name and key.startswith(name)]
    ended = [key for key in keys if name and key.endswith(f"/{name}")]  # in a collection
    found = texts or ended or begun
    if len(found) != 1:
        raise _unknown("query", name, found or keys)
    return found[0]


def _unknown(what: str, name: str, known: Sequence[str]) -> InputError:
    otherwise = f"available: {first_named(known, SHOWN) or 'none'}"
    hint = did_you_mean(name, known[:5000], otherwise=otherwise, alike=0.5)
    return InputError(f'unknown {what} "{name[:100]}"', hint=hint)


def _runs_named(runs: Sequence[Run], name: str) -> list[Run]:
    """Return the runs that a name fits best: one, if it is clear; else all that it may mean.

    First come names and aliases, then the number of a row, then the start of a fingerprint; then
    names as tables shorten them, then parts of names.
    """
    for run in runs:
        if name in (run.name, *run.aliases):
            return [run]
    if by_number := _by_number(runs, name):
        return by_number
    begun = [run for run in runs if len(name) >= 6 and run.fingerprint.startswith(name)]
    if len(begun) == 1 or not name.strip():
        return begun
    several: list[Run] = []
    for fits in (_same_words, _some_words, _begun_words, _cut, _part):
        found = [run for run in runs if any(_fits(fits, name, one) for one in _names(run))]
        if len(found) == 1:
            return found
        several = several or found
    return several


def _names(run: Run) -> list[str]:
    return [run.name, *run.aliases]


def _fits(fits: Callable[[str, str], bool], name: str, one: str) -> bool:
    """Try a name with the keys of settings, and without them."""
    return fits(name, one) or fits(bare(name), bare(one))


def _by_number(runs: Sequence[Run], name: str) -> list[Run]:
    """Find the row of a number, alone or with the name that stands behind it in a table."""
    found = NUMBERED.fullmatch(name.strip()) if name.isascii() or "…" in name else None
    if found is None or not 0 < int(found[1]) <= len(runs):
        return []
    run = runs[int(found[1]) - 1]
    rest = found[2]
    return [run] if rest is None or run in _runs_named([run], rest) else []


def _same_words(name: str, one: str) -> bool:
    return name.split() == one.split()


def _some_words(name: str, one: str) -> bool:
    """Tell whether all words are in the other name, in this order."""
    words = iter(one.split())
    return all(word in words for word in name.split())


def _begun_words(name: str, one: str) -> bool:
    """Tell whether all words begin words of the other name, in this order."""
    words = iter(one.split())
    return all(any(other.startswith(word) for other in words) for word in name.split())


def _cut(name: str, one: str) -> bool:
    """Tell whether a name with … for what was cut out is of this one."""
    parts = [re.escape(part) for part in name.split("~")[0].split("…")]
    return len(parts) > 1 and re.fullmatch(".*".join(parts), one) is not None


def _part(name: str, one: str) -> bool:
    return name.casefold() in one.casefold()
