"""Configurations with lists -> one for each combination, named by what varies."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.benchmarks.file.cells import Cell, GivenConfiguration, cells, cells_of, invalid_setting
from assay.benchmarks.file.problems import (
    MOST_LISTED,
    BenchmarkProblems,
    KeyPath,
    about_setting,
)
from assay.records import Configuration
from assay.searches.configuration.configuration import configuration, describe
from assay.searches.configuration.settings import SETTINGS
from assay.text import sanitize
from assay.text.count_noun import count_noun

__all__ = ["Matrix", "distinct", "multiplied"]

MOST_CELLS = 10 * MOST_LISTED  # before equal ones are merged
EXACT = 2**53  # below it a whole number is a float, too
SHORTEN = "shorten the lists, or split them into several benchmarks"
LONGEST = 150  # characters of a name that still fit a table


@dataclass(frozen=True, slots=True)
class Matrix:
    """All cells of a benchmark; ``merged`` names settings without effect in some of them.

    ``groups`` has, for each configuration of the file, the names of its cells.
    """

    configurations: tuple[Configuration, ...] = ()
    merged: tuple[str, ...] = ()
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()


def distinct(
    configurations: Sequence[Configuration],
) -> list[tuple[Configuration, tuple[str, ...]]]:
    """Keep the first of configurations that come to the same, with the names of the others."""
    first: dict[str, Configuration] = {}
    names: dict[str, list[str]] = {}
    for one in configurations:
        key = _key(one)
        first.setdefault(key, one)
        names.setdefault(key, []).append(one.name)
    return [(one, tuple(names[key][1:])) for key, one in first.items()]


def multiplied(
    given: Sequence[GivenConfiguration], found: BenchmarkProblems, *, home: str, cutoff: int | None
) -> Matrix:
    """Multiply the lists of all configurations; what is wrong goes to ``found``."""
    if _are_too_many(given, found):
        return Matrix()
    wrong = _wrong(given, found)
    good = [one for at, one in enumerate(given) if at not in wrong]
    made = [cells_of(one, home=home, cutoff=cutoff) for one in good]
    refused = [*_refused(good, made, all_known=not wrong)]
    for path, problem, hint in dict.fromkeys(refused):
        found.add(path, problem, hint)
    return Matrix() if refused or wrong else _matrix(given, made, found)


def _wrong(given: Sequence[GivenConfiguration], found: BenchmarkProblems) -> set[int]:
    """Return which configurations have invalid settings; those that all share are checked once."""
    shared: dict[str, bool] = {}
    wrong: set[int] = set()
    for at, one in enumerate(given):
        for name in one.settings:
            known = shared if name in one.shared else {}
            if name not in known:
                known[name] = _is_valid(one, name, found)
            if not known[name]:
                wrong.add(at)
    return wrong


def _is_valid(given: GivenConfiguration, name: str, found: BenchmarkProblems) -> bool:
    """Check the values of a setting; what is wrong with them goes to ``found``."""
    refusals = [*invalid_setting(given, name)]
    for path, problem, hint in refusals:
        found.add(path, problem, hint)
    return not refusals


def _are_too_many(given: Sequence[GivenConfiguration], found: BenchmarkProblems) -> bool:
    total = sum(map(cells, given))
    if total > MOST_CELLS:
        what = f"the lists multiply to {total:,} combinations; at most {MOST_CELLS:,} are allowed"
        found.add(given[0].path[:1], what, SHORTEN)
    return total > MOST_CELLS


Refusal = tuple[KeyPath, str, str]


def _refused(
    given: Sequence[GivenConfiguration], made: Sequence[list[Cell]], *, all_known: bool
) -> Iterator[Refusal]:
    """Name what has no effect in any cell, if ``all_known``, and what is invalid in one."""
    shared = [cell for one, its in zip(given, made, strict=True) if one.shared for cell in its]
    for one, its in zip(given, made, strict=True):
        reasons = {key: why for cell in reversed(its) for key, why in cell.left.items()}
        for key, why in reasons.items():
            among = shared if key.partition(".")[0] in one.shared else its
            known = all_known or among is its
            if known and key not in one.soft and all(_is_unused(cell, key) for cell in among):
                yield one.place(key), about_setting(one.word(key), why.message), why.hint
        for cell in its:
            for problem in cell.wrong:
                what = about_setting(one.word(problem.setting), problem.message)
                everywhere = all(problem in other.wrong for other in its)
                where = "" if everywhere else f", in the combination {_told(cell)}"
                yield one.place(problem.setting), f"{what}{where}", problem.hint


def _is_unused(cell: Cell, key: str) -> bool:
    """Tell whether a setting was left out of a cell, or is not set in it."""
    first, dot, rest = key.partition(".")
    if key in cell.left or first in cell.left:
        return True
    value = cell.settings.get(first)
    if dot:
        return not isinstance(value, Mapping) or rest not in value
    return value is None or (value is False and SETTINGS[first].kind == "stage")


def _matrix(
    given: Sequence[GivenConfiguration], made: Sequence[list[Cell]], found: BenchmarkProblems
) -> Matrix:
    taken: set[str] = set()
    groups: list[tuple[str, tuple[str, ...]]] = []
    chosen: list[Configuration] = []
    for one, its in zip(given, made, strict=True):
        names = _names(one.name, its)
        for name in taken & set(names):
            hint = "give each configuration a unique name"
            found.add((*one.path, "name"), f'duplicate configuration name "{name[:60]}"', hint)
        taken |= set(names)
        groups.append((one.name, tuple(names)))
        chosen += [_made(cell, name) for cell, name in zip(its, names, strict=True)]
    keys = [*map(_key, chosen)]
    kinds = len({*keys})
    if kinds > MOST_LISTED:
        what = f"{kinds:,} configurations; at most {MOST_LISTED:,} are allowed"
        found.add(given[0].path[:1], what, SHORTEN)
    flat = [(one, cell) for one, its in zip(given, made, strict=True) for cell in its]
    return Matrix(tuple(chosen), tuple(_merged(flat, keys)), tuple(groups))


def _made(cell: Cell, name: str) -> Configuration:
    return replace(configuration(cell.settings), name=name)


def _names(name: str, its: Sequence[Cell]) -> list[str]:
    """Name cells by what varies and takes effect; by all that varies where that name is taken."""
    names: list[str] = []
    taken: set[str] = set()
    for at, cell in enumerate(its, 1):
        used = [label for label in cell.labels if not _is_left(cell, label[0])]
        for labels in (used, cell.labels):
            shown = [*filter(None, [name]), *(f"{_short(key)}={value}" for key, value in labels)]
            text = " ".join(shown) or "default"
            if text not in taken:
                break
        plain = len(text) <= LONGEST and sanitize(text) == text and text not in taken
        named = text if plain or len(its) == 1 else f"{name[:100]} {at}".strip()
        names.append(named or "default")
        taken.add(names[-1])
    return names


def _short(key: str) -> str:
    """Call the settings of a function by their own names."""
    return key.removeprefix("system.settings.")


def _is_left(cell: Cell, key: str) -> bool:
    return key in cell.left or key.partition(".")[0] in cell.left


def _told(cell: Cell) -> str:
    return ", ".join(f"{key}={value}" for key, value in cell.labels)[:200]


def _merged(flat: Sequence[tuple[GivenConfiguration, Cell]], keys: Sequence[str]) -> Iterator[str]:
    """Say for each setting without effect in how many cells it has none, and what follows."""
    told: dict[str, set[str]] = {}
    for (one, cell), key in zip(flat, keys, strict=True):
        for name, why in cell.left.items():
            if name not in one.soft or name in one.words:  # not what we added ourselves
                told.setdefault(f"{one.word(name)} {why.message}", set()).add(key)
    for what, runs in told.items():
        same = sum(key in runs for key in keys)
        number = count_noun(same, "configuration")
        merged = f"{number} are merged into {count_noun(len(runs), 'run')}"
        yield f"{what}; {merged if len(runs) < same else f'it is ignored in {number}'}"


def _key(chosen: Configuration) -> str:
    """Write what a configuration comes to, so that equal ones are equal texts: 1 is 1.0."""
    return json.dumps(_plain(describe(chosen)), sort_keys=True, default=str)


def _plain(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_plain, value)]
    return float(value) if isinstance(value, int) and abs(value) < EXACT else value
