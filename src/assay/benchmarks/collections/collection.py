"""One dataset with the corpus that it asks about, opened; the corpus is read once."""

import pickle
import random
import time
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from tempfile import SpooledTemporaryFile

from assay.corpora.fingerprint import ContentHash
from assay.corpora.no_corpus import NoCorpus
from assay.corpora.refuse_empty import refuse_empty
from assay.errors import InputError
from assay.models.given.own_vectors import OpenVectors, VectorPlaces
from assay.records import Corpus, Dataset, Document, Query, Track, untracked
from assay.records.fingerprint import fingerprint_of
from assay.searches.built_search import KnownDocuments

__all__ = ["LONGEST", "SAMPLE", "CorpusReading", "NoCorpusReading", "OpenCollection", "Sample"]

SAMPLE = 24  # documents that stand for all
LONGEST = 100_000  # characters of one that are kept: a chunk costs the same wherever it stands
IN_MEMORY = 32 * 2**20  # bytes of documents that are held; more are written to a temporary file


@dataclass(frozen=True, eq=False)
class OpenCollection:
    """One dataset, and the corpus that it asks about; ``name`` is empty if it is the only one.

    ``stored`` names what the corpus held when the benchmark was started, for a process that
    continues it; the process that starts it finds out by ``reading`` the corpus. ``places`` says
    where its vectors are, if it brings any; ``vectors`` are open where a search asks for them.
    """

    name: str
    dataset: Dataset
    reading: "CorpusReading"
    stored: str = field(default="")
    places: VectorPlaces | None = None
    vectors: OpenVectors | None = None

    @property
    def corpus(self) -> Corpus:
        """What is searched."""
        return self.reading.corpus

    @property
    def queries(self) -> tuple[Query, ...]:
        """What is asked."""
        return self.dataset.queries

    @cached_property
    def asked(self) -> str:
        """Name what is asked by its content, and what does not count as an answer."""
        return fingerprint_of("queries", [query.fingerprint for query in self.queries])

    @property
    def content(self) -> str:
        """Name what the corpus holds."""
        return self.stored or self.reading.content

    def refuse_changed(self) -> None:
        """Refuse a corpus that changed since the benchmark was started."""
        if self.reading.content != self.content:
            hint = "run the benchmark again to measure the current corpus"
            problem = "the corpus changed since the benchmark was started"
            raise InputError(problem, where=self.corpus.name, hint=hint)

    def key(self, query: str) -> str:
        """Name a query of this dataset among those of all."""
        return f"{self.name}/{query}" if self.name else query


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """How many documents and bytes a corpus has; ``some`` of them represent all.

    ``seconds`` is how long reading it took.
    """

    documents: int
    bytes: int
    seconds: float
    some: tuple[Document, ...]

    @property
    def share(self) -> float:
        """How much of the corpus the documents at hand are, by their bytes."""
        held = sum(_size(one) for one in self.some)
        return min(1.0, held / self.bytes) if self.bytes else 1.0

    def __str__(self) -> str:
        if self.share == 1.0:
            return "all documents"
        return f"{len(self.some):,} of {self.documents:,} documents"


