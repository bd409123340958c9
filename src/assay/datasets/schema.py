"""A value against a JSON Schema -> all of its problems, in plain words and with their paths."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from assay.datasets._pieces import cut, pieces

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

__all__ = ["Schema", "near", "path_text"]

Path = Sequence[str | int]
NOUNS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a text",
}


class Schema:
    """A compiled JSON Schema."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        from jsonschema_rs import validator_for  # only who reads JSON or YAML needs it

        self.schema = schema
        self._validator = validator_for(dict(schema))

    def problems(self, value: Any) -> Iterator[tuple[Path, str, str]]:  # noqa: ANN401
        """Yield the path, the problem and a hint for each thing that is wrong."""
        if not self._validator.is_valid(value):
            for piece, key, start in pieces(value, self.schema.get("properties", ())):
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
        every = self._validator.iter_errors(cut(piece))
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
                yield f'the key "{name}" is not known', near(name, self._known(error))
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
                return f"{shown} is none of: {options}", near(shown.strip('"'), kind.options)
            case "minLength" | "minItems" | "minProperties":
                return "is empty" if shown in ('""', "[]", "{}") else f"{shown} is too short", ""
            case "pattern" | "minimum" | "maximum":
                return f"{shown} is out of range", ""
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

    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def near(name: str, known: Iterable[object], *, alike: float = 0.6) -> str:
    """Suggest the known name that is most like a wrong one."""
    close = difflib.get_close_matches(name, [str(option) for option in known], n=1, cutoff=alike)
    return f'did you mean "{close[0]}"?' if close else ""
