"""TREC topics with their qrels in a folder, or a lone file of qrels."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.formats._fields import beyond, kept, said
from assay.datasets.formats._folder import begin, by_query, left_out, reduced, refuse_ids
from assay.datasets.formats._meta import described
from assay.datasets.formats._queries import QueryList
from assay.datasets.formats._topics import NAMED, TAG, TEXTS, Topic, as_xml, topics
from assay.datasets.formats._write_lines import refuse_nothing
from assay.datasets.limits import Limits
from assay.datasets.load_judgments import load_judgments
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.errors import InputError
from assay.records import Dataset, Judgment, Judgments, Query

__all__ = ["trec"]

ODD = re.compile(r"[\x00-\x20]")  # white space parts the columns
GRADE = re.compile(rb"-?[0-9]{1,4}(?:\.0+)?")
NOT_TOPICS = (".json", ".jsonl", ".jsonl.gz", ".md", ".yaml", ".yml", ".csv")
NOUNS = ("topics", "qrels")
WRITTEN = ("topics.xml", "qrels.txt")
OWN = (*NAMED, *TEXTS, "top", "topic", "topics", "number", "description", "narrative")


def _matches(place: Place) -> bool:
    if place.is_folder:
        return all(_candidates(place))
    return _is_qrels(place)


def _is_qrels(place: Place) -> bool:
    fields = place.source.first_fields() if place.head else []
    return len(fields) == 4 and bool(GRADE.fullmatch(fields[3]))


def _candidates(place: Place) -> tuple[list[Path], list[Path]]:
    """Return the files that may be topics, and those that may be qrels, by their names."""
    files = sorted(path for path in place.path.iterdir() if path.is_file())
    named = [path for path in files if not path.name.lower().endswith(NOT_TOPICS)]
    qrels = [path for path in named if "qrel" in path.name.lower()]
    words = ("topic", "queries")
    found = [path for path in named if any(word in path.name.lower() for word in words)]
    return [path for path in found if path not in qrels], qrels


def _load(place: Place, limits: Limits) -> Dataset:
    if not place.is_folder:
        return _lone(place)
    chosen, qrels = (_only(place, *pair) for pair in zip(_candidates(place), NOUNS, strict=True))
    judged: Mapping[str, tuple[Judgment, ...]] = {}
    notes: list[str] = []
    if qrels.stat().st_size:
        judgments = _judgments(qrels, place)
        judged = by_query(judgments)
        notes += judgments.notes
    queries = _queries(chosen, judged)
    known = {query.key for query in queries}
    missing = [key for key in judged if key not in known]
    both = len(judged) - len(missing)
    notes += left_out(missing, where=str(qrels), known=both, file=chosen.name)
    top = max((one.grade for rows in judged.values() for one in rows), default=1)
    return described(place, queries, max(1, top), notes)


def _judgments(path: Path, asked: Place) -> Judgments:
    """Read a file of four columns as TREC's, whatever its first letter looks like."""
    with Place(path) as place:
        chosen = "trec" if _is_qrels(place) else None
    return load_judgments(path, format=chosen, binary=asked.binary, subtopics=asked.subtopics)


def _only(place: Place, found: list[Path], noun: str) -> Path:
    """Return the one file of its kind; which of several is meant only a person can say."""
    if len(found) == 1:
        return found[0]
    if not found:
        hint = f'name the file "{noun}.txt"'
        raise InputError(f"contains no {noun} file", where=place.name, hint=hint)
    names = ", ".join(path.name for path in found[:5])
    hint = "keep one of them, or copy the right pair of files to another folder"
    raise InputError(f"contains several {noun} files: {names}", where=place.name, hint=hint)


def _lone(place: Place) -> Dataset:
    if place.source.path is None:
        hint = "save them to a file first"
        raise InputError("qrels can only be read from a file", where=place.name, hint=hint)
    judgments = _judgments(place.path, place)
    queries = tuple(Query(key, "", rows) for key, rows in by_query(judgments).items())
    note = "the file contains only judgments: its queries have no text"
    notes = (*judgments.notes, note)
    return Dataset(place.stem, queries, scale=judgments.scale, notes=notes, home=place.home)


def _queries(path: Path, judged: Mapping[str, tuple[Judgment, ...]]) -> tuple[Query, ...]:
    with Place(path) as place:
        problems = Problems(place.name)
        gathered = QueryList(problems)
        for topic in topics(_text(place), where=place.name):
            at = f"line {topic.line}"
            if not topic.key or not topic.fields:
                lacks = "text" if topic.key else "number"
                problems.add(f"the topic has no {lacks}", at=at, hint="add <num> and <title>")
                continue
            gathered.add(_query(topic, judged.get(topic.key, ())), at=at)
        problems.refuse()
    return tuple(gathered.queries)


def _text(place: Place) -> str:
    try:
        return place.read().decode("utf-8")
    except UnicodeDecodeError:
        hint = "save the file as UTF-8"
        raise InputError("the text is not valid UTF-8", where=place.name, hint=hint) from None


def _query(topic: Topic, judgments: tuple[Judgment, ...]) -> Query:
    name = next((name for name in (*TEXTS, "desc") if name in topic.fields), "")
    rest: dict[str, Any] = {
        key: texts[0] if len(texts) == 1 else texts
        for key, texts in topic.fields.items()
        if key != name and key not in TEXTS
    }
    text = " ".join(topic.fields.get(name, ()))
    return Query(topic.key, text, judgments, **said(rest, ()))


def _reduce(dataset: Dataset) -> Dataset:
    return reduced(dataset, map(_reduced, dataset.queries))


def _reduced(query: Query) -> Query:
    extra = {key: value for key, value in query.extra.items() if _tagged(key, value)}
    return kept(replace(query, extra=extra), ())


def _tagged(key: str, value: Any) -> bool:  # noqa: ANN401
    """Tell whether a further field fits between tags: a text, or several of them."""
    if key in OWN or not TAG.fullmatch(key):
        return False
    several = isinstance(value, list) and len(value) > 1
    return isinstance(value, str) or (several and all(isinstance(one, str) for one in value))


def _write(dataset: Dataset, path: Path) -> None:
    refuse_nothing(dataset, path)
    refuse_ids(dataset, ODD, path)
    _refuse_several(path)
    begin(dataset, path, id_key="_id", own=WRITTEN)
    with (path / WRITTEN[0]).open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(as_xml((query.key, _fields(query)) for query in dataset.queries))
    with (path / WRITTEN[1]).open("w", encoding="utf-8", newline="\n") as file:
        for query in dataset.queries:
            for one in query.judgments:
                file.write(f"{query.key} 0 {one.reference.document_id} {one.grade}\n")


def _refuse_several(path: Path) -> None:
    """Raise if the folder holds topics or qrels of other names, which would be read as well."""
    if not path.is_dir():
        return
    topics_, qrels = _candidates(Place(path))
    names = [file.name for file in (*topics_, *qrels) if file.name not in WRITTEN]
    if names:
        hint = "remove them, or write to another folder"
        problem = f"contains other topics or qrels: {', '.join(names[:5])}"
        raise InputError(problem, where=str(path), hint=hint)


def _fields(query: Query) -> dict[str, list[str]]:
    rest = beyond(query).items()
    return {"title": [query.text]} | {
        key: value if isinstance(value, list) else [str(value)] for key, value in rest
    }


trec = DatasetFormat(
    "TREC folder with topics and qrels, or a qrels file",
    9,
    _matches,
    _load,
    _reduce,
    _write,
)
