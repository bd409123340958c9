"""Which keys of some records hold the question, the files, an id and a grade."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from assay.columns.grade_values import is_grade_title, is_verdict
from assay.columns.titles import TITLES, plain
from assay.columns.ungraded import UnknownTitles, ungraded
from assay.datasets.sheets.file_names import NUMBERS, is_id
from assay.datasets.sheets.question_words import (
    FILE_KINDS,
    file_kind,
    is_key,
    is_question,
    key_order,
    may_name,
)
from assay.errors import InputError
from assay.text.join_list import join_names

__all__ = [
    "EXAMPLE",
    "QuestionKeys",
    "Record",
    "are_names",
    "find_keys",
    "has_keys",
    "is_graded",
    "names_in",
    "with_one_key",
]

Record = Mapping[str, Any]
EXAMPLE = '{"question": "How do I reset it?", "file": "reset.md"}'
FLAG = "relevant"  # beside another key for the files it says whether they are


@dataclass(frozen=True, slots=True)
class QuestionKeys:
    """The keys that are read; "" is none. ``others`` says what the rest may hold."""

    question: str
    files: str
    key: str
    grade: str
    others: UnknownTitles

    @property
    def used(self) -> tuple[str, ...]:
        """The keys that are read."""
        return tuple(filter(None, (self.question, self.files, self.key, self.grade)))

    @property
    def read_from(self) -> str:
        """Say which keys are read."""
        more = {"files": self.files, "ids": self.key, "grades": self.grade}
        rest = [f'{noun} from "{key[:40]}"' for noun, key in more.items() if key]
        return ", ".join((f'questions are read from "{self.question[:40]}"', *rest))


def has_keys(records: Iterable[object]) -> bool:
    """Tell whether records have a key for the question, and one for the files."""
    keys = {key for one in records if isinstance(one, Mapping) for key in one}
    return any(map(is_question, keys)) and any(map(file_kind, keys))


def find_keys(records: Sequence[Record], *, where: str) -> QuestionKeys:
    """Find the keys; none, or several that could be the same, are refused with their names."""
    keys = [*dict.fromkeys(key for record in records for key in record)]
    values = {key: [one[key] for one in records if one.get(key) is not None] for key in keys}
    question = _only([key for key in keys if is_question(key)], "question", keys, where)
    files = _only(_files(values), "files", keys, where)
    flag = [key for key in keys if plain(key) == FLAG and key != files]
    grades = [key for key in keys if is_grade_title(key)] or flag
    grade = _only(grades, "grade", keys, where) if grades else ""
    key = min((key for key in keys if is_key(key)), key=key_order, default="")
    used = (question, files, key, grade)
    return QuestionKeys(*used, others=_others(values, used))


def with_one_key(records: Sequence[Record]) -> list[Record]:
    """Call the files alike where some records have "file" and others "files"."""
    keys = [*dict.fromkeys(key for record in records for key in record if file_kind(key))]
    first: dict[str, str] = {}
    names = {key: first.setdefault(plain(key).removesuffix("s"), key) for key in keys}
    alike = {key: name for key, name in names.items() if key != name}
    if not alike or any(
        key in one and name in one for one in records for key, name in alike.items()
    ):
        return [*records]
    return [{alike.get(key, key): value for key, value in one.items()} for one in records]


def _only(found: list[str], noun: str, keys: Sequence[str], where: str) -> str:
    if len(found) == 1:
        return found[0]
    if found:
        problem = f"{join_names(found)} could each hold the {noun}"
        raise InputError(problem, where=where, hint="rename or remove all but one")
    problem = f"no key for the {noun}; the keys are {join_names(keys, most=12)}"
    raise InputError(problem, where=where, hint=f"use the same two keys in each entry: {EXAMPLE}")


def _files(values: Mapping[str, Sequence[object]]) -> list[str]:
    """Return the keys whose values are names of files; without any, the one to be refused."""
    called = [key for key in values if file_kind(key)]
    named = [key for key in called if are_names(key, values[key])]
    return named or sorted(called, key=lambda key: FILE_KINDS.index(file_kind(key)))[:1]


def are_names(key: str, values: Sequence[object]) -> bool:
    """Tell whether most values under a key are names, and not pages, answers or verdicts."""
    names = [name for value in values for name in names_in(value)]
    fit = [name for name in names if _is_name(key, name)]
    return 2 * len(fit) > len(names) or (not names and file_kind(key) in ("file", "id"))


def _is_name(key: str, name: object) -> bool:
    if file_kind(key) == "id":
        return isinstance(name, str | int) and not isinstance(name, bool)
    text = name if isinstance(name, str) else ""
    return bool(text) and may_name(key, text) and not (NUMBERS.fullmatch(text) or is_verdict(text))


def names_in(value: object) -> list[Any]:
    """Return what a value lists: of grades by file the files, of anything else itself."""
    if isinstance(value, list) or is_graded(value):
        return [*cast("Iterable[object]", value)]
    return [] if value is None or value == "" else [value]


def is_graded(value: object) -> bool:
    """Tell whether a value has a grade for each file, and is not some other object."""
    return isinstance(value, Mapping) and all(map(is_id, map(str, value)))


def _others(values: Mapping[str, Sequence[object]], used: Sequence[str]) -> UnknownTitles:
    """Look for grades under keys that are not read, also inside of objects."""
    known = (*used, *(key for key in values if plain(key) in TITLES["weight"]))
    left = {key: some for key, some in values.items() if key not in known}
    inside = {
        f"{key}.{name}": [one]
        for key, some in values.items()
        for value in some
        if key not in used and isinstance(value, Mapping)
        for name, one in value.items()
        if is_grade_title(str(name))
    }
    every = left | inside
    return ungraded([*every], dict(enumerate(every.values())))
