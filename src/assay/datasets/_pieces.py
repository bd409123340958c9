"""A large value in pieces, so that looking for its problems takes no longer than telling them."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

__all__ = ["cut", "pieces"]

MOST = 50  # entries of a list or object in a piece


def pieces(value: Any, known: Iterable[str]) -> Iterator[tuple[Any, str, int]]:  # noqa: ANN401
    """Yield the value with its long lists cut, then what was cut: the list's key, from where on.

    The ``known`` keys go with every piece, for some are needed.
    """
    long = {}
    if isinstance(value, dict):
        long = {key: part for key, part in value.items() if _is_long(part)}
    yield ({**value, **{key: long[key][:MOST] for key in long}} if long else value), "", 0
    beside = {key: [] if key in long else value[key] for key in known if long and key in value}
    for key, part in long.items():
        for start in range(MOST, len(part), MOST):
            yield {**beside, key: part[start : start + MOST]}, key, start


def cut(value: Any) -> Any:  # noqa: ANN401
    """Return a copy in which no list or object is long."""
    if isinstance(value, dict):
        return {key: cut(part) for key, part in islice(value.items(), MOST)}
    return [cut(part) for part in value[:MOST]] if isinstance(value, list) else value


def _is_long(value: object) -> bool:
    return isinstance(value, list) and len(value) > MOST
