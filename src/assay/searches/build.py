"""Build a configuration over a corpus, from nothing, and account for what it took."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from assay.engines.dense import Recall
from assay.engines.search import SearchTrace
from assay.errors import InputError
from assay.records import (
    Configuration,
    Corpus,
    Floats,
    Query,
    Store,
    StructureStudy,
    Track,
    untracked,
)
from assay.records.fingerprint import fingerprint_of
from assay.searches.built_search import AnswerCheck, BuiltSearch, KnownDocuments
from assay.searches.configuration.nested_settings import is_asked
from assay.searches.make_index import figures, make_index, settings_key, storage
from assay.searches.open_models import OpenModels
from assay.searches.searcher import Searcher
from assay.searches.stores import closed_on_error, filled_of, open_store_of
from assay.text.count_noun import count_noun

__all__ = ["BuiltIndex", "build", "recall_note"]


def build(  # noqa: PLR0913 (each is a choice of its own)
    corpus: Corpus,
    configuration: Configuration,
    *,
    folder: Path,
    models: OpenModels,
    vectors: Path | None = None,
    home: str = "",
    confined: bool = False,
    known: Callable[[], KnownDocuments] | None = None,
    track: Track = untracked,
) -> BuiltSearch:
    """Open what a configuration searches with: an index of ours, a store of ours, a system.

    Paths of a system are relative to ``home``; no query leads out of the address of a ``confined``
    one. ``known`` tells the documents that it may return; without it the corpus is read for them.
    The rest is for what we build, as below.
    """
    if is_asked(configuration.system):
        from assay.searches.systems import build_system

        documents = known() if known else KnownDocuments(_paths(corpus))
        return build_system(
            configuration, home=home, models=models, known=documents, confined=confined
        )
    return _indexed(
        corpus,
        configuration,
        folder=folder,
        models=models,
        vectors=vectors,
        home=home,
        track=track,
    )


def _paths(corpus: Corpus) -> dict[str, str]:
    return {one.id: one.path for one in corpus.documents(texts=False, hashes=False)}


def _indexed(
    corpus: Corpus,
    configuration: Configuration,
    *,
    folder: Path,
    models: OpenModels,
    vectors: Path | None,
    home: str,
    track: Track,
) -> "BuiltIndex":
    """Index a corpus in an empty folder, and fill the store that is to search it, if any.

    ``vectors`` is a file that remembers vectors of documents and what they took.
    """
    embedder = models.embedder(configuration)
    store, took = make_index(
        corpus, configuration, folder=folder, embedder=embedder, vectors=vectors, track=track
    )
    filled = None
    if configuration.system is not None:
        made = open_store_of(configuration, folder=folder / "store", home=home)
        dimension = embedder.dimension if embedder else 0
        filled = filled_of(made, store, configuration, dimension=dimension, track=track)
    outside = filled.store if filled else None
    with closed_on_error(outside):
        searcher = store.read(
            lambda found: Searcher(
                found,
                configuration,
                embedder=embedder,
                reranker=models.reranker(configuration),
                store=outside,
            )
        )
    return BuiltIndex(
        searcher=searcher,
        figured=figures(took, searcher.snapshot, filling=filled.seconds if filled else 0.0),
        sizes=lambda: _sizes(store.sizes(), took.done.documents, outside),
        settings=settings_key(configuration, embedder),
        top_k=configuration.top_k,
    )


def _sizes(sizes: dict[str, int], documents: int, store: Store | None) -> dict[str, float]:
    """Return the bytes on disk; for a store all of its data, including the texts."""
    own = storage(sizes, documents)
    if store is None:
        return own
    kept = store.size_bytes()
    return own | {"index_bytes": kept, "bytes_per_document": kept / documents if documents else 0.0}


@dataclass(frozen=True, eq=False)
class BuiltIndex:
    """An index of ours that can be asked; ``figured`` is what building it took."""

    searcher: Searcher
    figured: Mapping[str, Any]
    sizes: Callable[[], Mapping[str, Any]]
    settings: str
    top_k: int
    _seen: list[SearchTrace] = field(default_factory=list, init=False)

    @property
    def last(self) -> SearchTrace | None:
        """What was found last, and by which stage."""
        return self._seen[-1] if self._seen else None

    @property
    def fingerprint(self) -> str:
        """Name what was really done: the content of the index, and every stage."""
        return fingerprint_of(self.settings, self.searcher.content, self.searcher.fingerprint)

    @property
    def indexing(self) -> Mapping[str, Any]:
        """Tell the size of the index, and the rates at which it was made."""
        return {**self.figured, **self.searcher.dense_facts(self._recalled[0])}

    @property
    def storage(self) -> Mapping[str, Any]:
        """Tell the bytes on disk that a search needs."""
        return self.sizes()

    @cached_property
    def _recalled(self) -> tuple[Recall | None, str]:
        """Measure what an approximate index misses of the exact one, by the queries asked.

        Once, after these: a server that is gone by then is a note.
        """
        try:
            return self.searcher.recall(), ""
        except InputError as error:
            return None, f"recall of the approximate index was not measured: {error.problem}"

    @property
    def notes(self) -> Sequence[str]:
        """Tell what a reader must know."""
        recall, unmeasured = self._recalled
        return (*self.searcher.notes, *recall_note(recall), *filter(None, [unmeasured]))

    timed = True
    concurrency = 1

    def checked(self, answers: Mapping[str, Sequence[str]]) -> AnswerCheck:
        """Find nothing odd: it holds what the corpus does, and finding nothing is its answer."""
        return AnswerCheck()

    def studied(self, query: Query) -> StructureStudy | None:
        """Rank a query in every way that structure is compared with, if structure ranks."""
        return self.searcher.studied(
            query.text, exclude=query.excluded, filters=query.filters, key=query.key
        )

    def found(
        self, query: Query, *, exclude: Collection[str] = ()
    ) -> tuple[list[str], Floats, Mapping[str, float]]:
        """Return documents, best first, their scores, and the milliseconds of each stage.

        Documents in ``exclude`` are left out, by id or path: a query that was made from a file
        must not find that file. Those that follow move up.
        """
        searched = self.searcher.search(
            query.text, exclude=exclude, filters=query.filters, key=query.key
        )
        self._seen[:] = [searched]
        found = searched.found
        return self.searcher.results(found.rows), found.scores, searched.latency_ms

    def close(self) -> None:
        """Let go of files and memory."""
        self.searcher.close()


def recall_note(recall: Recall | None) -> Iterator[str]:
    """Report the recall of an approximate index against exact search."""
    if recall is not None:
        queries = count_noun(recall.queries, "query")
        about = f"{queries}, worst query {recall.worst:.0%}"
        what = f"recall@{recall.k} of the approximate index against exact search"
        yield f"{what}: {recall.mean:.1%} ({about})"
