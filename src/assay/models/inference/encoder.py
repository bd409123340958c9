"""A transformer on this machine: texts through windows, pooled into one vector each."""

import json
import math
import platform
from collections.abc import Sequence
from hashlib import sha256
from threading import Lock

import numpy as np

from assay.errors import InputError
from assay.models.inference.session import Session
from assay.models.inference.threads import in_threads, rows_of, threads_or_all
from assay.models.inference.windows import Windows
from assay.records import Track, untracked
from assay.records.arrays import Floats
from assay.records.model import Vectors

__all__ = ["Encoder"]

METHOD = "mean-of-windows-1"  # say another when pooling or splitting changes


class Encoder:
    """Embeds texts, as ``assay.records.model.Embedder`` and ``TokenEmbedder`` ask for.

    ``split`` counts the texts so far that needed more than one window, ``cut`` those that were not
    read to their end. ``window`` is how many tokens are read at once.
    """

    def __init__(
        self,
        name: str,
        session: Session,
        windows: Windows,
        *,
        origin: Sequence[str],
        pooling: str = "mean",
        threads: int | None = None,
    ) -> None:
        self.name, self.device = name, session.device
        self.split = self.cut = 0
        self.window = windows.room
        self._counting = Lock()
        self._session, self._windows, self._pooling = session, windows, pooling
        self._threads = threads_or_all(threads)
        self.dimension = int(session.run(windows.of("a")[0][0]).shape[-1])
        runtime = ["onnxruntime", session.version, platform.machine()]
        parts = [METHOD, pooling, *origin, *runtime, windows.room, windows.most]
        self.fingerprint = sha256(json.dumps(parts).encode()).hexdigest()

    def count(self, text: str) -> int:
        """Count the model's tokens in a text."""
        return len(self._windows.tokens(text))

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        """Return a unit vector per text; equal texts are embedded once."""
        return rows_of(
            self._pooled,
            texts,
            dimension=self.dimension,
            threads=self._threads,
            track=track,
        )

    def embed_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return, for each text, a matrix of unit rows, one for each of its tokens."""
        return list(in_threads(self._token_rows, texts, self._threads))

    def _pooled(self, text: str) -> Vectors:
        windows, left = self._windows.of(text)
        with self._counting:
            self.split += len(windows) > 1
            self.cut += left > 0
        total: Floats = np.zeros(self.dimension)
        for window in windows:
            own = self._windows.body(window.size)
            total += self._mean(self._session.run(window)[0]) * (own.stop - own.start)
        length = math.sqrt(float((total * total).sum())) or 1.0
        return (total / length).astype(np.float32)

    def _mean(self, rows: Vectors) -> Floats:
        """Pool a window's rows; a model that does so itself gives one row only."""
        table = np.atleast_2d(rows)
        chosen = table[:1] if self._pooling == "cls" else table
        # In float64 and along the rows: the order of the sum is fixed, its error far below the
        # float32 that is kept.
        mean: Floats = chosen.mean(axis=0, dtype=np.float64)
        return mean

    def _token_rows(self, text: str) -> Vectors:
        none: Vectors = np.zeros((0, self.dimension), dtype=np.float32)
        windows, _ = self._windows.of(text)
        rows = [self._session.run(window)[0] for window in windows]
        if any(row.ndim == 1 for row in rows):
            hint = "use a model whose output is the last hidden state"
            raise InputError("the model does not return token vectors", where=self.name, hint=hint)
        joined = np.concatenate([none, *(row[self._windows.body(len(row))] for row in rows)])
        lengths = np.sqrt((joined * joined).sum(axis=1, keepdims=True))
        lengths[lengths == 0] = 1
        unit: Vectors = joined / lengths
        return unit
