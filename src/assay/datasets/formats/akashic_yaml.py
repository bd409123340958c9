"""YAML of queries with expected files and symbols, each of which is one expected item."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from assay.columns.documents.strict_yaml import Yaml, strict_yaml
from assay.columns.titles import COUNTS, TITLES, plain_titles
from assay.columns.titles import plain as plain_title
from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.formats._expected import MATCH, expected, expected_schema, written
from assay.datasets.formats._fields import FIELDS, REPOSITORY, number_of, said
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._scale import largest_grade
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.formats._yaml import block
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import ENOUGH, Problems
from assay.datasets.schema import Schema, path_text
from assay.datasets.sheets.query_weights import without_weight
from assay.records import KEYS, Dataset, Judgment, Match, Query, Rationale
from assay.text.count_noun import count_noun
from assay.text.near_miss import did_you_mean

__all__ = ["akashic_yaml"]

# Possessive, and within a line: a file of blanks must not make the search slow.
BEGINNING = re.compile(
    rb"^(?:test_)?queries[ \t]*+:|^[ \t]*+(?:-[ \t]*+)?expected_(?:files|symbols)[ \t]*+:",
    re.MULTILINE,
)
LISTS = ("queries", "test_queries", "questions")
TEXTS = ("query", "question")
EXPECTED = ("expected_files", "expected_symbols")
COLLECTION = ("collection", *REPOSITORY)
TAKEN = ("id", *TEXTS, "match", *EXPECTED, "extra")
# Remarks, which change no score: they are kept. Any other key could be meant for one of ours.
REMARKS = ("author", "comment", "note", "notes", "source", "tags", "version", "licence", "license")
MEANT = {
    "expected_files": "answer answers relevant relevant_docs relevant_files relevant_documents "
    "gold file files document documents doc docs path paths page expected results judgments qrels "
    "targets",
    "expected_symbols": "symbol symbols functions classes relevant_symbols",
    "query": "text query_text q",
    "id": "key query_id qid query_key _id",
    "category": "type kind intent",
    "difficulty": "level hardness",
    "collection": "project",
    "queries": "tests cases examples",
    "weight": "boost popularity volume " + " ".join(COUNTS),
    "scale": "max_grade",
    "metadata": "meta info",
}
MEANS = {word: name for name, words in MEANT.items() for word in words.split()}
UNKNOWN = re.compile(r'unknown key "(.*)"', re.DOTALL)
GRADES = {*plain_titles(TITLES["grade"])}
ANSWER = 'did you mean "expected_files"? it lists files; put the text of an answer under "extra"'
FREE = "put fields of your own under extra (of a query) or metadata (of the file)"
ITEMS = "expected items have no grade and count"
GRADE, GRADED_SCALE, MOST = 2, 3, 1000  # of an entry without a grade; of a file with some


@cache
def _schema() -> Schema:
    free = {"type": "object"}
    query = record(
        {
            "id": NAME,
            **dict.fromkeys(TEXTS, TEXT),
            "category": {"type": ["string", "null"]},
            "difficulty": {},
            "collection": {},
            **{key: {"type": ["string", "integer", "null"]} for key in REPOSITORY},
            "weight": {},
            "match": MATCH,
            **{key: expected_schema(key) for key in EXPECTED},
            "extra": free,
            "filters": {"type": ["object", "array", "string"]},
            **{key: {} for key in REMARKS},
        },
        TEXTS,
    )
    queries = {"type": "array", "items": query | {"additionalProperties": False}}
    whole = record(
        {
            **dict.fromkeys(LISTS, queries),
            "name": TEXT,
            "description": TEXT,
            "match": MATCH,
            "scale": {"type": "integer", "minimum": 1, "maximum": MOST},
            "match_weights": {"type": "boolean"},
            "corpus": {"type": ["object", "string"]},
            "metadata": free,
            **{key: {} for key in REMARKS},
        },
        LISTS,
    )
    return Schema(whole | {"additionalProperties": False})


def _matches(place: Place) -> bool:
    if place.is_folder:
        return False
    name = place.path.name.lower().removesuffix(".gz")
    return name.endswith((".yaml", ".yml")) or bool(BEGINNING.search(place.head))


def _load(place: Place, limits: Limits) -> Dataset:
    yaml = strict_yaml(place.read(), where=place.name)
    bare = isinstance(yaml.value, list)
    whole = {"queries": yaml.value} if bare else yaml.value
    problems = Problems(place.name)
    _check(yaml, whole, 1 if bare else 0, problems)
    rest = dict(whole)
    name, *others = (name for name in LISTS if name in rest)
    if others:
        problem = f"keys with the same meaning: {', '.join((name, *others))}"
        problems.add(problem, hint="keep one list of queries")
    entries, match = rest.pop(name), rest.pop("match", "substring")
    gathered = QueryList(problems)
    scale, grade = _grades(rest.pop("scale", None), entries)
    for number, entry in enumerate(entries):
        path = (number,) if bare else (name, number)
        _add(entry, match, grade, f"line {yaml.line(path)}", gathered)
    _refuse_above(gathered.queries, scale, problems)
    problems.refuse()
    corpus = rest.pop("corpus", {})
    return Dataset(
        name=rest.pop("name", "") or place.stem,
        queries=tuple(gathered.queries),
        description=rest.pop("description", ""),
        scale=scale,
        corpus={"path": corpus} if isinstance(corpus, str) else corpus,
        metadata=rest.pop("metadata", {}) | rest,
        notes=(*gathered.notes, *_ungraded(entries, grade)),
        home=place.home,
    )


def _grades(scale: int | None, entries: list[dict[str, Any]]) -> tuple[int, int]:
    """Return the scale, and the grade of an entry that has none: without any, all are right."""
    if scale is None and not any("grade" in one for one in _mappings(entries)):
        return 1, 1
    scale = scale or GRADED_SCALE
    return scale, min(GRADE, scale)


def _mappings(entries: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (one for one in _listed(entries) if isinstance(one, dict))


def _listed(entries: list[dict[str, Any]]) -> Iterator[object]:
    return (one for entry in entries for key in EXPECTED for one in entry.get(key) or ())


def _ungraded(entries: list[dict[str, Any]], grade: int) -> list[str]:
    graded = sum("grade" in one for one in _mappings(entries))
    left = len([*_listed(entries)]) - graded
    if not (graded and left):
        return []
    items = count_noun(left, "expected item has no grade and counts", ITEMS)
    return [f"{items} as grade {grade}"]


def _refuse_above(queries: list[Query], scale: int, problems: Problems) -> None:
    top = largest_grade(queries)
    for query in queries:
        for one in query.judgments:
            if one.grade > scale:
                problem = f"grade {one.grade} of {one.reference} exceeds the scale maximum {scale}"
                hint = f"write scale: {top} at the top of the file"
                problems.add(problem, at=f'query "{query.key}"', hint=hint)


def _check(yaml: Yaml, whole: object, skip: int, problems: Problems) -> None:
    """Note all that does not fit, in the order of lines; ``skip`` steps are not in the file."""
    found = []
    for path, problem, hint in islice(_schema().problems(whole), ENOUGH):
        place = tuple(path[skip:])
        line, word = yaml.line(place), yaml.written(place)
        at = ", ".join(filter(None, (f"line {line}", path_text(place))))
        told = _graded(problem, place) or _plainer(problem, hint, word)
        found.append((line, at, *told))
    for _, at, problem, hint in sorted(found, key=lambda one: one[0]):
        problems.add(problem, at=at, hint=hint)
    problems.refuse()


def _graded(problem: str, place: tuple[str | int, ...]) -> tuple[str, str] | None:
    """Say where a grade belongs, if an unknown key seems to hold one."""
    found = UNKNOWN.fullmatch(problem)
    key = plain_title(found[1]) if found else ""
    if not {key, key.removesuffix("s")} & GRADES:
        return None
    entry = not {*EXPECTED}.isdisjoint(place)
    where = "give each expected file its own grade: expected_files: [{path: a.md, grade: 3}]"
    return problem, 'did you mean "grade"?' if entry else where


def _plainer(problem: str, hint: str, word: str) -> tuple[str, str]:
    """Tell the usual mistakes of YAML in its own words."""
    for ending in ("is not a string", "is not a string or an object"):
        if problem.endswith(ending) and word:
            return f"{word} {ending}", f'write it in quotes: "{word}"'
    if problem.endswith(" is not null or a list"):
        value = problem.removesuffix(" is not null or a list")
        return f"{value} is not a list", f"write it as [{value.strip(chr(34))}]"
    if problem.endswith("is not an object"):
        return problem, "write a list of queries, each with id, query and expected_files"
    if found := UNKNOWN.fullmatch(problem):
        return problem, _meant(found[1]) or hint or FREE
    return problem, hint


def _meant(key: str) -> str:
    """Suggest what others call one of our keys."""
    word = key.lower().replace("-", "_").replace(" ", "_")
    if word.removeprefix("expected_").removesuffix("s") == "answer":
        return ANSWER
    meant = MEANS.get(word) or next((one for one in EXPECTED if one[:9] == word[:9]), "")
    return did_you_mean(key, EXPECTED, otherwise="", alike=0.85) or (
        f'did you mean "{meant}"?' if meant else ""
    )


def _add(entry: dict[str, Any], whole: Match, grade: int, at: str, gathered: QueryList) -> None:
    match = entry.get("match", whole)
    judgments = tuple(
        expected(one, key, match, grade) for key in EXPECTED for one in entry.get(key) or ()
    )
    gathered.refuse_repeated([*map(_name, judgments)], at=at)
    taken = TAKEN if entry.get("category") is not None else (*TAKEN, "category")
    fields = said(entry, taken)
    rest = {key: value for key, value in fields["extra"].items() if key not in REPOSITORY}
    fields["extra"] = rest | entry.get("extra", {})
    for names in (TEXTS, COLLECTION):
        if len(both := [key for key in names if key in entry]) > 1:
            problem = f"keys with the same meaning: {', '.join(both)}"
            gathered.refuse(problem, at=at, hint="keep one of them")
    text = next(entry[key] for key in TEXTS if key in entry)
    gathered.add(Query(gathered.key(entry.get("id"), text), text, judgments, **fields), at=at)


def _name(judgment: Judgment) -> str:
    """Call what is judged by its one name, else by all that is said of it."""
    reference, lines = judgment.reference, judgment.lines
    names = [value for key in (*KEYS, "symbol") if (value := getattr(reference, key))]
    kind = " (symbol)" if reference.symbol and len(names) == 1 else ""
    told = f"{names[0]}{kind}" if len(names) == 1 else str(reference)
    return f"{told}, lines {lines[0]}-{lines[1]}" if lines else told


def _reduce(dataset: Dataset) -> Dataset:
    queries = tuple(
        replace(query, judgments=_items(query), extra=without_weight(query.extra))
        for query in dataset.queries
    )
    return replace(dataset, queries=queries, documents=())


def _items(query: Query) -> tuple[Judgment, ...]:
    """Keep files before symbols, each once, and of what a judge said the lines and the reason."""
    best: dict[str, Judgment] = {}
    for one in query.judgments:
        name = _name(one)
        if str(one.reference) != "nothing" and (name not in best or one.grade > best[name].grade):
            best[name] = replace(one, because=_because(one.because))
    return tuple(sorted(best.values(), key=_is_symbol))


def _is_symbol(judgment: Judgment) -> bool:
    reference = judgment.reference
    return not any(getattr(reference, key) for key in KEYS)


def _because(because: Rationale | None) -> Rationale | None:
    if because is None or not (because.reason or because.lines):
        return None
    return Rationale(because.reason, because.lines)


def _write(dataset: Dataset, path: Path) -> None:
    path.write_text("".join(_pieces(dataset)), encoding="utf-8", newline="\n")


def _pieces(dataset: Dataset) -> Iterator[str]:
    grades = {one.grade for query in dataset.queries for one in query.judgments}
    graded = dataset.scale != 1 or not grades <= {1}
    metadata = dict(dataset.metadata)
    weights = metadata.get("match_weights")
    top: Mapping[str, Any] = {
        "name": dataset.name,
        "description": dataset.description,
        "scale": dataset.scale if graded else None,
        "match_weights": metadata.pop("match_weights") if isinstance(weights, bool) else None,
        "corpus": dict(dataset.corpus),
        "metadata": metadata,
    }
    yield block({key: value for key, value in top.items() if value or value is False})
    yield "queries:\n" if dataset.queries else "queries: []\n"
    for query in dataset.queries:
        lines = block(_entry(query, graded=graded)).splitlines(keepends=True)
        yield f"\n  - {lines[0]}" + "".join(f"    {line}" for line in lines[1:])


def _entry(query: Query, *, graded: bool) -> dict[str, Any]:
    exact = bool(query.judgments) and all(one.reference.match == "exact" for one in query.judgments)
    match: Match = "exact" if exact else "substring"
    fields = {key: getattr(query, key) for key in FIELDS if getattr(query, key)}
    lists: dict[str, list[Any]] = {key: [] for key in EXPECTED}
    for one in query.judgments:
        lists[EXPECTED[_is_symbol(one)]].append(written(one, match, graded=graded))
    if not lists["expected_symbols"]:
        del lists["expected_symbols"]
    texts = exact and any(isinstance(one, str) for some in lists.values() for one in some)
    return {
        **{"id": query.key, "query": query.text, **fields},
        **({"weight": number_of(query.weight)} if query.weight != 1 else {}),
        **({"extra": dict(query.extra)} if query.extra else {}),
        **lists,
        **({"match": "exact"} if texts else {}),
    }


akashic_yaml = DatasetFormat(
    "YAML with expected files and symbols for each query",
    7,
    _matches,
    _load,
    _reduce,
    _write,
    (".yaml", ".yml"),
)
