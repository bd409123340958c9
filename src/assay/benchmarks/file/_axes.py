"""A setting that may be a list -> the values that it stands for, each with what tells it apart."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import NoneType
from typing import Any, TypeGuard, get_args

from assay.searches.configuration.nested_settings import STAGES, system_kinds, system_settings
from assay.searches.configuration.settings import SETTINGS

__all__ = ["Choice", "Labels", "choices", "count", "is_many", "parts", "said", "twice"]

NESTED = (*STAGES, "system")  # settings that have settings of their own
SCALARS = (str, int, float, bool, NoneType)
Labels = tuple[tuple[str, str], ...]  # the setting, and what it is, of those that vary


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values that a setting takes; ``labels`` say what is different in it."""

    value: Any
    labels: Labels = ()


def choices(name: str, value: object) -> list[Choice]:
    """Return the values of a setting in their order: one, unless it holds lists.

    >>> [one.labels for one in choices("rerank", [None, "maxsim"])]
    [(('rerank', 'none'),), (('rerank', 'maxsim'),)]
    """
    if not is_many(value, name):
        return parts(name, value)
    values = [one.value for element in value for one in parts(name, element)]
    if len(values) == 1:
        return [Choice(values[0])]
    told = _told_apart(values)
    return [Choice(one, ((name, text),)) for one, text in zip(values, told, strict=True)]


def count(name: str, value: object) -> int:
    """Tell how many values a setting takes, without making them."""
    if is_many(value, name):
        return sum(_count_parts(name, element) for element in value)
    return _count_parts(name, value)


def twice(name: str, value: object) -> str:
    """Name a value that stands twice in a list, if one does."""
    texts = [one.labels[-1][1] for one in choices(name, value) if one.labels]
    whole = is_many(value, name)
    return next((text for at, text in enumerate(texts) if whole and text in texts[:at]), "")


def said(value: object) -> str:
    """Write a value as it stands in the name of a cell.

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


def is_many(value: object, name: str) -> TypeGuard[list[Any]]:
    """Tell whether a list is one of values: the list that is a pair of weights is not."""
    if not isinstance(value, list) or not _is_plural(name):
        return False
    if name == "weights":
        return not value or all(one is None or isinstance(one, list) for one in value)
    return True


@cache  # to look through all kinds of systems takes long
def _is_plural(name: str) -> bool:
    """Tell whether lists of a setting multiply; what a system is sent may be a list itself."""
    stage, dot, part = name.partition(".")
    if not dot or stage in STAGES:
        return name in SETTINGS or part in STAGES.get(stage, ())
    kinds = (system_settings(kind).get(part) for kind in system_kinds())
    return part == "kind" or all(_is_scalar(one) for one in kinds if one)


def _is_scalar(one: inspect.Parameter) -> bool:
    return all(kind in SCALARS for kind in get_args(one.annotation) or (one.annotation,))


def parts(name: str, value: object) -> list[Choice]:
    """Multiply the lists within a setting that has settings of its own."""
    if not isinstance(value, Mapping) or name not in NESTED:
        return [Choice(value)]
    each = [choices(f"{name}.{key}", one) for key, one in value.items()]
    return [
        Choice(
            {key: one.value for key, one in zip(value, chosen, strict=True)},
            tuple(label for one in chosen for label in one.labels),
        )
        for chosen in product(*each)
    ]


def _count_parts(name: str, value: object) -> int:
    if not isinstance(value, Mapping) or name not in NESTED:
        return 1
    return math.prod(count(f"{name}.{key}", one) for key, one in value.items())


def _told_apart(values: Sequence[Any]) -> list[str]:
    """Write values as shortly as tells them apart: the kind of systems, the end of a path."""
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
