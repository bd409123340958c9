"""A transformer on this machine: texts through windows, pooled into one vector each."""

import json
import math
import platform
from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from assay.models._session import Session
from assay.models._threads import in_threads, threads_or_all
from assay.models._tokens import Windows
from assay.records import Track, untracked
from assay.records.arrays import Floats
from assay.records.model import Vectors

__all__ = ["Encoder"]

METHOD = "mean-of-windows-1"  # say another when pooling or splitting changes


class Encoder:
    """Embeds texts, as ``assay.records.model.Embedder`` and ``TokenEmbedder`` ask for.

    ``split`` counts the texts so far that needed more than one window, ``cut`` those that were not
    read to their end.
    """

    def __init__(
        self,
        name: str,
        session: Session,
        windows: Windows,
        *,
        origin: Sequence[str],
        threads: int | None = None,
    ) -> None:
        self.name = name
        self.split = self.cut = 0
        self._session, self._windows = session, windows
        self._threads = threads_or_all(threads)
        self.dimension = int(session.run(windows.of("a")[0][0]).shape[-1])
        runtime = ["onnxruntime", session.version, platform.machine()]
        parts = [METHOD, *origin, *runtime, windows.room, windows.most]
        self.fingerprint = sha256(json.dumps(parts).encode()).hexdigest()

    def count(self, text: str) -> int:
        """Count the model's tokens in a text."""
        return len(self._windows.tokens(text))

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        """Return a unit vector per text; equal texts are embedded once."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        rows: dict[str, list[int]] = {}
        for row, text in enumerate(texts):
            rows.setdefault(text, []).append(row)
        # The longest first, so that no thread is left alone with one at the end.
        work = sorted(rows, key=len, reverse=True)
        found = in_threads(self._pooled, work, self._threads)
        tracked = track(found, "embedding", total=len(work), unit="texts")
        for text, (vector, windows, left) in zip(work, tracked, strict=True):
            vectors[rows[text]] = vector
            self.split += windows > 1
            self.cut += left > 0
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return, for each text, a matrix of unit rows, one for each of its tokens."""
        return list(in_threads(self._token_rows, texts, self._threads))

    def _pooled(self, text: str) -> tuple[Vectors, int, int]:
        windows, left = self._windows.of(text)
        total: Floats = np.zeros(self.dimension)
        for window in windows:
            rows = self._session.run(window)[0]
            own = self._windows.body(len(rows))
            # In float64 and along the rows: the order of the sum is fixed, its error far below
            # the float32 that is kept.
            total += rows.mean(axis=0, dtype=np.float64) * (own.stop - own.start)
        length = math.sqrt(float((total * total).sum())) or 1.0
        return (total / length).astype(np.float32), len(windows), left

    def _token_rows(self, text: str) -> Vectors:
        none: Vectors = np.zeros((0, self.dimension), dtype=np.float32)
        windows, _ = self._windows.of(text)
        rows = [self._session.run(window)[0] for window in windows]
        joined = np.concatenate([none, *(row[self._windows.body(len(row))] for row in rows)])
        lengths = np.sqrt((joined * joined).sum(axis=1, keepdims=True))
        lengths[lengths == 0] = 1
        unit: Vectors = joined / lengths
        return unit
