"""Lists of questions with the files that answer them, as people write them: no format of a tool."""

import csv
import re
from collections.abc import Iterator, Mapping
from typing import Any

from assay.columns.documents.strict_json import strict_json
from assay.columns.documents.strict_yaml import Yaml, strict_yaml
from assay.columns.header import first_row
from assay.columns.titles import FIELDS, plain
from assay.columns.ungraded import NUMBER, ungraded
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._fields import said
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._question_words import NAMED, QuestionWords, question_words
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._scale import largest_grade
from assay.datasets.json_lines import json_lines
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.datasets.sheets.cells import rows, unguarded
from assay.datasets.sheets.columns import separator
from assay.errors import AssayError, InputError
from assay.records import Dataset, Judgment, Query, Reference
from assay.text.quote import quote_value

__all__ = ["questions"]

Record = Mapping[str, Any]
LISTS = ("questions", "queries", "items", "examples", "data", "cases", "test_cases", "tests")
OF_YAML = ("queries", "test_queries", "")  # lists of the stricter format
MARKS = (",", ";", "\t")
SEVERAL = re.compile(r"\s*[;|\n]\s*")
COMMAS = re.compile(r"\s*,\s*")
ENDING = re.compile(r"\S\.[A-Za-z0-9]{1,10}(?:#\S*)?\Z")
INSIDE = re.compile(rb'"(\w+)"\s*:\s*(?:\[\s*)?(?=\{)')
PAIR = re.compile(rb'\{\s*+"((?:[^"\\]|\\.)*+)"\s*+:\s*+(?:"|\[\s*+")', re.DOTALL)
MOST = 1000  # of a grade
EXAMPLE = '{"question": "How do I reset it?", "file": "reset.md"}'


def _matches(place: Place) -> bool:
    if place.is_folder:
        return False
    start = place.head.lstrip()[:1]
    if start in (b"{", b"["):
        return _matches_json(place.head.lstrip())
    if place.path.name.lower().removesuffix(".gz").endswith((".yaml", ".yml")):
        return _matches_yaml(place)
    return bool(_mark(place.head))


def _matches_json(head: bytes) -> bool:
    if head.startswith(b"["):
        return question_words(first_keys(head[1:])) is not None
    keys = first_keys(head)
    inside = INSIDE.search(head)
    if inside and inside[1].decode() in LISTS and "relevant_docs" not in keys:
        rest = head[inside.end() :]
        return question_words(first_keys(rest)) is not None or _starts_with_pair(rest)
    return _is_line(head) or _starts_with_pair(head)


def _starts_with_pair(head: bytes) -> bool:
    """Tell whether an object begins with a question, of several words, and a file or files."""
    found = PAIR.match(head)
    return found is not None and b" " in found[1].strip()


def _is_line(head: bytes) -> bool:
    """Tell whether an object is a line of such a file; with a grade, a stricter format reads it.

    A number under a word for files, such as "relevant": 1, is a grade.
    """
    words = question_words(first_keys(head))
    if words is None or words.grade:
        return False
    value = re.search(rb'"%s"\s*:\s*(.)' % re.escape(words.files.encode()), head)
    return value is None or value[1] in b'"[{'


def _matches_yaml(place: Place) -> bool:
    """Leave what has the keys of YAML with expected files to its own format, which is stricter."""
    try:
        name, entries = _listed(strict_yaml(_complete(place.head), where=place.name).value)
    except (AssayError, _NoQuestionsError):
        return False
    first = next(iter(entries), None)
    words = question_words(first) if isinstance(first, Mapping) else None
    if words is None or isinstance(first, list):
        return words is not None
    strict = name in OF_YAML and words.question == "query"
    return not (strict and plain(words.files) not in NAMED)


def _complete(head: bytes) -> bytes:
    """Cut the first bytes of a long file where an entry ends."""
    if len(head) < 1 << 16:
        return head
    return head[: max(head.rfind(b"\n- "), head.rfind(b"\n  - "), 0)]


def _mark(head: bytes) -> str:
    """Return the separator of a table that the stricter format for tables would not read."""
    for mark in MARKS:
        titles = first_row(head, mark)
        words = question_words(titles) if len(titles) > 1 else None
        if words is not None and not words.grade and not words.unknown(titles):
            known = all(plain(title) in FIELDS for title in titles)
            return "" if known and separator(head) else mark
    return ""


class _NoQuestionsError(Exception):
    """A value is not a list of questions."""


def _listed(value: object) -> tuple[str, list[Any]]:
    """Return the entries of a file, and the key that they are listed under."""
    if isinstance(value, list):
        return "", value
    if not isinstance(value, Mapping):
        raise _NoQuestionsError
    lists = [key for key, one in value.items() if plain(str(key)) in map(plain, LISTS)]
    inner = value[lists[0]] if len(lists) == 1 else value
    if isinstance(inner, list):
        return str(lists[0]), inner
    if isinstance(inner, Mapping) and inner and all(map(_is_pair, inner.items())):
        return "", [{"question": text, "files": files} for text, files in inner.items()]
    raise _NoQuestionsError


def _is_pair(pair: tuple[object, object]) -> bool:
    """Tell whether a key is a question, and its value a file or a list of files."""
    text, files = pair
    listed = files if isinstance(files, list) else [files]
    words = isinstance(text, str) and len(text.split()) > 1
    return words and bool(listed) and all(isinstance(one, str) and one for one in listed)


