"""Late interaction: how near each word of the query comes to some word of the text."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

import numpy as np

from assay.errors import InputError
from assay.records.arrays import Floats
from assay.records.model import PairScorer, TokenEmbedder

__all__ = ["maxsim"]

METHOD = "maxsim-mean-float16-1"  # say another when the arithmetic changes

Halves = np.ndarray[tuple[Any, ...], np.dtype[np.float16]]


class TokenCache(Protocol):
    """Remembers bytes under keys, where the caller wants."""

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return the values of those keys that are remembered."""

    def put_many(self, values: Mapping[str, bytes]) -> None:
        """Remember values."""


def maxsim(*, embedder: TokenEmbedder, blobs: TokenCache | None = None) -> PairScorer:
    """Open it over a model's token vectors, which ``blobs`` remembers if given."""
    if not hasattr(embedder, "embed_tokens"):
        hint = "use it with minilm or with a folder that holds a model.onnx"
        raise InputError("maxsim needs a model with vectors of tokens", where="rerank", hint=hint)
    return _MaxSim(embedder, blobs)


class _MaxSim:
    name = "maxsim"

    def __init__(self, embedder: TokenEmbedder, blobs: TokenCache | None) -> None:
        self._embedder, self._blobs = embedder, blobs
        self.fingerprint = sha256(f"{METHOD}\n{embedder.fingerprint}".encode()).hexdigest()

    def score(self, query: str, texts: Sequence[str]) -> Floats:
        """Return the mean over the query's tokens of the largest cosine to a token of the text.

        Khattab & Zaharia, "ColBERT" (2020), eq. 3, divided by the number of query tokens so that
        scores of queries compare. A text or query without tokens scores 0.
        """
        (asked,) = self._embedder.embed_tokens([query])
        scores = np.zeros(len(texts))
        if len(asked):
            for row, tokens in enumerate(self._tokens(texts)):
                if len(tokens):
                    best = (asked @ tokens.astype(np.float32).T).max(axis=1)
                    scores[row] = best.mean(dtype=np.float64)
        return scores

    def _tokens(self, texts: Sequence[str]) -> list[Halves]:
        """Return token vectors in float16, remembered or not, so that both give the same scores."""
        keys = [self._key(text) for text in texts]
        kept = self._blobs.get_many(keys) if self._blobs else {}
        known = {key: _read(value) for key, value in kept.items()}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        made = self._embedder.embed_tokens(list(new.values()))
        fresh: dict[str, Halves] = {
            key: matrix.astype("<f2") for key, matrix in zip(new, made, strict=True)
        }
        if self._blobs and fresh:
            self._blobs.put_many({key: _written(matrix) for key, matrix in fresh.items()})
        known.update(fresh)
        return [known[key] for key in keys]

    def _key(self, text: str) -> str:
        return sha256(f"{self.fingerprint}\n{text}".encode(errors="surrogatepass")).hexdigest()


def _written(matrix: Halves) -> bytes:
    return int(matrix.shape[1]).to_bytes(4, "little") + matrix.tobytes()


def _read(value: bytes) -> Halves:
    width = int.from_bytes(value[:4], "little")
    return np.frombuffer(value, dtype="<f2", offset=4).reshape(-1, width)
