"""The models of a process, each opened once, whoever asks for it."""

from dataclasses import replace
from pathlib import Path

from assay.models.given.own_vectors import OpenVectors
from assay.records import Configuration, Embedder, PairScorer, Track, untracked
from assay.records.configuration import GIVEN
from assay.searches.configuration.nested_settings import is_asked
from assay.searches.parts import embedder_of, reranker_of
from assay.workspace.blobs import Blobs

__all__ = ["OpenModels"]


class OpenModels:
    """Models by their names; ``folder`` keeps what is made of their weights.

    ``memory`` caches the token vectors of documents, for reranking.
    """

    def __init__(
        self, folder: Path, *, memory: Blobs | None = None, track: Track = untracked
    ) -> None:
        self.memory = memory
        self._folder, self._track = folder, track
        self._embedders: dict[tuple[str | None, ...], Embedder | None] = {}
        self._rerankers: dict[tuple[str | None, ...], PairScorer] = {}

    def embedder(self, chosen: Configuration) -> Embedder | None:
        """Open the embedding model of a configuration, if it has one."""
        name = (chosen.model, chosen.device)
        if name not in self._embedders:
            opened = embedder_of(chosen, folder=self._folder, track=self._track)
            self._embedders[name] = opened
        return self._embedders[name]

    def bind(self, chosen: Configuration, vectors: OpenVectors | None) -> Configuration:
        """Name the vectors of a collection in a configuration with ``model: given``.

        Each collection has its own: their name is that of their content, and opens them.
        """
        if vectors is None or not chosen.has_given_vectors:
            return chosen
        asked = is_asked(chosen.system)
        name = f"{GIVEN}:{'queries-' if asked else ''}{vectors.fingerprint[:16]}"
        self._embedders.setdefault((name, chosen.device), vectors.embedder(asked=asked))
        if asked:
            return replace(chosen, system={**(chosen.system or {}), "model": name})
        return replace(chosen, model=name)

    def reranker(self, chosen: Configuration) -> PairScorer | None:
        """Open the reranker of a configuration, if it has one."""
        if chosen.rerank is None:
            return None
        name = (chosen.rerank, chosen.model, chosen.device)
        if name not in self._rerankers:
            self._rerankers[name] = reranker_of(chosen, self.embedder(chosen), self.memory)
        return self._rerankers[name]

    @property
    def devices(self) -> dict[str, dict[str, str]]:
        """Tell for each model, by the device that was asked for, what it really computes on."""
        found: dict[str, dict[str, str]] = {}
        for (model, *_, asked), opened in (*self._embedders.items(), *self._rerankers.items()):
            used = getattr(opened, "device", None)
            if asked is not None and used is not None:
                found.setdefault(str(model), {})[asked] = used
        return found

    def close(self) -> None:
        """Close the cache of token vectors."""
        if self.memory is not None:
            self.memory.close()
