"""YAML text -> values and their lines, without what makes YAML unsafe or ambiguous.

Aliases, anchors, tags, merge keys, several documents, a key twice and numbers that are not finite
are refused, all at once. Dates stay text.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.columns.documents._utf8 import utf8
from assay.errors import InputError, ProblemsError

__all__ = ["Yaml", "strict_yaml"]

DEEPEST = 100  # levels; a person's file has five
DEPTH = "check that this is the file you meant"
MOST = 1_000_000  # keys and values in one text: each takes some three microseconds
ENOUGH = 1_000  # problems after which reading on tells nobody anything
# Plain words as YAML 1.1 resolves them, which is what most programs do; a number with leading
# zeros (octal there, decimal in 1.2) and a date stay text, since they are names where they occur.
NUMERIC = tuple("+-.0123456789")
NULL = re.compile(r"|~|null|Null|NULL")
TRUE = re.compile(r"true|True|TRUE|yes|Yes|YES|on|On|ON")
FALSE = re.compile(r"false|False|FALSE|no|No|NO|off|Off|OFF")
INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,999})")
FLOAT = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?")
INFINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


@dataclass(slots=True)
class _Node:
    """A list or an object under construction, with where its parts stand."""

    value: Any
    line: int
    parts: dict[str | int, "_Part"] = field(default_factory=dict)
    key: str | None = None


# A part is a list or object itself, the line of a text, or the line and the word of another scalar:
# nearly all parts are texts, and should cost no more than a number.
_Part = _Node | int | tuple[int, str]


@dataclass(frozen=True, slots=True)
class Yaml:
    """A value with the places of its parts."""

    value: Any
    _root: _Part

    def line(self, path: Sequence[str | int]) -> int:
        """Return the line where the value at a path begins (or its nearest known parent)."""
        part = self._part(path)
        return part.line if isinstance(part, _Node) else part if isinstance(part, int) else part[0]

    def written(self, path: Sequence[str | int]) -> str:
        """Return the word at a path where it means something else than a text."""
        part = self._part(path)
        return part[1] if isinstance(part, tuple) else ""

    def _part(self, path: Sequence[str | int]) -> _Part:
        part = self._root
        for step in path:
            if not isinstance(part, _Node) or step not in part.parts:
                break
            part = part.parts[step]
        return part


def strict_yaml(content: bytes, *, where: str) -> Yaml:
    """Read one YAML document; all of its forbidden parts are named at once, with their lines."""
    import yaml  # only who reads YAML needs it

    text = utf8(content, where=where)
    builder = _Builder(where)
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            builder.take(event)
    except yaml.YAMLError as error:
        builder.problems.append(_broken(error, text, where))
    if builder.problems:
        raise ProblemsError(builder.problems, where=where)
    return Yaml(builder.value, builder.root)


class _Builder:
    """Builds values from the events of a parser, so that nothing is ever made twice or aliased."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.value: Any = None
        self.root: _Part = 1
        self.problems: list[InputError] = []
        self._open: list[_Node] = []
        self._documents = self._values = 0

    def take(self, event: Any) -> None:  # noqa: ANN401
        """Add one event."""
        line = event.start_mark.line + 1
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self._refuse_marks(event, line)
            self._scalar(event, line)
        elif kind in ("MappingStartEvent", "SequenceStartEvent"):
            self._refuse_marks(event, line)
            self._begin(_Node({} if kind == "MappingStartEvent" else [], line))
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            node = self._open.pop()
            self._place(node.value, node, "", node.line)
        elif kind == "AliasEvent":
            self._add(f"the alias *{event.anchor} is not allowed", line, "write out the value")
            self._place(None, line, "", line)
        elif kind == "DocumentStartEvent":
            self._documents += 1
            if self._documents == 2:
                self._add("a second YAML document starts", line, "keep one document per file")

    def _begin(self, node: _Node) -> None:
        self._open.append(node)
        if len(self._open) > DEEPEST:
            self._add(f"nested deeper than {DEEPEST} levels", node.line, DEPTH)
            raise ProblemsError(self.problems, where=self.where)

    def _refuse_marks(self, event: Any, line: int) -> None:  # noqa: ANN401
        if event.anchor is not None:
            problem = f"the anchor &{event.anchor[:40]} is not allowed"
            self._add(problem, line, "write out the value")
        if event.tag is not None:
            problem = f"the tag {event.tag[:40]} is not allowed"
            self._add(problem, line, "remove the tag; put text in quotes")

    def _scalar(self, event: Any, line: int) -> None:  # noqa: ANN401
        text = event.value
        if event.style:
            self._place(text, line, text, line)
            return
        if text[:1] in NUMERIC and _is_infinite(text):
            self._add(
                f"{text[:40]} is not a finite number", line, "use a finite number, or quote it"
            )
        if text == "<<":
            self._add("the merge key << is not allowed", line, "write out the keys")
        value = _plain(text)
        self._place(value, line if isinstance(value, str) else (line, text), text, line)

    def _place(self, value: Any, part: _Part, key: str, line: int) -> None:  # noqa: ANN401
        """Put a finished value where it belongs: under a key, in a list, or at the top."""
        self._values += 1
        if self._values > MOST:
            problem = f"contains more than {MOST:,} keys and values"
            raise InputError(problem, where=self.where, hint="split it into several files")
        if not self._open:
            if self._documents == 1:
                self.value, self.root = value, part
            return
        parent = self._open[-1]
        if isinstance(parent.value, list):
            parent.parts[len(parent.value)] = part
            parent.value.append(value)
        elif parent.key is None:
            parent.key = self._key(value, key, line, parent)
        else:
            parent.parts[parent.key] = part
            parent.value[parent.key] = value
            parent.key = None

    def _key(self, value: object, key: str, line: int, parent: _Node) -> str:
        """Use any scalar as a key, by the word that is written."""
        if isinstance(value, list | dict):
            self._add("a key is a list or an object", line, "use text as keys")
        if key in parent.value:
            self._add(f'duplicate key "{key[:40]}"', line, "keep one of the two")
        return key

    def _add(self, problem: str, line: int, hint: str) -> None:
        where = f"{self.where}, line {line}"
        self.problems.append(InputError(problem, where=where, hint=hint))
        if len(self.problems) >= ENOUGH:
            raise ProblemsError(self.problems, where=self.where)


def _plain(text: str) -> Any:  # noqa: ANN401
    """Resolve a word without quotes."""
    if not text or (text[0] in "~nN" and NULL.fullmatch(text)):
        return None
    if text[0] in "tTyYoO" and TRUE.fullmatch(text):
        return True
    if text[0] in "fFnNoO" and FALSE.fullmatch(text):
        return False
    if text[0] not in NUMERIC:
        return text
    if INTEGER.fullmatch(text):
        return int(text)
    return float(text) if FLOAT.fullmatch(text) else text


def _is_infinite(text: str) -> bool:
    return bool(INFINITE.fullmatch(text)) or (
        bool(FLOAT.fullmatch(text)) and math.isinf(float(text))
    )


def _broken(error: Any, text: str, where: str) -> InputError:  # noqa: ANN401
    """Say what the parser says, at its line; a tab, which nobody sees, in plain words."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None and text[mark.index : mark.index + 1] == "\t":
        place = f"{where}, line {mark.line + 1}"
        return InputError("uses a tab for indentation", where=place, hint="indent with spaces")
    place = where if mark is None else f"{where}, line {mark.line + 1}, column {mark.column + 1}"
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
    hint = "check indentation, colons and quotes there; put text that contains : or # in quotes"
    return InputError(f"not valid YAML ({reason})", where=place, hint=hint)
