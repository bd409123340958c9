"""Quepid's CSV of query, docid and rating, or of query, docid and a column for each judge."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import islice
from pathlib import Path

from assay.columns.decimal_comma import DECIMAL_POINT, has_decimal_comma
from assay.columns.header import first_row
from assay.columns.titles import KNOWN
from assay.columns.titles import plain as plain_title
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.formats._decimal_ratings import number
from assay.datasets.formats._judges import Judges
from assay.datasets.formats._rated_queries import RatedQueries
from assay.datasets.formats._references import by_name, plain
from assay.datasets.formats._scale import largest_grade
from assay.datasets.formats._write_lines import refuse_nothing
from assay.datasets.limits import Limits
from assay.datasets.load_judgments import NO_EFFECT
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.sheets.cells import LONGEST, rows
from assay.errors import InputError
from assay.records import FACTOR, Dataset, Query, Reference

__all__ = ["quepid_csv"]

FIRST = 20  # rows that are looked at
PAIR, RATING = ["query", "docid"], ["rating"]
# Quepid puts a space before what a spreadsheet would run, and drops it when it reads the file.
FORMULA = ("=", "+", "-", "@")
# Titles of other columns with numbers.
OTHERS = re.compile(
    r"\b(?:click|view|impression|position|rank|score|count|number|date|time|price|cost|stock|star|"
    r"quantity|qty|size|weight|year|page|vote|version|index|id|row|no|nr|ctr)",
    re.IGNORECASE,
)
TOP = 10  # the largest rating of any scale that Quepid offers


def _matches(place: Place) -> bool:
    titles = first_row(place.head, ",")
    if _plain(titles[:2]) != PAIR:
        return False
    return _plain(titles[2:]) == RATING or (_are_people(titles[2:]) and _are_rated(place.head))


def _plain(titles: Sequence[str]) -> list[str]:
    return [title.strip().lower() for title in titles]


def _are_people(titles: Sequence[str]) -> bool:
    """Tell names of people, which a book has for titles, from what else could be a column.

    A single word may be the name of anything: only two or more of them are taken for people.
    """
    named = [" " in title.strip() or "@" in title or title == "Anonymous" for title in titles]
    others = any(OTHERS.search(title) or plain_title(title) in KNOWN for title in titles)
    words = len(titles) > 1 and all(title.strip() for title in titles)
    return bool(named) and (all(named) or words) and not others


def _are_rated(head: bytes) -> bool:
    """Tell whether all that the first rows say of a document are numbers as judges give them."""
    text = StringIO(head.decode("utf-8", "replace"), newline="")
    try:
        some = list(islice(csv.reader(text), 1, FIRST))
    except csv.Error:
        return False
    ratings = [number(cell) for row in some for cell in row[2:] if cell.strip()]
    return all(one is not None and 0 <= one <= TOP for one in ratings)


def _load(place: Place, limits: Limits) -> Dataset:
    problems = Problems(place.name)
    rated = RatedQueries(problems)
    table = _table(place, problems)
    _, titles = table[0] if table else (0, [])
    if _plain(titles[:2]) != PAIR or len(titles) < 3:
        hint = "expected the header query,docid,rating, or query,docid and one column per judge"
        raise InputError("is not a Quepid CSV file", where=place.name, hint=hint)
    single = _plain(titles[2:]) == RATING
    judges = Judges(whole=not single and all(_is_whole(cells[2:]) for _, cells in table[1:]))
    for line, cells in table[1:]:
        if len(cells) > len(titles):
            problem = f"found {len(cells)} cells, expected {len(titles)}"
            split = f"{DECIMAL_POINT}, or " if has_decimal_comma(",".join(cells[-2:])) else ""
            hint = f"{split}put quotes around a cell that contains a comma"
            problems.add(problem, at=f"line {line}", hint=hint)
        else:
            _add(cells, f"line {line}", rated, judges)
    notes = [] if single else [f"read as a Quepid book with the judges {', '.join(titles[2:])}"]
    notes += [NO_EFFECT] if place.binary else []
    return rated.dataset(place, notes=(*notes, *judges.notes))


def _table(place: Place, problems: Problems) -> list[tuple[int, list[str]]]:
    table: list[tuple[int, list[str]]] = []
    try:
        table.extend(rows(place.source, ","))
    except csv.Error as error:
        at = f"line {table[-1][0] + 1 if table else 1} or below"
        problems.add(f"not valid CSV ({error})", at=at, hint="check the quotes")
    problems.refuse()
    return table


def _is_whole(cells: Iterable[str]) -> bool:
    ratings = (number(cell) for cell in cells)
    return all(one is None or one == int(one) for one in ratings)


def _add(cells: list[str], at: str, rated: RatedQueries, judges: Judges) -> None:
    """Take a row; one that names only a query says that nothing was rated for it."""
    text, document, *ratings = map(str.strip, (*cells, "", "")[: max(2, len(cells))])
    key = rated.query(text, at=at)
    if document or any(ratings):
        rated.rate(key, document, judges.rating(ratings), at=at)


def _reduce(dataset: Dataset) -> Dataset:
    """Name each query by its text; of several with one text only the first can be kept."""
    queries: dict[str, Query] = {}
    for query in dataset.queries:
        name = query.text.strip() or query.key.strip()
        queries.setdefault(name, Query(name, name, plain(query.judgments, _by_bare_name)))
    found = tuple(queries.values())
    factor = dataset.factor
    metadata = {FACTOR: factor} if factor > 1 else {}
    return Dataset(dataset.name, found, scale=max(largest_grade(found), factor), metadata=metadata)


def _by_bare_name(reference: Reference) -> Reference | None:
    """Name a document; blanks around its name are not read back."""
    found = by_name(reference)
    name = "" if found is None else found.name.strip()
    return Reference.named(name) if name else None


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    table = [row for query in dataset.queries for row in _rows(query, dataset.factor)]
    for query, document, _ in table:
        if not query.strip() or max(len(query), len(document)) > LONGEST:
            problem = f'query "{query[:40]}" is empty or too long for a cell'
            raise InputError(
                problem, where=str(path), hint="use another format, e.g. --to assay_json"
            )
    with path.open("w", encoding="utf-8", newline="") as file:
        # Quepid compares the titles letter by letter, so that these stand without quotes.
        file.write(",".join([*PAIR, *RATING]) + "\n")
        csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n").writerows(table)


def _rows(query: Query, factor: int) -> list[tuple[str, str, float | str]]:
    name = _guarded(query.text)
    judged = [
        (name, _guarded(one.reference.name), _rating(one.grade, factor)) for one in query.judgments
    ]
    return [*judged] or [(name, "", "")]


def _rating(grade: int, factor: int) -> float:
    return grade / factor if grade % factor else grade // factor


def _guarded(text: str) -> str:
    return f" {text}" if text.startswith(FORMULA) else text


quepid_csv = DatasetFormat(
    "Quepid CSV: query,docid,rating, or one column per judge",
    -7,
    _matches,
    _load,
    _reduce,
    _write,
    (".quepid.csv",),
)
