"""What is wrong with the fields of a request -> a place, a problem and a hint for each field.

The framework reports one error for each type that a field may have, in the words of Python.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, get_args

from pydantic import BaseModel
from starlette.datastructures import UploadFile

from assay.text.join_list import first_few
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["FieldProblem", "field_problems"]

ECHO = 80  # characters of a value that an answer repeats
SHOWN = 20  # values that a hint lists
SUGGESTED = 20  # problems whose hint has the nearest name: it takes a while to find
FieldProblem = tuple[str, str, str]
Path = tuple[str | int, ...]

PARTS = {
    "query": "query parameter",
    "path": "path parameter",
    "header": "header",
    "cookie": "cookie",
}
# What a value has to be, by the kind of the error; the numbers are those of its context.
EXPECTED = {
    "string_type": "text",
    "string_sub_type": "text",
    "list_type": "a list",
    "dict_type": "an object",
    "mapping_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "greater_than_equal": "at least {ge}",
    "greater_than": "more than {gt}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "string_too_short": "at least {min_length:,} characters",
    "string_too_long": "at most {max_length:,} characters",
    "too_short": "at least {min_length:,} items",
    "too_long": "at most {max_length:,} items",
    "literal_error": "one of: {expected}",
    "enum": "one of: {expected}",
    "string_unicode": "text without halves of surrogate pairs",
}
# Keys of a benchmark file that a request has something else for.
INSTEAD = dict.fromkeys(
    ("dataset", "datasets", "corpus"),
    "use mappings: POST /api/v1/mappings maps a dataset onto a corpus",
)


@dataclass(frozen=True, slots=True)
class _Fault:
    """An error of the framework; ``path`` leads to the value, ``branch`` to where types differ."""

    part: str
    path: Path
    branch: Path | None
    about: Mapping[str, Any]

    @property
    def kind(self) -> str:
        return str(self.about.get("type"))

    @property
    def expected(self) -> str:
        context = self.about.get("ctx") or {}
        return EXPECTED.get(self.kind, "").format_map(context)


def field_problems(
    errors: Iterable[Mapping[str, Any]], body: object = None, model: object = None
) -> list[FieldProblem]:
    """Describe the errors of a request: one for each field, in the order of the fields.

    ``body`` is what was sent, and ``model`` the type that describes it.

    >>> missing = {"type": "missing", "loc": ("body", "name"), "input": {}}
    >>> field_problems([missing], {})
    [('name', 'the field is missing', '')]
    """
    faults = [_fault(one, body) for one in errors]
    each = (same for group in _groups(faults) for same in _by_path(group))
    suggested = repeat(model, SUGGESTED)
    return list(dict.fromkeys(_described(same, next(suggested, None)) for same in each))


def _fault(about: Mapping[str, Any], body: object) -> _Fault:
    """Find the value that an error is about; other parts of its place name types."""
    part, *steps = (*about.get("loc", ()), "")[:-1] or ("",)
    if part != "body":
        return _Fault(str(part), tuple(steps), None, about)
    path: list[str | int] = []
    branch: Path | None = None
    value: Any = body
    for at, step in enumerate(steps):
        last = at == len(steps) - 1
        if isinstance(value, Mapping) and (
            step in value or (last and about.get("type") == "missing")
        ):
            value = value.get(step)
        elif isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
            value = value[step]
        elif not path:  # a body that was not read
            value = None
        else:
            branch = tuple(path) if branch is None else branch
            continue
        path.append(step)
    return _Fault("body", tuple(path), branch, about)


def _groups(faults: Sequence[_Fault]) -> Iterator[list[_Fault]]:
    """Put together what one value is refused for, as each of the types that it may have.

    Where a list or an object is of one of the types, only what is wrong within it counts.
    """
    groups: dict[tuple[str, Path], list[_Fault]] = {}
    for one in faults:
        key = (one.part, one.path if one.branch is None else one.branch)
        groups.setdefault(key, []).append(one)
    for (_, path), group in groups.items():
        yield [one for one in group if len(one.path) > len(path)] or group


def _by_path(group: Sequence[_Fault]) -> list[list[_Fault]]:
    found: dict[Path, list[_Fault]] = {}
    for one in group:
        found.setdefault(one.path, []).append(one)
    return [*found.values()]


def _described(faults: Sequence[_Fault], model: object) -> FieldProblem:
    first = faults[0]
    where = _where(first)
    value = first.about.get("input")
    if first.kind == "missing":
        what = "field" if first.part == "body" else "parameter"
        return (where, f"the {what if first.path else 'body'} is missing", "")
    if first.kind == "extra_forbidden":
        return (where, f"unknown field {quote_value(first.path[-1])}", _known(first, model))
    if first.kind == "json_invalid":
        return ("body", "the body is not valid JSON", "")
    expected = list(dict.fromkeys(filter(None, (one.expected for one in faults))))
    if expected == ["at least 1 characters"]:
        return (where, "the text is empty", "expected at least 1 character")
    if expected == ["at least 1 items"]:
        return (where, "the list is empty", "expected at least 1 item")
    if not expected:
        return (where, *_own_words(first, value))
    return (where, f"expected {_either(expected)}", f"got {_shown(value)}")


def _own_words(fault: _Fault, value: object) -> tuple[str, str]:
    """Use the message of a check of ours, and otherwise that of the framework."""
    message = str(fault.about.get("msg", "is invalid")).removeprefix("Value error, ")
    if "Expected UploadFile" in message:
        return "expected a file", f"got {_shown(value)}"
    if fault.kind == "string_pattern_mismatch":
        blank = isinstance(value, str) and not value.strip()
        message = "the text is blank" if blank else "the text has another form than expected"
    return message, f"got {_shown(value)}"


def _known(fault: _Fault, model: object) -> str:
    """Suggest a field that is known in place of one that is not."""
    name, known = str(fault.path[-1]), _fields(model, fault.path[:-1])
    if name in INSTEAD and "mappings" in known:
        return INSTEAD[name]
    if not known:
        return "remove it"
    few = first_few([*known], SHOWN)
    return did_you_mean(name, known, otherwise=f"expected one of: {few}")


def _fields(model: object, path: Path) -> list[str]:
    """List the fields of a model, or of one within it."""
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        within = [_fields(one, path) for one in get_args(model)]
        return next(filter(None, within), [])
    if not path:
        return [one.alias or name for name, one in model.model_fields.items()]
    if isinstance(path[0], int):
        return _fields(model, path[1:])
    field = model.model_fields.get(path[0])
    rest = tuple(step for step in path[1:] if isinstance(step, str))
    return [] if field is None else _fields(field.annotation, rest)


def _where(fault: _Fault) -> str:
    """Write a place as people do: configurations[1].name, query parameter limit."""
    steps = (f"[{one}]" if isinstance(one, int) else f".{str(one)[:60]}" for one in fault.path)
    text = "".join(steps).removeprefix(".")
    if fault.part == "body":
        return text or "body"
    return f"{PARTS.get(fault.part, fault.part)} {text}".strip()


def _either(expected: Sequence[str]) -> str:
    *others, last = expected
    return f"{', '.join(others)} or {last}" if others else last


def _shown(value: object) -> str:
    """Write a value as a person knows it: a file and what holds others by their kind."""
    if isinstance(value, UploadFile):
        return f"a file, {quote_value(value.filename or '', ECHO)}"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple | set):
        return "a list"
    return quote_value(value, ECHO)
