"""Build a configuration over a corpus, from nothing, and account for what it took."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.benchmarks._built import Built, Checked
from assay.benchmarks._memory import Peak
from assay.benchmarks._nested import is_asked
from assay.benchmarks._stores import Filled, closed_on_error, filled_of, open_store_of
from assay.benchmarks.indexing import Indexed, bring_up_to_date
from assay.benchmarks.measure import excluded
from assay.benchmarks.parts import embedder_of, fingerprint_of, settings_of
from assay.benchmarks.searching import Searcher
from assay.engines.dense import Recall
from assay.errors import InputError
from assay.records import (
    Configuration,
    Corpus,
    Floats,
    Query,
    Structured,
    Track,
    untracked,
)
from assay.workspace.blobs import Blobs
from assay.workspace.index_store import IndexStore, open_store
from assay.workspace.vector_cache import cached

__all__ = ["build"]


def build(
    corpus: Corpus,
    configuration: Configuration,
    *,
    folder: Path,
    models: Path,
    vectors: Path | None = None,
    tokens: Path | None = None,
    home: str = "",
    track: Track = untracked,
) -> Built:
    """Open what a configuration searches with: an index of ours, a store of ours, a system.

    Paths of a system are relative to ``home``; the rest is for what we build, as below.
    """
    if is_asked(configuration.system):
        from assay.benchmarks.outside import build_outside

        return build_outside(corpus, configuration, home=home, models=models, track=track)
    return _indexed(
        corpus,
        configuration,
        folder=folder,
        models=models,
        vectors=vectors,
        tokens=tokens,
        home=home,
        track=track,
    )


def _indexed(
    corpus: Corpus,
    configuration: Configuration,
    *,
    folder: Path,
    models: Path,
    vectors: Path | None,
    tokens: Path | None,
    home: str,
    track: Track,
) -> "_Built":
    """Index a corpus in an empty folder, as one writer in one commit: twice the same, to the bit.

    ``models`` keeps prepared models, ``vectors`` is a file that remembers vectors of documents:
    with it, the seconds leave out the time to embed those that were there before, and ``indexing``
    says how many, and that its seconds are not complete. ``tokens`` remembers vectors of tokens for
    reranking, as a search does; without it they are kept beside the index.
    """
    embedder = embedder_of(configuration, folder=models, track=track)
    settings = settings_of(configuration, embedder)
    store = open_store(folder, settings=fingerprint_of(settings))
    memory = cached(embedder, vectors) if embedder and vectors else None
    peak = Peak()
    with closing(memory) if memory else nullcontext():
        model = memory or embedder
        done = bring_up_to_date(store, corpus, configuration, embedder=model, track=track)
    kept = Blobs(tokens or folder / "tokens.sqlite")
    dimension = embedder.dimension if embedder else 0
    filled = None
    if configuration.system is not None:
        made = open_store_of(configuration, folder=folder / "store", home=home)
        filled = filled_of(made, store, configuration, dimension=dimension, track=track)
    outside = filled.store if filled else None
    with closed_on_error(outside):
        searcher = store.read(
            lambda found: Searcher(
                found, configuration, embedder=embedder, memory=kept, store=outside
            )
        )
    remembered = memory.remembered if memory else 0
    return _Built(
        store=store,
        searcher=searcher,
        done=done,
        peak_memory_mb=peak.megabytes(),
        remembered=remembered,
        settings=fingerprint_of(settings),
        top_k=configuration.top_k,
        filled=filled,
    )


@dataclass(frozen=True, eq=False)
class _Built:
    """An index that can be asked, and what building it took."""

    store: IndexStore
    searcher: Searcher
    done: Indexed
    peak_memory_mb: float
    remembered: int
    settings: str
    top_k: int
    filled: Filled | None = None

    @property
    def fingerprint(self) -> str:
        """Name what was really done: the content of the index, and every stage."""
        return fingerprint_of(self.settings, self.searcher.content, self.searcher.fingerprint)

    @property
    def indexing(self) -> Mapping[str, Any]:
        """Tell the size of the index, and the rates at which it was made."""
        filling = self.filled.seconds if self.filled else 0.0
        done, seconds = self.done, max(self.done.seconds + filling, 1e-9)
        tokens = self.searcher.tokens
        return {
            "files": done.read,
            "documents": done.documents,
            "chunks": done.chunks,
            "tokens": tokens,
            "seconds": done.seconds + filling,
            "files_per_second": done.read / seconds,
            "documents_per_second": done.documents / seconds,
            "tokens_per_second": tokens / seconds,
            "peak_memory_mb": self.peak_memory_mb,
            "fallbacks": done.counts.get("fallbacks", 0),
            "remembered_vectors": self.remembered,
            "seconds_complete": not self.remembered,
            "content": self.searcher.content,
            **({"filling_seconds": filling} if self.filled else {}),
            **({"dense_recall": asdict(self._recall)} if self._recall else {}),
        }

    @property
    def _recall(self) -> Recall | None:
        return self._recalled[0]

    @cached_property
    def _recalled(self) -> tuple[Recall | None, str]:
        """Measure what an approximate index misses of the exact one, by the queries asked.

        Once, after these: a server that is gone by then is a note.
        """
        try:
            return self.searcher.recall(), ""
        except InputError as error:
            return None, f"what the approximate index misses is not measured: {error.problem}"

    @property
    def storage(self) -> Mapping[str, float]:
        """Tell the bytes on disk that a search needs; stored text stands apart.

        Of a store it is all that it keeps, whose text nobody can tell apart.
        """
        sizes = self.store.sizes()
        index_bytes = sum(sizes.values()) - sizes["text_bytes"]
        if self.filled:
            index_bytes = self.filled.store.size_bytes()
        each = index_bytes / self.done.documents if self.done.documents else 0.0
        return {"index_bytes": index_bytes, "bytes_per_document": each, **sizes}

    @property
    def notes(self) -> Sequence[str]:
        """Tell what a reader must know."""
        recall, unmeasured = self._recalled
        return (*self.searcher.notes, *_missed(recall), *filter(None, [unmeasured]))

    timed = True
    concurrency = 1

    def checked(self, answers: Mapping[str, Sequence[str]]) -> Checked:
        """Find nothing odd: it holds what the corpus does, and finding nothing is its answer."""
        return Checked()

    def studied(self, query: Query) -> Structured | None:
        """Rank a query in every way that structure is compared with, if structure ranks."""
        studied = self.searcher.studied(query.text)
        gone = self.searcher.named(excluded(query)) if studied else ()
        if studied is None or not gone:
            return studied
        orders = {
            method: tuple(name for name in order if name not in gone)
            for method, order in studied.orders.items()
        }
        return replace(studied, orders=orders)

    def found(
        self, query: Query, *, exclude: Collection[str] = ()
    ) -> tuple[list[str], Floats, Mapping[str, float]]:
        """Return documents, best first, their scores, and the milliseconds of each stage.

        Documents in ``exclude`` are left out, by id or path: a query that was made from a file
        must not find that file. Those that follow move up.
        """
        searched = self.searcher.search(query.text)
        gone = self.searcher.named(exclude)
        found = searched.traced[-2].found if gone else searched.found  # before it was cut
        most = self.top_k + len(gone)
        documents = self.searcher.documents(found.rows[:most])
        kept = [at for at, name in enumerate(documents) if name not in gone][: self.top_k]
        return [documents[at] for at in kept], found.scores[kept], searched.latency_ms

    def close(self) -> None:
        """Let go of files and memory."""
        self.searcher.close()


def _missed(recall: Recall | None) -> Iterator[str]:
    if recall is not None:
        queries = f"{recall.queries:,} quer{'y' if recall.queries == 1 else 'ies'}"
        worst = f"the worst of {queries}: {recall.worst:.0%}"
        yield f"the approximate index finds {recall.mean:.1%} of the exact top {recall.k} ({worst})"
