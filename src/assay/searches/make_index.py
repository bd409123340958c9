"""An index that is built once for all configurations that can search it, and what that took."""

import sys
import time
from collections.abc import Mapping
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.corpora.text.count_tokens import count_tokens
from assay.records import Configuration, Corpus, Embedder, Track, untracked
from assay.records.fingerprint import fingerprint_of
from assay.records.model import is_given
from assay.searches.environment import machine_name
from assay.searches.indexing import IndexUpdate, bring_up_to_date
from assay.searches.opened_index import OpenedIndex
from assay.searches.parts import index_settings, is_approximate
from assay.workspace.index.index_store import IndexStore, Snapshot, open_store
from assay.workspace.vector_cache import cached

__all__ = ["BuildTime", "figures", "make_index", "open_index", "settings_key", "storage"]

PAGE = 1000  # texts that are read at once
_STATUS = Path("/proc/self/status")
_RESET = Path("/proc/self/clear_refs")


@dataclass(frozen=True, slots=True)
class BuildTime:
    """What building took: seconds, peak memory, and the seconds that cached vectors took before.

    ``untimed`` cached vectors have no time, so that the sum is incomplete; so it is where vectors
    were ``given``, which others made.
    """

    done: IndexUpdate
    seconds: float
    peak_memory_mb: float
    remembered: int = 0
    remembered_seconds: float = 0.0
    untimed: int = 0
    given: bool = False


def settings_key(configuration: Configuration, embedder: Embedder | None) -> str:
    """Name what an index holds; searches that differ in the rest share it."""
    return fingerprint_of(index_settings(configuration, embedder))


def make_index(
    corpus: Corpus,
    configuration: Configuration,
    *,
    folder: Path,
    embedder: Embedder | None,
    vectors: Path | None = None,
    track: Track = untracked,
) -> tuple[IndexStore, BuildTime]:
    """Index a corpus in an empty folder, as one writer in one commit: twice the same, to the bit.

    ``vectors`` is a file that remembers vectors of documents, and how long each took. What an
    approximate index builds of them is part of it.
    """
    store = open_store(folder, settings=settings_key(configuration, embedder))
    here = machine_name()
    given = is_given(embedder)  # such vectors are in a file already
    memory = cached(embedder, vectors, machine=here) if embedder and vectors and not given else None
    peak, began = _PeakMemory(), time.perf_counter()
    with closing(memory) if memory else nullcontext():
        done = bring_up_to_date(
            store, corpus, configuration, embedder=memory or embedder, track=track
        )
    if embedder is not None and is_approximate(configuration):
        with closing(open_index(store)) as opened:
            opened.dense(configuration, dimension=embedder.dimension)
    took = BuildTime(done, time.perf_counter() - began, peak.megabytes(), given=given)
    if memory is None:
        return store, took
    known = (memory.remembered, memory.remembered_seconds, memory.remembered_untimed)
    return store, replace(took, remembered=known[0], remembered_seconds=known[1], untimed=known[2])


def open_index(store: IndexStore) -> OpenedIndex:
    """Open what an index holds now."""
    return store.read(OpenedIndex)


def figures(took: BuildTime, snapshot: Snapshot, *, filling: float = 0.0) -> dict[str, Any]:
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
        "seconds_complete": not (took.untimed or took.given),
        **({"given_vectors": done.embedded} if took.given else {}),
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


class _PeakMemory:
    """Begins to watch when it is made.

    Linux can forget its earlier peak; elsewhere the peak is that of the whole process until now.
    """

    def __init__(self) -> None:
        with suppress(OSError):
            _RESET.write_text("5")  # proc(5): reset the peak resident set size

    def megabytes(self) -> float:
        """Return the largest resident memory, in megabytes of a million bytes."""
        with suppress(OSError, StopIteration, ValueError):
            lines = _STATUS.read_text(encoding="ascii").splitlines()
            peak = next(line for line in lines if line.startswith("VmHWM"))
            return int(peak.split()[1]) * 1024 / 1e6
        if sys.platform == "win32":
            return 0.0
        import resource

        largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return largest * (1 if sys.platform == "darwin" else 1024) / 1e6
