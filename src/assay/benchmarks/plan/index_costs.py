"""What building an index will take, from a small one that is really built."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.benchmarks.collections.collection import Sample
from assay.benchmarks.plan.rates import Rates
from assay.benchmarks.work.layout import Trial
from assay.corpora.sources.inline import inline
from assay.corpora.text.count_tokens import count_tokens
from assay.engines.vectors.packing import width
from assay.records import Configuration, Document, Embedder
from assay.records.configuration import GIVEN
from assay.records.fingerprint import fingerprint_of
from assay.records.model import is_given
from assay.records.plan import Estimate, PlannedIndex
from assay.searches.make_index import make_index, settings_key
from assay.searches.parts import chunker_of, text_of

__all__ = ["IndexCosts"]

TRYING_S = 1.0  # for all small indexes: what is not tried by then is assumed to be like the last
MOST = 256  # chunks that are checked for cached vectors
REMEMBERED_BYTES = 200  # of a cached vector, besides its numbers
NOTHING = Estimate(0.0, "already built")


@dataclass(frozen=True, slots=True)
class _TrialIndex:
    """A small index that was built: what it took, above an empty one, and what it holds."""

    fixed_s: float
    seconds: float
    fixed_bytes: int
    bytes: int
    chunks: int
    tokens: int
    texts: tuple[str, ...]
    like: bool = False  # another one was tried instead


@dataclass(eq=False)
class IndexCosts:
    """Tells what indexes take; each kind of chunks and words is tried once, within a time."""

    rates: Rates
    fresh: bool = False
    spent_s: float = 0.0
    _tried: dict[tuple[str, str], _TrialIndex] = field(default_factory=dict)
    _embedded: set[str] = field(default_factory=set)

    def there(self, trial: Trial, runs: Sequence[str]) -> PlannedIndex:
        """Describe an index that is made already."""
        return PlannedIndex(
            key=trial.build,
            collection=trial.collection.name,
            runs=tuple(runs),
            made=True,
            chunks=NOTHING,
            reading=NOTHING,
            embedding=NOTHING,
            disk=NOTHING,
            model=_model(trial.chosen),
        )

    def of(
        self, trial: Trial, sample: Sample, runs: Sequence[str], embedder: Embedder | None
    ) -> PlannedIndex:
        """Estimate what an index takes that is still to be built."""
        chosen, scale = trial.chosen, 1 / max(sample.share, 1e-9)
        tried = self._try(trial, sample)
        basis = "assumed similar to another index" if tried.like else f"measured on {sample}"
        chunks = Estimate(round(tried.chunks * scale), basis)
        grown = max(tried.seconds - tried.fixed_s, 0.0) * scale
        size = tried.fixed_bytes + max(tried.bytes - tried.fixed_bytes, 0) * scale
        embedding, remembered = self._embedding(trial, tried, scale, embedder)
        if embedder is not None:
            size += chunks.value * width(embedder.dimension, str(chosen.precision))
            new = 0.0 if self.fresh or is_given(embedder) else chunks.value * (1 - remembered)
            size += new * (REMEMBERED_BYTES + 4 * embedder.dimension)
        return PlannedIndex(
            key=trial.build or trial.search,
            collection=trial.collection.name,
            runs=tuple(runs),
            made=False,
            chunks=chunks,
            reading=Estimate(sample.seconds + tried.fixed_s + grown, basis),
            embedding=embedding,
            disk=Estimate(size, basis),
            model=_model(trial.chosen),
            remembered=remembered,
            kept=bool(trial.build),
        )

    def texts(self, trial: Trial, sample: Sample) -> tuple[str, ...]:
        """Return some chunks of a corpus, as a model sees them."""
        return self._try(trial, sample).texts

    def _embedding(
        self, trial: Trial, tried: _TrialIndex, scale: float, embedder: Embedder | None
    ) -> tuple[Estimate, float]:
        if embedder is None or not tried.texts:
            return Estimate(0.0, "no vectors"), 0.0
        if is_given(embedder):
            return Estimate(0.0, "vectors are given"), 0.0
        about = (trial.collection.content, embedder.fingerprint, _chunking(trial.chosen))
        key = fingerprint_of("vectors", *about)
        if key in self._embedded and not self.fresh:
            return Estimate(0.0, "shares the vectors of another index of this benchmark"), 1.0
        self._embedded.add(key)
        share = self.rates.remembered(embedder, tried.texts[:MOST])
        if share == 1.0:
            return Estimate(0.0, "vectors are cached"), share
        reading = (tried.seconds - tried.fixed_s) / max(tried.tokens, 1)
        model = str(trial.chosen.model)
        rate = self.rates.embedding(model, embedder, tried.texts, reading=max(reading, 0.0))
        seconds = rate.value * tried.tokens * scale * (1 - share)
        graph = "" if trial.chosen.dense in (None, "exact") else "; without building its graph"
        return Estimate(seconds, rate.rests_on + graph), share

    def _try(self, trial: Trial, sample: Sample) -> _TrialIndex:
        key = (trial.collection.content, settings_key(trial.chosen, None))
        if key not in self._tried:
            last = next((one for at, one in self._tried.items() if at[0] == key[0]), None)
            if last is not None and self.spent_s > TRYING_S:
                return replace(last, like=True)
            began = time.perf_counter()
            self._tried[key] = _build(trial.chosen, sample.some)
            self.spent_s += time.perf_counter() - began
        return self._tried[key]


def _model(chosen: Configuration) -> str:
    """Name the model as a user does; given vectors have a name of their own in each collection."""
    name = chosen.model or ""
    return GIVEN if name.startswith(f"{GIVEN}:") else name


def _build(chosen: Configuration, some: Sequence[Document]) -> _TrialIndex:
    """Build an empty index and a small one: what both take is paid only once, however large."""
    chunk = chunker_of(chosen)
    for document in some[:1]:
        chunk(document)  # a first use loads what it needs
    with TemporaryDirectory(prefix="assay-plan-", ignore_cleanup_errors=True) as folder:
        empty, _, none = _index(chosen, (), Path(folder) / "empty")
        seconds, texts, size = _index(chosen, some, Path(folder) / "some")
    tokens = sum(map(count_tokens, texts))
    return _TrialIndex(empty, seconds, none, size, len(texts), tokens, texts)


def _index(
    chosen: Configuration, documents: Sequence[Document], folder: Path
) -> tuple[float, tuple[str, ...], int]:
    store, took = make_index(inline(documents), chosen, folder=folder, embedder=None)
    with closing(store.snapshot()) as snapshot:
        texts = tuple(text_of(chunk) for chunk in snapshot.chunks(snapshot.rows.tolist()))
    return took.seconds, texts, sum(store.sizes().values())


def _chunking(chosen: Configuration) -> list[object]:
    return [
        chosen.chunker,
        chosen.chunk_size,
        chosen.overlap,
        chosen.min_chunk,
        chosen.merge_below,
        chosen.greedy,
    ]
