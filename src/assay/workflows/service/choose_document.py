"""A document chosen by hand for a reference -> the mapping with it, if the corpus has it."""

from assay.benchmarks.collections.resolve import resolve_in
from assay.benchmarks.collections.stored_datasets import open_stored_corpus
from assay.errors import InputError
from assay.records.dataset import Dataset, Judgment, Query, Reference
from assay.records.service import CorpusEntry, MappingEntry
from assay.text.join_list import first_few
from assay.text.quote import quote_value
from assay.workflows.service.allowed import Allowed
from assay.workspace.store.store import ServiceStore

__all__ = ["choose_document"]

MOST = 10_000  # documents that are looked through while the caller waits
SHOWN = 3  # near misses that a message names


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
