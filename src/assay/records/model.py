"""What packages are handed of models: texts become vectors, pairs become scores."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from assay.records.arrays import Floats
from assay.records.track import Track, untracked

__all__ = ["Embedder", "PairScorer", "TokenEmbedder", "Vectors", "embedder_input", "is_given"]

Vectors = np.ndarray[tuple[Any, ...], np.dtype[np.float32]]  # a row per text, of length 1


class Embedder(Protocol):
    """Turns texts into vectors: the same text always into the same bits, whatever is beside it.

    One behind a server may have ``waited_ms``: the milliseconds so far, in this thread, of attempts
    that failed and of the pauses after them, which are no part of a latency. One whose vectors were
    given is ``by_id``: it takes the ids of documents and queries in the place of their texts, tells
    which documents it ``has``, and names the vectors of queries by a ``query_fingerprint``.
    """

    @property
    def name(self) -> str:
        """What people call the model."""

    @property
    def fingerprint(self) -> str:
        """Change whenever the vectors may: weights, runtime, tokenizer, settings."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        """Return a unit vector per text (zeros for a text without any token).

        ``query`` tells models apart that treat questions and documents differently.
        """

    def count(self, text: str) -> int:
        """Count the model's tokens in a text."""


def is_given(embedder: Embedder | None) -> bool:
    """Tell whether vectors were given, and are looked up by id instead of being made of texts."""
    return bool(getattr(embedder, "by_id", False))


def embedder_input(embedder: Embedder | None, *, name: str, text: str) -> str:
    """Return what an embedder takes: a text, or the ``name`` of it where vectors were given."""
    return name if is_given(embedder) else text


class TokenEmbedder(Protocol):
    """A model that also gives a vector for each token, as late interaction needs them."""

    @property
    def fingerprint(self) -> str:
        """Change whenever the vectors may."""

    def embed_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return, for each text, a matrix of unit rows, one for each of its tokens."""


class PairScorer(Protocol):
    """Judges how well each text answers a query."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def fingerprint(self) -> str:
        """Change whenever the scores may."""

    def score(self, query: str, texts: Sequence[str]) -> Floats:
        """Return a score per text; larger is better."""
