"""YAML of queries with expected files and symbols, each of which is one expected item."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from assay.columns.strict_yaml import Yaml, strict_yaml
from assay.datasets._format import DatasetFormat
from assay.datasets._place import Place
from assay.datasets._problems import ENOUGH, Problems
from assay.datasets._schema import Schema, near, path_text
from assay.datasets.formats._fields import beyond, kept, said
from assay.datasets.formats._meta import free
from assay.datasets.formats._queries import Gathered
from assay.datasets.formats._references import by_path
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.formats._yaml import block
from assay.datasets.limits import Limits
from assay.records import Dataset, Judgment, Match, Query, Reference

__all__ = ["akashic_yaml"]

# Possessive, and within a line: a file of blanks must not make the search slow.
BEGINNING = re.compile(
    rb"^(?:test_)?queries[ \t]*+:|^[ \t]*+(?:-[ \t]*+)?expected_(?:files|symbols)[ \t]*+:",
    re.MULTILINE,
)
LISTS = ("queries", "test_queries")
TAKEN = ("id", "query", "match", "expected_files", "expected_symbols")
EXPECTED = TAKEN[3:]
KNOWN = (*TAKEN, "category", "difficulty", "collection")
NAMES = {"type": ["array", "null"], "items": TEXT | {"minLength": 1}}
MATCH = {"enum": ["exact", "substring"]}


@cache
def _schema() -> Schema:
    query = record(
        {
            "id": NAME,
            "query": TEXT,
            "category": {"type": ["string", "null"]},
            "match": MATCH,
            "expected_files": NAMES,
            "expected_symbols": NAMES,
        },
        "query",
    )
    queries = {"type": "array", "items": query}
    whole = record(
        {
            **dict.fromkeys(LISTS, queries),
            "name": TEXT,
            "description": TEXT,
            "match": MATCH,
            "corpus": {"type": ["object", "string"]},
        },
        LISTS,
    )
    return Schema(whole)


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
    name = next(name for name in LISTS if name in rest)
    entries, match = rest.pop(name), rest.pop("match", "substring")
    gathered = Gathered(problems)
    for number, entry in enumerate(entries):
        path = (number,) if bare else (name, number)
        _add(entry, match, f"line {yaml.line(path)}", gathered)
    problems.refuse()
    corpus = rest.pop("corpus", {})
    return Dataset(
        name=rest.pop("name", "") or place.stem,
        queries=tuple(gathered.queries),
        description=rest.pop("description", ""),
        scale=1,
        corpus={"path": corpus} if isinstance(corpus, str) else corpus,
        metadata=free(rest),
        notes=gathered.notes,
        home=place.home,
    )


def _check(yaml: Yaml, whole: object, skip: int, problems: Problems) -> None:
    """Note all that does not fit, in the order of lines; ``skip`` steps are not in the file."""
    found = []
    for path, problem, hint in islice(_schema().problems(whole), ENOUGH):
        place = tuple(path[skip:])
        line, word = yaml.line(place), yaml.written(place)
        at = ", ".join(filter(None, (f"line {line}", path_text(place))))
        found.append((line, at, *_plainer(problem, hint, word)))
    for _, at, problem, hint in sorted(found, key=lambda one: one[0]):
        problems.add(problem, at=at, hint=hint)
    problems.refuse()


def _plainer(problem: str, hint: str, word: str) -> tuple[str, str]:
    """Tell the usual mistakes of YAML in its own words."""
    if problem.endswith("is not a text") and word:
        return f"{word} is not a text", f'write it in quotes: "{word}"'
    if problem.endswith(" is not null or a list"):
        value = problem.removesuffix(" is not null or a list")
        return f"{value} is not a list", f"write it as [{value.strip(chr(34))}]"
    if problem.endswith("is not an object"):
        return problem, "write a list of queries, each with id, query and expected_files"
    return problem, hint


def _add(entry: dict[str, Any], whole: Match, at: str, gathered: Gathered) -> None:
    match = entry.get("match", whole)
    files, symbols = (entry.get(key) or [] for key in EXPECTED)
    gathered.refuse_repeated(files, at=at)
    gathered.refuse_repeated(symbols, at=at)
    for key, hint in _misspelt(entry):
        gathered.refuse(f'the key "{key}" is not known', at=at, hint=hint)
    query = Query(
        key=gathered.key(entry.get("id")),
        text=entry["query"],
        judgments=(
            *(Judgment(Reference(path=name, match=match), 1) for name in files),
            *(Judgment(Reference(symbol=name, match=match), 1) for name in symbols),
        ),
        **said(entry, TAKEN if entry.get("category") is not None else (*TAKEN, "category")),
    )
    gathered.add(query, at=at)


def _misspelt(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Find keys that were meant for ours; others say something of a query, and are kept."""
    bare = not any(key in entry for key in EXPECTED)
    for key in (str(key) for key in entry if key not in KNOWN):
        hint = near(key, KNOWN, alike=0.85)
        if not hint and bare and key.startswith("expected"):
            hint = near(key, EXPECTED, alike=0.0)
        if hint:
            yield key, hint


def _reduce(dataset: Dataset) -> Dataset:
    queries = tuple(
        replace(kept(query, (*TAKEN, "category", *_alike(query))), judgments=_items(query))
        for query in dataset.queries
    )
    metadata = {key: value for key, value in free(dataset.metadata).items() if key not in LISTS}
    return replace(dataset, queries=queries, scale=1, documents=(), metadata=metadata)


def _alike(query: Query) -> list[str]:
    return [key for key in query.extra if near(key, KNOWN, alike=0.85)]


def _items(query: Query) -> tuple[Judgment, ...]:
    """Keep what is relevant, files before symbols, with one way of matching for all of them."""
    relevant = [one.reference for one in query.judgments if one.grade > 0]
    exact = bool(relevant) and all(reference.match == "exact" for reference in relevant)
    match: Match = "exact" if exact else "substring"
    files = filter(None, map(by_path, relevant))
    symbols = (Reference(symbol=one.symbol) for one in relevant if one.symbol and not by_path(one))
    items = dict.fromkeys(replace(one, match=match) for one in (*files, *symbols))
    return tuple(Judgment(one, 1) for one in items)


def _write(dataset: Dataset, path: Path) -> None:
    path.write_text("".join(_pieces(dataset)), encoding="utf-8", newline="\n")


def _pieces(dataset: Dataset) -> Iterator[str]:
    top: Mapping[str, Any] = {
        "name": dataset.name,
        "description": dataset.description,
        "corpus": dict(dataset.corpus),
    }
    yield block({key: value for key, value in top.items() if value} | dict(dataset.metadata))
    yield "queries:\n" if dataset.queries else "queries: []\n"
    for query in dataset.queries:
        lines = block(_entry(query)).splitlines(keepends=True)
        yield f"\n  - {lines[0]}" + "".join(f"    {line}" for line in lines[1:])


def _entry(query: Query) -> dict[str, Any]:
    references = [judgment.reference for judgment in query.judgments]
    entry: dict[str, Any] = {"id": query.key, "query": query.text, **beyond(query)}
    entry["expected_files"] = [reference.path for reference in references if reference.path]
    symbols = [reference.symbol for reference in references if reference.symbol]
    entry |= {"expected_symbols": symbols} if symbols else {}
    exact = bool(references) and references[0].match == "exact"
    return entry | ({"match": "exact"} if exact else {})


akashic_yaml = DatasetFormat(
    "YAML of queries with expected_files and expected_symbols",
    7,
    _matches,
    _load,
    _reduce,
    _write,
    (".yaml", ".yml"),
)
