"""Rows of a spreadsheet -> queries, whose cells may be spread over several rows."""

import csv
import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, cast

from assay.columns import Source
from assay.columns.header import NOUNS, shown
from assay.columns.ungraded import UnknownTitles, is_examined, ungraded
from assay.datasets.load_judgments import WHOLE
from assay.datasets.problems import Problems
from assay.datasets.sheets.cells import rows, unguarded
from assay.datasets.sheets.columns import DOCUMENTS, columns, known_columns
from assay.datasets.sheets.document_names import NAMED, DocumentNames
from assay.records import KEYS, Judgment, Query, Rationale, Reference
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["GRADE", "Sheet", "read_sheet"]

OF_QUERY = ("text", "category", "difficulty", "collection", "weight")
GRADE = re.compile(r"([+-]?[0-9]{1,4})(?:\.0+)?")
# Of a column beside semicolons or tabs; "1,000" could be a thousand.
WITH_COMMA = re.compile(r"([+-]?[0-9]{1,4})(?:\.0+|,(?!000$)0+)?")
LINES = re.compile(r"([0-9]{1,9})\s*(?:(?:-|–|\.\.|:|,)\s*([0-9]{1,9}))?")
MOST = 1000  # of a grade
NOUN = {"text": "questions", **dict.fromkeys(NAMED, "files"), "key": "ids", "grade": "grades"}
USED = ("key", "text", *DOCUMENTS)


@dataclass(slots=True)
class _OpenQuery:
    """A query that further rows may belong to, and the line of its first."""

    key: str
    line: int
    fields: dict[str, str] = field(default_factory=dict)
    extra: dict[str, str] = field(default_factory=dict)
    differing: set[str] = field(default_factory=set)
    judgments: dict[tuple[object, ...], tuple[Judgment, int]] = field(default_factory=dict)


def read_sheet(source: Source, mark: str) -> "tuple[Sheet, tuple[Query, ...]]":
    """Read all rows of a file; all that is wrong with them is refused at once."""
    problems = Problems(source.name)
    sheet = Sheet(problems, mark)
    try:
        for line, cells in rows(source, mark):
            sheet.add(cells, line)
    except csv.Error as error:
        at = f"line {sheet.line + 1} or below"
        problems.add(f"not valid CSV ({error})", at=at, hint="check the quotes")
    queries = sheet.queries()
    problems.refuse()
    return sheet, queries


