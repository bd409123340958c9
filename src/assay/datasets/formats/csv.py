"""A spreadsheet with one row per judgment, parted by commas, semicolons or tabs."""

import csv as csv_module
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.columns.titles import TITLES
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.formats._fields import number_of
from assay.datasets.formats._scale import largest_grade
from assay.datasets.formats._write_lines import refuse_nothing
from assay.datasets.limits import Limits
from assay.datasets.load_judgments import NO_EFFECT
from assay.datasets.place import Place
from assay.datasets.sheets.cells import LONGEST, guarded
from assay.datasets.sheets.columns import columns, separator
from assay.datasets.sheets.sheet import Sheet, read_sheet
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Rationale, Reference

__all__ = ["csv"]

FIELDS = ("category", "difficulty", "collection")
OF_REFERENCE = ("document_id", "uri", "content_hash", "path", "file_name", "symbol", "match")


def _matches(place: Place) -> bool:
    return not place.is_folder and bool(separator(place.head))


def _load(place: Place, limits: Limits) -> Dataset:
    mark = separator(place.head)
    if not mark:
        problem = "the header has no columns for the query and the document"
        hint = "expected e.g. query_id,query,document,grade (commas, semicolons or tabs)"
        raise InputError(problem, where=place.name, hint=hint)
    sheet, queries = read_sheet(place.source, mark)
    notes = (*sheet.notes, *_graded(sheet, place))
    if not queries:
        hint = "check that the file is complete"
        raise InputError("has a header but no rows", where=place.name, hint=hint)
    scale = largest_grade(queries)
    return Dataset(place.stem, queries, scale=scale, notes=notes, home=place.home)


def _graded(sheet: Sheet, place: Place) -> tuple[str, ...]:
    """Tell of a sheet without grades, or refuse it."""
    if sheet.ungraded is not None:
        return sheet.ungraded.notes(binary=place.binary, where=place.name)
    return (NO_EFFECT,) if place.binary else ()


def _reduce(dataset: Dataset) -> Dataset:
    queries = tuple(map(_reduced, dataset.queries))
    return Dataset(dataset.name, queries, scale=largest_grade(queries))


def _reduced(query: Query) -> Query:
    """Keep further fields that are texts, and references that say something."""
    extra = {key: value for key, value in query.extra.items() if _is_cell(key, value)}
    empty = (Reference(), Reference(match="substring"))
    judgments = [_judgment(one) for one in query.judgments if one.reference not in empty]
    return replace(query, extra=extra, judgments=_once(judgments))


def _once(judgments: Iterable[Judgment]) -> tuple[Judgment, ...]:
    """Keep one judgment of each reference, the first with the largest grade: others are refused."""
    kept: dict[tuple[object, ...], Judgment] = {}
    for one in judgments:
        place = (one.reference, one.group, one.lines)
        if kept.setdefault(place, one).grade < one.grade:
            kept[place] = one
    return tuple(kept.values())


def _is_cell(key: str, value: object) -> bool:
    return bool(key.strip()) and isinstance(value, str) and bool(value) and not columns([key])


def _judgment(judgment: Judgment) -> Judgment:
    """Keep reason and lines; an empty cell cannot tell an empty reason from none."""
    because = judgment.because
    if because is None:
        return judgment
    kept = Rationale(because.reason, because.lines)
    return replace(judgment, because=None if kept == Rationale() else kept)


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    extra = list(dict.fromkeys(key for query in dataset.queries for key in query.extra))
    table = [_row(query, one) for query in dataset.queries for one in query.judgments or (None,)]
    always = ("key", "text", "name")
    used = [name for name in TITLES if name in always or any(row.get(name) for row in table)]
    _refuse_long(table, path)
    mark = "\t" if path.name.lower().endswith(".tsv") else ","
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv_module.writer(file, delimiter=mark, quoting=csv_module.QUOTE_ALL)
        writer.writerow([*(TITLES[name][0] for name in used), *map(guarded, extra)])
        for row in table:
            named = [row.get(name, "") for name in used]
            writer.writerow([*named, *(row.get(("", key), "") for key in extra)])


def _row(query: Query, judgment: Judgment | None) -> dict[Any, str]:
    """Return the cells of a row by field; the user's own fields by ("", title)."""
    row: dict[Any, str] = {"key": query.key, "text": query.text}
    row |= {name: getattr(query, name) for name in FIELDS}
    row |= {"weight": str(number_of(query.weight))} if query.weight != 1 else {}
    row |= {("", key): str(value) for key, value in query.extra.items()}
    row |= {} if judgment is None else _reference(judgment.reference)
    row |= {} if judgment is None else _grade(judgment)
    return {key: cell if key == "grade" else guarded(cell) for key, cell in row.items()}


def _reference(reference: Reference) -> dict[str, str]:
    if reference.name:
        return {"name": reference.name}
    row = {name: getattr(reference, name) for name in OF_REFERENCE}
    return row if reference.match != "exact" else row | {"match": ""}


def _grade(judgment: Judgment) -> dict[str, str]:
    row = {"grade": str(judgment.grade), "group": judgment.group}
    if judgment.because is not None:
        lines = judgment.because.lines  # not 3-9, which a spreadsheet takes for a date
        row["lines"] = "" if lines is None else f"{lines[0]}..{lines[1]}"
        row["reason"] = judgment.because.reason
    return row


def _refuse_long(table: Iterable[dict[Any, str]], path: Path) -> None:
    for row in table:
        if max(map(len, row.values())) > LONGEST:
            problem = f'query "{row["key"]}" has a cell with more than {LONGEST:,} characters'
            raise InputError(
                problem, where=str(path), hint="use another format, e.g. --to assay_json"
            )


csv = DatasetFormat(
    "spreadsheet (.csv, .tsv) with one judgment per row",
    8,
    _matches,
    _load,
    _reduce,
    _write,
    (".csv", ".tsv"),
)
