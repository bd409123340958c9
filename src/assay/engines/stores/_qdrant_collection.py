"""A collection of Qdrant: points with a dense vector, and a sparse one for their words."""

import shutil
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np

from assay.engines._identity import identity
from assay.engines._ranked import nothing
from assay.engines.dense._stored import Stored
from assay.engines.packing import unpack
from assay.engines.stores._kept import Kept, counted, settled
from assay.engines.stores._qdrant_address import Address
from assay.engines.stores._qdrant_words import K1, VERSION, B, Words
from assay.errors import InputError
from assay.records import Floats, Found, Ints, Track, Vectors, untracked

__all__ = ["QdrantCollection"]

AT_ONCE = 400_000  # numbers in one request: some 10 MB, where a server takes 32
PATIENCE_S = 1800.0  # for a server that builds its graph
PAUSE_S = 0.5


@dataclass(eq=False)
class QdrantCollection:
    """A store as ``assay.records.Store`` asks; ``settings`` are those that take effect."""

    address: Address
    folder: Path | None
    exact: bool
    words: bool
    settings: Mapping[str, int]
    patience_s: float = PATIENCE_S
    pause_s: float = PAUSE_S
    sleep: Callable[[float], None] = time.sleep
    _server: str = ""
    _client: Any = None
    _name: str = ""
    _home: Path | None = None
    _kept: Kept = field(default_factory=lambda: Kept(0))
    _stored: Stored | None = None
    _words: Words | None = None

    def connect(self) -> None:
        """Ask a server for its version: whoever is not there is noticed at once."""
        if self.address.url is not None:
            with self.address.spoken():
                self._client = self.address.client(None)
                self._server = str(self._client.info().version)

    @property
    def fingerprint(self) -> str:
        """Name the settings that decide what is found, and the versions."""
        words = (VERSION, K1, B) if self.words else None
        return identity(
            kind="qdrant",
            client=version("qdrant-client"),
            server=self._server,
            exact=self.exact,
            words=words,
            **self.settings,
        )

    @property
    def approximate(self) -> bool:
        """Whether dense search may miss some: a server's graph may."""
        return self.address.url is not None and not self.exact

    @property
    def notes(self) -> Sequence[str]:
        """Say what searches."""
        notes = [f"qdrant-client {version('qdrant-client')}"]
        if self.address.url is None:
            notes.append("local mode scans all vectors: its latency says nothing about a server")
        else:
            settings = "".join(f", {name} {value}" for name, value in self.settings.items())
            notes.append(f"Qdrant {self._server}, {'exact' if self.exact else 'hnsw'}{settings}")
            notes.append("bytes are those of the vectors: a server does not tell its own")
        if self.words:
            notes.append("words: BM25 weights of our tokens, rarity by Qdrant (idf)")
        return notes

    def fill(
        self,
        chunks: Iterable[tuple[Ints, Sequence[str], Vectors | None]],
        *,
        dimension: int,
        total: int,
        track: Track = untracked,
    ) -> None:
        """Read all batches (weights need the mean length), write points, wait for the graph."""
        self._remove()
        self._kept, self._words = Kept(dimension), Words() if self.words else None
        rows: list[Ints] = []
        for numbers, texts, vectors in counted(chunks, "reading for qdrant", total, track):
            self._kept.add(numbers, texts, vectors)
            rows.append(np.asarray(numbers, np.int64))
            for text in texts if self._words else ():
                self._words.add(text)  # type: ignore[union-attr]
        stored = self._kept.stored()
        try:
            with self.address.spoken():
                self._create(dimension)
                self._write(np.concatenate([np.empty(0, np.int64), *rows]), stored, track)
                self._settle(len(stored), track)
            self._stored = stored
        except BaseException:
            with suppress(InputError):  # the first message is the one that helps
                self._remove()
            raise

    def dense(self, vector: Vectors, depth: int) -> Found:
        """Return the rows nearest to a vector, with exact cosines."""
        stored = self._open()
        if not self._kept.wanted and self._kept.rows:
            raise InputError("the collection was filled without vectors", where="qdrant")
        unit = stored.unit(vector)
        if unit is None:
            return nothing("cosine", 1.0)
        # A cosine in float32 is off by a few times n u: Higham (2002), section 3.1.
        slack = -np.inf if self.approximate else 4 * (stored.dimension + 8) * 2.0**-24
        return settled(
            lambda asked: self._nearest(unit, asked),
            depth,
            most=len(stored),
            kind="cosine",
            score=lambda rows: stored.cosines(unit, stored.positions(rows)),
            best=1.0,
            slack=slack,
        )

    def lexical(self, text: str, depth: int) -> Found:
        """Return the rows that hold words of a text, by BM25."""
        self._open()
        if self._words is None:
            hint = "leave out words: false, or use search: dense"
            raise InputError("the collection was filled without words", where="qdrant", hint=hint)
        numbers, counts = self._words.query(text)
        if not numbers:
            return nothing("bm25")
        return settled(
            lambda asked: self._matching(numbers, counts, asked),
            depth,
            most=self._kept.rows,
            kind="bm25",
        )

    def size_bytes(self) -> int:
        """Count the bytes of the local folder, or of the vectors where there is none."""
        if self._home is not None:
            return sum(one.stat().st_size for one in self._home.rglob("*") if one.is_file())
        return 0 if self._stored is None else int(self._stored.packed.nbytes)

    def close(self) -> None:
        """Remove the collection, and let go of the connection."""
        try:
            self._remove()
        finally:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _open(self) -> Stored:
        if self._stored is None:
            raise InputError("the collection is not filled", where="qdrant", hint="call fill first")
        return self._stored

    def _remove(self) -> None:
        name, self._name, self._stored = self._name, "", None
        if self.address.url is None:
            if self._client is not None:
                self._client.close()
            self._client = None
            if self._home is not None:
                shutil.rmtree(self._home, ignore_errors=True)
            self._home = None
        elif name:
            with self.address.spoken():
                self._client.delete_collection(name)

    def _create(self, dimension: int) -> None:
        from qdrant_client import models

        if self.address.url is None:
            self._home = None if self.folder is None else self.folder / f"assay_{uuid4().hex}"
            self._client = self.address.client(self._home)
        elif self._client is None:
            self.connect()
        self._name = f"assay_{uuid4().hex}"
        # Small collections would be scanned, and a graph that was asked for never be built.
        graph = (
            {
                "hnsw_config": models.HnswConfigDiff(
                    m=self.settings["m"],
                    ef_construct=self.settings["ef_construct"],
                    full_scan_threshold=10,
                )
            }
            if self.approximate
            else {}
        )
        threshold = 1 if self.approximate else 0  # kilobytes; 0: none is ever built
        self._client.create_collection(
            self._name,
            vectors_config={
                "dense": models.VectorParams(
                    size=max(dimension, 1), distance=models.Distance.COSINE
                )
            },
            sparse_vectors_config={
                "words": models.SparseVectorParams(modifier=models.Modifier.IDF)
            },
            optimizers_config=models.OptimizersConfigDiff(indexing_threshold=threshold),
            shard_number=1,
            **graph,
        )

    def _write(self, rows: Ints, stored: Stored, track: Track) -> None:
        points = self._points(rows, stored)
        shown = track(points, "filling qdrant", total=len(rows), unit="chunks")
        with warnings.catch_warnings():
            # What it says (scanning gets slow) our note says of any size.
            warnings.filterwarnings("ignore", "Local mode is not recommended", UserWarning)
            for batch in _batches(shown):
                self._client.upsert(self._name, points=batch, wait=True)

    def _points(self, rows: Ints, stored: Stored) -> Iterator[Any]:
        from qdrant_client import models

        weights = iter(self._words.weights()) if self._words else None
        for row, place in zip(rows.tolist(), stored.positions(rows).tolist(), strict=True):
            vector: dict[str, Any] = {}
            if place >= 0:
                whole = unpack(stored.packed[place : place + 1], stored.precision)
                vector["dense"] = whole[0].tolist()
            numbers, values = next(weights) if weights else ((), ())
            if len(numbers):
                vector["words"] = models.SparseVector(
                    indices=numbers.tolist(), values=values.tolist()
                )
            yield models.PointStruct(id=row, vector=vector) if vector else None

    def _settle(self, total: int, track: Track) -> None:
        """Wait until a server has built its graph: twice in a row it has nothing left to do."""
        if not self.approximate or not total:
            return
        steps = iter(track(range(total), "qdrant builds its graph", total=total, unit="vectors"))
        done, quiet, until = 0, 0, time.monotonic() + self.patience_s
        while quiet < 2:
            if time.monotonic() > until:
                hint = "see the server's log; a smaller m or ef_construct builds faster"
                problem = f"the graph was not ready after {self.patience_s:.0f} s"
                raise InputError(problem, where=self.address.place, hint=hint)
            self.sleep(self.pause_s)
            state = self._client.get_collection(self._name)
            quiet = quiet + 1 if str(state.status.value) == "green" else 0
            while done < min(state.indexed_vectors_count or 0, total):
                next(steps, None)
                done += 1
        for _ in steps:
            pass

    def _nearest(self, unit: Floats, asked: int) -> tuple[Ints, Floats]:
        from qdrant_client import models

        parameters = None
        if self.address.url is not None:
            ef = None if self.exact else max(self.settings["ef"], asked)
            parameters = models.SearchParams(exact=self.exact, hnsw_ef=ef)
        query = unit.astype(np.float32).tolist()
        return self._asked(query, "dense", asked, parameters)

    def _matching(self, numbers: list[int], counts: list[float], asked: int) -> tuple[Ints, Floats]:
        from qdrant_client import models

        query = models.SparseVector(indices=numbers, values=counts)
        return self._asked(query, "words", asked, None)

    def _asked(
        self,
        query: Any,  # noqa: ANN401
        using: str,
        asked: int,
        parameters: Any,  # noqa: ANN401
    ) -> tuple[Ints, Floats]:
        with self.address.spoken():
            found = self._client.query_points(
                self._name,
                query=query,
                using=using,
                limit=asked,
                search_params=parameters,
                with_payload=False,
            ).points
        rows = np.array([one.id for one in found], np.int64)
        return rows, np.array([one.score for one in found], np.float64)


def _batches(points: Iterable[Any]) -> Iterator[list[Any]]:
    """Cut points into requests that a server takes; None stands for a chunk without any vector."""
    held: list[Any] = []
    size = 0
    for point in points:
        if point is None:
            continue
        held.append(point)
        size += len(point.vector.get("dense", ()))
        size += 2 * len(point.vector["words"].indices) if "words" in point.vector else 0
        if size >= AT_ONCE:
            yield held
            held, size = [], 0
    if held:
        yield held
