"""Records of questions -> queries: records with the same question are one query."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.datasets.formats._fields import said
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._question_keys import EXAMPLE, QuestionKeys, Record, is_graded, names_in
from assay.datasets.problems import Problems
from assay.datasets.sheets.file_names import split_names
from assay.datasets.sheets.question_words import file_kind, refuse_texts
from assay.datasets.sheets.sheet import GRADE
from assay.records import Judgment, Query, Reference
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["QuestionRecords"]

MOST = 1000  # of a grade
WHOLE = "give a whole number, e.g. 0, 1, 2, 3; rename the key if it holds no grades"
ONE_EACH = 'give one grade per file: a list as long as that of the files, or {"a.md": 3, "b.md": 1}'
NAMES = (
    'list the names of files, e.g. "files": ["a.md", "b.md"], or with grades {"a.md": 3, "b.md": 1}'
)
IDS = 'if it is the id of a document, name the key "document_id"; else write the name of a file'


@dataclass(slots=True)
class _OpenQuery:
    """A question that further records may repeat, and where it is first."""

    text: str
    at: str
    key: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    differing: set[str] = field(default_factory=set)
    judgments: dict[str, tuple[int, str]] = field(default_factory=dict)


class QuestionRecords:
    """Takes records one by one; problems are noted with their places."""

    def __init__(self, keys: QuestionKeys, problems: Problems, *, mapped: bool) -> None:
        """``mapped`` says that files are given as an object with their grades."""
        self._keys, self._mapped = keys, mapped
        self._problems = problems
        self._begun: list[_OpenQuery] = []
        self._by_text: dict[str, _OpenQuery] = {}
        self._by_key: dict[str, _OpenQuery] = {}
        self._names: list[tuple[str, str]] = []
        self._merged = self._repeated = self._split = 0

    def add(self, record: Record, *, at: str) -> None:
        """Take the next record."""
        text = record.get(self._keys.question)
        if not isinstance(text, str) or not text.strip():
            problem = f'no text under "{self._keys.question}"'
            self._problems.add(problem, at=at, hint=f"e.g. {EXAMPLE}")
            return
        if self._keys.files not in record:
            hint = f'add it, or write "{self._keys.files}": [] if no file answers the query'
            self._problems.add(f'"{self._keys.files}" is missing', at=at, hint=hint)
            return
        begun = self._query(text.strip(), record.get(self._keys.key), at)
        self._describe(begun, record, at)
        for name, grade in self._judged(record, at):
            self._judge(begun, name, grade, at)

    def queries(self) -> tuple[list[Query], list[str]]:
        """Return the queries in their order, and what a reader should know of them."""
        kind = file_kind(self._keys.files)
        refuse_texts(self._keys.files, self._names, self._problems, kind=kind, noun="key")
        gathered = QueryList(self._problems)
        for one in self._begun:
            judgments = (
                Judgment(Reference.named(name), g) for name, (g, _) in one.judgments.items()
            )
            extra = {key: value for key, value in one.extra.items() if key not in one.differing}
            key = gathered.key(one.key or None, one.text)
            query = Query(key, one.text, tuple(judgments), **one.fields, extra=extra)
            gathered.add(query, at=one.at)
        return gathered.queries, [*self._notes(), *gathered.notes]

    def _query(self, text: str, given: object, at: str) -> _OpenQuery:
        """Return the query of a text: a new one, or the one that has it under this id or none."""
        key = self._key(given, at)
        known = self._by_key.get(key) if key else None
        if known is not None and known.text != text:
            hint = f"first used at {known.at}; give each question its own id"
            self._problems.add(
                f'the id "{key[:40]}" is used for another question', at=at, hint=hint
            )
            return known
        found = self._by_text.get(text)
        if found is None:
            found = self._by_text[text] = _OpenQuery(text, at)
            self._begun.append(found)
        else:
            self._merged += 1
        if key and found.key not in ("", key):
            problem = f"{quote_value(text, 40)} has several ids: {found.key[:40]} and {key[:40]}"
            hint = "use one id per question, or remove the ids"
            self._problems.add(problem, at=at, hint=hint)
        elif key:
            found.key = key
            self._by_key[key] = found
        return found

    def _key(self, given: object, at: str) -> str:
        if given is None or given == "":
            return ""
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            problem = f'"{self._keys.key}": {quote_value(given, 40)} is not an id'
            self._problems.add(problem, at=at, hint="use text or a whole number")
            return ""
        return str(given)

    def _describe(self, begun: _OpenQuery, record: Record, at: str) -> None:
        """Keep what the records of one question say of it; remarks that differ are left out."""
        given = said(record, self._keys.used)
        extra = given.pop("extra")
        for name, value in given.items():
            if begun.fields.setdefault(name, value) != value:
                problem = f"the {name} differs from an earlier entry of the same question"
                self._problems.add(problem, at=at, hint=f"use one {name} per question")
        for name, value in extra.items():
            if begun.extra.setdefault(name, value) != value:
                begun.differing.add(name)

    def _judged(self, record: Record, at: str) -> Iterator[tuple[str, int]]:
        """Yield each file of a record with its grade."""
        value = record[self._keys.files]
        names = [*self._files(value, at)]
        grades = self._grades(record, value, len(names), at)
        for name, number in Counter(names).items():
            if number > 1:
                hint = "keep one judgment per document and query"
                self._problems.add(f'duplicate document "{name[:60]}"', at=at, hint=hint)
        yield from zip(names, grades, strict=True)

    def _files(self, value: object, at: str) -> Iterator[str]:
        """Yield the names of a list as they are, and those that a text may be split into."""
        for one in names_in(value):
            if not isinstance(one, str) and not self._is_number_id(one):
                what = "an object" if isinstance(one, Mapping) else quote_value(one, 40)
                problem = f'"{self._keys.files}": {what} is not the name of a file'
                self._problems.add(problem, at=at, hint=IDS if type(one) is int else NAMES)
                continue
            alone = value is one and isinstance(one, str)
            names = split_names(one) if alone else [str(one).strip()]
            self._split += len(names) > 1
            self._names += [(at, name) for name in names if name]
            yield from filter(None, names)

    def _is_number_id(self, name: object) -> bool:
        number = isinstance(name, int) and not isinstance(name, bool)
        return number and file_kind(self._keys.files) == "id"

    def _grades(self, record: Record, value: object, number: int, at: str) -> list[int]:
        """Return the grade of each file: given with it, beside it, or 1 where nothing is graded."""
        beside = record.get(self._keys.grade) if self._keys.grade else None
        if is_graded(value) and isinstance(value, Mapping) and beside is None:
            return [self._grade(one, at) for one in value.values()]
        if not number or not (self._keys.grade or self._mapped):
            return [1] * number
        graded = beside if isinstance(beside, list) else [beside]
        if beside is None:
            graded = graded * number
        if is_graded(value):
            problem = f'grades are given twice, in "{self._keys.files}" and "{self._keys.grade}"'
            self._problems.add(problem, at=at, hint="keep one of the two")
            return [0] * number
        if len(graded) != number:
            grades, files = count_noun(len(graded), "grade"), count_noun(number, "file")
            self._problems.add(f"{grades} beside {files}", at=at, hint=ONE_EACH)
            return [0] * number
        return [self._grade(one, at) for one in graded]

    def _grade(self, value: object, at: str) -> int:
        if value is None or value == "":
            hint = "add it, or remove the file to leave it unjudged"
            self._problems.add("the grade is missing", at=at, hint=hint)
            return 0
        found = GRADE.fullmatch(str(value).strip())
        if found and abs(int(found[1])) <= MOST:
            return int(found[1])
        key = self._keys.grade or self._keys.files
        problem = f'"{key}": invalid grade {quote_value(value, 40)}'
        self._problems.add(problem, at=at, hint=WHOLE)
        return 0

    def _judge(self, begun: _OpenQuery, name: str, grade: int, at: str) -> None:
        known, first = begun.judgments.setdefault(name, (grade, at))
        if known != grade:
            two = f"{known} ({first}) and {grade}"
            problem = f'conflicting grades of document "{name[:60]}": {two}'
            self._problems.add(problem, at=at, hint="keep one of the two")
        elif first != at:
            self._repeated += 1

    def _notes(self) -> Iterator[str]:
        if self._merged:
            some = count_noun(self._merged, "entry repeats", "entries repeat")
            are = "is" if self._merged == 1 else "are"
            yield f"{some} an earlier question and {are} merged with it"
        if self._repeated:
            some = count_noun(self._repeated, "entry repeats", "entries repeat")
            are = "is" if self._repeated == 1 else "are"
            yield f"{some} an earlier judgment and {are} counted once"
        if self._split:
            some = count_noun(self._split, "text names", "texts name")
            yield f"{some} several documents, separated by ; | , or a line break"
        differing = Counter(name for one in self._begun for name in one.differing)
        for name, number in differing.items():
            some = count_noun(number, "query")
            yield f'the key "{name[:40]}" varies within {some} and is ignored there'
