"""A configuration whose settings may be lists -> its cells, each with the settings of use in it."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from assay.benchmarks.file._axes import Labels, choices, count, is_many, parts, twice
from assay.benchmarks.file._places import beside
from assay.searches.configuration.configuration import wrong_values
from assay.searches.configuration.conflicts import Problem, conflicts, idle, is_left_out, unseen
from assay.searches.configuration.named_models import unopened

__all__ = ["Cell", "Given", "cells", "cells_of", "misgiven", "without"]

FOLDERS = ("model", "rerank")  # settings that may name a folder beside the file


@dataclass(frozen=True, slots=True)
class Given:
    """A configuration as a file gives it: its settings, and where they stand.

    ``words`` has what another program calls a setting. ``shared`` are the settings that stand in
    the matrix of all configurations, ``soft`` those that may be of no use in every cell.
    """

    name: str
    settings: Mapping[str, Any]
    path: tuple[str | int, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    soft: frozenset[str] = frozenset()

    def place(self, key: str) -> tuple[str | int, ...]:
        """Return where a setting stands."""
        first, *rest = key.split(".")
        home = ("matrix",) if first in self.shared else self.path
        return (*home, self._called(first), *rest)

    def word(self, key: str) -> str:
        """Return what the file calls a setting."""
        first, dot, rest = key.partition(".")
        return f"{self._called(first)}{dot}{rest}"

    def _called(self, first: str) -> str:
        """Return our own word for what stands in the matrix of all configurations."""
        return first if first in self.shared else self.words.get(first, first)


@dataclass(frozen=True, slots=True)
class Cell:
    """One choice of each list: the settings of use, what tells it apart, and what was left out."""

    settings: dict[str, Any]
    labels: Labels
    left: dict[str, tuple[str, str]]  # why, and what to do
    wrong: tuple[Problem, ...] = ()


def cells(given: Given) -> int:
    """Count the cells of a configuration, without making them."""
    return math.prod(count(name, value) for name, value in given.settings.items())


def misgiven(given: Given) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Name what is wrong with single values: the place, the problem, and what to do."""
    for name, value in given.settings.items():
        place, word = given.place(name), given.word(name)
        if is_many(value, name):
            yield from _misgiven_list(name, value, place, word)
        elif not count(name, value):
            yield place, f"{word} holds an empty list", "give at least one value"
        else:
            yield from _misgiven(name, value, place, word)


def cells_of(given: Given, *, home: str, cutoff: int | None) -> list[Cell]:
    """Make the cells; a setting that is of no use in one is left out of it."""
    each = [choices(name, value) for name, value in given.settings.items()]
    made = []
    for chosen in product(*each):
        settings = dict(zip(given.settings, (one.value for one in chosen), strict=True))
        labels = tuple(label for one in chosen for label in one.labels)
        made.append(_cell(settings, labels, home, cutoff))
    return made


def without(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Leave out a setting, or one within a setting (``coherence.alpha``)."""
    first, dot, rest = name.partition(".")
    if dot:
        return {**settings, first: {k: v for k, v in settings[first].items() if k != rest}}
    return {key: value for key, value in settings.items() if key != name}


def _cell(settings: dict[str, Any], labels: Labels, home: str, cutoff: int | None) -> Cell:
    """Leave out one setting after the other: without the first, the next may be of use."""
    used = settings | {key: beside(settings[key], home) for key in FOLDERS if key in settings}
    left: dict[str, tuple[str, str]] = {}
    while True:
        wrong = [*idle(used), *conflicts(used, cutoff)] or [*unseen(used), *unopened(used)]
        gone = next(filter(is_left_out, wrong), None)
        if gone is None:
            return Cell(used, labels, left, tuple(wrong))
        used = without(used, gone[0])
        left[gone[0]] = gone[1:]


def _misgiven_list(
    name: str, value: list[Any], place: tuple[str | int, ...], word: str
) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    if not value:
        yield place, f"{word} is an empty list", "give at least one value"
    found = [one for at, v in enumerate(value) for one in _misgiven(name, v, (*place, at), word)]
    yield from found
    if not found and (again := twice(name, value)):
        yield place, f"{word} has {again} twice", "keep one of them"


def _misgiven(
    name: str, value: object, place: tuple[str | int, ...], word: str
) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    found = (one for choice in parts(name, value) for one in _singly(name, choice.value))
    for key, problem, hint in dict.fromkeys(found):
        _, dot, rest = key.partition(".")
        yield (*place, *filter(None, [rest])), f"{word}{dot}{rest} {problem}", hint


def _singly(name: str, value: object) -> list[Problem]:
    if name == "name":
        return [(name, "is no setting of a matrix", "leave it out")]
    return wrong_values({name: value})
