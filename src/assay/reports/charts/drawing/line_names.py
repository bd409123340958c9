"""Names of lines: the settings in which they differ, as few as are enough where room is short."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.reports.charts.drawing.widths import wide
from assay.reports.shorten_names import shorten_names
from assay.text import sanitize

__all__ = ["line_names"]


def line_names(groups: Sequence[Mapping[str, Any]], room: float, size: float) -> list[str]:
    """Name each line by all that differs, or by as little as is enough where that is too long.

    >>> groups = [{"group": {"k": k, "search": "dense"}} for k in (5, 9)]
    >>> line_names(groups, 200, 11)
    ['k 5', 'k 9']
    """
    told = [dict(group.get("group") or {}) for group in groups]
    apart = _apart(told)
    ways = ([key for key in apart if all(key in one for one in told)], apart, _enough(told, apart))
    named = [_named(told, keys) for keys in ways]
    good = [labels for labels in named if len(set(labels)) == len(labels)] or named[1:2]
    fit = [labels for labels in good if max(wide(one, size) for one in labels) <= room]
    return _cut(fit[0] if fit else good[-1], room, size)


def _apart(told: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the settings in which lines differ; one that some lack counts as a value."""
    keys = dict.fromkeys(key for one in told for key in one)
    return [key for key in keys if len({_value(one.get(key)) for one in told}) > 1]


def _enough(told: Sequence[Mapping[str, Any]], apart: Sequence[str]) -> list[str]:
    """Choose settings one by one, each of which tells most lines apart, until all are."""
    chosen: list[str] = []
    rest = [*apart]

    def kinds(keys: Sequence[str]) -> int:
        return len({tuple(_value(one.get(key)) for key in keys) for one in told})

    while rest and kinds(chosen) < len(told):
        best = max(rest, key=lambda key: kinds([*chosen, key]))
        chosen.append(best)
        rest.remove(best)
    return [key for key in apart if key in chosen]


def _named(told: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> list[str]:
    return [
        sanitize(", ".join(_setting(key, one[key]) for key in keys if key in one)) for one in told
    ]


def _setting(key: str, value: object) -> str:
    """Write a number with its name; a word says by itself what it is."""
    return _value(value) if isinstance(value, str) else f"{key} {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "/".join(f"{key} {_value(one)}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return "/".join(map(_value, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _cut(labels: Sequence[str], room: float, size: float) -> list[str]:
    """Shorten what is still too long, where all have the same, until it fits."""
    short, limit = [*labels], max(map(len, labels), default=0)
    while limit > 8 and max(wide(one, size) for one in short) > room:
        limit -= 2
        short = [*shorten_names(labels, limit)]
    return short
