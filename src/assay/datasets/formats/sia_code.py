"""RepoEval as sia-code describes it: lines of id, repo, path, query, ground_truth, line_range."""

from functools import cache
from pathlib import Path
from typing import Any

from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._fields import beyond, kept, said
from assay.datasets.formats._paths import single_paths
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.formats._write_lines import refuse_nothing, write_lines
from assay.datasets.json_lines import json_lines
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.records import Dataset, Judgment, Query, Rationale, Reference

__all__ = ["sia_code"]

# The content of the gold file stays beside its query: as the corpus it would hold nothing but
# right answers.
TAKEN = ("id", "repo", "query", "ground_truth", "line_range", "collection")
LINE = {"type": "integer", "minimum": 1, "maximum": 10**9}
LINES = {"type": ["array", "null"], "items": LINE, "minItems": 2, "maxItems": 2}


@cache
def _schema() -> Schema:
    path = TEXT | {"minLength": 1}
    names = {"id": NAME, "repo": TEXT, "query": TEXT, "ground_truth": path, "line_range": LINES}
    return Schema(record(names, "id", "repo", "query", "ground_truth"))


def _matches(place: Place) -> bool:
    if place.is_folder or not place.head.lstrip().startswith(b"{"):
        return False
    keys = first_keys(place.head)
    first = keys[: keys.index("relevant")] if "relevant" in keys else keys  # else pairs with more
    return "repo" in first and not {"ground_truth", "file_content"}.isdisjoint(first)


def _load(place: Place, limits: Limits) -> Dataset:
    problems = Problems(place.name)
    gathered = QueryList(problems)
    for number, line in json_lines(place, _schema(), problems):
        gathered.add(_query(line), at=f"line {number}")
    problems.refuse()
    return Dataset(place.stem, tuple(gathered.queries), scale=1, home=place.home)


def _query(line: dict[str, Any]) -> Query:
    lines = line.get("line_range")
    because = None if lines is None else Rationale(lines=(int(lines[0]), int(lines[1])))
    reference = Reference(path=line["ground_truth"])
    return Query(
        key=str(line["id"]),
        text=line["query"],
        judgments=(Judgment(reference, 1, because=because),),
        **{**said(line, TAKEN), "collection": line["repo"]},
    )


def _reduce(dataset: Dataset) -> Dataset:
    return single_paths(dataset, lambda query: kept(query, TAKEN), lines=True)


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    write_lines(map(_line, dataset.queries), path)


def _line(query: Query) -> dict[str, Any]:
    judgment = query.judgments[0]
    line: dict[str, Any] = {
        "id": query.key,
        "repo": query.collection,
        "ground_truth": judgment.reference.path,
        "query": query.text,
    }
    if judgment.lines:
        line["line_range"] = list(judgment.lines)
    return line | {key: value for key, value in beyond(query).items() if key != "collection"}


sia_code = DatasetFormat(
    "JSON lines with id, repo, path, query, ground_truth and line_range",
    5,
    _matches,
    _load,
    _reduce,
    _write,
    (".sia_code.jsonl",),
)
