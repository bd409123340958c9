"""An index that is built once for all configurations that can search it, and what that took."""

import time
from collections.abc import Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.corpora.text.count_tokens import count_tokens
from assay.records import Configuration, Corpus, Embedder, Track, untracked
from assay.searches._memory import Peak
from assay.searches.indexing import Indexed, bring_up_to_date
from assay.searches.opened_index import Shared
from assay.searches.parts import fingerprint_of, settings_of
from assay.workspace.index.index_store import IndexStore, Snapshot, open_store
from assay.workspace.vector_cache import cached

__all__ = ["Took", "figures", "make_index", "open_index", "settings_key", "storage"]

PAGE = 1000  # texts that are read at once


@dataclass(frozen=True, slots=True)
class Took:
    """What building took: seconds until now, and those of vectors that were remembered.

    ``untimed`` of the ``remembered`` vectors have no time, so that the sum is not all of it.
    """

    done: Indexed
    seconds: float
    peak_memory_mb: float
    remembered: int = 0
    remembered_seconds: float = 0.0
    untimed: int = 0


def settings_key(configuration: Configuration, embedder: Embedder | None) -> str:
    """Name what an index holds; searches that differ in the rest share it."""
    return fingerprint_of(settings_of(configuration, embedder))


def make_index(
    corpus: Corpus,
    configuration: Configuration,
    *,
    folder: Path,
    embedder: Embedder | None,
    vectors: Path | None = None,
    track: Track = untracked,
) -> tuple[IndexStore, Took]:
    """Index a corpus in an empty folder, as one writer in one commit: twice the same, to the bit.

    ``vectors`` is a file that remembers vectors of documents, and how long each took. What an
    approximate index builds of them is part of it.
    """
    store = open_store(folder, settings=settings_key(configuration, embedder))
    memory = cached(embedder, vectors) if embedder and vectors else None
    peak, began = Peak(), time.perf_counter()
    with closing(memory) if memory else nullcontext():
        done = bring_up_to_date(
            store, corpus, configuration, embedder=memory or embedder, track=track
        )
    if embedder is not None and configuration.dense not in (None, "exact"):
        with closing(open_index(store)) as opened:
            opened.dense(configuration, dimension=embedder.dimension)
    took = Took(done, time.perf_counter() - began, peak.megabytes())
    if memory is None:
        return store, took
    known = (memory.remembered, memory.remembered_seconds, memory.remembered_untimed)
    return store, replace(took, remembered=known[0], remembered_seconds=known[1], untimed=known[2])


def open_index(store: IndexStore) -> Shared:
    """Open what an index holds now."""
    return store.read(Shared)


def figures(took: Took, snapshot: Snapshot, *, filling: float = 0.0) -> dict[str, Any]:
    """Tell the size of an index, and the rates at which it was made."""
    done, tokens = took.done, _tokens(snapshot)
    seconds = took.seconds + took.remembered_seconds + filling
    rate = 1 / max(seconds, 1e-9)
    return {
        "files": done.read,
        "documents": done.documents,
        "chunks": done.chunks,
        "tokens": tokens,
        "seconds": seconds,
        "files_per_second": done.read * rate,
        "documents_per_second": done.documents * rate,
        "tokens_per_second": tokens * rate,
        "peak_memory_mb": took.peak_memory_mb,
        "fallbacks": done.counts.get("fallbacks", 0),
        "remembered_vectors": took.remembered,
        "remembered_seconds": took.remembered_seconds,
        "seconds_complete": not took.untimed,
        "content": snapshot.fingerprint,
        **({"filling_seconds": filling} if filling else {}),
    }


def storage(sizes: Mapping[str, int], documents: int) -> dict[str, float]:
    """Tell the bytes on disk that a search needs; stored text stands apart."""
    index_bytes = sum(sizes.values()) - sizes["text_bytes"]
    each = index_bytes / documents if documents else 0.0
    return {"index_bytes": index_bytes, "bytes_per_document": each, **sizes}


def _tokens(snapshot: Snapshot) -> int:
    """Count the tokens of all chunks, by the rule in which chunk sizes are given."""
    rows = snapshot.rows
    parts = (rows[start : start + PAGE] for start in range(0, len(rows), PAGE))
    return sum(count_tokens(text) for part in parts for text in snapshot.texts(part.tolist()))
