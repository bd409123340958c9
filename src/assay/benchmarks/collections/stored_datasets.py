"""Datasets and corpora of the store of a service, opened as those of files are."""

from collections.abc import Collection as Ids
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from assay.corpora.open_corpus import open_corpus
from assay.corpora.sources.inline import inline
from assay.records import Collection, Corpus, Dataset, Document
from assay.workspace.store.store import ServiceStore, open_service_store

__all__ = [
    "DATASET",
    "DocumentTexts",
    "mapping_address",
    "open_stored_corpus",
    "read_documents",
    "read_stored",
    "stored_collections",
]

DATASET = "dataset"  # the source of a corpus that is the documents of a stored dataset
MOST_LETTERS = 8_000_000  # of the texts that are read at once, unless the first one is longer


@dataclass(frozen=True, slots=True)
class DocumentTexts:
    """Documents with their texts; ``missing`` are not in the corpus, ``left`` did not fit."""

    documents: tuple[Document, ...]
    missing: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def mapping_address(mapping: str) -> str:
    """Name the dataset of a mapping where a benchmark has the path of one."""
    return f"mapping:{mapping}"


def open_stored_corpus(store: ServiceStore, where: Mapping[str, Any]) -> Corpus:
    """Open a corpus of the store: a place as files have it, or the documents of a dataset."""
    if where.get("source") != DATASET:
        return open_corpus(dict(where))
    dataset = store.datasets.read(str(where["dataset"]), where.get("version"))
    return inline(dataset.documents, name=dataset.name)


def read_documents(
    store: ServiceStore, where: Mapping[str, Any], wanted: Ids[str]
) -> DocumentTexts:
    """Read documents of a corpus of the store as it is now, up to the last one of them."""
    still, found, letters = dict.fromkeys(wanted), list[Document](), 0
    for document in open_stored_corpus(store, where).documents(texts=True, hashes=False):
        if document.id not in still:
            continue
        letters += len(document.text)
        if found and letters > MOST_LETTERS:
            return DocumentTexts(tuple(found), left=tuple(still))
        found.append(document)
        del still[document.id]
        if not still:
            break
    return DocumentTexts(tuple(found), missing=tuple(still))


def stored_collections(pins: Sequence[Mapping[str, Any]]) -> list[Collection]:
    """Return the collections of a benchmark over mappings, as they were pinned."""
    names: list[str] = []
    for pin in pins:
        name = str(pin["name"])
        names.append(f"{name} {names.count(name) + 1}" if name in names else name)
    return [
        Collection(name, mapping_address(pin["mapping"]), _place(pin["where"]))
        for name, pin in zip(names, pins, strict=True)
    ]


def read_stored(pins: Sequence[Mapping[str, Any]], database: str) -> dict[str, Dataset]:
    """Read the datasets of pinned mappings, by the addresses that the benchmark has for them."""
    if not pins:
        return {}
    with closing(open_service_store(database)) as store:
        return {mapping_address(pin["mapping"]): _read(store, pin) for pin in pins}


def _place(where: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Leave the corpus out where the dataset is given its documents."""
    return None if where.get("source") == DATASET else dict(where)


def _read(store: ServiceStore, pin: Mapping[str, Any]) -> Dataset:
    dataset, where = store.mappings.read_pinned(pin), pin["where"]
    if where.get("source") != DATASET:
        return dataset
    documents = store.datasets.read(str(where["dataset"]), where.get("version")).documents
    return replace(dataset, documents=documents)
