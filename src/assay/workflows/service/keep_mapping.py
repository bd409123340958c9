"""A dataset and a corpus -> their mapping, the job that resolves it, and choices by hand."""

from contextlib import suppress
from hashlib import sha256

from assay.benchmarks.collections.resolve import resolve_in
from assay.benchmarks.collections.stored_datasets import open_stored_corpus
from assay.errors import ConflictError, InputError, NotFoundError
from assay.records.dataset import Dataset, Judgment, Query, Reference
from assay.records.service import CorpusEntry, MappingEntry
from assay.text.join_list import first_few
from assay.text.quote import quote_value
from assay.workflows.service.allowed import Allowed
from assay.workflows.service.background import last_resolving, resolve_later
from assay.workspace.ledger.ledger import Ledger
from assay.workspace.store.store import ServiceStore

__all__ = ["choose_document", "create_mapping"]

MOST = 10_000  # documents that are looked through while the caller waits
SHOWN = 3  # near misses that a message names


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


def choose_document(
    store: ServiceStore,
    mapping: str,
    reference: Reference,
    document: str,
    *,
    allowed: Allowed,
    revision: int | None,
    author: str,
) -> MappingEntry:
    """Say which document a reference means; InputError for one that the corpus does not have.

    In a corpus with more documents than are looked through, the next resolving looks for it.
    """
    entry = store.corpora.get(store.mappings.get(mapping).corpus)
    if document.strip() and entry.documents is not None and entry.documents <= MOST:
        allowed.refuse_corpus(entry.where)  # the list may have changed since it was noted
        _refuse_missing(store, entry, document)
    return store.mappings.choose(mapping, reference, document, revision=revision, author=author)


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


def _refuse_missing(store: ServiceStore, entry: CorpusEntry, document: str) -> None:
    """Look a document up as resolving does."""
    asked = Judgment(Reference(document_id=document, match="exact"), 1)
    dataset = Dataset("choice", (Query("choice", "choice", (asked,)),))
    found = resolve_in(open_stored_corpus(store, entry.where), dataset).rows[0]
    if found.documents:
        return
    near = [quote_value(one) for one in found.candidates]
    listed = f"did you mean {first_few(near, SHOWN)}?" if near else ""
    hint = listed or "use the id of a document of the corpus, e.g. a candidate of the reference"
    problem = f"the corpus has no document {quote_value(document)}"
    raise InputError(problem, where="document", hint=hint)
