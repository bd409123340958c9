"""Late interaction (ColBERT): mean over query tokens of the best match with a text token."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

import numpy as np

from assay.errors import InputError
from assay.records.arrays import Floats
from assay.records.model import PairScorer, TokenEmbedder, Vectors

__all__ = ["maxsim"]

METHOD = "maxsim-mean-int8-2"  # say another when the arithmetic changes
LARGEST = 127  # of the whole numbers that stand for a token of a text
EXACT = 1 << 24  # float32 holds all whole numbers up to here
# Multiplications of one call of BLAS: it stays in the processor's cache and in one thread, since
# waiting for another one takes longer than a product of this size.
AT_ONCE = 1 << 19
LEAST = 16  # tokens of a text at once, however long the query is

Bytes = np.ndarray[tuple[Any, ...], np.dtype[np.int8]]


class TokenCache(Protocol):
    """A cache of bytes by key."""

    def get_many(self, keys: Sequence[str]) -> Mapping[str, bytes]:
        """Return the values of the keys that are cached."""

    def put_many(self, values: Mapping[str, bytes]) -> None:
        """Cache values."""


class TokenCodes(NamedTuple):
    """The token vectors of a text: whole numbers, and for each token what they are to be times."""

    codes: Bytes
    scales: Vectors


def maxsim(*, embedder: TokenEmbedder, blobs: TokenCache | None = None) -> PairScorer:
    """Open the reranker with the token vectors of a model; ``blobs`` caches them."""
    if not hasattr(embedder, "embed_tokens"):
        hint = "use model: minilm, or a model in ONNX format, e.g. onnx:models/bge-small"
        raise InputError("maxsim requires a model with token vectors", where="rerank", hint=hint)
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
            tokens = self._tokens(texts)
            rows = [row for row, its in enumerate(tokens) if len(its.codes)]
            scores[rows] = list(_similarities(asked, [tokens[row] for row in rows]))
        return scores

    def _tokens(self, texts: Sequence[str]) -> list[TokenCodes]:
        """Return token vectors in the precision of the cache, so that caching changes no score."""
        keys = [self._key(text) for text in texts]
        kept = self._blobs.get_many(keys) if self._blobs else {}
        known = {key: _read(value) for key, value in kept.items()}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        made = self._embedder.embed_tokens(list(new.values()))
        fresh = {key: _coded(matrix) for key, matrix in zip(new, made, strict=True)}
        if self._blobs and fresh:
            self._blobs.put_many({key: _written(its) for key, its in fresh.items()})
        known.update(fresh)
        return [known[key] for key in keys]

    def _key(self, text: str) -> str:
        return sha256(f"{self.fingerprint}\n{text}".encode(errors="surrogatepass")).hexdigest()


def _similarities(asked: Vectors, texts: Sequence[TokenCodes]) -> Iterator[float]:
    """Yield the score of each text: the same bits whatever texts are beside it."""
    whole = _whole_numbers(asked)
    lengths = np.sqrt(np.add.reduce(whole * whole, axis=1))
    lengths[lengths == 0] = 1
    columns = np.ascontiguousarray(whole.T, dtype=np.float32)
    step = max(LEAST, AT_ONCE // columns.size)
    room = np.empty((step, len(columns)), np.float32)
    for its in texts:
        best: Floats = _largest(its, columns, room) / lengths
        yield float(np.add.reduce(best)) / len(best)


def _whole_numbers(asked: Vectors) -> Floats:
    """Round a query's token vectors as finely as products with a text's stay exact.

    No sum is then rounded, in whatever order, and by whatever processor, BLAS adds it up: none of
    its parts is larger than LARGEST times the sum of the query's numbers without their signs.
    """
    room = EXACT / LARGEST - asked.shape[1] / 2  # rounding may add a half to each
    sums = np.add.reduce(np.abs(asked), axis=1, keepdims=True, dtype=np.float64)
    whole: Floats = np.rint(asked * (room / np.where(sums > 0, sums, 1)))
    return whole


def _largest(its: TokenCodes, columns: Vectors, room: Vectors) -> Vectors:
    """Return, for each of the query's tokens, the largest product with a token of the text."""
    best = np.full(columns.shape[1], -np.inf, np.float32)
    for start in range(0, len(its.codes), len(room)):
        codes = its.codes[start : start + len(room)]
        block = room[: len(codes)]
        np.copyto(block, codes)
        products = block @ columns
        products *= its.scales[start : start + len(room), None]
        np.maximum(best, products.max(axis=0), out=best)
    return best


def _coded(matrix: Vectors) -> TokenCodes:
    """Round each token's vector to whole numbers; its scale gives it back its length of 1."""
    largest = np.abs(matrix).max(axis=1, keepdims=True, initial=0.0)
    codes = np.rint(matrix * (LARGEST / np.where(largest > 0, largest, 1)))
    lengths = np.sqrt(np.add.reduce(codes * codes, axis=1))
    scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return TokenCodes(codes.astype(np.int8), scales.astype("<f4"))


def _written(its: TokenCodes) -> bytes:
    width = int(its.codes.shape[1]).to_bytes(4, "little")
    return width + its.scales.tobytes() + its.codes.tobytes()


def _read(value: bytes) -> TokenCodes:
    width = int.from_bytes(value[:4], "little")
    count = (len(value) - 4) // (4 + width)
    scales = np.frombuffer(value, dtype="<f4", offset=4, count=count)
    codes = np.frombuffer(value, dtype=np.int8, offset=4 + scales.nbytes)
    return TokenCodes(codes.reshape(-1, width), scales)