def _load(place: Place, limits: Limits) -> Dataset:
    problems = Problems(place.name)
    gathered = QueryList(problems)
    records = [*_records(place, problems)]
    problems.refuse()
    if not records:
        raise InputError("contains no questions", where=place.name, hint=f"e.g. {EXAMPLE}")
    words = _words_of([record for _, record in records], place)
    for at, record in records:
        _add(record, words, gathered, problems, at=at)
    problems.refuse()
    queries = tuple(gathered.queries)
    notes = (f'questions are read from "{words.question}", files from "{words.files}"',)
    return Dataset(
        place.stem,
        queries,
        scale=largest_grade(queries),
        notes=(*notes, *gathered.notes),
        home=place.home,
    )


def _records(place: Place, problems: Problems) -> Iterator[tuple[str, Record]]:
    head = place.head.lstrip()
    if head.startswith(b"{") and _is_line(head):
        found = json_lines(place, Schema({"type": "object"}), problems)
        yield from ((f"line {number}", line) for number, line in found)
    elif head[:1] in (b"{", b"["):
        yield from _entries(strict_json(place.read(), where=place.name), None, place, problems)
    elif mark := _mark(place.head) or separator(place.head):
        yield from _rows(place, mark, problems)
    else:
        yaml = strict_yaml(place.read(), where=place.name)
        yield from _entries(yaml.value, yaml, place, problems)


def _entries(
    value: object, yaml: Yaml | None, place: Place, problems: Problems
) -> Iterator[tuple[str, Record]]:
    try:
        name, entries = _listed(value)
    except _NoQuestionsError:
        hint = f"write a list of objects, e.g. {EXAMPLE}"
        raise InputError("not a list of questions", where=place.name, hint=hint) from None
    for number, entry in enumerate(entries):
        path = (name, number) if name else (number,)
        at = f"entry {number + 1}" if yaml is None else f"line {yaml.line(path)}"
        if isinstance(entry, Mapping):
            yield at, entry
        else:
            problems.add("not an object", at=at, hint=f"e.g. {EXAMPLE}")


def _rows(place: Place, mark: str, problems: Problems) -> Iterator[tuple[str, Record]]:
    titles: list[str] = []
    try:
        for line, cells in rows(place.source, mark):
            row = [unguarded(cell) for cell in cells]
            if not titles:
                titles = row
            elif any(row[len(titles) :]):
                hint = "put quotes around cells that contain the separator"
                problems.add(
                    f"{len(row)} cells, {len(titles)} titles", at=f"line {line}", hint=hint
                )
            else:
                yield f"line {line}", dict(zip(titles, row, strict=False))
    except csv.Error as error:
        problems.add(f"not valid CSV ({error})", hint="check the quotes")


def _words_of(records: list[Record], place: Place) -> QuestionWords:
    """Find the keys that all records share; a key that may hold grades is refused."""
    keys = [*dict.fromkeys(key for record in records for key in record)]
    words = question_words(keys)
    if words is None:
        hint = f"give every entry the same two keys, e.g. {EXAMPLE}"
        raise InputError("the questions and files have no clear keys", where=place.name, hint=hint)
    others = [key for key in words.unknown(keys) if _holds_numbers(records, key)]
    if others and not place.binary:
        table = [[record.get(key) for key in keys] for record in records]
        ungraded([str(key) for key in keys], table).notes(binary=False, where=place.name)
    return words


def _holds_numbers(records: list[Record], key: str) -> bool:
    told = [str(record[key]) for record in records if record.get(key) is not None]
    return bool(told) and all(NUMBER.fullmatch(one.strip()) for one in told)


def _add(
    record: Record, words: QuestionWords, gathered: QueryList, problems: Problems, *, at: str
) -> None:
    text = record.get(words.question)
    if not isinstance(text, str) or not text.strip():
        problems.add(f'no text under "{words.question}"', at=at, hint=f"e.g. {EXAMPLE}")
        return
    names = [*_files(record.get(words.files), words.files, problems, at=at)]
    gathered.refuse_repeated(names, at=at)
    grade = _grade(record.get(words.grade), words.grade, problems, at=at)
    judgments = tuple(Judgment(Reference.named(name), grade) for name in names)
    given = record.get(words.key) if words.key else None
    key = gathered.key(given if given not in (None, "") else None, text.strip())
    gathered.add(Query(key, text.strip(), judgments, **said(record, words.used)), at=at)


def _files(value: object, key: str, problems: Problems, *, at: str) -> Iterator[str]:
    """Yield the names of the files: of a list, or of a text with one or several names."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            yield from filter(None, _split(one.strip()))
        elif one is not None:
            problems.add(f'"{key}" is not the name of a file', at=at, hint=f"e.g. {EXAMPLE}")


def _split(text: str) -> list[str]:
    """Split a text at semicolons and bars; at commas if all parts are names of files.

    >>> _split("a.md; b.md"), _split("a.md,b.md"), _split("Rent, and what it covers.md")
    (['a.md', 'b.md'], ['a.md', 'b.md'], ['Rent, and what it covers.md'])
    """
    parts = SEVERAL.split(text)
    listed = COMMAS.split(text)
    if len(parts) == 1 and len(listed) > 1 and all(ENDING.search(part) for part in listed):
        return listed
    return parts


def _grade(value: object, key: str, problems: Problems, *, at: str) -> int:
    if not key or value is None:
        return 1
    text = str(value).strip()
    if text.isdecimal() and int(text[:9]) <= MOST:
        return int(text)
    problem = f'"{key}": invalid grade {quote_value(text, 40)}'
    problems.add(problem, at=at, hint="give a whole number >= 0")
    return 0


questions = read_only(
    "questions with the files that answer them: YAML, JSON, JSON lines or CSV", 6.5, _matches, _load
)
