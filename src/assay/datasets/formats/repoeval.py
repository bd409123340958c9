"""RepoEval's lines: a prompt, and metadata with task_id, fpath_tuple and ground_truth."""

from dataclasses import replace
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

__all__ = ["repoeval"]

TAKEN = ("task_id", "fpath_tuple", "collection")
MOST_LINES = 10**9


@cache
def _schema() -> Schema:
    path = {"type": "array", "items": TEXT, "minItems": 2}
    metadata = record({"task_id": NAME, "fpath_tuple": path}, "task_id", "fpath_tuple")
    return Schema(record({"prompt": TEXT, "metadata": metadata}, "prompt", "metadata"))


def _matches(place: Place) -> bool:
    if place.is_folder or not place.head.lstrip().startswith(b"{"):
        return False
    keys = first_keys(place.head)
    if keys[:1] == ["metadata"]:
        return b'"fpath_tuple"' in place.head
    return keys == ["prompt"] or (keys[:1] == ["prompt"] and "metadata" in keys)  # or it is cut


def _load(place: Place, limits: Limits) -> Dataset:
    problems = Problems(place.name)
    gathered = QueryList(problems)
    for number, line in json_lines(place, _schema(), problems):
        at = f"line {number}"
        repository, *parts = line["metadata"]["fpath_tuple"]
        if parts == [""]:
            hint = 'write e.g. ["repo", "dir", "file"]'
            problems.add("the path in fpath_tuple is empty", at=at, hint=hint)
            continue
        gathered.add(_query(line, repository, "/".join(parts)), at=at)
    problems.refuse()
    return Dataset(place.stem, tuple(gathered.queries), scale=1, home=place.home)


def _query(line: dict[str, Any], repository: str, path: str) -> Query:
    metadata = line["metadata"]
    beside = {key: value for key, value in line.items() if key not in ("prompt", "metadata")}
    query = Query(
        key=str(metadata["task_id"]),
        text=line["prompt"],
        judgments=(Judgment(Reference(path=path), 1),),
        **{**said({**beside, **metadata}, TAKEN), "collection": repository},
    )
    return _placed(query)


def _placed(query: Query) -> Query:
    """Judge the lines of the completion, and the function that it is in, where they are given.

    RepoEval counts lines from 0: ``line_no`` is the number of lines above the completion.
    """
    (judgment,), above = query.judgments, query.extra.get("line_no")
    symbol, text = query.extra.get("function_name"), query.extra.get("ground_truth")
    because = None
    if isinstance(above, int) and not isinstance(above, bool) and 0 <= above < MOST_LINES:
        more = text.rstrip("\n").count("\n") if isinstance(text, str) else 0
        because = Rationale(lines=(above + 1, above + 1 + more))
    named = symbol if isinstance(symbol, str) else ""
    reference = Reference(path=judgment.reference.path, symbol=named)
    return replace(query, judgments=(Judgment(reference, 1, because=because),))


def _reduce(dataset: Dataset) -> Dataset:
    found = single_paths(dataset, lambda query: kept(query, TAKEN))
    return replace(found, queries=tuple(map(_placed, found.queries)))


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    write_lines(map(_line, dataset.queries), path)


def _line(query: Query) -> dict[str, Any]:
    rest = {key: value for key, value in beyond(query).items() if key != "collection"}
    parts = query.judgments[0].reference.path.split("/")
    names = {"task_id": query.key, "fpath_tuple": [query.collection, *parts]}
    return {"prompt": query.text, "metadata": {**names, **rest}}


repoeval = DatasetFormat(
    "RepoEval JSON lines with prompt and metadata",
    3,
    _matches,
    _load,
    _reduce,
    _write,
    (".repoeval.jsonl",),
)
