"""The run that a person means: by its name as a table printed it, a number, or a part of it."""

import re
from collections.abc import Callable, Sequence

from assay.records import Run
from assay.reports.shortened import bare

__all__ = ["meant"]

NUMBERED = re.compile(r"(\d{1,6})(?: +(\S.*))?")


def meant(runs: Sequence[Run], name: str) -> list[Run]:
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
    return [run] if rest is None or run in meant([run], rest) else []


def _same_words(name: str, one: str) -> bool:
    return name.split() == one.split()


def _some_words(name: str, one: str) -> bool:
    """Tell whether all words stand in the other name, in this order."""
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
