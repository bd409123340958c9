"""Rows of a spreadsheet -> queries, whose cells may be spread over several rows."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from assay.columns.ungraded import ROWS, Ungraded, ungraded
from assay.datasets._problems import Problems
from assay.datasets.formats._cells import unguarded
from assay.datasets.formats._columns import DOCUMENTS, columns
from assay.records import KEYS, Because, Judgment, Query, Reference

__all__ = ["Sheet"]

OF_QUERY = ("text", "category", "difficulty", "collection")
GRADE = re.compile(r"[+-]?[0-9]{1,4}(?:[.,]0+)?")
LINES = re.compile(r"([0-9]{1,9})\s*(?:(?:-|–|\.\.|:|,)\s*([0-9]{1,9}))?")
MOST = 1000  # of a grade


@dataclass(slots=True)
class _Begun:
    """A query that further rows may belong to."""

    key: str
    fields: dict[str, str] = field(default_factory=dict)
    extra: dict[str, str] = field(default_factory=dict)
    differing: set[str] = field(default_factory=set)
    judgments: list[Judgment] = field(default_factory=list)


class Sheet:
    """Takes rows, the titles first; problems are noted with their lines."""

    def __init__(self, problems: Problems) -> None:
        self.line = 0
        self._problems = problems
        self._titles: list[str] = []
        self._fields: dict[int, str] = {}
        self._begun: dict[tuple[str, str], _Begun] = {}
        self._first: list[list[str]] = []

    def add(self, cells: list[str], line: int) -> None:
        """Take the titles, or the next row."""
        self.line = line
        if not self._titles:
            self._titles = [unguarded(title) for title in cells]
            self._fields = columns(self._titles)
            self._refuse_titles()
            return
        if any(cells[len(self._titles) :]):
            problem = f"{len(cells)} cells where {len(self._titles)} are expected"
            self._problem(problem, "put quotes around what holds the separator")
            return
        if len(self._first) < ROWS:
            self._first.append(cells)
        self._take({at: unguarded(cell) for at, cell in enumerate(cells) if cell})

    def queries(self) -> tuple[Query, ...]:
        """Return what the rows say, in the order in which the queries first stand there."""
        taken = {begun.key for begun in self._begun.values() if begun.key}
        made = []
        for begun in self._begun.values():
            key = begun.key or begun.fields["text"]
            if not begun.key and key in taken:
                hint = "give each query its own query_id"
                self._problems.add(f'the query "{key}" stands twice', hint=hint)
            made.append(
                Query(
                    key,
                    begun.fields.get("text", ""),
                    tuple(begun.judgments),
                    **{name: begun.fields.get(name, "") for name in OF_QUERY[1:]},
                    extra=_equal(begun),
                )
            )
        return tuple(made)

    @property
    def notes(self) -> tuple[str, ...]:
        """Say what a reader should know of keys and texts."""
        notes = []
        if "key" not in self._fields.values():
            notes.append("the file gives no query_id: queries are identified by their text")
        if "text" not in self._fields.values():
            notes.append("the file gives no text of its queries")
        differing = Counter(name for begun in self._begun.values() for name in begun.differing)
        for title in (title for title in self._titles if title in differing):
            number = differing[title]
            whose = "1 query, where it is" if number == 1 else f"{number:,} queries, where it is"
            notes.append(f'the column "{title}" differs between the rows of {whose} left out')
        return tuple(notes)

    @property
    def ungraded(self) -> Ungraded | None:
        """What the columns are, where none holds the grade; nothing if no document is listed."""
        listed = any(begun.judgments for begun in self._begun.values())
        if not listed or "grade" in self._fields.values():
            return None
        return ungraded(self._titles, self._first)

    def _refuse_titles(self) -> None:
        for name, number in Counter(self._fields.values()).items():
            if number > 1:
                titles = [self._titles[at] for at, one in self._fields.items() if one == name]
                problem = f"several columns hold the {name}: {', '.join(titles)}"
                self._problem(problem, "rename or remove all but one")
        own = [title for at, title in enumerate(self._titles) if at not in self._fields and title]
        for title, number in Counter(own).items():
            if number > 1:
                self._problem(f'two columns are called "{title}"', "keep one of them")

    def _take(self, cells: dict[int, str]) -> None:
        row = {self._fields[at]: cell for at, cell in cells.items() if at in self._fields}
        own = {self._titles[at]: cell for at, cell in cells.items() if at not in self._fields}
        if own.pop("", None):
            self._problem("a cell stands below no title", "give its column a title")
        key, text = row.get("key", ""), row.get("text", "")
        if not key and not text:
            self._problem("names no query", "repeat the query_id in each row")
            return
        begun = self._begun.setdefault((key, "" if key else text), _Begun(key))
        fields = {name: row[name] for name in OF_QUERY if name in row}
        self._merge(begun.fields, fields)
        # A column of the user's own may be about the document: then it cannot be the query's.
        begun.differing |= {
            title for title, cell in own.items() if begun.extra.setdefault(title, cell) != cell
        }
        judgment = self._judgment(row)
        if judgment is not None:
            begun.judgments.append(judgment)

    def _merge(self, known: dict[str, str], new: dict[str, str]) -> None:
        """Keep what the rows of one query say of it, which must not differ."""
        for name, cell in new.items():
            if known.setdefault(name, cell) != cell:
                problem = f"the {name} differs from that in an earlier row of this query"
                self._problem(problem, "make them equal, or give another query_id")

    def _judgment(self, row: dict[str, str]) -> Judgment | None:
        given = {name: row[name] for name in DOCUMENTS if name in row}
        if not given:
            if "grade" in row:
                self._problem("a grade without a document", "name the document, or leave both out")
            return None
        name = given.pop("name", "")
        known = Reference.named(name) if name else Reference()
        keys: dict[str, Any] = {key: given[key] for key in (*KEYS, "symbol") if key in given}
        match: Any = row.get("match", "exact").strip().lower()
        if match not in ("exact", "substring"):
            self._problem(f'match "{match}" is none of: exact, substring', "")
        plain = not keys and match == "exact"
        reference = known if plain else replace(known, **keys, match=match)
        return Judgment(reference, self._grade(row), row.get("group", ""), self._because(row))

    def _grade(self, row: dict[str, str]) -> int:
        cell = row.get("grade", "").strip()
        if not cell and "grade" not in self._fields.values():
            return 1
        if not cell:
            self._problem("no grade", "give one, or leave the column out")
            return 0
        if not GRADE.fullmatch(cell) or abs(int(re.split("[.,]", cell)[0])) > MOST:
            hint = "grades are whole numbers, e.g. 0, 1, 2, 3"
            self._problem(f'grade "{cell[:40]}" is not a whole number in range', hint)
            return 0
        return int(re.split("[.,]", cell)[0])

    def _because(self, row: dict[str, str]) -> Because | None:
        reason, cell = row.get("reason", ""), row.get("lines", "").strip()
        found = LINES.fullmatch(cell)
        lines = None if not found else (int(found[1]), int(found[2] or found[1]))
        if cell and (lines is None or min(lines) < 1):
            self._problem(f'lines "{cell[:40]}" are none', "write them as 3..9")
        return Because(reason, lines) if reason or lines else None

    def _problem(self, problem: str, hint: str) -> None:
        self._problems.add(problem, at=f"line {self.line}", hint=hint)


def _equal(begun: _Begun) -> dict[str, str]:
    return {title: cell for title, cell in begun.extra.items() if title not in begun.differing}
