"""Files that seem to be datasets and cannot be used, each with what to change."""

import csv
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from assay.benchmarks.starter.find_datasets import DatasetFile, FoundDatasets, RefusedFile
from assay.columns.documents.strict_yaml import strict_yaml
from assay.columns.files.path_names import folded, is_path, plain_path
from assay.columns.titles import plain
from assay.datasets.load import load
from assay.errors import AssayError, InputError, ProblemsError
from assay.text.count_noun import count_noun
from assay.text.join_list import join_names

__all__ = ["UnusableDataset", "unusable_datasets"]

LARGEST = 500_000  # bytes
MOST_ROWS = 5_000
LEAST_ROWS = 2
MOST_FILES = 50  # that are examined
SHOWN = 3  # files of each kind that are named
HALF = 0.5  # of the cells of a column, or of the references of a dataset
WORDS = 3  # of a text that may be a question
STEM = 4  # letters of a name without its ending that is surely the name of a file
MARKS = (",", ";", "\t", "|")
SEVERAL = re.compile(r"\s*[;,|\n]\s*")
KEYED = (".json", ".yaml", ".yml", ".jsonl", ".ndjson")
# Columns of a list of documents.
TITLES = ("title", "titel", "name", "heading", "headline", "label", "summary", "abstract")
QUESTION, FILE = "question", "file"
LISTED = {"expected_files", "expected_symbols"}  # keys of a format that says itself what is wrong
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class UnusableDataset:
    """A file that seems to be a dataset; ``problem`` names it, and says what to change."""

    path: Path
    problem: str


def unusable_datasets(found: FoundDatasets, *, start: Path, chosen: bool) -> list[UnusableDataset]:
    """Describe the files that seem to be datasets; paths are relative to ``start``.

    They are tables of questions that no format reads, datasets that refer to no file of this
    folder, and files that are called like a dataset. If a dataset was ``chosen``, only tables are
    named that are called like one, too.
    """
    tables = [*_tables(found.unreadable if chosen else found.refused, found.files, start)]
    if chosen:
        return tables
    named = {one.path for one in tables}
    unread = [one for one in found.unreadable if one.path not in named]
    return [*tables, *_unfound(found.datasets, start), *_unread(unread, start)]


def _tables(
    refused: Sequence[RefusedFile], files: Iterable[Path], start: Path
) -> Iterator[UnusableDataset]:
    """Describe the tables and lists with names of files in one column, and texts in another."""
    names = _file_names(files) if refused else frozenset()
    tables_first = sorted(refused, key=lambda one: one.path.suffix.lower() in KEYED)
    columns = ((one, rows, _columns(rows, names)) for one, rows in _read(tables_first[:MOST_FILES]))
    fits = ((one, rows, pair) for one, rows, pair in columns if pair is not None)
    for one, rows, pair in islice(fits, SHOWN):
        what = f"{_relative(one.path, start)} looks like a table of questions, but"
        yield UnusableDataset(one.path, f"{what} {_why(one, rows, *pair)}")


def _file_names(paths: Iterable[Path]) -> frozenset[str]:
    """Return the names of files, folded, also without their endings."""
    names = {folded(path.name) for path in paths}
    stems = {PurePosixPath(name).stem for name in names}
    return frozenset(names | {stem for stem in stems if len(stem) >= STEM})


def _unfound(datasets: Iterable[DatasetFile], start: Path) -> Iterator[UnusableDataset]:
    """Describe datasets that refer to files of which none was found."""
    for one in islice(datasets, SHOWN):
        queries = one.dataset.queries
        names = [str(judged.reference) for query in queries for judged in query.judgments]
        paths = [name for name in names if is_path(name.strip('"'))]
        if not one.is_guessed or len(paths) >= HALF * len(names):
            what = f"{_relative(one.path, start)} contains {count_noun(len(queries), 'query')}"
            why = f"no file that it refers to was found, e.g. {names[0]}"
            yield UnusableDataset(one.path, f"{what}, but {why}")


def _unread(refused: Sequence[RefusedFile], start: Path) -> Iterator[UnusableDataset]:
    """Describe files that are called like a dataset, with the place of the first problem."""
    for one in refused[:SHOWN]:
        error, name = one.error, _relative(one.path, start)
        where = error.where.replace(str(one.path), name) or name
        more = len(error.problems) - 1 if isinstance(error, ProblemsError) else 0
        also = f" ({count_noun(more, 'more problem')}: assay dataset check)" if more else ""
        problem = f"{where}: {error.problem}{_hint(error, one.path)}{also}"
        yield UnusableDataset(one.path, problem)
    if len(refused) > SHOWN:
        more = len(refused) - SHOWN
        what = f"{count_noun(more, 'more file')} with the name of a dataset cannot be read"
        yield UnusableDataset(refused[SHOWN].path, f"{what}: assay dataset check FILE")


def _hint(error: InputError, path: Path) -> str:
    """Return the hint of a reader, in place of one that only lists formats."""
    if "--format" not in error.hint:
        return f"; {error.hint}" if error.hint else ""
    nouns = "keys" if path.suffix.lower() in KEYED else "columns"
    return f'; write questions with the files that answer them, e.g. {nouns} "question" and "file"'