class CorpusReading:
    """A corpus that is read once, when something of it is first asked for.

    All that a benchmark wants to know of it comes from that reading: its fingerprint, what
    references lead to, which queries are leaked, a sample for estimates, and the ``paths`` of
    documents if a system of somebody else is asked for them. Where vectors are given, also which
    documents have ``words``: each of these needs one.
    """

    def __init__(
        self,
        corpus: Corpus,
        *,
        seed: int = 0,
        paths: bool = False,
        words: bool = False,
        track: Track = untracked,
    ) -> None:
        self.corpus = corpus
        self._seed, self._track = seed, track
        self._wants_paths, self._wants_words = paths, words
        self._paths: dict[str, str] = {}
        self._words: dict[str, bool] = {}

    @property
    def content(self) -> str:
        """Name what the corpus holds."""
        return self._read[0]

    @property
    def sample(self) -> Sample:
        """Return its size, and some of its documents."""
        return self._read[1]

    @property
    def known(self) -> KnownDocuments:
        """The documents that a system of others may return."""
        _ = self._read
        return KnownDocuments(self._paths)

    @property
    def words(self) -> dict[str, bool]:
        """Tell of each document, by its id, whether it has a word; in the order of the corpus."""
        _ = self._read
        return self._words

    @property
    def again(self) -> Corpus:
        """Return the documents as they were read, without reading the corpus again."""
        return self._read[2]

    def close(self) -> None:
        """Let go of the documents; what else is known of them stays."""
        if "_read" in self.__dict__:
            self._read[2].file.close()

    @cached_property
    def _read(self) -> "tuple[str, Sample, _KeptDocuments]":
        content, sample = ContentHash(), _Reservoir(self._seed)
        kept = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed by `close`, or when
        weakref.finalize(self, kept.close)  # nobody holds this any more, also in a cycle
        began = time.perf_counter()
        try:
            documents = self.corpus.documents()
            for document in self._track(documents, f"reading {self.corpus.name}", unit="files"):
                content.add(document)
                sample.add(document)
                if self._wants_paths:
                    self._paths[document.id] = document.path
                if self._wants_words:
                    self._words[document.id] = not document.is_blank
                pickle.dump(document, kept, pickle.HIGHEST_PROTOCOL)
            refuse_empty(self.corpus)
        except BaseException:  # an interrupt, too
            kept.close()
            raise
        seconds = time.perf_counter() - began
        again = _KeptDocuments(self.corpus.name, self.corpus.skipped, sample.count, kept)
        return content.name, sample.done(seconds), again


class NoCorpusReading(CorpusReading):
    """What is known without a corpus: the ids that the dataset judges."""

    def __init__(self, dataset: Dataset) -> None:
        super().__init__(NoCorpus())
        self._dataset = dataset

    @property
    def content(self) -> str:
        """Name it as no corpus can be named."""
        return fingerprint_of("no corpus")

    @property
    def sample(self) -> Sample:
        """Return nothing that an estimate could be made of."""
        return Sample(0, 0, 0.0, ())

    @property
    def known(self) -> KnownDocuments:
        """The ids that are judged, each as its own path."""
        judged = (one.reference for query in self._dataset.queries for one in query.judgments)
        ids = (getattr(one, one.id_key) for one in judged if one.id_key)
        return KnownDocuments({id_: id_ for id_ in ids}, complete=False)

    @property
    def again(self) -> Corpus:
        """Return no documents."""
        return self.corpus


@dataclass(frozen=True, slots=True, eq=False)
class _KeptDocuments:
    """Documents that were read before, as a ``Corpus``; what it holds is its own, and trusted."""

    name: str
    skipped: Mapping[str, int]
    count: int
    file: "SpooledTemporaryFile[bytes]"

    def documents(
        self,
        *,
        texts: bool = True,
        hashes: bool = True,
        known: Mapping[str, str] | None = None,
    ) -> Iterator[Document]:
        """Yield every document with all that was read of it; one reader at a time."""
        self.file.seek(0)
        for _ in range(self.count):
            yield pickle.load(self.file)  # noqa: S301 - written by this process


class _Reservoir:
    """Keeps a sample while documents pass by: each has the same chance to be kept.

    Algorithm R of Vitter 1985, "Random sampling with a reservoir", doi:10.1145/3147.3165.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311
        self._some: list[Document] = []
        self.count = self._bytes = 0

    def add(self, document: Document) -> None:
        """Keep a document, in the place of another one if there are enough, or let it pass."""
        self.count, self._bytes = self.count + 1, self._bytes + _size(document)
        at = self.count - 1 if self.count <= SAMPLE else self._chance.randrange(self.count)
        if at < SAMPLE:
            self._some[at : at + 1] = [_cut(document)]

    def done(self, seconds: float) -> Sample:
        """Return what was kept."""
        return Sample(self.count, self._bytes, seconds, tuple(self._some))


def _cut(document: Document) -> Document:
    if len(document.text) <= LONGEST:
        return document
    return replace(document, text=document.text[:LONGEST], content_hash="", stamp="", size_bytes=0)


def _size(document: Document) -> int:
    return len(document.text.encode("utf-8", "replace"))
