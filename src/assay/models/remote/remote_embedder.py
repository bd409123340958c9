"""What every model behind a server needs: batches, checks of each answer, vectors of length 1."""

import json
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256

import numpy as np

from assay.errors import InputError
from assay.models.inference.windows import sound
from assay.models.remote.json_client import JsonClient
from assay.records import Track, untracked
from assay.records.model import Vectors
from assay.text.count_noun import count_noun

__all__ = ["RemoteEmbedder"]

BYTES_PER_TOKEN = 4  # of English text under the usual vocabularies: servers do not count for us


class RemoteEmbedder:
    """Embeds texts through ``ask``, which returns a list of numbers for each text of a batch."""

    def __init__(
        self,
        name: str,
        ask: Callable[[Sequence[str]], Sequence[object]],
        *,
        origin: Callable[[], list[object]],
        batch: int,
        client: JsonClient,
    ) -> None:
        if batch < 1:
            raise InputError(f"invalid batch size {batch}", where=name, hint="use at least 1")
        self.name = name
        self._ask, self._origin, self._batch, self._client = ask, origin, batch, client

    @property
    def waited_ms(self) -> float:
        """Milliseconds so far, in this thread, of attempts that failed and pauses after them."""
        return self._client.waited_ms

    @cached_property
    def fingerprint(self) -> str:
        """What the server says of the model, as far as it does."""
        return sha256(json.dumps(self._origin()).encode()).hexdigest()

    @cached_property
    def dimension(self) -> int:
        """Length of a vector: that of the first answer, to which all others are held."""
        (vector,) = self._answered(["a"])
        return len(vector)

    def count(self, text: str) -> int:
        """Estimate the number of tokens: no server tells it."""
        return math.ceil(len(text.encode(errors="replace")) / BYTES_PER_TOKEN)

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        """Return a unit vector per text; equal texts are asked for once, blank ones never."""
        rows: dict[str, list[int]] = {}
        for row, text in enumerate(texts):
            if text.strip():
                rows.setdefault(text, []).append(row)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        found = track(self._each(list(rows)), "embedding", total=len(rows), unit="texts")
        for where, vector in zip(rows.values(), found, strict=True):
            vectors[where] = vector
        return vectors

    def _each(self, texts: Sequence[str]) -> Iterator[Vectors]:
        for start in range(0, len(texts), self._batch):
            for vector in self._answered(texts[start : start + self._batch]):
                if len(vector) != self.dimension:
                    found = (
                        f"received a vector of {len(vector)} dimensions, expected {self.dimension}"
                    )
                    self._refuse(found)
                yield vector

    def _answered(self, texts: Sequence[str]) -> list[Vectors]:
        answers = self._ask([sound(text) for text in texts])
        if len(answers) != len(texts):
            vectors = count_noun(len(answers), "vector")
            self._refuse(f"received {vectors} for {count_noun(len(texts), 'text')}")
        return [self._vector(answer) for answer in answers]

    def _vector(self, answer: object) -> Vectors:
        try:
            numbers = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            numbers = np.zeros(0)
        if numbers.ndim != 1 or not numbers.size or not np.isfinite(numbers).all():
            self._refuse("received a vector that is not a list of finite numbers")
        length = math.sqrt(float((numbers * numbers).sum())) or 1.0
        return (numbers / length).astype(np.float32)

    def _refuse(self, problem: str) -> None:
        hint = f"check that {self.name} is an embedding model"
        raise InputError(problem, where=self._client.base, hint=hint)
