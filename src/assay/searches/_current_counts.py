"""Whether an index holds exactly its corpus; looking takes no turn from whoever writes."""

from collections.abc import Mapping
from contextlib import closing

from assay.errors import InputError
from assay.records import Configuration, Corpus
from assay.records.skipped_files import SkippedFiles
from assay.workspace.index.index_store import IndexStore, Snapshot

__all__ = ["counts_if_current", "failures_of"]


def counts_if_current(
    store: IndexStore, corpus: Corpus, configuration: Configuration, *, by_content: bool = False
) -> Mapping[str, int] | None:
    """Return what an index counts if it holds exactly the corpus, or else nothing.

    A document whose stamp is not in the index is taken for another, so that the stamp gets there:
    a file that was indexed right after it was written has none. Unless asked to go ``by_content``.
    """
    try:
        snapshot = store.snapshot()
    except InputError:  # there is none, or no good one: the writer says so, or starts again
        return None
    with closing(snapshot):
        if configuration.lexical and not snapshot.has_lexical:
            return None
        settled = store.writable and not by_content
        return snapshot.counts if _holds(snapshot, corpus, settled=settled) else None


def _holds(snapshot: Snapshot, corpus: Corpus, *, settled: bool) -> bool:
    """Compare by stamps; where there is none, or none can be ``settled`` on disk, by content."""
    known, failed = snapshot.known(), snapshot.failures()
    left = set(known)
    for document in corpus.documents(known=failed | known):
        left.discard(document.id)
        if document.stamp and document.stamp == known.get(document.id):
            continue
        if (document.stamp and settled) or not snapshot.holds(document):
            return False
    return not left and (failures_of(corpus) == failed or not settled)


def failures_of(corpus: Corpus) -> dict[str, str]:
    """Return the stamps of files that the last reading could not convert, by path."""
    found = corpus.skipped
    return found.failures if isinstance(found, SkippedFiles) else {}
