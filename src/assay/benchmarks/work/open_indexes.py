"""What a process has open while it works on a benchmark: models, indexes, and memories of both."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.corpora.fingerprint import ContentHash
from assay.corpora.no_corpus import NoCorpus
from assay.errors import InputError
from assay.records import Configuration, Corpus, Document, Embedder, Track, labelled, untracked
from assay.records.fingerprint import fingerprint_of
from assay.searches.environment import code, machine_name
from assay.searches.make_index import figures, make_index, open_index, settings_key, storage
from assay.searches.open_models import OpenModels
from assay.searches.opened_index import OpenedIndex
from assay.searches.parts import graph_settings, is_approximate
from assay.searches.searcher import Searcher
from assay.workspace.builds import Builds
from assay.workspace.index.index_store import open_store

__all__ = ["OpenIndexes"]

FACTS = "facts.json"  # beside an index, what building it took
# Settings that decide what is in an index, but not what its stages are.
AS_EMPTY: dict[str, Any] = {
    "chunker": "auto",
    "chunk_size": 256,
    "overlap": 0,
    "min_chunk": 0,
    "merge_below": 1.0,
    "greedy": True,
}


class OpenIndexes:
    """Models and indexes, each opened once.

    ``builds`` keeps indexes by what they hold, ``vectors`` remembers what models made of texts;
    without it everything is made again.
    """

    def __init__(
        self,
        *,
        builds: Builds,
        models: OpenModels,
        vectors: Path | None = None,
        track: Track = untracked,
    ) -> None:
        self.models = models
        self._builds, self._vectors, self._track = builds, vectors, track
        self._indexes: dict[str, OpenedIndex] = {}
        self._searchers: dict[tuple[str, str], Searcher] = {}
        self._shapes = TemporaryDirectory(prefix="assay-shape-", ignore_cleanup_errors=True)

    @property
    def code(self) -> str:
        """Name the programs, besides data and settings."""
        return code()

    @cached_property
    def machine(self) -> str:
        """Name the machine, whose times are its own."""
        return machine_name()

    def embedder(self, chosen: Configuration) -> Embedder | None:
        """Open the model of a configuration."""
        return self.models.embedder(chosen)

    def settings(self, chosen: Configuration) -> str:
        """Name what the index of a configuration holds, besides the corpus."""
        return settings_key(chosen, self.embedder(chosen))

    def key(self, collection: OpenCollection, chosen: Configuration, salt: str = "") -> str:
        """Name the index of a configuration over a corpus; ``salt`` tells repeated ones apart."""
        graph = (chosen.dense, graph_settings(chosen)) if is_approximate(chosen) else None
        parts = (code(), collection.content, self.settings(chosen), graph, salt)
        return fingerprint_of("build", *parts)

    def make(
        self,
        key: str,
        collection: OpenCollection,
        chosen: Configuration,
        *,
        step: str = "",
        busy: bool = False,
    ) -> dict[str, Any]:
        """Build an index, unless it exists, and return what that took, and on which machine.

        ``step`` is shown before what is being done. ``busy``: other processes worked at the same
        time, so its seconds are not compared.
        """
        if (place := self._builds.place(key)) and (place / FACTS).is_file():
            facts: dict[str, Any] = json.loads((place / FACTS).read_text(encoding="utf-8"))
            return facts
        corpus = _WatchedCorpus(collection.corpus)
        with self._builds.making(key) as folder:
            store, took = make_index(
                corpus,
                chosen,
                folder=folder,
                embedder=self.embedder(chosen),
                vectors=self._vectors,
                track=labelled(self._track, step),
            )
            corpus.refuse_other(collection.content)
            with closing(store.snapshot()) as snapshot:
                made = figures(took, snapshot) | ({"busy": True} if busy else {})
            made["machine"] = self.machine
            facts = {"indexing": made, "storage": storage(store.sizes(), took.done.documents)}
            _note(folder, facts)
            return facts

    def is_made(self, key: str) -> bool:
        """Tell whether an index is there."""
        return self._builds.place(key) is not None

    def searcher(self, key: str, chosen: Configuration) -> Searcher:
        """Open an index for a configuration."""
        named = (key, fingerprint_of(repr(chosen)))
        if named not in self._searchers:
            self._searchers[named] = self._searcher(self._index(key, chosen), chosen)
        return self._searchers[named]

    def shape(self, chosen: Configuration) -> Searcher:
        """Open an empty index for a configuration: what it shares with others it shares of any."""
        settings = self.settings(replace(chosen, **AS_EMPTY))
        key = fingerprint_of("shape", settings)
        named = (key, fingerprint_of(repr(chosen)))
        if named not in self._searchers:
            if key not in self._indexes:
                folder = Path(self._shapes.name) / key
                folder.mkdir()
                embedder = self.embedder(chosen)
                store, _ = make_index(NoCorpus(), chosen, folder=folder, embedder=embedder)
                self._indexes[key] = open_index(store)
            self._searchers[named] = self._searcher(self._indexes[key], chosen)
        return self._searchers[named]

    def close(self) -> None:
        """Let go of all of it."""
        with ExitStack() as stack:
            stack.callback(self._shapes.cleanup)
            stack.callback(self._builds.close)
            stack.callback(self.models.close)
            for index in self._indexes.values():
                stack.callback(index.close)
            for searcher in self._searchers.values():
                stack.callback(searcher.close)

    def _searcher(self, index: OpenedIndex, chosen: Configuration) -> Searcher:
        reranker = self.models.reranker(chosen)
        return Searcher(index, chosen, embedder=self.embedder(chosen), reranker=reranker)

    def _index(self, key: str, chosen: Configuration) -> OpenedIndex:
        if key not in self._indexes:
            folder = self._builds.place(key)
            if folder is None:
                hint = "start over with --fresh"
                raise InputError("an index of this run was removed", where=key[:12], hint=hint)
            self._indexes[key] = open_index(open_store(folder, settings=self.settings(chosen)))
        return self._indexes[key]


class _WatchedCorpus:
    """A corpus whose content is named while it is read."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._content = corpus, ContentHash()

    @property
    def name(self) -> str:
        """What to call the corpus."""
        return self._corpus.name

    @property
    def skipped(self) -> Mapping[str, int]:
        """What the last reading left out."""
        return self._corpus.skipped

    def documents(
        self,
        *,
        texts: bool = True,
        hashes: bool = True,
        known: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """Yield every document, and name all of them; an earlier reading does not count."""
        self._content = ContentHash()
        return self._content.watch(self._corpus.documents(texts=texts, hashes=hashes, known=known))

    def refuse_other(self, content: str) -> None:
        """Keep no index under a name that says something else of its content."""
        if self._content.name != content:
            problem = "the corpus changed while it was indexed"
            hint = "run it again when the corpus is not changing"
            raise InputError(problem, where=self._corpus.name, hint=hint)


def _note(folder: Path, facts: dict[str, Any]) -> None:
    """Write what building took beside the index; a disk may be full only now."""
    try:
        (folder / FACTS).write_text(json.dumps(facts), encoding="utf-8")
    except OSError as error:
        problem = f"cannot write the record of the build ({error.strerror or error})"
        hint = "free disk space if the disk is full, then try again; nothing was changed"
        raise InputError(problem, where=str(folder), hint=hint) from None
