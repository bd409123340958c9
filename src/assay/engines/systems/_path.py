"""A path into a response, such as ``hits.hits`` or ``fields.id[0]`` -> the value there."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["NOTHING", "Path"]

STEP = re.compile(r'(?:^|\.)([^.\[\]?"]+)|\[(\d{1,9})\]|\["([^"]*)"\]|\[(\*)\]')
JSON = (str, int, float, list, tuple, type(None))
NOTHING: Any = object()  # stands for what is not there: null is a value
HINT = 'e.g. hits.hits, fields.id[0], groups[*].hits, ["a.b"]; "." is the whole response'


@dataclass(frozen=True, slots=True)
class Path:
    """Steps through objects (by key or attribute) and lists (by number, or ``*`` for all items).

    With ``?`` at its end what it leads to may be missing.
    """

    written: str
    steps: tuple[str | int | None, ...]
    optional: bool = False

    @classmethod
    def of(cls, written: object, *, where: str) -> "Path":
        """Read a path.

        >>> Path.of("hits[*]._source.path", where="").steps
        ('hits', None, '_source', 'path')
        """
        if not isinstance(written, str):
            raise InputError(f"invalid path {quote_value(written)}", where=where, hint=HINT)
        text = written.removesuffix("?")
        text = "" if text == "." else text
        steps: list[str | int | None] = []
        at = 0
        while at < len(text):
            found = STEP.match(text, at)
            if found is None:
                raise InputError(f"invalid path {quote_value(written)}", where=where, hint=HINT)
            key, number, quoted, _ = found.groups()
            steps.append(key or (int(number) if number else quoted))
            at = found.end()
        return cls(written, tuple(steps), written.endswith("?"))

    @property
    def many(self) -> bool:
        """Whether it leads to several values."""
        return None in self.steps

    def values(self, answer: object) -> list[Any]:
        """Return all that it leads to; nothing where a step is not there."""
        found = [answer]
        for step in self.steps:
            found = [inner for one in found for inner in _inner(one, step)]
        return found

    def value(self, answer: object) -> Any:  # noqa: ANN401
        """Return what it leads to, or NOTHING."""
        return next(iter(self.values(answer)), NOTHING)


def _inner(value: object, step: str | int | None) -> Sequence[object]:
    if step is None:
        return value if isinstance(value, list) else ()
    if isinstance(step, int):
        return (value[step],) if isinstance(value, list | tuple) and step < len(value) else ()
    if isinstance(value, Mapping):
        return (value[step],) if step in value else ()
    # What follows is the result of a Python function; a tuple may have names for its items.
    own = not isinstance(value, JSON) or step in getattr(value, "_fields", ())
    own = own and hasattr(value, step)
    return (getattr(value, step),) if own else ()
