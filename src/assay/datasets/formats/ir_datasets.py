"""A dataset of the package ir_datasets, by its name: ``ir_datasets:cranfield``; only reads."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from assay.datasets.dataset_format import DatasetFormat
from assay.datasets.formats._folder import left_out
from assay.datasets.formats._scale import largest_grade
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference
from assay.text.count_noun import count_noun

__all__ = ["ir_datasets"]

PREFIX = "ir_datasets:"
TEXTS = ("text", "title", "query", "question", "default_text")


def _load(place: Place, limits: Limits) -> Dataset:
    where = str(getattr(place, "path", place))
    if not where.startswith(PREFIX):
        hint = "expected ir_datasets:NAME, e.g. ir_datasets:cranfield"
        raise InputError("is not a dataset name of ir_datasets", where=where, hint=hint)
    name = where.removeprefix(PREFIX)
    package = _package(where)
    with _offline(package, where, name):
        found = _found(package, name, where)
        texts = [(str(one.query_id), one) for one in found.queries_iter()]
        judged = _judged(found)
    queries = tuple(
        Query(key, _text(one), tuple(judged.get(key, ())), extra=_rest(one))
        for key, one in texts
        if key in judged
    )
    known = {query.key for query in queries}
    missing = [key for key in judged if key not in known]
    notes = [*left_out(missing, where=where, known=len(queries), file="its queries")]
    unjudged = len(texts) - len(queries)
    if unjudged:
        have = count_noun(
            unjudged, "query has no judgments and is", "queries have no judgments and are"
        )
        notes.append(f"{have} ignored")
    title = re.sub(r"\W+", "-", name)
    return Dataset(title, queries, scale=largest_grade(queries), notes=tuple(notes))


def _package(where: str) -> ModuleType:
    try:
        package = import_module("ir_datasets")
    except ImportError:
        hint = "pip install ir_datasets"
        raise InputError("the package ir_datasets is missing", where=where, hint=hint) from None
    return package


def _found(package: Any, name: str, where: str) -> Any:  # noqa: ANN401
    try:
        found = package.load(name)
    except KeyError:
        hint = "list the available datasets: ir_datasets list"
        raise InputError("unknown dataset of ir_datasets", where=where, hint=hint) from None
    for part in ("queries", "qrels"):
        if not getattr(found, f"has_{part}")():
            hint = "choose a subset: ir_datasets:NAME/SUBSET"
            raise InputError(f"has no {part}", where=where, hint=hint)
    return found


@contextmanager
def _offline(package: Any, where: str, name: str) -> Iterator[None]:  # noqa: ANN401
    """Let the package read what is on disk, and refuse what it would fetch."""
    asked: list[bool] = []

    def refuse(*_: object, **__: object) -> NoReturn:
        asked.append(True)
        raise ConnectionError

    lazy = package.lazy_libs
    before = lazy.requests
    lazy.requests = refuse
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a foreign reader does with a broken file
        problem = f"cannot be read ({type(error).__name__}: {error})"
        hint = "see the documentation of ir_datasets"
        if asked or isinstance(error, FileNotFoundError):
            problem = "its data is not on this machine, and Assay does not download it"
            hint = f"download it first: ir_datasets export {name} queries, then the same with qrels"
        raise InputError(problem, where=where, hint=hint) from None
    finally:
        lazy.requests = before


def _judged(found: Any) -> dict[str, list[Judgment]]:  # noqa: ANN401
    judged: dict[str, dict[str, Judgment]] = {}
    for one in found.qrels_iter():
        reference = Reference(document_id=str(one.doc_id))
        rows = judged.setdefault(str(one.query_id), {})
        rows[reference.document_id] = Judgment(reference, int(one.relevance))
    return {key: list(rows.values()) for key, rows in judged.items()}


def _text(query: Any) -> str:  # noqa: ANN401
    return next((str(getattr(query, name)) for name in TEXTS if getattr(query, name, "")), "")


def _rest(query: Any) -> dict[str, str]:  # noqa: ANN401
    """Return the further texts of a query, such as a description and a narrative."""
    named = query._asdict() if hasattr(query, "_asdict") else {}
    text = _text(query)
    return {
        key: value
        for key, value in named.items()
        if key != "query_id" and isinstance(value, str) and value and value != text
    }


def _refuse(dataset: Dataset, path: Path | None = None) -> NoReturn:
    where = "" if path is None else str(path)
    hint = "choose another format, e.g. --to beir"
    raise InputError("this format can be read, but not written", where=where, hint=hint)


ir_datasets = DatasetFormat(
    "ir_datasets:NAME (needs that package and its data on this machine)",
    10,
    lambda _: False,
    _load,
    _refuse,
    _refuse,
    writes=False,
)
