"""Datasets that come over the network -> the store; their own documents become a corpus."""

from contextlib import suppress
from dataclasses import replace
from hashlib import sha256

from assay.errors import ConflictError, NotFoundError
from assay.records import Dataset
from assay.records.service import DatasetEntry
from assay.workspace.store.store import ServiceStore

__all__ = ["create_dataset", "delete_dataset", "replace_dataset", "undelete_dataset"]


def create_dataset(
    store: ServiceStore,
    dataset: Dataset,
    *,
    author: str,
    name: str = "",
    note: str = "",
    key: str = "",
) -> DatasetEntry:
    """Store a dataset; the same ``key`` of the same author stores it once, however often it comes.

    Its documents are a corpus too, which has the id of the dataset.
    """
    called = replace(dataset, name=name or dataset.name)
    id_ = sha256(f"dataset\0{author}\0{key}".encode()).hexdigest()[:12] if key else ""
    entry = _known(store, id_, called)
    if entry is None:
        try:
            entry = store.datasets.create(called, author=author, note=note, id_=id_)
        except ConflictError:  # of a name, or of the same request at the same time
            entry = _known(store, id_, called)
            if entry is None:
                raise
    _keep_corpus(store, entry, author)
    return entry


def replace_dataset(
    store: ServiceStore,
    dataset: str,
    new: Dataset,
    *,
    revision: int | None,
    author: str,
    note: str = "",
) -> DatasetEntry:
    """Make another dataset the next version of one."""
    entry = store.datasets.replace(dataset, new, revision=revision, author=author, note=note)
    _keep_corpus(store, entry, author)
    return entry


def delete_dataset(
    store: ServiceStore, dataset: str, *, revision: int | None, author: str
) -> DatasetEntry:
    """Mark a dataset as deleted with the corpus of its documents, unless either is in use."""
    used = store.mappings.page(corpus=dataset, limit=3).items
    others = [one.id for one in used if one.dataset != dataset]
    if others:
        hint = f"first delete what uses it: {', '.join(f'mapping {one}' for one in others)}"
        raise ConflictError("its documents are in use", where=f"dataset {dataset}", hint=hint)
    entry = store.datasets.delete(dataset, revision=revision, author=author)
    try:
        store.corpora.delete(dataset, revision=None, author=author)
    except NotFoundError:
        pass
    except ConflictError:  # a mapping that came meanwhile
        store.datasets.undelete(dataset, author=author)
        raise
    return entry


def undelete_dataset(store: ServiceStore, dataset: str, *, author: str) -> DatasetEntry:
    """Bring a dataset back, with the corpus of its documents."""
    entry = store.datasets.undelete(dataset, author=author)
    with suppress(NotFoundError, ConflictError):  # the name of the corpus may have been taken
        store.corpora.undelete(dataset, author=author)
    return entry


def _known(store: ServiceStore, id_: str, dataset: Dataset) -> DatasetEntry | None:
    """Return what an earlier request with the same key stored."""
    if not id_:
        return None
    try:
        entry = store.datasets.get(id_)
        first = store.datasets.read(id_, 1)
    except NotFoundError:
        return None
    renamed = entry.revision > 1  # then its first name is not known any more
    if replace(first, name=dataset.name if renamed else first.name) != dataset:
        hint = "use another Idempotency-Key for another request"
        raise ConflictError("this key was used for another dataset", where=entry.id, hint=hint)
    return entry


def _keep_corpus(store: ServiceStore, entry: DatasetEntry, author: str) -> None:
    """Make the documents of a dataset a corpus, if it has some and there is none yet."""
    if not entry.version.documents or _has_corpus(store, entry.id, author):
        return
    where = {"source": "dataset", "dataset": entry.id}
    for name in (entry.name, f"{entry.name[:180]} ({entry.id})"):
        with suppress(ConflictError):
            store.corpora.create(name, where, author=author, id_=entry.id)
            return
    store.corpora.get(entry.id)


def _has_corpus(store: ServiceStore, dataset: str, author: str) -> bool:
    with suppress(NotFoundError):
        return bool(store.corpora.get(dataset))
    with suppress(NotFoundError):
        return bool(store.corpora.undelete(dataset, author=author))
    return False
