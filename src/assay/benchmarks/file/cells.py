"""A configuration whose settings may be lists -> its cells, each with its effective settings."""

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, product
from types import NoneType
from typing import Any, TypeGuard, get_args

from assay.benchmarks.file.problems import ENOUGH, KeyPath, about_setting
from assay.searches.configuration.configuration import wrong_values
from assay.searches.configuration.conflicts import conflicts, idle, unseen
from assay.searches.configuration.named_models import beside, unopened
from assay.searches.configuration.nested_settings import NESTED, system_kinds, system_settings
from assay.searches.configuration.problem import Problem
from assay.searches.configuration.settings import SETTINGS, in_own_words
from assay.searches.configuration.word_lists import LISTS, is_one_list, placed, unread

__all__ = [
    "Cell",
    "GivenConfiguration",
    "cells",
    "cells_of",
    "choices",
    "count",
    "invalid_setting",
    "said",
    "without_setting",
]

FOLDERS = ("model", "rerank")  # settings that may name a folder beside the file
# Settings that have settings of their own.
HOLDING = (*NESTED, "system", "system.settings")
SCALARS = (str, int, float, bool, NoneType)
_Labels = tuple[tuple[str, str], ...]  # the setting, and what it is, of those that vary


@dataclass(frozen=True, slots=True)
class GivenConfiguration:
    """A configuration as a file gives it: its settings, and their places.

    ``words`` has what another program calls a setting. ``shared`` are the settings of the matrix of
    all configurations, ``soft`` those that may have no effect in any cell.
    """

    name: str
    settings: Mapping[str, Any]
    path: KeyPath = ()
    words: Mapping[str, str] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()
    soft: frozenset[str] = frozenset()

    def place(self, key: str) -> KeyPath:
        """Return the place of a setting."""
        first, *rest = key.split(".")
        home = ("matrix",) if first in self.shared else self.path
        return (*home, self._called(first), *rest)

    def word(self, key: str) -> str:
        """Return what the file calls a setting."""
        first, dot, rest = key.partition(".")
        return f"{self._called(first)}{dot}{rest}"

    def _called(self, first: str) -> str:
        """Return our own word for a setting of the matrix of all configurations."""
        return first if first in self.shared else self.words.get(first, first)


@dataclass(frozen=True, slots=True)
class Cell:
    """One choice of each list: the effective settings, what varies, and what has no effect."""

    settings: dict[str, Any]
    labels: _Labels
    left: dict[str, Problem]
    wrong: tuple[Problem, ...] = ()


def cells(given: GivenConfiguration) -> int:
    """Count the cells of a configuration, without making them."""
    return math.prod(count(name, value) for name, value in given.settings.items())


def invalid_setting(given: GivenConfiguration, name: str) -> Iterator[tuple[KeyPath, str, str]]:
    """Name what is wrong with single values: the place, the problem, and what to do."""
    value, place, word = given.settings[name], given.place(name), given.word(name)
    if _is_many(value, name):
        yield from _misgiven_list(name, value, place, word)
    elif not count(name, value):
        yield place, f"{word} contains an empty list", "give at least one value"
    else:
        yield from _misgiven(name, value, place, word)


def cells_of(given: GivenConfiguration, *, home: str, cutoff: int | None) -> list[Cell]:
    """Make the cells; a setting without effect in one is not part of it."""
    each = [choices(name, value) for name, value in given.settings.items()]
    made = []
    for chosen in product(*each):
        settings = dict(zip(given.settings, (one.value for one in chosen), strict=True))
        labels = tuple(label for one in chosen for label in one.labels)
        made.append(_cell(settings, labels, home, cutoff))
    return made