def _relative(path: Path, start: Path) -> str:
    return Path(os.path.relpath(path, start)).as_posix()


def _read(refused: Iterable[RefusedFile]) -> Iterator[tuple[RefusedFile, list[Row]]]:
    return ((one, _rows(one.path)) for one in refused)


def _rows(path: Path) -> list[Row]:
    """Read the rows of a table, or the objects of a list; nothing of any other file."""
    try:
        if path.is_dir() or path.stat().st_size > LARGEST:
            return []
        content = path.read_bytes()
        ending = path.suffix.lower()
        if ending in (".jsonl", ".ndjson"):
            return _records([json.loads(line) for line in content.splitlines() if line.strip()])
        if ending == ".json":
            return _records(json.loads(content))
        if ending in (".yaml", ".yml"):
            return _records(strict_yaml(content, where=path.name).value)
        return _table(content.decode("utf-8-sig"))
    except (AssayError, OSError, ValueError, RecursionError, csv.Error):
        return []


def _records(value: object) -> list[Row]:
    """Return a list of objects, also the only list of an object, with their values as texts."""
    if isinstance(value, Mapping):
        lists = [one for one in value.values() if isinstance(one, list)]
        value = lists[0] if len(lists) == 1 else None
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        return []
    return [{str(key): _text(one) for key, one in row.items()} for row in value[:MOST_ROWS]]


def _text(value: object) -> str:
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value or "")


def _table(text: str) -> list[Row]:
    """Read the rows of a table whose first line has its titles."""
    first = text.lstrip().partition("\n")[0]
    mark = max(MARKS, key=first.count)
    if mark not in first:
        return []
    rows = islice(csv.reader(StringIO(text.lstrip(), newline=""), delimiter=mark), MOST_ROWS + 1)
    titles = next(rows)
    return [dict(zip(titles, row, strict=False)) for row in rows if any(row)]


def _columns(rows: Sequence[Row], names: Collection[str]) -> tuple[str, list[str]] | None:
    """Return the column with texts, and those with names of files; none if one of both is missing.

    Of several columns with names of files the first is that with most of them.
    """
    keys = [*dict.fromkeys(key for row in rows for key in row)]
    if len(rows) < LEAST_ROWS or len(keys) < 2:
        return None
    named = {key: _named(rows, key, names) for key in keys}
    files = sorted(filter(named.get, keys), key=lambda key: -named[key])
    words = {key: _words(rows, key) for key in keys if key not in files[:1]}
    words = {key: number for key, number in words.items() if plain(key) not in TITLES}
    text = max(words, key=lambda key: words[key], default="")
    others = [key for key in files if key != text]
    return (text, others) if others and words.get(text, 0) >= WORDS else None


def _named(rows: Sequence[Row], key: str, names: Collection[str]) -> int:
    """Count the cells in which each part is the name of a file; 0 if most cells are none."""
    cells = [row[key] for row in rows if row.get(key, "").strip()]
    named = [all(_name(part) in names for part in SEVERAL.split(cell.strip())) for cell in cells]
    return sum(named) if len(named) >= LEAST_ROWS and sum(named) >= HALF * len(named) else 0


def _name(cell: str) -> str:
    return folded(plain_path(cell) or cell).rpartition("/")[2]


def _words(rows: Sequence[Row], key: str) -> float:
    """Return how many words the cells have on average."""
    cells = [row.get(key, "") for row in rows]
    return sum(len(cell.split()) for cell in cells) / len(cells)


def _why(one: RefusedFile, rows: Sequence[Row], text: str, files: Sequence[str]) -> str:
    """Say what to change: the names of two columns if that is enough, else what the reader says."""
    noun = "keys" if one.path.suffix.lower() in KEYED else "columns"
    given = {text: QUESTION, files[0]: FILE}
    renamed = [f'"{old}" to "{new}"' for old, new in given.items() if plain(old) != new]
    more = join_names(files[1:], most=SHOWN)
    move = f'; move the files of {more} there, separated by ";"' if more else ""
    is_table = not any(LISTED & row.keys() for row in rows)
    for kept in (None, tuple(given)) if renamed and is_table else ():
        if _reads([_with(row, given, kept) for row in rows]):
            others = f", and remove the other {noun}" if kept else ""
            return f"its {noun} are not recognized: rename {' and '.join(renamed)}{move}{others}"
    return f"cannot be read: {one.error.problem}{_hint(one.error, one.path)}"


def _with(row: Row, renamed: Mapping[str, str], kept: Collection[str] | None) -> dict[str, str]:
    return {
        renamed.get(key, key): value for key, value in row.items() if kept is None or key in kept
    }


def _reads(rows: Sequence[Row]) -> bool:
    """Tell whether a table with these titles is read as a dataset."""
    titles = [*dict.fromkeys(key for row in rows for key in row)]
    with TemporaryDirectory() as folder:
        place = Path(folder) / "questions.csv"
        with place.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, titles)
            writer.writeheader()
            writer.writerows(rows)
        try:
            return any(query.judgments for query in load(place).queries)
        except AssayError:
            return False
