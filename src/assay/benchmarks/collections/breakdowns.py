"""The fields that scores are broken down by: of queries, or of the documents relevant to them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.corpora.programs.language_of import PROSE
from assay.records import Corpus, Dataset, Document, Query, Resolution
from assay.records.filters import value_text
from assay.records.metadata import bounded_metadata
from assay.text.near_miss import did_you_mean
from assay.text.quote import quote_value

__all__ = ["BreakdownValues", "breakdown_notes", "breakdown_values"]

BreakdownValues = Mapping[str, Mapping[str, Sequence[str]]]
"""The values of each field, by query."""
LONGEST = 80  # characters of a value
MOST = 20  # values of a query
SHOWN = 10  # fields that a note names


def breakdown_values(
    dataset: Dataset, corpus: Corpus, resolution: Resolution, fields: Sequence[str]
) -> dict[str, dict[str, list[str]]]:
    """Return the values of each query that has some.

    A field of the query itself counts; where it has none, those of its relevant documents do.
    """
    if not fields:
        return {}
    found: dict[str, dict[str, list[str]]] = {
        key: {name: values for name in fields if (values := _values(known, name))}
        for key, known in ((query.key, _fields(query)) for query in dataset.queries)
    }
    own = {key: {*known} for key, known in found.items()}
    wanted = resolution.queries_by_document(dataset)
    for document in corpus.documents(texts=False, hashes=False) if wanted else ():
        for key in wanted.get(document.id, ()):
            for name in (name for name in fields if name not in own[key]):
                known = found[key].setdefault(name, [])
                known += [one for one in _values(_told(document), name) if one not in known]
    kept = {
        key: {name: sorted(values)[:MOST] for name, values in known.items() if values}
        for key, known in found.items()
    }
    return {key: known for key, known in kept.items() if known}


def breakdown_notes(
    read: Sequence[tuple[Dataset, Corpus]], values: Sequence[BreakdownValues], fields: Sequence[str]
) -> Iterator[str]:
    """Name the fields that no query and no relevant document of any dataset has."""
    found = {name for one in values for known in one.values() for name in known}
    unknown = [name for name in fields if name not in found]
    if not unknown:
        return
    there = dict.fromkeys(
        name for one, _ in read for query in one.queries for name in _fields(query)
    )
    for _, corpus in read:
        for document in corpus.documents(texts=False, hashes=False):
            there |= dict.fromkeys(_told(document))
    for name in unknown:
        hint = did_you_mean(name, there, otherwise=f"the fields are {', '.join([*there][:SHOWN])}")
        what = f"no query and no relevant document has the field {quote_value(name)}"
        yield f"breakdowns: {what}; {hint}"


def _fields(query: Query) -> dict[str, Any]:
    """Return the fields of a query as those of documents are; what it may find is none of them."""
    return bounded_metadata({name: one for name, one in query.fields.items() if name != "filters"})


def _told(document: Document) -> Mapping[str, object]:
    """Return the fields of a document; that it is Markdown or a PDF is its file type."""
    fields = document.fields
    if fields.get("language") in PROSE:
        del fields["language"]
    return fields


def _values(fields: Mapping[str, object], name: str) -> list[str]:
    value = fields.get(name)
    several = value if isinstance(value, list | tuple) else () if value is None else (value,)
    texts = (value_text(one).strip() for one in several)
    return [text[:LONGEST] for text in texts if text]
