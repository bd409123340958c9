"""JSON of a LlamaIndex retrieval dataset: queries, corpus and relevant_docs."""

from functools import cache

from assay.columns.documents.strict_json import strict_json
from assay.datasets.first_keys import first_keys
from assay.datasets.formats._read_only import read_only
from assay.datasets.formats._schemas import NAME, TEXT, record
from assay.datasets.limits import Limits
from assay.datasets.place import Place
from assay.datasets.problems import Problems
from assay.datasets.schema import Schema
from assay.records import Dataset, Document, Judgment, Query, Reference

__all__ = ["llamaindex"]

PARTS = ("queries", "corpus", "relevant_docs")


@cache
def _schema() -> Schema:
    named = {"type": "object", "propertyNames": {"minLength": 1}}
    texts = named | {"additionalProperties": TEXT}
    ids = named | {"additionalProperties": {"type": "array", "items": NAME}}
    return Schema(record({"queries": texts, "corpus": texts, "relevant_docs": ids}, *PARTS))


def _matches(place: Place) -> bool:
    head = place.head.lstrip()
    keys = first_keys(head) if head.startswith(b"{") else []
    # The corpus may fill the first bytes, so that relevant_docs is not among them.
    return set(PARTS) <= set(keys) or (
        set(PARTS[:2]) >= set(keys) > set() and _is_mapping(head, keys[0])
    )


def _is_mapping(head: bytes, key: str) -> bool:
    """Tell whether the first key holds an object, where our own formats have a list or a path."""
    return head.partition(f'"{key}"'.encode())[2].lstrip(b" \t\r\n:").startswith(b"{")


def _load(place: Place, limits: Limits) -> Dataset:
    value = strict_json(place.read(), where=place.name)
    problems = Problems(place.name)
    problems.check(_schema(), value)
    problems.refuse()
    queries, corpus, relevant = (value[part] for part in PARTS)
    for key in (key for key in relevant if key not in queries):
        hint = "add it to queries, or remove its relevant_docs"
        problems.add(f'unknown query "{key}"', at="relevant_docs", hint=hint)
    for key, names in relevant.items():
        for name in (str(name) for name in names if str(name) not in corpus):
            hint = "add the document to the corpus, or remove the reference"
            problems.add(
                f'document "{name}" is not in the corpus', at=f"relevant_docs.{key}", hint=hint
            )
    problems.refuse()
    return Dataset(
        name=place.stem,
        queries=tuple(_query(key, text, relevant.get(key, [])) for key, text in queries.items()),
        scale=1,
        documents=tuple(Document(key, text) for key, text in corpus.items()),
        notes=("relevant_docs has no grades: each document counts as grade 1",),
        home=place.home,
    )


def _query(key: str, text: str, names: list[str]) -> Query:
    found = dict.fromkeys(map(str, names))
    return Query(key, text, tuple(Judgment(Reference(document_id=name), 1) for name in found))


llamaindex = read_only(
    "LlamaIndex retrieval dataset (JSON): queries, corpus, relevant_docs", -5, _matches, _load
)
