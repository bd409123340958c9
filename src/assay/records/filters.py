"""Filters: which documents a query may find, by their metadata."""

import json
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.errors import InputError
from assay.records.metadata import bounded_metadata, is_metadata_name
from assay.text.quote import quote_value

__all__ = ["Condition", "Filters", "value_text"]

SIGN = r"(>=|<=|!=|==?|>|<)(?![<>=])"
CONDITION = re.compile(rf"\s*([^<>=!]*[^<>=!\s])\s*{SIGN}\s*(.*?)\s*", re.DOTALL)
DATE = re.compile(r"\d{4}-\d\d")  # compared with a year, too, of which it is later
NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
HINT = "write FIELD=VALUE, or !=, <, <=, > or >= in the place of =, e.g. 'year>=2020'"
IN_FILE = 'write e.g. filters: {language: de, year: {">=": 2020}}'
COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.eq,  # of the values that no document may have
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True, slots=True)
class Condition:
    """One field compared with a value; of several ``values`` any will do (for !=, none may be)."""

    field: str
    operator: str
    values: tuple[Any, ...]

    @property
    def negated(self) -> bool:
        """Whether documents must not have the value; those without the field have none."""
        return self.operator == "!="

    def holds(self, value: object) -> bool:
        """Compare one value of a document; for != it tells whether the value is refused."""
        compare = COMPARE[self.operator]
        return any(_compared(value, one, compare) for one in self.values)

    def __str__(self) -> str:
        return f"{self.field}{self.operator}{'|'.join(map(value_text, self.values))}"


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions that must all hold.

    Numbers are compared as numbers, also where they are written as texts; other texts by their
    characters, so that dates such as 2024-05-31 are in order. A field with several values matches
    by any of them.

    >>> filters = Filters.of({"language": "de", "year": {">=": 2020}})
    >>> filters.match({"language": "de", "year": "2021"}), filters.match({"language": "de"})
    (True, False)
    >>> str(Filters.of(["language=de", "year>=2020"]))
    'language=de, year>=2020'
    """

    conditions: tuple[Condition, ...] = ()

    @classmethod
    def of(cls, given: object, *, where: str = "filters") -> "Filters":
        """Read filters: a mapping as in a dataset, or texts such as ``year>=2020``."""
        if isinstance(given, Filters):
            return given
        if given is None or given == "":
            return cls()
        if isinstance(given, str):
            given = [one for one in given.split(";") if one.strip()]
        if isinstance(given, Mapping):
            found = [one for name, value in given.items() for one in _named(name, value, where)]
        elif isinstance(given, Iterable):
            found = [_written(text, where) for text in given]
        else:
            raise InputError(f"invalid filters {quote_value(given)}", where=where, hint=IN_FILE)
        return cls(tuple(sorted(set(found), key=repr)))

    def __bool__(self) -> bool:
        return bool(self.conditions)

    def __str__(self) -> str:
        return ", ".join(map(str, self.conditions))

    @property
    def key(self) -> str:
        """Name what is filtered: part of the name of a query that has filters."""
        return json.dumps([[one.field, one.operator, [*one.values]] for one in self.conditions])

    def match(self, fields: Mapping[str, object]) -> bool:
        """Tell whether a document with these fields may be found."""
        return all(_matches(one, fields.get(one.field)) for one in self.conditions)


def _matches(condition: Condition, value: object) -> bool:
    values = value if isinstance(value, list | tuple) else () if value is None else (value,)
    return any(map(condition.holds, values)) != condition.negated


def _named(name: object, value: object, where: str) -> list[Condition]:
    """Read a field of a mapping: a value, a list of values, or operators with their values."""
    if isinstance(value, Mapping):
        unknown = [one for one in value if one not in COMPARE]
        if unknown or not value:
            problem = f"{name}: unknown operator {quote_value(unknown[0] if unknown else '')}"
            raise InputError(problem, where=where, hint=f"use one of {' '.join(COMPARE)}")
        return [_condition(name, str(one), its, where) for one, its in value.items()]
    return [_condition(name, "=", value, where)]


def _written(text: object, where: str) -> Condition:
    found = CONDITION.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise InputError(f"invalid filter {quote_value(text)}", where=where, hint=HINT)
    return _condition(found[1], "=" if found[2] == "==" else found[2], found[3], where)


def _condition(name: object, sign: str, value: object, where: str) -> Condition:
    values = bounded_metadata({"value": value}).get("value")
    if not isinstance(name, str) or not is_metadata_name(name) or values is None:
        problem = f"invalid filter {quote_value(f'{name}{sign}{value}')}"
        raise InputError(problem, where=where, hint=HINT)
    return Condition(name, sign, tuple(values) if isinstance(values, list) else (values,))


def _compared(value: object, wanted: object, compare: Callable[[Any, Any], bool]) -> bool:
    numbers = _number(value), _number(wanted)
    if None not in numbers:
        return compare(*numbers)
    texts = value_text(value), value_text(wanted)
    if isinstance(value, bool) or isinstance(wanted, bool):
        texts = texts[0].lower(), texts[1].lower()  # True, as Python and spreadsheets write it
    ordered = numbers == (None, None) or any(map(DATE.match, texts))
    return compare(*texts) if ordered or compare is operator.eq else False


def _number(value: object) -> int | float | None:
    if isinstance(value, str):
        return float(value) if NUMBER.fullmatch(value) else None
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def value_text(value: object) -> str:
    """Write a value as filters do.

    >>> value_text(True), value_text(2020.0), value_text(1.5)
    ('true', '2020', '1.5')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