class Sheet:
    """Takes rows, the titles first; problems are noted with their lines.

    ``mark`` separates the cells.
    """

    def __init__(self, problems: Problems, mark: str = ",") -> None:
        self.line = 0
        self.repeated = self.comments = 0
        self._untitled = False
        self._problems = problems
        self._whole = GRADE if mark == "," else WITH_COMMA
        self._titles: list[str] = []
        self._fields: dict[int, str] = {}
        self._begun: dict[tuple[str, str], _OpenQuery] = {}
        self._texts: dict[str, _OpenQuery] = {}  # of queries with a key
        self._own: dict[str, str] = {}  # titles in the user's own words, by field
        self._examined: dict[int, set[str]] = {}
        self._documents = DocumentNames([], {})

    def add(self, cells: list[str], line: int) -> None:
        """Take the titles, or the next row."""
        self.line = line
        if not self._titles:
            self._begin([unguarded(title) for title in cells])
            return
        if len(cells) == 1 and cells[0].startswith("#"):
            self.comments += 1
            return
        if any(map(str.strip, cells[len(self._titles) :])):
            problem = f"found {len(cells)} cells, expected {len(self._titles)}"
            self._problem(problem, "put quotes around a cell that contains the separator")
            return
        known = {at: unguarded(cell) for at, cell in enumerate(cells) if cell}
        for at, values in self._examined.items():
            values.add(known.get(at, ""))
        self._take({at: cell for at, cell in known.items() if cell})

    def _begin(self, titles: list[str]) -> None:
        """Take the titles: which columns are read, and which may hold grades all the same."""
        self._titles, self._fields = titles, columns(titles)
        self._documents = DocumentNames(titles, self._fields)
        known = known_columns(titles)
        own = {name: titles[at] for at, name in self._fields.items() if known.get(at) != name}
        self._own = own
        if "grade" not in self._fields.values():
            unread = (at for at in range(len(titles)) if self._fields.get(at) not in USED)
            self._examined = {at: set() for at in unread if is_examined(titles[at])}
        self._refuse_titles()

    def queries(self) -> tuple[Query, ...]:
        """Return what the rows say, in the order in which the queries first occur."""
        self._documents.refuse(self._problems)
        taken = {begun.key for begun in self._begun.values() if begun.key}
        made = []
        for begun in self._begun.values():
            key = begun.key or begun.fields["text"]
            if not begun.key and key in taken:
                hint = "give each query its own query_id"
                self._problems.add(f'duplicate query "{key}"', at=f"line {begun.line}", hint=hint)
            if self._own and not begun.fields.get("text", key if not begun.key else ""):
                hint = "add the text of the query, or remove the row"
                self._problems.add("the query has no text", at=f"line {begun.line}", hint=hint)
            made.append(
                Query(
                    key,
                    begun.fields.get("text", ""),
                    tuple(judgment for judgment, _ in begun.judgments.values()),
                    extra=_equal(begun),
                    **cast("Any", {name: begun.fields.get(name, "") for name in OF_QUERY[1:-1]}),
                )
            )
        return tuple(made)

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what a reader should know of keys and texts."""
        notes = self.left_out
        if "key" not in self._fields.values():
            notes.append("no query_id column: queries are identified by their text")
        if "text" not in self._fields.values():
            notes.append("no column with the text of the queries")
        differing = Counter(name for begun in self._begun.values() for name in begun.differing)
        for title in (title for title in self._titles if title in differing):
            number = differing[title]
            some = count_noun(number, "query")
            notes.append(f'the column "{title}" varies within {some} and is ignored there')
        return tuple(notes)

    @property
    def left_out(self) -> list[str]:
        """Say which columns are read, which rows count only once, and what is not read at all."""
        notes = [self._read_from] if self._own else []
        notes += ["a column without a header is ignored"] if self._untitled else []
        if self.repeated:
            rows = count_noun(self.repeated, "row repeats", "rows repeat")
            are = "is" if self.repeated == 1 else "are"
            notes.append(f"{rows} an earlier judgment and {are} counted once")
        notes += self._documents.notes
        if self.comments:
            lines = count_noun(self.comments, "line starts", "lines start")
            are = "is" if self.comments == 1 else "are"
            notes.append(f'{lines} with "#" and {are} ignored')
        return notes

    @property
    def _read_from(self) -> str:
        """Say which columns are read, since their titles are the user's own."""
        at = {NOUN[name]: at for at, name in self._fields.items() if name in NOUN}
        nouns = [noun for noun in dict.fromkeys(NOUN.values()) if noun in at]
        first, *more = (f'from "{self._titles[at[noun]][:40]}"' for noun in nouns)
        rest = [f"{noun} {where}" for noun, where in zip(nouns[1:], more, strict=True)]
        return ", ".join((f"{nouns[0]} are read {first}", *rest))

    @property
    def ungraded(self) -> UnknownTitles | None:
        """What the columns are, where none holds the grade; nothing if no document is listed."""
        listed = any(begun.judgments for begun in self._begun.values())
        if not listed or "grade" in self._fields.values():
            return None
        return ungraded(self._titles, self._examined)

    def _refuse_titles(self) -> None:
        for name, number in Counter(self._fields.values()).items():
            if number > 1:
                titles = [self._titles[at] for at, one in self._fields.items() if one == name]
                noun = NOUNS.get(name, "document" if name in DOCUMENTS else name)
                problem = f"several columns could hold the {noun}: {shown(titles)}"
                self._problem(problem, "rename or remove all but one")
        own = [title for at, title in enumerate(self._titles) if at not in self._fields and title]
        for title, number in Counter(own).items():
            if number > 1:
                self._problem(f'duplicate column "{title}"', "keep one of the two")

    def _take(self, cells: dict[int, str]) -> None:
        row = {self._fields[at]: cell for at, cell in cells.items() if at in self._fields}
        own = {self._titles[at]: cell for at, cell in cells.items() if at not in self._fields}
        if own.pop("", None) and not self._untitled:
            self._untitled = True
            if "grade" not in self._fields.values():  # it may be the grade
                self._problem("a cell has no column header", "add a header for its column")
        key, text = row.get("key", ""), row.get("text", "")
        if not key and not text:
            self._problem("the row has no query", "repeat the query_id, or the query, in each row")
            return
        begun = self._query(key, text)
        fields = {name: row[name] for name in OF_QUERY if name in row}
        self._merge(begun.fields, fields)
        # A column of the user's own may be about the document: then it cannot be the query's.
        begun.differing |= {
            title for title, cell in own.items() if begun.extra.setdefault(title, cell) != cell
        }
        for one in self._documents.rows(row, self.line):
            judgment = self._judgment(one)
            if judgment is not None:
                self._judge(begun, judgment)

    def _query(self, key: str, text: str) -> _OpenQuery:
        """Return the query of a row: by its key, or the one that has its text."""
        if not key and text in self._texts:
            return self._texts[text]
        begun = self._begun.setdefault((key, "" if key else text), _OpenQuery(key, self.line))
        first = self._texts.setdefault(text, begun) if key and text else begun
        if first is not begun and "key" in self._own:
            problem = f"{quote_value(text, 40)} has several ids: {first.key} and {key}"
            hint = f'use one id per query, or remove the column "{self._own["key"][:40]}"'
            self._problem(problem, hint)
        return begun

    def _judge(self, begun: _OpenQuery, judgment: Judgment) -> None:
        """Keep a judgment; an equal one counts once, one that differs is refused."""
        key = (judgment.reference, judgment.group, judgment.lines)
        known, line = begun.judgments.setdefault(key, (judgment, self.line))
        if known is judgment:
            return
        if known.grade == judgment.grade:
            self.repeated += 1
            return
        query = begun.key or begun.fields["text"]
        two = f"{known.grade} (line {line}) and {judgment.grade}"
        name = judgment.reference.document_id
        what = f'document "{name}"' if name else str(judgment.reference)
        problem = f'conflicting grades of {what} for query "{query}": {two}'
        self._problem(problem, "keep one of the two")

    def _merge(self, known: dict[str, str], new: dict[str, str]) -> None:
        """Keep what the rows of one query say of it, which must not differ."""
        for name, cell in new.items():
            if known.setdefault(name, cell) != cell:
                problem = f"the {name} differs from an earlier row of the same query"
                self._problem(problem, "use the same value, or another query_id")

    def _judgment(self, row: dict[str, str]) -> Judgment | None:
        given = {name: row[name] for name in DOCUMENTS if name in row}
        if not given:
            if "grade" in row:
                self._problem("the grade has no document", "add the document, or remove the grade")
            return None
        name = given.pop("name", "")
        known = Reference.named(name) if name else Reference()
        keys: dict[str, Any] = {key: given[key] for key in (*KEYS, "symbol") if key in given}
        match: Any = row.get("match", "exact").strip().lower()
        if match not in ("exact", "substring"):
            self._problem(f'invalid match "{match}"', "expected exact or substring")
        if not name:
            reference = Reference(**keys, match=match)
        else:
            reference = replace(known, **keys, match=match) if keys or match != "exact" else known
        return Judgment(reference, self._grade(row), row.get("group", ""), self._because(row))

    def _grade(self, row: dict[str, str]) -> int:
        cell = row.get("grade", "").strip()
        if not cell and "grade" not in self._fields.values():
            return 1
        if not cell:
            self._problem(
                "the grade is missing", "add it, or remove the row to leave the document unjudged"
            )
            return 0
        found = self._whole.fullmatch(cell)
        if not found or abs(int(found[1])) > MOST:
            self._problem(f'invalid grade "{cell[:40]}"', WHOLE)
            return 0
        return int(found[1])

    def _because(self, row: dict[str, str]) -> Rationale | None:
        reason, cell = row.get("reason", ""), row.get("lines", "").strip()
        found = LINES.fullmatch(cell)
        lines = None if not found else (int(found[1]), int(found[2] or found[1]))
        if cell and (lines is None or min(lines) < 1):
            self._problem(f'invalid lines "{cell[:40]}"', "write e.g. 3..9")
        return Rationale(reason, lines) if reason or lines else None

    def _problem(self, problem: str, hint: str) -> None:
        self._problems.add(problem, at=f"line {self.line}", hint=hint)


def _equal(begun: _OpenQuery) -> dict[str, str]:
    """Return what the rows of a query say alike of it, and its weight, which is read from there."""
    weight = {"weight": begun.fields["weight"]} if "weight" in begun.fields else {}
    own = {title: cell for title, cell in begun.extra.items() if title not in begun.differing}
    return own | weight
