"""The values of a JSON object, each checked, with the path that a message names."""

import math
from collections.abc import Mapping
from typing import Any

from assay.errors import InputError
from assay.text.quote import quote_value

__all__ = ["Fields"]

ROUNDING = 1e-9  # by which a mean of scores may be above the largest score


class Fields:
    """One object of a file. A value that is null counts as absent."""

    def __init__(self, value: object, where: str, path: str = "") -> None:
        self.where, self.path = where, path
        if not isinstance(value, Mapping):
            raise self.error("", f"{quote_value(value)} is not an object")
        self.value: Mapping[str, Any] = value

    def __contains__(self, key: str) -> bool:
        return self.value.get(key) is not None

    def place(self, key: str) -> str:
        """Return the path of a value inside the file."""
        return ".".join(filter(None, (self.path, key)))

    def error(self, key: str, problem: str, *, hint: str = "") -> InputError:
        """Return the error for a wrong value."""
        where = ", ".join(filter(None, (self.where, self.place(key))))
        return InputError(problem, where=where, hint=hint or "correct the value, or remove it")

    def part(self, key: str) -> "Fields":
        """Return an object inside this one; an empty one if it is absent."""
        value = self.value.get(key)
        return Fields({} if value is None else value, self.where, self.place(key))

    def parts(self, key: str) -> "dict[str, Fields]":
        """Return the objects by name that an object inside this one holds."""
        found = self.part(key)
        return {name: found.part(name) for name in found.value}

    def rows(self, key: str) -> "list[Fields]":
        """Return the objects of a list; none if it is absent."""
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.error(key, f"{quote_value(value)} is not a list")
        place = self.place(key)
        return [Fields(one, self.where, f"{place}[{at}]") for at, one in enumerate(value)]

    def texts(self, key: str) -> list[str]:
        """Return the texts of a list; none if it is absent."""
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self.error(key, f"{quote_value(value)} is not a list of texts")
        return value

    def text(self, key: str) -> str:
        """Return a text, or a number as text; empty if it is absent."""
        value = self.value.get(key)
        if value is None:
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self.error(key, f"{quote_value(value)} is not a text")
        return str(value)

    def score(self, key: str, *, most: float = 1.0) -> float | None:
        """Return a score between 0 and its largest value; None if it is absent."""
        hint = f"expected a number from 0 to {most:.4g}"
        value = self.number(key, hint=hint)
        if value is None or 0 <= value <= most:
            return value
        if most < value <= most + ROUNDING:
            return most
        raise self.error(key, f"{quote_value(value)} is out of range", hint=hint)

    def amount(self, key: str, *, factor: float = 1.0) -> float | None:
        """Return a time, a size or a count in our unit; None if it is absent."""
        hint = "expected a number of at least 0"
        value = self.number(key, hint=hint)
        if value is not None and value < 0:
            raise self.error(key, f"{quote_value(value)} is negative", hint=hint)
        return value if value is None or factor == 1 else value * factor

    def number(self, key: str, *, hint: str = "expected a number") -> float | None:
        """Return a finite number; None if it is absent."""
        value = self.value.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.error(key, f"{quote_value(value)} is not a number", hint=hint)
        if not math.isfinite(value):
            raise self.error(key, f"{quote_value(value)} is not a finite number", hint=hint)
        return value

    def count(self, key: str) -> int | None:
        """Return a whole number of at least 0; None if it is absent."""
        value = self.amount(key)
        if value is not None and value != int(value):
            raise self.error(key, f"{quote_value(value)} is not a whole number")
        return None if value is None else int(value)

    def flag(self, key: str) -> bool:
        """Return whether something is true; false if it is absent."""
        value = self.value.get(key)
        if value is not None and not isinstance(value, bool):
            hint = "expected true or false"
            raise self.error(key, f"{quote_value(value)} is not true or false", hint=hint)
        return bool(value)
