"""A dataset of the store -> its audit, with its own documents or with a corpus of the store."""

from dataclasses import replace

from assay.benchmarks.collections.stored_datasets import open_stored_corpus
from assay.records import Audit
from assay.workflows.audit import audit
from assay.workspace.store.store import ServiceStore

__all__ = ["audit_stored"]


def audit_stored(store: ServiceStore, dataset: str, version: int | None, corpus: str) -> Audit:
    """Audit a version; ``corpus`` is the id of one, or empty for the dataset's own documents."""
    found = replace(store.datasets.read(dataset, version), corpus={}, home="")
    where = open_stored_corpus(store, store.corpora.get(corpus).where) if corpus else None
    return audit(found, where)
