"""A dataset of the store -> its audit, with its own documents or with a corpus of the store."""

from dataclasses import replace

from assay.benchmarks.collections.stored_datasets import DATASET, open_stored_corpus
from assay.errors import ConflictError
from assay.records import Audit, Corpus
from assay.records.service import CorpusEntry
from assay.workflows.audit import audit
from assay.workflows.service.allowed import Allowed
from assay.workspace.store.store import ServiceStore

__all__ = ["audit_stored"]

MOST = 2_000  # documents of a corpus that is read while the caller waits
HINT = "export the dataset and run `assay dataset audit FILE --corpus PATH` where its files are"


def audit_stored(
    store: ServiceStore, dataset: str, version: int | None, corpus: str, *, allowed: Allowed
) -> Audit:
    """Audit a version; ``corpus`` is the id of one, or empty for the dataset's own documents.

    ConflictError for a corpus that is too large for that, or was never read.
    """
    found = replace(store.datasets.read(dataset, version), corpus={}, home="")
    return audit(found, _opened(store, store.corpora.get(corpus), allowed) if corpus else None)


def _opened(store: ServiceStore, entry: CorpusEntry, allowed: Allowed) -> Corpus:
    allowed.refuse_corpus(entry.where)  # the list may have changed since it was noted
    if entry.where.get("source") == DATASET:
        return open_stored_corpus(store, entry.where)
    if entry.documents is None:
        hint = "create a mapping onto it first: its job counts the documents"
        raise ConflictError("the corpus has not been read yet", where=entry.id, hint=hint)
    if entry.documents > MOST:
        problem = f"a corpus of more than {MOST:,} documents is not audited here"
        raise ConflictError(problem, where=entry.id, hint=HINT)
    return open_stored_corpus(store, entry.where)
