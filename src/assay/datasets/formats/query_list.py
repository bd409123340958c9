"""Queries alone, with how often each is asked: a log without judgments."""

import csv as csv_module
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from assay.columns.grade_values import is_grade_title
from assay.columns.header import first_line, first_row
from assay.columns.titles import COUNTS, TITLES, plain, plain_titles
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._fields import said
from assay.datasets.formats._read_only import read_only
from assay.datasets.json_lines import json_lines
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.datasets.sheets.cells import rows, unguarded
from assay.datasets.sheets.query_weights import with_weights
from assay.datasets.sheets.question_words import file_kind
from assay.errors import InputError
from assay.records import Dataset, Query
from assay.text.count_noun import count_noun

__all__ = ["query_list"]

KEY = frozenset(plain_titles([*TITLES["key"], "id"]))
TEXT = frozenset(plain_titles(TITLES["text"]))
WEIGHT = frozenset(plain_titles([*TITLES["weight"], *COUNTS]))
ABOUT = frozenset(plain_titles([*TITLES["category"], *TITLES["difficulty"], *TITLES["collection"]]))
# Who asked, and when: a row is one search, and counts 1.
EVENT = frozenset(
    ("timestamp", "time", "date", "datetime", "user", "userid", "session", "sessionid")
)
MARKS = (",", ";", "\t")
SEEN = 5  # lines of a text that must not all look like judgments
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
HINT = "write one query per line, or a table with the columns query and count"
Record = Mapping[str, Any]


@cache
def _schema() -> Schema:
    return Schema({"type": "object"})


def _matches(place: Place) -> bool:
    return not place.is_folder and bool(_layout(place))


def _layout(place: Place) -> str:
    """Tell lines of JSON, a table or plain lines; nothing where it may hold more than queries."""
    head = place.head
    if head.lstrip().startswith((b"{", b"[", b"<")):
        return "json" if _names_queries(first_keys(head)) and head.lstrip()[:1] == b"{" else ""
    name = place.path.name.lower().removesuffix(".gz")
    if _mark(head) or (name.endswith((".csv", ".tsv")) and plain(first_line(head)) in TEXT):
        return "table"
    text = head.decode("utf-8", "replace").strip()
    return "lines" if name.endswith(".txt") and text and not _are_judgments(text) else ""


def _mark(head: bytes) -> str:
    """Return what separates the titles of a table of queries; a line break if it has one column."""
    for mark in MARKS:
        titles = first_row(head, mark)
        if len(titles) > 1 and _names_queries(titles):
            return mark
    alone = plain(first_line(head))
    return "\n" if alone in TEXT and first_line(head).strip().islower() else ""


def _names_queries(titles: Sequence[str]) -> bool:
    """Tell whether titles name a text and nothing that is judged; others only beside a count."""
    names = plain_titles(titles)
    if TEXT.isdisjoint(names) or any(is_grade_title(title) for title in titles):
        return False
    others = [title for title in titles if plain(title) not in KEY | TEXT | WEIGHT | ABOUT | EVENT]
    return not others or not (WEIGHT.isdisjoint(names) or any(map(file_kind, others)))


def _are_judgments(text: str) -> bool:
    """Tell whether all lines have about the columns of TREC, and numbers among them."""
    found = [line.split() for line in text.splitlines()[:SEEN]]
    return all(3 <= len(one) <= 6 and any(map(NUMBER.fullmatch, one[1:4])) for one in found)


def _load(place: Place, limits: Limits) -> Dataset:
    problems = Problems(place.name)
    if not _layout(place):
        raise InputError("not a list of queries", where=place.name, hint=HINT)
    queries = [_query(record, at, problems) for at, record in _records(place, problems)]
    problems.refuse()
    if not queries:
        raise InputError("contains no queries", where=place.name, hint=HINT)
    asked = with_weights(Dataset(place.stem, tuple(queries)), where=place.name, counted=True)
    merged = _merged(asked.queries, problems)
    problems.refuse()
    return replace(
        asked, queries=merged, notes=(*asked.notes, *_notes(asked, merged)), home=place.home
    )


def _records(place: Place, problems: Problems) -> Iterator[tuple[str, Record]]:
    """Yield what each line says of a query, and where."""
    layout = _layout(place)
    if layout == "json":
        for number, record in json_lines(place, _schema(), problems):
            yield f"line {number}", record
    elif layout == "table" and (mark := _mark(place.head)) not in ("", "\n"):
        yield from _table(place, mark, problems)
    else:
        for number, line in place.lines():
            text = line.decode("utf-8", "replace").lstrip("\ufeff").strip()
            if not (layout == "table" and number == 1):
                yield f"line {number}", {"query": text}


def _table(place: Place, mark: str, problems: Problems) -> Iterator[tuple[str, Record]]:
    titles: list[str] = []
    try:
        for number, cells in rows(place.source, mark):
            if not titles:
                titles = [unguarded(cell) for cell in cells]
            else:
                named = zip(titles, map(unguarded, cells), strict=False)
                yield f"line {number}", {title: cell for title, cell in named if cell}
    except csv_module.Error as error:
        problems.add(f"not valid CSV ({error})", hint="check the quotes")


def _query(record: Record, at: str, problems: Problems) -> Query:
    texts = [key for key in record if plain(key) in TEXT]
    ids = [key for key in record if plain(key) in KEY]
    text = record[texts[0]] if len(texts) == 1 else None
    if not isinstance(text, str) or not text.strip() or "\ufffd" in text:
        problem = f'no text of a query under "{texts[0]}"' if len(texts) == 1 else "no query"
        problem = "the text is not valid UTF-8" if "\ufffd" in str(text) else problem
        problems.add(problem, at=at, hint='e.g. {"query": "reset password", "count": 31}')
        return Query("", "")
    key = str(record[ids[0]]).strip() if ids else ""
    return Query(key or text.strip(), text.strip(), **said(record, (*texts, *ids)))


def _merged(queries: Sequence[Query], problems: Problems) -> tuple[Query, ...]:
    """Put lines of the same query together: it was asked as often as all of them say."""
    found: dict[str, Query] = {}
    for query in queries:
        known = found.get(query.key)
        if known is None:
            found[query.key] = query
        elif known.text != query.text:
            problem = f'the id "{query.key[:40]}" is used for two queries'
            hint = "give each query its own id, or remove the ids"
            problems.add(problem, at=f'query "{query.text[:60]}"', hint=hint)
        else:
            found[query.key] = replace(known, weight=known.weight + query.weight)
    return tuple(found.values())


def _notes(asked: Dataset, merged: Sequence[Query]) -> list[str]:
    if len(merged) == len(asked.queries):
        return []
    distinct = count_noun(len(merged), "distinct query", "distinct queries")
    return [f"{len(asked.queries):,} lines are {distinct}, which count as often as they occur"]


query_list = read_only(
    "queries without judgments: lines of text, a table or JSON lines, with counts",
    1000,  # asked last: any text could be a list of queries
    _matches,
    _load,
)
