"""A collection of Qdrant, filled with points under a name of its own, and searched."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from typing import Any
from uuid import uuid4

import numpy as np

from assay.engines.rank_rows import nothing
from assay.engines.stores._given_vectors import Batch, GivenVectors, counted, settled
from assay.engines.stores._qdrant_address import QdrantAddress
from assay.engines.stores._qdrant_points import described, points, requests
from assay.engines.stores._qdrant_wait import wait
from assay.engines.stores._qdrant_words import Words
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints, Track, Vectors, untracked
from assay.records.fingerprint import fingerprint_settings

__all__ = ["QdrantCollection"]


@dataclass(eq=False)
class QdrantCollection:
    """A store as ``assay.records.Store`` asks; ``settings`` are those that take effect."""

    address: QdrantAddress
    exact: bool
    words: bool
    settings: Mapping[str, int]
    _client: Any = None
    _server: str = ""
    _name: str = ""
    _weights: int = 0
    _kept: GivenVectors = field(default_factory=lambda: GivenVectors(0))
    _words: Words | None = None

    def open(self) -> None:
        """Make a client, unless there is one, and learn the version of a server."""
        if self._client is not None:
            return
        with ExitStack() as opened:
            client = self.address.client()
            opened.callback(client.close)
            if self.address.url is not None:
                with self.address.spoken():
                    self._server = str(client.info().version)
            self._client = client
            opened.pop_all()  # it stays open, since a server has answered

    @property
    def fingerprint(self) -> str:
        """Name the settings that decide what is found, and the versions."""
        return fingerprint_settings(
            kind="qdrant",
            client=_version(),
            server=self._server,
            exact=self.exact,
            words=Words.settings if self.words else None,
            **self.settings,
        )

    @property
    def approximate(self) -> bool:
        """Whether dense search may miss some: along a server's graph it may."""
        return self.address.url is not None and not self.exact

    @property
    def notes(self) -> Sequence[str]:
        """Say what searches."""
        found = f"qdrant-client {_version()}"
        if self.address.url is None:
            found += "; local mode scans all vectors: its latency does not predict a server's"
        else:
            kind = "exact" if self.exact else "hnsw"
            settings = "".join(f", {name} {value}" for name, value in self.settings.items())
            found = f"Qdrant {self._server}, {found}, {kind}{settings}"
        words = "; lexical: Assay tokens, BM25 weights, Qdrant IDF" if self.words else ""
        return [found, f"storage counts vectors and terms only{words}"]

    def fill(
        self,
        chunks: Iterable[Batch],
        *,
        dimension: int,
        total: int,
        track: Track = untracked,
    ) -> None:
        """Read all batches (weights need the mean length), write points, wait for the graph."""
        self._remove()
        try:
            self._kept, self._words = GivenVectors(dimension), Words() if self.words else None
            rows = self._read(counted(chunks, "reading chunks for Qdrant", total, track))
            with self.address.spoken():
                self._create(dimension)
                self._write(rows, track)
                if self.approximate and len(self._kept.stored):
                    look = partial(self._client.get_collection, self._name)
                    wait(look, len(self._kept.stored), track)
        except BaseException:
            with suppress(InputError):  # the first message is the one that helps
                self._remove()
            raise

    def dense(self, vector: Vectors, depth: int) -> FoundRows:
        """Return the rows nearest to a vector, with exact cosines."""
        self._check_filled()
        return self._kept.dense(vector, depth, self._nearest, approximate=self.approximate)

    def lexical(self, text: str, depth: int) -> FoundRows:
        """Return the rows that hold words of a text, by BM25."""
        self._check_filled()
        if self._words is None:
            hint = "remove words: false, or use search: dense"
            raise InputError(
                "the collection has no lexical index (words: false)", where="qdrant", hint=hint
            )
        sparse = self._words.query(text)
        if sparse is None:
            return nothing("bm25")
        ask = partial(self._asked, sparse, "words", None)
        return settled(ask, depth, most=self._kept.rows, kind="bm25")

    def size_bytes(self) -> int:
        """Count what is searched: four bytes for a value, eight for a word and its weight."""
        return int(self._kept.stored.packed.nbytes) + 8 * self._weights

    def close(self) -> None:
        """Remove the collection, and let go of the connection."""
        try:
            self._remove()
        finally:
            if self._client is not None:
                self._client.close()
            self._client = None

    def _read(self, chunks: Iterable[Batch]) -> Ints:
        rows: list[Ints] = [np.empty(0, np.int64)]
        for batch in chunks:
            self._kept.add(batch)
            rows.append(np.asarray(batch[0], np.int64))
            for text in batch[1]:
                if self._words is not None:
                    self._words.add(text)
        return np.concatenate(rows)

    def _create(self, dimension: int) -> None:
        self.open()
        settings = self.settings if self.approximate else None
        self._name = f"assay_{uuid4().hex}"
        self._client.create_collection(self._name, **described(dimension, settings))

    def _write(self, rows: Ints, track: Track) -> None:
        weights = None if self._words is None else self._words.weights()
        self._weights = sum(len(numbers) for numbers, _ in weights or ())
        made = points(rows, self._kept.stored, weights)
        shown = track(made, "filling Qdrant", total=len(rows), unit="chunks")
        with warnings.catch_warnings():
            # It says that scanning many gets slow, as our note does of any number.
            warnings.filterwarnings("ignore", "Local mode is not recommended", UserWarning)
            for request in requests(shown):
                self._client.upsert(self._name, points=request, wait=True)

    def _check_filled(self) -> None:
        if not self._name:
            raise InputError("the store is empty", where="qdrant", hint="fill it first")

    def _remove(self) -> None:
        name, self._name = self._name, ""
        self._kept, self._words, self._weights = GivenVectors(0), None, 0
        if name:
            self._delete(name)

    def _delete(self, name: str) -> None:
        try:
            with self.address.spoken():
                self._client.delete_collection(name)
        except InputError as error:
            hint = f"delete it when the server is available again; {error.hint}"
            problem = f"could not delete the collection {name}: {error.problem}"
            raise InputError(problem, where=error.where, hint=hint) from error

    def _nearest(self, unit: Floats, asked: int) -> tuple[Ints, Floats]:
        from qdrant_client import models

        parameters = None  # local mode has none, and warns of those it is given
        if self.approximate:
            parameters = models.SearchParams(hnsw_ef=max(self.settings["ef"], asked))
        elif self.address.url is not None:
            parameters = models.SearchParams(exact=True)
        return self._asked(unit.astype(np.float32).tolist(), "dense", parameters, asked)

    def _asked(
        self,
        query: Any,  # noqa: ANN401
        using: str,
        parameters: Any,  # noqa: ANN401
        asked: int,
    ) -> tuple[Ints, Floats]:
        with self.address.spoken():
            found = self._client.query_points(
                self._name, query=query, using=using, search_params=parameters, limit=asked
            ).points
        rows = np.array([one.id for one in found], np.int64)
        return rows, np.array([one.score for one in found], np.float64)


def _version() -> str:
    return version("qdrant-client")
