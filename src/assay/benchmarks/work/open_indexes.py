"""What a process has open while it works on a benchmark: models, indexes, and memories of both."""

import json
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.corpora.fingerprint import fingerprint
from assay.errors import InputError
from assay.records import Configuration, Embedder, Track, labelled, untracked
from assay.records.fingerprint import fingerprint_of
from assay.searches.environment import code
from assay.searches.make_index import figures, make_index, open_index, settings_key, storage
from assay.searches.opened_index import OpenedIndex
from assay.searches.parts import embedder_of
from assay.searches.searcher import Searcher
from assay.workspace.blobs import Blobs
from assay.workspace.builds import Builds
from assay.workspace.index.index_store import open_store

__all__ = ["OpenIndexes"]

FACTS = "facts.json"  # beside an index, what building it took


class OpenIndexes:
    """Models and indexes, each opened once.

    ``builds`` keeps indexes by what they hold, ``vectors`` and ``tokens`` remember what models
    made of texts; without them everything is made anew. ``busy`` notes beside an index that several
    processes worked while it was built: its seconds decide nothing.
    """

    def __init__(
        self,
        *,
        builds: Builds,
        models: Path,
        vectors: Path | None = None,
        tokens: Path | None = None,
        busy: bool = False,
        track: Track = untracked,
    ) -> None:
        self._builds, self._models, self._busy = builds, models, busy
        self._vectors, self._tokens, self._track = vectors, tokens, track
        self._embedders: dict[str | None, Embedder | None] = {}
        self._indexes: dict[str, OpenedIndex] = {}
        self._searchers: dict[tuple[str, str], Searcher] = {}
        self._memory: Blobs | None = None

    @property
    def code(self) -> str:
        """Name the programs and the machine, besides data and settings."""
        return code()

    def embedder(self, chosen: Configuration) -> Embedder | None:
        """Open the model of a configuration."""
        if chosen.model not in self._embedders:
            self._embedders[chosen.model] = embedder_of(
                chosen, folder=self._models, track=self._track
            )
        return self._embedders[chosen.model]

    def settings(self, chosen: Configuration) -> str:
        """Name what the index of a configuration holds, besides the corpus."""
        return settings_key(chosen, self.embedder(chosen))

    def key(self, collection: OpenCollection, chosen: Configuration, salt: str = "") -> str:
        """Name the index of a configuration over a corpus; ``salt`` tells repeated ones apart."""
        graph = chosen.dense if chosen.dense not in (None, "exact") else None
        parts = (code(), collection.content, self.settings(chosen), graph, salt)
        return fingerprint_of("build", *parts)

    def make(
        self, key: str, collection: OpenCollection, chosen: Configuration, *, step: str = ""
    ) -> dict[str, Any]:
        """Build an index, unless it is there, and tell what that took.

        ``step`` is shown before what is being done.
        """
        if (place := self._builds.place(key)) and (place / FACTS).is_file():
            facts: dict[str, Any] = json.loads((place / FACTS).read_text(encoding="utf-8"))
            return facts
        with self._builds.making(key) as folder:
            store, took = make_index(
                collection.corpus,
                chosen,
                folder=folder,
                embedder=self.embedder(chosen),
                vectors=self._vectors,
                track=labelled(self._track, step),
            )
            _refuse_changed(collection)
            with closing(store.snapshot()) as snapshot:
                made = figures(took, snapshot) | ({"busy": True} if self._busy else {})
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
            self._searchers[named] = Searcher(
                self._index(key, chosen),
                chosen,
                embedder=self.embedder(chosen),
                memory=self._tokens_at(key),
            )
        return self._searchers[named]

    def close(self) -> None:
        """Let go of all of it."""
        with ExitStack() as stack:
            parts = (*self._searchers.values(), *self._indexes.values(), self._memory, self._builds)
            for part in parts:
                if part is not None:
                    stack.callback(part.close)

    def _index(self, key: str, chosen: Configuration) -> OpenedIndex:
        if key not in self._indexes:
            folder = self._builds.place(key)
            if folder is None:
                hint = "begin it again with --fresh"
                raise InputError("an index of this run was removed", where=key[:12], hint=hint)
            self._indexes[key] = open_index(open_store(folder, settings=self.settings(chosen)))
        return self._indexes[key]

    def _tokens_at(self, key: str) -> Blobs:
        """Open the memory of token vectors, which all indexes share unless nothing is shared."""
        if self._tokens is None:
            return Blobs((self._builds.place(key) or Path()) / "tokens.sqlite")
        if self._memory is None:
            self._memory = Blobs(self._tokens)
        return self._memory


def _refuse_changed(collection: OpenCollection) -> None:
    """Keep no index under a name that says something else of its content."""
    if fingerprint(collection.corpus) != collection.content:
        problem = "the corpus changed while it was indexed"
        raise InputError(
            problem, where=collection.corpus.name, hint="run it again when it is at rest"
        )


def _note(folder: Path, facts: dict[str, Any]) -> None:
    """Write what building took beside the index; a disk may be full only now."""
    try:
        (folder / FACTS).write_text(json.dumps(facts), encoding="utf-8")
    except OSError as error:
        problem = f"what building took cannot be written ({error.strerror or error})"
        hint = "free some space if the disk is full, then try again; nothing was changed"
        raise InputError(problem, where=str(folder), hint=hint) from None
