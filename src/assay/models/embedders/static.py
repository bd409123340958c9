"""Static word vectors (WordLlama, 256 dimensions): very fast, lower quality than minilm."""

import json
import math
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.models.inference.assets import asset, checked
from assay.models.inference.threads import rows_of, threads_or_all
from assay.models.inference.windows import encoded, tokenizer_of
from assay.records import Track, untracked
from assay.records.model import Embedder, Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["static"]

PACKAGE = "wordllama"
WEIGHTS = "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"
TOKENIZER = "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
METHOD = "mean-1"  # say another when pooling changes

Halves = np.ndarray[tuple[Any, ...], np.dtype[np.float16]]


def static(*, threads: int | None = None) -> Embedder:
    """Open the model; only the weights of the wordllama package are read."""
    tokens = asset(PACKAGE, "wordllama/tokenizers/l2_supercat_tokenizer_config.json")
    weights = asset(PACKAGE, "wordllama/weights/l2_supercat_256.safetensors")
    tokenizer = tokenizer_of(checked(tokens, TOKENIZER, package=PACKAGE).read_bytes())
    table = _table(checked(weights, WEIGHTS, package=PACKAGE))
    return _Static(tokenizer, table, threads_or_all(threads))


class _Static:
    name = "static"

    def __init__(self, tokenizer: "Tokenizer", table: Halves, threads: int) -> None:
        self._tokenizer, self._table, self._threads = tokenizer, table, threads
        self.dimension = int(table.shape[1])
        parts = [METHOD, WEIGHTS, TOKENIZER]
        self.fingerprint = sha256(json.dumps(parts).encode()).hexdigest()

    def count(self, text: str) -> int:
        return len(encoded(self._tokenizer, text).ids)

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        size, threads = self.dimension, self._threads
        return rows_of(self._vector, texts, dimension=size, threads=threads, track=track)

    def _vector(self, text: str) -> Vectors:
        total = self._table[encoded(self._tokenizer, text).ids].sum(axis=0, dtype=np.float64)
        length = math.sqrt(float((total * total).sum())) or 1.0  # no token: zeros, not NaN
        vector: Vectors = (total / length).astype(np.float32)
        return vector


def _table(path: Path) -> Halves:
    """Read the one tensor of a safetensors file: a length, a JSON header, the numbers."""
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    (tensor,) = json.loads(content[8:start]).values()
    return np.frombuffer(content, dtype=np.float16, offset=start).reshape(tensor["shape"])
