"""Lists of questions with the files that answer them, as people write them: no format of a tool."""

from collections.abc import Mapping, Sequence
from typing import Any

from assay.columns.grade_values import is_remark
from assay.columns.header import first_row
from assay.columns.titles import plain
from assay.datasets.formats._question_keys import (
    EXAMPLE,
    QuestionKeys,
    Record,
    are_names,
    find_keys,
    has_keys,
    is_graded,
    with_one_key,
)
from assay.datasets.formats._question_layout import (
    QuestionList,
    beginning,
    layout_of,
    read_list,
)
from assay.datasets.formats._question_records import QuestionRecords
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._scale import largest_grade
from assay.datasets.formats.csv import csv
from assay.datasets.limits import Limits
from assay.datasets.load_judgments import NO_EFFECT
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.sheets.columns import NEEDED, columns, known_columns, separator
from assay.datasets.sheets.question_words import file_kind, is_plain_noun, is_question
from assay.errors import AssayError, InputError
from assay.records import Dataset
from assay.text.join_list import first_named, join_names

__all__ = ["questions"]

STRICT = ("expected_files", "expected_symbols", "match")  # keys of YAML with expected files
OF_YAML = ("queries", "testqueries", "")  # lists of that format
PAIRS = "each key is read as a question, and its value as the files that answer it"
HINT = f"write a list of objects, e.g. {EXAMPLE}"


def _matches(place: Place) -> bool:
    layout = layout_of(place)
    try:
        found = None if layout in ("", "table") else beginning(place, layout)
    except AssayError:
        return False
    if found is None:
        return layout == "table" and _has_own_titles(place)
    records = [one for _, one in found.entries if isinstance(one, Mapping)]
    if layout == "lines":
        return has_keys(records) and not _is_judgment(records[0])
    if layout == "yaml":
        return has_keys(records) and not _is_strict(found, records)
    asked = any(is_question(key) for one in records for key in one)
    named = plain(found.name) == "questions" and not found.entries
    return has_keys(records) or named or (asked and found.name in ("", "questions"))


def _has_own_titles(place: Place) -> bool:
    """Tell whether a table has titles that the format of judgments in tables does not know."""
    titles = first_row(place.head, separator(place.head))
    return columns(titles) != known_columns(titles)


def _is_judgment(record: Record) -> bool:
    """Tell whether a line is one judgment with its grade, which a stricter format reads."""
    fields = known_columns([*record])
    names = {*fields.values()}
    whole = "grade" in names and not any(map(names.isdisjoint, NEEDED.values()))
    values = [value for at, value in enumerate(record.values()) if at in fields]
    return whole and not any(isinstance(value, list | Mapping) for value in values)


def _is_strict(found: QuestionList, records: Sequence[Record]) -> bool:
    """Tell whether records have the keys of YAML with expected files, or nearly so."""
    keys = [*dict.fromkeys(key for one in records for key in one)]
    if not {*STRICT}.isdisjoint(keys):
        return True
    if plain(found.name) not in OF_YAML or "query" not in keys or found.pairs:
        return False
    files = [key for key in keys if file_kind(key)]
    values = {key: [one[key] for one in records if key in one] for key in files}
    remark = [key for key in files if plain(key) == "source" and are_names(key, values[key])]
    return not any(is_plain_noun(key) for key in files) and not remark


def _load(place: Place, limits: Limits) -> Dataset:
    layout = layout_of(place)
    if layout == "table":
        return csv.load(place, limits)
    problems = Problems(place.name)
    found = read_list(place, layout or "yaml", problems)
    problems.refuse()
    if found is None:
        raise InputError("not a list of questions", where=place.name, hint=HINT)
    if found.rivals:
        problem = f"{join_names(found.rivals)} could each hold the questions"
        raise InputError(problem, where=place.name, hint="keep one list")
    for at, entry in found.entries:
        if not isinstance(entry, Mapping):
            problems.add("not an object", at=at, hint=f"e.g. {EXAMPLE}")
    problems.refuse()
    if not found.entries:
        raise InputError("contains no questions", where=place.name, hint=f"e.g. {EXAMPLE}")
    return _dataset(found, place, problems)


def _dataset(found: QuestionList, place: Place, problems: Problems) -> Dataset:
    records = with_one_key([entry for _, entry in found.entries])
    keys = find_keys(records, where=place.name)
    _refuse_strict(keys, records, found.top, place)
    mapped = any(is_graded(one.get(keys.files)) for one in records)
    gathered = QuestionRecords(keys, problems, mapped=mapped)
    for (at, _), record in zip(found.entries, records, strict=True):
        gathered.add(record, at=at)
    queries, notes = gathered.queries()
    problems.refuse()
    if mapped or keys.grade:
        notes += [NO_EFFECT] if place.binary else []
    elif any(query.judgments for query in queries):
        notes += keys.others.notes(binary=place.binary, where=place.name, noun="key")
    read = PAIRS if found.pairs else keys.read_from
    top, unused = _top(found.top)
    return Dataset(
        queries=tuple(queries),
        scale=largest_grade(queries),
        notes=(read, *unused, *notes),
        home=place.home,
        **{"name": place.stem, **top},
    )


def _top(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Return what a file says of all questions, and which of its keys are not used."""
    texts = {key: given[key] for key in ("name", "description") if isinstance(given.get(key), str)}
    corpus = given.get("corpus")
    named = {"path": corpus} if isinstance(corpus, str) else corpus
    top = texts | ({"corpus": named} if isinstance(named, Mapping) else {})
    rest = [key for key in given if key not in top and not is_remark(key)]
    names = first_named(rest, 12, show=lambda key: f'"{key[:40]}"')
    are = "key {} is" if len(rest) == 1 else "keys {} are"
    return top, [f"the {are.format(names)} not used"] if rest else []


def _refuse_strict(
    keys: QuestionKeys, records: Sequence[Record], top: Mapping[str, Any], place: Place
) -> None:
    """Raise where records say more of files than is read here."""
    given = {*top} | {key for record in records for key in record}
    strict = [key for key in STRICT if key in given and key != keys.files]
    if strict:
        problem = f'"{strict[0]}" is only read from YAML with expected files'
        hint = 'save the list as YAML with the keys "question" and "expected_files"'
        raise InputError(problem, where=place.name, hint=hint)


questions = read_only(
    "questions with the files that answer them: YAML, JSON, JSON lines or CSV", 6.5, _matches, _load
)