def without_setting(settings: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Remove a setting, or one within a setting (``coherence.alpha``)."""
    first, dot, rest = name.partition(".")
    if dot:
        return {**settings, first: {k: v for k, v in settings[first].items() if k != rest}}
    return {key: value for key, value in settings.items() if key != name}


def _cell(settings: dict[str, Any], labels: _Labels, home: str, cutoff: int | None) -> Cell:
    """Remove one setting after the other: without the first, the next may have an effect."""
    used = in_own_words(settings)
    used |= {key: beside(used[key], home) for key in FOLDERS if key in used}
    used |= {key: placed(used[key], home) for key in LISTS if key in used}
    left: dict[str, Problem] = {}
    while True:
        wrong = [*idle(used), *conflicts(used, cutoff)]
        wrong = wrong or [*unseen(used), *unopened(used), *unread(used)]
        gone = next((one for one in wrong if one.idle), None)
        if gone is None:
            return Cell(used, labels, left, tuple(wrong))
        used = without_setting(used, gone.setting)
        left[gone.setting] = gone


def _misgiven_list(
    name: str, value: list[Any], place: KeyPath, word: str
) -> Iterator[tuple[KeyPath, str, str]]:
    if not value:
        yield place, f"{word} is an empty list", "give at least one value"
    every = (one for at, v in enumerate(value) for one in _misgiven(name, v, (*place, at), word))
    found = [*islice(every, ENOUGH)]
    yield from found
    if not found and (again := _twice(name, value)):
        yield place, f"{word} lists {again} twice", "remove one of them"


def _misgiven(
    name: str, value: object, place: KeyPath, word: str
) -> Iterator[tuple[KeyPath, str, str]]:
    found = (one for choice in _parts(name, value) for one in _singly(name, choice.value))
    for one in dict.fromkeys(found):
        _, dot, rest = one.setting.partition(".")
        what = about_setting(f"{word}{dot}{rest}", one.message)
        yield (*place, *filter(None, [rest])), what, one.hint


def _singly(name: str, value: object) -> list[Problem]:
    if name == "name":
        return [Problem(name, "cannot be set in a matrix", "remove it")]
    return wrong_values({name: value})


@dataclass(frozen=True, slots=True)
class _Choice:
    """One of the values that a setting takes; ``labels`` say what is different in it."""

    value: Any
    labels: _Labels = ()


def choices(name: str, value: object) -> list[_Choice]:
    """Return the values of a setting in their order: one, unless it holds lists.

    >>> [one.labels for one in choices("rerank", [None, "maxsim"])]
    [(('rerank', 'none'),), (('rerank', 'maxsim'),)]
    """
    if not _is_many(value, name):
        return _parts(name, value)
    values = [one.value for element in value for one in _parts(name, element)]
    if len(values) == 1:
        return [_Choice(values[0])]
    told = _told_apart(values)
    return [_Choice(one, ((name, text),)) for one, text in zip(values, told, strict=True)]


def count(name: str, value: object) -> int:
    """Tell how many values a setting takes, without making them."""
    if _is_many(value, name):
        return sum(_count_parts(name, element) for element in value)
    return _count_parts(name, value)


def _twice(name: str, value: object) -> str:
    """Name a value that is in a list twice, if one is."""
    texts = [one.labels[-1][1] for one in choices(name, value) if one.labels]
    whole = _is_many(value, name)
    return next((text for at, text in enumerate(texts) if whole and text in texts[:at]), "")


def said(value: object) -> str:
    """Write a value as the name of a cell has it.

    >>> said(None), said(True), said([0.4, 0.6]), said({"alpha": 0.5})
    ('none', 'true', '0.4:0.6', '{alpha: 0.5}')
    """
    if value is None or isinstance(value, bool):
        return "none" if value is None else str(value).lower()
    if isinstance(value, float):
        return f"{value:.12g}"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {said(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return ":".join(map(said, value))
    return str(value)


def _is_many(value: object, name: str) -> TypeGuard[list[Any]]:
    """Tell whether a list is one of values: weights, words and rules are lists themselves."""
    if not isinstance(value, list) or not _is_plural(name) or is_one_list(name, value):
        return False
    if name == "weights":
        return not value or all(one is None or isinstance(one, list) for one in value)
    return True


@cache  # to look through all kinds of systems takes long
def _is_plural(name: str) -> bool:
    """Tell whether lists of a setting multiply; what a system is sent may be a list itself."""
    stage, dot, part = name.partition(".")
    if not dot or stage in NESTED:
        return name in SETTINGS or part in NESTED.get(stage, ())
    kinds = (system_settings(kind).get(part) for kind in system_kinds())
    return part == "kind" or all(_is_scalar(one) for one in kinds if one)


def _is_scalar(one: inspect.Parameter) -> bool:
    return all(kind in SCALARS for kind in get_args(one.annotation) or (one.annotation,))


def _parts(name: str, value: object) -> list[_Choice]:
    """Multiply the lists within a setting that has settings of its own."""
    if not isinstance(value, Mapping) or name not in HOLDING:
        return [_Choice(value)]
    each = [choices(f"{name}.{key}", one) for key, one in value.items()]
    return [
        _Choice(
            {key: one.value for key, one in zip(value, chosen, strict=True)},
            tuple(label for one in chosen for label in one.labels),
        )
        for chosen in product(*each)
    ]


def _count_parts(name: str, value: object) -> int:
    if not isinstance(value, Mapping) or name not in HOLDING:
        return 1
    return math.prod(count(f"{name}.{key}", one) for key, one in value.items())


def _told_apart(values: Sequence[Any]) -> list[str]:
    """Write values as short as they still differ: the kind of systems, the end of a path.

    >>> _told_apart([None, "none"])  # no stop words, or those of the language
    ['default', 'none']
    """
    if said(None) in values:
        values = ["default" if value is None else value for value in values]
    whole = [said(value) for value in values]
    for shorter in (_kind, _last, _differing(values)):
        texts = [shorter(value) for value in values]
        if len(set(texts)) == len(set(whole)):
            return texts
    return whole


def _kind(value: object) -> str:
    kind = value.get("kind") if isinstance(value, Mapping) else None
    return str(kind) if kind else _last(value)


def _last(value: object) -> str:
    return said(value).rpartition("/")[2] if isinstance(value, str) else said(value)


def _differing(values: Sequence[Any]) -> Callable[[object], str]:
    """Show of mappings only the keys in which they differ."""
    maps = [value for value in values if isinstance(value, Mapping)]
    keys = {key for one in maps for key in one}
    differ = {key for key in keys if len({said(one.get(key, "-")) for one in maps}) > 1}

    def shown(value: object) -> str:
        if not isinstance(value, Mapping):
            return said(value)
        return said({key: one for key, one in value.items() if key in differ})

    return shown
