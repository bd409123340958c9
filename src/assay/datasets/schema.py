"""A value against a JSON Schema -> all of its problems, in plain words and with their paths."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from assay.text.near_miss import did_you_mean
from assay.text.truncate import cut_end

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError
from itertools import islice

__all__ = ["Schema", "path_text"]

Path = Sequence[str | int]
NOUNS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
MOST = 50  # entries of a list or object in a piece


class Schema:
    """A compiled JSON Schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        from jsonschema_rs import validator_for  # only who reads JSON or YAML needs it

        self.schema = schema
        self._validator = validator_for(dict(schema))

    def problems(self, value: Any) -> Iterator[tuple[Path, str, str]]:  # noqa: ANN401
        """Yield the path, the problem and a hint for each thing that is wrong."""
        if not self._validator.is_valid(value):
            for piece, key, start in _pieces(value, self.schema.get("properties", ())):
                if not self._validator.is_valid(piece):
                    yield from self._of_piece(piece, key, start)

    def _of_piece(self, piece: Any, key: str, start: int) -> Iterator[tuple[Path, str, str]]:  # noqa: ANN401
        """Look at a piece of a list, whose other keys are another's business."""
        for error in self._errors(piece, key):
            path = error.instance_path
            if key and len(path) > 1:
                path = [key, int(path[1]) + start, *path[2:]]
            for problem, hint in self._words(error):
                yield path, problem, hint

    def _errors(self, piece: Any, key: str) -> "list[ValidationError]":  # noqa: ANN401
        """Return the errors of what is left of a piece after a cut, or at least one beyond it."""
        every = self._validator.iter_errors(_cut(piece))
        found = [error for error in every if not key or error.instance_path[:1] == [key]]
        if not found:
            try:
                self._validator.validate(piece)
            except ValueError as error:  # which its errors are
                found.append(error)  # type: ignore[arg-type]
        return found

    def _words(self, error: "ValidationError") -> Iterator[tuple[str, str]]:
        """Say what a keyword of the schema found, and what could be meant instead."""
        kind: Any = error.kind
        if kind.name == "additionalProperties":
            for name in kind.unexpected:
                yield (
                    f'unknown key "{name}"',
                    did_you_mean(name, self._known(error), otherwise=""),
                )
        elif kind.name == "anyOf":
            yield self._either(error), ""
        elif kind.name == "required":
            yield f'"{kind.property}" is missing', ""
        else:
            yield self._of_value(kind, _short(error.instance), str(error.message))

    @staticmethod
    def _of_value(kind: Any, shown: str, message: str) -> tuple[str, str]:  # noqa: ANN401
        match kind.name:
            case "type":
                nouns = " or ".join(NOUNS.get(name, name) for name in kind.types)
                return f"{shown} is not {nouns}", ""
            case "enum":
                options = ", ".join(map(str, kind.options))
                return f"{shown} is not one of: {options}", did_you_mean(
                    shown.strip('"'), map(str, kind.options), otherwise=""
                )
            case "minLength" | "minItems" | "minProperties":
                short = f"{shown} is too short (at least {kind.limit})"
                return "is empty" if shown in ('""', "[]", "{}") else short, ""
            case "pattern":
                return f"{shown} has an invalid format", ""
            case "minimum" | "maximum":
                bound = "at least" if kind.name == "minimum" else "at most"
                return f"{shown} is out of range ({bound} {kind.limit:,})", ""
            case _:
                return message, ""

    def _known(self, error: "ValidationError") -> list[str]:
        known = self._at(error.schema_path[:-1]).get("properties", {})
        return list(known)

    def _either(self, error: "ValidationError") -> str:
        """Tell which of several keys one is needed."""
        branches = self._at(error.schema_path)
        keys = [key for branch in branches for key in branch.get("required", [])]
        first, *others = (f'"{key}"' for key in keys)
        return f"{first} is missing" + (f" (or {' or '.join(others)})" if others else "")

    def _at(self, path: Iterable[str | int]) -> Any:  # noqa: ANN401
        at: Any = self.schema
        for step in path:
            if isinstance(at, Mapping) and "$ref" in at and step not in at:
                at = self._at(at["$ref"].split("/")[1:])
            at = at[step] if not isinstance(at, list) else at[int(step)]
        return at


@cache
def path_text(path: tuple[str | int, ...]) -> str:
    """Write a path as one would in a program.

    >>> path_text(("queries", 3, "query_text"))
    'queries[3].query_text'
    """
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def _short(value: object) -> str:
    import json

    return cut_end(json.dumps(value, ensure_ascii=False, default=str), 60, mark="...")


def _pieces(value: Any, known: Iterable[str]) -> Iterator[tuple[Any, str, int]]:  # noqa: ANN401
    """Yield the value with its long lists cut, then what was cut: its key and its start.

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


def _cut(value: Any) -> Any:  # noqa: ANN401
    """Return a copy in which no list or object is long."""
    if isinstance(value, dict):
        return {key: _cut(part) for key, part in islice(value.items(), MOST)}
    return [_cut(part) for part in value[:MOST]] if isinstance(value, list) else value


def _is_long(value: object) -> bool:
    return isinstance(value, list) and len(value) > MOST
