"""A dataset and a corpus -> their mapping, and the job that resolves it."""

from contextlib import suppress
from hashlib import sha256

from assay.errors import ConflictError, NotFoundError
from assay.records.service import MappingEntry
from assay.workflows.service.allowed import Allowed
from assay.workflows.service.background import last_resolving, resolve_later
from assay.workspace.ledger.ledger import Ledger
from assay.workspace.store.store import ServiceStore

__all__ = ["create_mapping"]


def create_mapping(
    store: ServiceStore,
    ledger: Ledger,
    dataset: str,
    corpus: str,
    *,
    allowed: Allowed,
    version: int | None = None,
    author: str,
    key: str = "",
) -> MappingEntry:
    """Map a version of a dataset onto a corpus, and let a worker resolve it.

    The same ``key`` of the same author is the same mapping, however often it is sent.
    """
    id_ = sha256(f"mapping\0{author}\0{key}".encode()).hexdigest()[:12] if key else ""
    asked = (dataset, corpus, version)
    entry = _known(store, id_, asked)
    if entry is None:
        try:
            entry = store.mappings.create(dataset, corpus, version=version, author=author, id_=id_)
        except ConflictError:  # the same request at the same time
            entry = _known(store, id_, asked)
            if entry is None:
                raise
    if last_resolving(ledger, entry.id) is None:
        resolve_later(ledger, entry, allowed=allowed, author=author, asked=False)
    return entry


def _known(
    store: ServiceStore, id_: str, asked: tuple[str, str, int | None]
) -> MappingEntry | None:
    """Return the mapping that an earlier request with the same key made."""
    with suppress(NotFoundError):
        entry = store.mappings.get(id_)
        dataset, corpus, version = asked
        if (entry.dataset, entry.corpus) == (dataset, corpus) and version in (None, entry.version):
            return entry
        hint = "use another Idempotency-Key for another request"
        raise ConflictError("this key was used for another mapping", where=entry.id, hint=hint)
    return None
