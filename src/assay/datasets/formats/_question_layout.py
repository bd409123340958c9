"""How a list of questions is laid out, decided once: for recognising a file and for reading it."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.columns.documents.strict_yaml import Yaml, strict_yaml
from assay.columns.titles import plain
from assay.datasets.json_lines import json_lines
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.datasets.sheets.columns import separator
from assay.datasets.sheets.file_names import is_path
from assay.datasets.sheets.question_words import file_kind, is_question

__all__ = ["QuestionList", "beginning", "layout_of", "lists_questions", "read_list"]

LISTS = ("questions", "queries", "items", "examples", "data", "cases", "test_cases", "tests")
WORDS = 3  # of a key that is a question even without its mark
DECODER = json.JSONDecoder()
BETWEEN = re.compile(r"[\s,]*+")
COLON = re.compile(r"\s*+:\s*+")
ENTRY = re.compile(rb"\n(?=[^\s#])|\n(?= *+- )")
DEEPEST = 4  # levels that are looked at: an object, its list, an entry, its files
HEAD = 1 << 16  # bytes that are looked at


@dataclass(frozen=True, slots=True)
class QuestionList:
    """The entries of a file with their places, and what is said of all of them.

    ``name`` is the key of the list in the file; ``rivals`` are all keys, if there are several.
    ``pairs`` says that the file maps each question to its files.
    """

    entries: list[tuple[str, Any]]
    name: str = ""
    top: Mapping[str, Any] = field(default_factory=dict)
    pairs: bool = False
    rivals: tuple[str, ...] = ()


def layout_of(place: Place) -> str:
    """Name the layout of a file: yaml, json, lines or table; "" if it has none of them."""
    if place.is_folder:
        return ""
    name = place.path.name.lower().removesuffix(".gz")
    if name.endswith((".yaml", ".yml")):
        return "yaml"
    head = place.head.lstrip()
    if head[:1] == b"{":
        return "lines" if _has_lines(head, alone=name.endswith((".jsonl", ".ndjson"))) else "json"
    if head[:1] == b"[":
        return "json"
    return "table" if separator(place.head) else ""


def _has_lines(head: bytes, *, alone: bool) -> bool:
    """Tell whether the first line is a whole object, and the next one begins another.

    ``alone`` says that one line will do, also one that is longer than the first bytes.
    """
    first, end, rest = head.partition(b"\n")
    try:
        whole = isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return alone and not end
    return whole and (alone or rest.lstrip().startswith(b"{"))


def beginning(place: Place, layout: str) -> QuestionList | None:
    """Return the entries in the first bytes of a file; none if it lists no questions."""
    if layout == "lines":
        return QuestionList([("", one) for one in _first_lines(place.head)])
    if layout == "json":
        return _listed(_json_start(place.head), None)
    yaml = strict_yaml(_whole_entries(place.head), where=place.name)
    return _listed(yaml.value, yaml)


def lists_questions(head: bytes, *, own: Collection[str]) -> bool:
    """Tell whether an object lists questions with files, and not what another format lists.

    ``own`` are the keys by which an entry of that format is known.
    """
    found = _listed(_json_start(head), None)
    entries = [one for _, one in found.entries if isinstance(one, Mapping)] if found else []
    if found is None or found.pairs or not entries:
        return found is not None and found.name == "questions"
    keys = {key for one in entries for key in one}
    return not keys & {*own} and any(map(is_question, keys)) and any(map(file_kind, keys))


def read_list(place: Place, layout: str, problems: Problems) -> QuestionList | None:
    """Return all entries; none if the file lists no questions."""
    if layout == "lines":
        found = json_lines(place, Schema({"type": "object"}), problems)
        return QuestionList([(f"line {number}", line) for number, line in found])
    if layout == "json":
        return _listed(strict_json(place.read(), where=place.name), None)
    yaml = strict_yaml(place.read(), where=place.name)
    return _listed(yaml.value, yaml)


def _listed(value: object, yaml: Yaml | None) -> QuestionList | None:
    """Find the list in a value: the value itself, the only list of an object, or its pairs."""
    if isinstance(value, list):
        return QuestionList(_placed(value, (), yaml))
    if not isinstance(value, Mapping):
        return None
    if yaml is None and _is_entry(value):
        return QuestionList(_placed([value], (), None))
    named = [key for key in value if plain(key) in map(plain, LISTS)]
    names = [key for key in named if isinstance(value[key], list | Mapping)]
    name = names[0] if names else ""
    inner = value[name] if name else value
    top = {key: one for key, one in value.items() if key not in names} if names else {}
    if isinstance(inner, list):
        rivals = tuple(names) if len(names) > 1 else ()
        return QuestionList(_placed(inner, (name,), yaml), name, top, rivals=rivals)
    if isinstance(inner, Mapping) and _are_pairs(inner):
        return QuestionList(_pairs(inner, (name,) if name else (), yaml), name, top, pairs=True)
    return None


def _is_entry(value: Mapping[str, object]) -> bool:
    """Tell whether an object is a question with its files, and not settings of something."""
    files = [one for key, some in value.items() if file_kind(key) for one in _names(some)]
    paths = all(isinstance(one, str) and is_path(one) for one in files)
    return any(map(is_question, value)) and bool(files) and paths


def _names(files: object) -> list[Any]:
    """Return what is listed; nothing of null, and of a value that is cut."""
    return [one for one in (files if isinstance(files, list) else [files]) if one is not None]


def _placed(entries: list[Any], path: tuple[str, ...], yaml: Yaml | None) -> list[tuple[str, Any]]:
    """Say where each entry is: in YAML by its line."""
    if yaml is None:
        return [(f"entry {number}", one) for number, one in enumerate(entries, 1)]
    return [(f"line {yaml.line((*path, at))}", one) for at, one in enumerate(entries)]


def _pairs(
    pairs: Mapping[str, Any], path: tuple[str, ...], yaml: Yaml | None
) -> list[tuple[str, Any]]:
    records = [{"question": text, "file": files} for text, files in pairs.items()]
    if yaml is None:
        return _placed(records, (), None)
    lines = [yaml.line((*path, text)) for text in pairs]
    return [(f"line {line}", one) for line, one in zip(lines, records, strict=True)]


def _are_pairs(pairs: Mapping[str, object]) -> bool:
    """Tell whether keys are questions, most of several words, and all values names of files."""
    asked = [text for text in pairs if text.strip().endswith("?") or len(text.split()) >= WORDS]
    names = [name for files in pairs.values() for name in _names(files)]
    paths = all(isinstance(name, str) and is_path(name) for name in names)
    return bool(names) and paths and 2 * len(asked) >= len(pairs)


def _first_lines(head: bytes) -> list[Any]:
    """Return the objects of the whole lines; a first line that is cut is still looked at."""
    first, *others = head.split(b"\n")
    found = [_json_start(first)]
    for line in others[:-1] if len(head) >= HEAD else others:
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            continue
    return found


def _whole_entries(head: bytes) -> bytes:
    """Cut the first bytes of a long file where an entry ends."""
    ends = [found.start() for found in ENTRY.finditer(head)] if len(head) >= HEAD else []
    return head[: ends[-1]] if ends else head


def _json_start(head: bytes) -> object:
    """Read the first bytes of JSON as far as they reach; an entry of a list that is cut is lost."""
    text = head.decode("utf-8", "replace")
    at = BETWEEN.match(text)
    return _start(text, at.end() if at else 0, DEEPEST)[0]


def _start(text: str, at: int, depth: int) -> tuple[Any, int]:
    """Return what begins at a place, and where it ends; -1 if the text ends before it does."""
    mark = text[at : at + 1]
    value, end = _decoded(text, at)
    if end > 0 or mark not in ("[", "{") or not depth:
        return value, end
    return (_start_list if mark == "[" else _start_object)(text, at + 1, depth - 1), -1


def _start_list(text: str, at: int, depth: int) -> list[Any]:
    found: list[Any] = []
    while at > 0:
        at = _skip(BETWEEN, text, at)
        value, at = _decoded(text, at) if found else _start(text, at, depth)
        found += [value] if at > 0 or not found else []
    return found


def _start_object(text: str, at: int, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    while at > 0:
        key, at = _decoded(text, _skip(BETWEEN, text, at))
        if at > 0 and isinstance(key, str):
            found[key], at = _start(text, _skip(COLON, text, at), depth)
    return found


def _decoded(text: str, at: int) -> tuple[Any, int]:
    """Read the whole value at a place; the end is -1 if there is none."""
    try:
        return DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, -1


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
