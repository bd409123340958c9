"""A folder with queries, judgments and perhaps a corpus: what several formats share of it."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from assay.datasets.formats._meta import CORPUS, free, write_meta
from assay.datasets.formats._references import by_id, plain
from assay.datasets.formats._scale import largest_grade
from assay.datasets.formats._write_lines import write_lines
from assay.datasets.problems import Problems
from assay.errors import InputError
from assay.records import Dataset, Document, Judgment, Judgments, Query, Reference
from assay.text.count_noun import count_noun
from assay.text.join_list import first_named
from assay.text.quote import quote

__all__ = ["begin", "by_query", "left_out", "reduced", "refuse_ids"]

# All files by which a folder is recognised, in any format.
PARTS = (
    *("queries.jsonl", "queries.jsonl.gz", "qrels.jsonl", "qrels.jsonl.gz", "topics.xml"),
    *("qrels/test.tsv", "qrels/dev.tsv", "qrels/train.tsv", "qrels.tsv", "qrels.txt"),
)
LONGEST = 4096  # bytes of an id that files of judgments can hold


def by_query(judgments: Judgments) -> dict[str, tuple[Judgment, ...]]:
    """Return the judgments of each query; the documents are named by their ids."""
    made: dict[bytes, Reference] = {}
    rows = []
    names, grades = judgments.documents.tolist(), judgments.grades.tolist()
    groups = _groups(judgments)
    for name, grade, group in zip(names, grades, groups, strict=True):
        reference = made.get(name)
        if reference is None:
            reference = made[name] = Reference(document_id=name.decode())
        rows.append(Judgment(reference, grade, group))
    ends = judgments.offsets.tolist()
    spans = zip(judgments.queries, ends[:-1], ends[1:], strict=True)
    return {query: tuple(rows[start:end]) for query, start, end in spans}


def _groups(judgments: Judgments) -> list[str]:
    """Number the subtopics, which any of several documents can meet."""
    if judgments.items is None:
        return [""] * len(judgments.grades)
    return [str(item + 1) for item in judgments.items.tolist()]


def left_out(missing: Sequence[str], *, where: str, known: int, file: str) -> Iterator[str]:
    """Tell of judged queries that have no text; that none has one means a wrong file."""
    if not missing:
        return
    if not known:
        problem = f'none of its queries is in {file}: "{missing[0]}", ...'
        hint = "check that the two files belong to the same dataset"
        raise InputError(problem, where=where, hint=hint)
    have = count_noun(len(missing), "judged query has", "judged queries have")
    are = "is" if len(missing) == 1 else "are"
    yield f"{have} no text in {file} and {are} ignored: {first_named(missing, 3, show=quote)}"


def reduced(dataset: Dataset, queries: Iterable[Query]) -> Dataset:
    """Return the dataset as a folder holds it: documents by their ids, the rest in meta.json.

    A corpus elsewhere and documents at hand exclude each other: the documents are the corpus.
    """
    plainly = tuple(replace(query, judgments=plain(query.judgments, by_id)) for query in queries)
    return replace(
        dataset,
        queries=plainly,
        scale=max(dataset.scale, largest_grade(plainly)),
        corpus={} if dataset.documents else dataset.corpus,
        metadata=free(dataset.metadata),
    )


def begin(dataset: Dataset, folder: Path, *, id_key: str, own: Sequence[str]) -> None:
    """Make the folder, and write meta.json and the documents at hand into it.

    ``own`` are the further files of the format: what is left of them would be read as part of
    this dataset.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _refuse_others(folder, own)
    _clear(dataset, folder, (*own, *CORPUS))
    write_meta(dataset, folder)
    if dataset.documents:
        write_lines((_record(one, id_key) for one in dataset.documents), folder / CORPUS[0])


def _refuse_others(folder: Path, own: Sequence[str]) -> None:
    """Raise if the folder would be taken for another dataset, which is not ours to remove."""
    found = [name for name in PARTS if name not in own and (folder / name).is_file()]
    if found:
        problem = f"contains files of a dataset in another format: {', '.join(found)}"
        hint = "remove them, or write to another folder"
        raise InputError(problem, where=str(folder), hint=hint)


def _clear(dataset: Dataset, folder: Path, names: Sequence[str]) -> None:
    """Remove what an earlier dataset left; never what this one was read from or points at."""
    here = os.path.realpath(folder)
    if dataset.home and os.path.realpath(dataset.home) == here:
        return
    places = [value for value in dataset.corpus.values() if isinstance(value, str)]
    used = {os.path.realpath(os.path.join(here, place)) for place in places}  # noqa: PTH118
    for path in (folder / name for name in names if name not in CORPUS or here not in used):
        if path.is_file() and os.path.realpath(path) not in used:
            path.unlink()


def refuse_ids(dataset: Dataset, odd: "re.Pattern[str]", folder: Path) -> None:
    """Raise for all ids that a file of judgments cannot hold."""
    problems = Problems(str(folder))
    hint = "change the id, or use a format without this restriction, e.g. --to assay_json"
    for query in dataset.queries:
        at = f'query "{query.key}"'
        if _odd(query.key, odd) or query.key.startswith(("#", "\ufeff")):
            problems.add("the query key cannot be written in this format", at=at, hint=hint)
        for judgment in query.judgments:
            if _odd(name := judgment.reference.document_id, odd):
                problem = f'the document id "{name[:60]}" cannot be written in this format'
                problems.add(problem, at=at, hint=hint)
    problems.refuse()


def _odd(name: str, odd: "re.Pattern[str]") -> bool:
    return not name or bool(odd.search(name)) or len(name.encode()) > LONGEST


def _record(document: Document, id_key: str) -> Mapping[str, Any]:
    rest = {key: value for key, value in asdict(document).items() if value}
    return {id_key: rest.pop("id"), "title": rest.pop("title", ""), "text": "", **rest}
