"""Cached vectors: no text is embedded twice by the same model."""

import math
import struct
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np

from assay.records import Embedder, Track, Vectors, moving, untracked
from assay.workspace.blobs import Blobs, silent

__all__ = ["CachedEmbedder", "cached"]

BATCH = 64  # texts that are embedded between two writes: what a kill may cost
# Behind a vector: the milliseconds that it took, and on which machine, which earlier versions did
# not note. With its pad byte no vector has such a length.
TOOK = struct.Struct("<xf8s")
TOOK_ANYWHERE = struct.Struct("<xf")


def cached(
    embedder: Embedder,
    path: str | Path,
    *,
    machine: str = "",
    note: Callable[[str], None] = silent,
) -> "CachedEmbedder":
    """Let an embedder remember its vectors in a file, and how long they took on this ``machine``.

    They come back to the bit. What may change them (weights, runtime, settings) is in the
    embedder's fingerprint, which is part of every key. A file that is damaged or out of reach
    costs only time; ``note`` is told of it.
    """
    # Each is read once, when an index is built: nothing is won by having it in memory.
    blobs = Blobs(Path(path), note=note, recent_bytes=0)
    return CachedEmbedder(embedder, blobs, machine=machine)


class CachedEmbedder:
    """An embedder that remembers; ``plain`` is the one that does not, to be measured.

    ``remembered_seconds`` is what it took, back then, to embed the texts whose vectors were there
    before this embedder was opened, each of them once, as it would be embedded; of
    ``remembered_untimed`` among them that is not known, or was measured on another machine.
    """

    def __init__(self, plain: Embedder, memory: Blobs, *, machine: str = "") -> None:
        self.plain = plain
        self._machine = machine.encode()[:8].ljust(8, b"\0")
        self.hits = 0  # texts that needed no embedding
        self.misses = 0  # texts that were embedded
        self.remembered = 0  # texts whose vectors were there before this embedder was opened
        self.remembered_seconds = 0.0
        self.remembered_untimed = 0
        self._made: set[int] = set()
        self._counted: set[int] = set()
        self._memory = memory

    @property
    def name(self) -> str:
        """What people call the model."""
        return self.plain.name

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the embedder: remembering changes no vector."""
        return self.plain.fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return self.plain.dimension

    def count(self, text: str) -> int:
        """Count the model's tokens in a text."""
        return self.plain.count(text)

    def close(self) -> None:
        """Let go of the file."""
        self._memory.close()

    def embed(
        self, texts: Sequence[str], *, query: bool = False, track: Track = untracked
    ) -> Vectors:
        """Return a vector per text; only those that are not cached are embedded."""
        kind = "query" if query else "document"
        fingerprint = self.fingerprint
        keys = [_key(fingerprint, kind, text) for text in texts]
        place = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        vectors = np.empty((len(place), self.dimension), dtype=np.float32)
        missing = self._remember(place, vectors)
        self.remembered += sum(key not in missing and hash(key) not in self._made for key in keys)
        self._made |= {hash(key) for key in missing}
        new = {key: text for key, text in zip(keys, texts, strict=True) if key in missing}
        for some, made in self._embedded(new, query=query, track=track):
            vectors[[place[key] for key in some]] = made
        self.misses += len(new)
        self.hits += len(texts) - len(new)
        return vectors[[place[key] for key in keys]]

    def _remember(self, place: dict[str, int], vectors: Vectors) -> set[str]:
        """Fill in what is cached, and return the keys that are not."""
        size = vectors.itemsize * vectors.shape[1]
        found = self._memory.get_many(list(place))
        lengths = (size, size + TOOK_ANYWHERE.size, size + TOOK.size)
        known = {key: data for key, data in found.items() if len(data) in lengths}
        for key, data in known.items():
            vectors[place[key]] = np.frombuffer(data[:size], dtype="<f4")
            self._count(hash(key), data[size:])
        return place.keys() - known.keys()

    def _count(self, key: int, took: bytes) -> None:
        """Add up how long ago's work took, of each text once; older entries do not tell."""
        if key in self._made or key in self._counted:
            return
        self._counted.add(key)
        milliseconds, machine = TOOK.unpack(took) if len(took) == TOOK.size else (math.nan, b"")
        if 0 <= milliseconds < math.inf and machine == self._machine:
            self.remembered_seconds += milliseconds / 1000
        else:
            self.remembered_untimed += 1

    def _embedded(
        self, new: Mapping[str, str], *, query: bool, track: Track
    ) -> Iterator[tuple[list[str], Vectors]]:
        """Embed texts, and remember each batch as soon as it is there."""
        if not new:
            return
        doing = f"embedding with {self.name}"
        shown = iter(track(new, doing, total=len(new), unit="texts"))
        texts = iter(new.items())
        while batch := dict(islice(texts, BATCH)):
            steps = islice(shown, len(batch))
            started = time.perf_counter()
            made = self.plain.embed(list(batch.values()), query=query, track=moving(steps))
            taken = 1000 * (time.perf_counter() - started) / len(batch)
            each = TOOK.pack(taken, self._machine)
            data = np.ascontiguousarray(made, dtype="<f4")
            self._memory.put_many(
                {key: row.tobytes() + each for key, row in zip(batch, data, strict=True)}
            )
            deque(steps, maxlen=0)  # whatever the embedder did not count
            yield list(batch), made
        deque(shown, maxlen=0)  # to its end, where what was drawn is cleared


def _key(*parts: str) -> str:
    """Name a text, its use and the model; lengths keep the parts apart."""
    digest = sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8))
        digest.update(data)
    return digest.hexdigest()
