"""Places that requests name -> corpora of the store, if the administrator allows them."""

from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any

from assay.corpora.open_corpus import open_corpus
from assay.errors import ConflictError, InputError, NotFoundError
from assay.records.service import CorpusEntry
from assay.workflows.service.allowed import Allowed
from assay.workspace.store.store import ServiceStore

__all__ = ["create_corpus", "move_corpus"]

DATASET = "dataset"


def create_corpus(
    store: ServiceStore,
    name: str,
    where: Mapping[str, Any],
    *,
    allowed: Allowed,
    author: str,
    key: str = "",
) -> CorpusEntry:
    """Note a corpus that can be opened; the same ``key`` of the same author is the same corpus."""
    id_ = sha256(f"corpus\0{author}\0{key}".encode()).hexdigest()[:12] if key else ""
    entry = _known(store, id_, name, where)
    if entry is not None:
        return entry
    _refuse_wrong(where, allowed)
    try:
        return store.corpora.create(name, where, author=author, id_=id_)
    except ConflictError:  # of a name, or of the same request at the same time
        entry = _known(store, id_, name, where)
        if entry is None:
            raise
        return entry


def move_corpus(
    store: ServiceStore,
    corpus: str,
    where: Mapping[str, Any],
    *,
    allowed: Allowed,
    name: str | None = None,
    revision: int | None,
    author: str,
) -> CorpusEntry:
    """Say that a corpus is elsewhere, and what it is called from now on; both or neither."""
    if store.corpora.get(corpus).where.get("source") == DATASET:
        hint = "create another corpus for another place"
        problem = "its documents are those of a dataset, and have no other place"
        raise ConflictError(problem, where=f"corpus {corpus}", hint=hint)
    _refuse_wrong(where, allowed)
    return store.corpora.move(corpus, where, name=name, revision=revision, author=author)


def _known(
    store: ServiceStore, id_: str, name: str, where: Mapping[str, Any]
) -> CorpusEntry | None:
    """Return the corpus that an earlier request with the same key made."""
    with suppress(NotFoundError):
        entry = store.corpora.get(id_)
        if entry.revision > 1 or (entry.name, entry.where) == (name, where):
            return entry
        hint = "use another Idempotency-Key for another request"
        raise ConflictError("this key was used for another corpus", where=entry.id, hint=hint)
    return None


def _refuse_wrong(where: Mapping[str, Any], allowed: Allowed) -> None:
    """Refuse a place that is not allowed, or that nobody could open."""
    if where.get("source") == DATASET:
        hint = "upload a dataset with documents: its corpus has the same id"
        raise InputError("source dataset cannot be set here", where="corpus", hint=hint)
    allowed.refuse_corpus(where)
    open_corpus(dict(where))
