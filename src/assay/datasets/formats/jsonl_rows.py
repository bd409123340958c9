"""Lines of JSON with one judgment each: {"query_id": ..., "doc_id": ..., "relevance": ...}."""

from functools import cache
from typing import Any

from assay.datasets.first_keys import first_keys
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._scale import largest_grade
from assay.datasets.json_lines import json_lines
from assay.datasets.limits import Limits
from assay.datasets.load_judgments import NO_EFFECT
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.datasets.sheets.cells import guarded
from assay.datasets.sheets.columns import NEEDED, columns, known_columns
from assay.datasets.sheets.sheet import Sheet
from assay.errors import InputError
from assay.records import Dataset

__all__ = ["jsonl_rows"]


@cache
def _schema() -> Schema:
    return Schema({"type": "object"})


def _matches(place: Place) -> bool:
    if place.is_folder or not place.head.lstrip().startswith(b"{"):
        return False
    return _names_a_judgment(first_keys(place.head))


def _names_a_judgment(keys: list[str]) -> bool:
    names = set(known_columns(keys).values())
    return "grade" in names and not any(map(names.isdisjoint, NEEDED.values()))


def _load(place: Place, limits: Limits) -> Dataset:
    """Read the lines as the rows of a spreadsheet, whose titles are the keys of the first."""
    problems = Problems(place.name)
    sheet = Sheet(problems)
    keys: list[str] = []
    for number, line in json_lines(place, _schema(), problems):
        if not keys:
            keys = list(line)
            _refuse_keys(keys, place.name)
            sheet.add(list(map(guarded, keys)), number)
        _refuse_other(keys, line, problems, at=f"line {number}")
        sheet.add([_cell(line.get(key)) for key in keys], number)
    queries = sheet.queries()
    problems.refuse()
    notes = (*sheet.notes, *([NO_EFFECT] if place.binary else []))
    scale = largest_grade(queries)
    return Dataset(place.stem, queries, scale=scale, notes=notes, home=place.home)


def _refuse_keys(keys: list[str], where: str) -> None:
    if not _names_a_judgment(keys):
        hint = "expected keys such as query_id, document_id, grade"
        problem = "the first line has no keys for the query, the document and the grade"
        raise InputError(problem, where=where, hint=hint)


def _refuse_other(keys: list[str], line: dict[str, Any], problems: Problems, *, at: str) -> None:
    other = [key for key in line if key not in keys and columns([key])]
    if other:
        hint = "use the same keys in all lines"
        problems.add(f'the key "{other[0][:40]}" is not in the first line', at=at, hint=hint)


def _cell(value: object) -> str:
    """Write a text or a number as a cell; lists and further objects say nothing of a judgment."""
    return guarded(str(value)) if isinstance(value, str | int | float) else ""


jsonl_rows = read_only(
    'JSON lines: {"query_id", "doc_id", "grade"}, one judgment per line', 12, _matches, _load
)
