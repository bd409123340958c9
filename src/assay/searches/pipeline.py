"""A snapshot + a configuration -> the stages of its search, and what they look things up in."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from assay.catalogue import find
from assay.engines import fusions
from assay.engines.dense import DenseIndex, StoredVectors
from assay.engines.dense.exact import exact
from assay.engines.fusions import Fusion
from assay.engines.groups import Groups
from assay.engines.redundancy import redundancy
from assay.engines.search import Pipeline, SearchTrace
from assay.engines.stages import Step
from assay.engines.stages.collapse import collapse
from assay.engines.stages.cut import cut
from assay.engines.stages.dense import dense
from assay.engines.stages.fuse import fuse
from assay.engines.stages.grouped import grouped
from assay.engines.stages.lexical import lexical
from assay.engines.stages.rerank import rerank
from assay.engines.stages.symbols import symbols
from assay.engines.stages.threshold import threshold
from assay.engines.vectors.packing import width
from assay.engines.words.holding import holding
from assay.records import (
    Configuration,
    Embedder,
    Floats,
    Ints,
    LexicalIndex,
    MmrSettings,
    PairScorer,
    SearchInput,
    Store,
    Vectors,
)
from assay.searches.configuration.nested_settings import coherence_of, mmr_of
from assay.searches.opened_index import OpenedIndex
from assay.searches.parts import reranker_of
from assay.searches.stores import store_parts
from assay.workspace.blobs import Blobs
from assay.workspace.index.units import Units

__all__ = ["Stages", "diversity", "not_acted"]

Shares = Callable[[Sequence[str]], Floats]
ALWAYS = "set mmr.always=true to apply it to every query"


class Stages:
    """The stages of one configuration over a snapshot, and the parts of the index they use.

    ``shared`` has the parts that several configurations search with. A ``reranker`` that is not
    given is opened, and its ``memory`` keeps the token vectors of documents.
    """

    def __init__(
        self,
        shared: OpenedIndex,
        configuration: Configuration,
        *,
        embedder: Embedder | None = None,
        reranker: PairScorer | None = None,
        memory: Blobs | None = None,
        store: Store | None = None,
    ) -> None:
        self.snapshot = shared.snapshot
        self._shared = shared
        self.store = store
        self.lexical: LexicalIndex | None = None
        self.dense: DenseIndex | None = None
        self.notes: list[str] = []
        self.mixing: MmrSettings | None = None
        self.fusion: Fusion | None = None
        self._configuration = configuration
        self._embedder = embedder
        self._reranker, self._memory = reranker, memory
        self.pipeline = Pipeline(tuple(self._parts), tuple(self._refining()))

    @property
    def joined(self) -> bool:
        """Tell whether each part retrieves documents, named by their first rows."""
        chosen = self._configuration
        return chosen.lexical is not None and chosen.lexical_unit != "chunk"

    @property
    def approximate(self) -> bool:
        """Tell whether a search by vectors may miss some."""
        if self.store is not None:
            return self.store.approximate
        return self.dense is not None and self.dense.kind != "exact"

    @cached_property
    def stored(self) -> StoredVectors:
        """The vectors of the index, also where a store searches them."""
        if self.dense is not None:
            return self.dense.stored
        rows, packed = self.snapshot.vectors()
        if not len(rows):
            packed = np.empty((0, width(self._dimension, "float32")), np.uint8)
        return exact(packed, rows, precision=str(self._configuration.precision)).stored

    @property
    def units(self) -> Units:
        """What is returned: the documents, chunks or symbols of the index."""
        return self._shared.units(self._configuration.unit)

    def results(self, rows: Ints) -> list[str]:
        """Name the results of rows: documents, chunks or symbols."""
        if self._configuration.unit != "document":
            return self.units.named(rows)
        names = self.snapshot.documents
        return [names[code] for code in self.codes(rows)]

    def candidates(self, rows: Ints) -> list[str]:
        """Name what structure is looked for in: chunks, where they become symbols afterwards."""
        if self._configuration.unit == "symbol":
            return self._shared.units("chunk").named(rows)
        return self.results(rows)

    def in_units(self, candidates: Sequence[str]) -> tuple[str, ...]:
        """Return what an order of candidates becomes: of chunks, the symbols that they define."""
        if self._configuration.unit != "symbol":
            return tuple(candidates)
        chunks = self._shared.units("chunk")
        numbers, _ = self.units.of_rows(chunks.rows[chunks.find(candidates)])
        return tuple(dict.fromkeys(self.units.names[at] for at in numbers.tolist()))

    def places(self, asked: SearchInput, rows: Ints) -> Ints:
        """Return the chunk of each document that answers best: nearest, and with most words."""
        if not self.joined:
            return rows
        members = [self._groups.members(int(row)) for row in rows]
        several = [some for some in members if len(some) > 1]
        answering = iter(self._answering(asked, several))
        return np.array(
            [some[np.argmax(next(answering))] if len(some) > 1 else some[0] for some in members],
            np.int64,
        )

    def holding(self, asked: SearchInput) -> Shares:
        """Return what tells how much of a query's words texts hold, as its index weighs them."""
        return self.lexical.holding(asked.text) if self.lexical else holding(asked.text)

    def texts(self, rows: Ints) -> Sequence[str]:
        """Read the texts of rows."""
        return self.snapshot.texts(rows.tolist())

    def vectors(self, rows: Ints) -> Vectors:
        """Return the vector of each result, by its row.

        It is that of the retrieved chunk; for a whole document, the mean of its chunks.
        """
        if not self.joined or not len(rows):
            return self.stored.vectors(rows)
        members, begins = self._groups.all_members(rows)
        sums = np.add.reduceat(self.stored.vectors(members), begins)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        unit: Vectors = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
        return unit

    @cached_property
    def _parts(self) -> list[Step]:
        """Make the stages that retrieve."""
        chosen, parts = self._configuration, []
        if self.store is not None:
            self.notes += self.store.notes
            return store_parts(self.store, chosen)
        if chosen.lexical is not None:
            self.lexical = self._shared.lexical(chosen)
            parts.append(self._by_document(lexical(self.lexical, depth=chosen.depth)))
        if chosen.dense is not None:
            self.dense = self._shared.dense(chosen, dimension=self._dimension)
            self.notes += [*filter(None, [self.dense.note]), *_few_candidates(chosen)]
            parts.append(self._by_document(dense(self.dense, depth=chosen.depth)))
        return parts

    def _by_document(self, part: Step) -> Step:
        """Let a part retrieve documents, unless chunks are to be fused."""
        how = self._configuration.collapse
        return grouped(part, self._groups, how=how) if self.joined else part

    def _refining(self) -> list[Step]:
        """Make the stages that follow: fuse, threshold, rerank, collapse, structure, cut."""
        chosen, steps = self._configuration, []
        kind = "bm25" if chosen.search == "lexical" else "cosine"
        if len(self._parts) > 1:
            self.fusion = fusion = _fusion(chosen)
            known = all(part.scores for part in self._parts)
            steps.append(fuse(fusion, parts=self._parts, fill=fusion.scored and known))
            kind = fusion.kind
        if chosen.threshold is not None:
            steps.append(threshold(chosen.threshold, kind=kind))
        if chosen.rerank is not None:
            scorer = self._reranker or reranker_of(chosen, self._embedder, self._memory)
            steps.append(rerank(scorer, self._judged, depth=chosen.rerank_depth or chosen.depth))
        if not self.joined and chosen.unit == "document":
            steps.append(collapse(self.codes, how=chosen.collapse))
        defining = [symbols(self.units.of_rows)] if chosen.unit == "symbol" else []
        return [*steps, *self._structuring(), *defining, cut(chosen.top_k)]

    def _structuring(self) -> list[Step]:
        """Make the stages that look at what results have in common: coherence, diversify."""
        ranking, mixing = coherence_of(self._configuration), mmr_of(self._configuration)
        steps = []
        top = self._configuration.top_k
        mixed = replace(mixing or MmrSettings(), k=min((mixing or MmrSettings()).k, top))
        if ranking is not None:
            from assay.engines.stages.coherence import coherence  # scipy, for few searches

            ranking = replace(ranking, use_mmr=mixing is not None)  # so that the receipt tells it
            steps.append(
                coherence(self.vectors, settings=ranking, mmr=mixed, names=self.candidates)
            )
        if mixing is not None:
            from assay.engines.stages.diversify import diversify

            self.mixing = mixed
            self.notes += _never_acts(mixed)
            steps.append(diversify(self.vectors, settings=mixed))
        return steps

    def _judged(self, asked: SearchInput, rows: Ints) -> Sequence[str]:
        """Return the texts that a reranker judges: of a whole document, its best chunk."""
        return self.texts(self.places(asked, rows))

    def _answering(self, asked: SearchInput, documents: Sequence[Ints]) -> list[Floats]:
        """Tell of each chunk of some documents how well it answers, all of them at once."""
        if not documents:
            return []
        chunks = np.concatenate(documents)
        values = self.holding(asked)(self.texts(chunks))
        if asked.vector is not None and self.dense is not None:
            values = values + self.dense.scores(asked.vector, chunks)
        return np.split(values, np.cumsum([len(some) for some in documents])[:-1])

    @property
    def _groups(self) -> Groups:
        return self._shared.groups

    def codes(self, rows: Ints) -> Ints:
        """Number the documents of rows."""
        places = np.searchsorted(self.snapshot.rows, rows)
        codes: Ints = self.snapshot.document_of[places]
        return codes

    @property
    def _dimension(self) -> int:
        return cast("Embedder", self._embedder).dimension


def _fusion(chosen: Configuration) -> Fusion:
    make = cast("Callable[..., Fusion]", find(fusions, str(chosen.fusion)))
    settings: dict[str, object] = {}
    if chosen.weights is not None:
        settings["weights"] = chosen.weights
    if chosen.rrf_k is not None:
        settings["k"] = chosen.rrf_k
    return make(**settings)


def _few_candidates(chosen: Configuration) -> Iterator[str]:
    """Tell of a candidate list that is shorter than what each part is to retrieve."""
    if chosen.ef_search is not None and chosen.ef_search < chosen.depth:
        yield "dense search retrieves at most ef_search chunks, which is less than depth"


def diversity(
    searched: SearchTrace, settings: MmrSettings | None, vectors: Callable[[Ints], Vectors]
) -> dict[str, Any] | None:
    """Return whether MMR reordered the top k, and their redundancy; None without MMR."""
    stages = [one.stage for one in searched.traced]
    if settings is None or "diversify" not in stages:
        return None
    at = stages.index("diversify")
    before = searched.traced[at - 1].found.rows
    k = min(settings.k, len(before))
    return {
        "acted": searched.traced[at].found.kind == "mmr",
        "k": k,
        "redundancy": redundancy(vectors(before[:k])),
        "min_k": settings.min_k,
        "min_redundancy": settings.min_redundancy,
        "always": settings.always,
    }


def _never_acts(settings: MmrSettings) -> Iterator[str]:
    """Tell of settings that leave every query as it is."""
    if not settings.always and settings.k <= settings.min_k:
        yield f"MMR has no effect: it requires k > {settings.min_k}, k is {settings.k}; {ALWAYS}"


def not_acted(told: dict[str, Any] | None, settings: MmrSettings | None) -> Iterator[str]:
    """Tell of a query that was left as it is, if others would not be."""
    if told is None or settings is None or told["acted"]:
        return
    if settings.always or any(_never_acts(settings)):
        return
    alike = "-" if told["redundancy"] is None else f"{told['redundancy']:.2f}"
    needs = f"k > {told['min_k']} (here {told['k']})"
    least = f"redundancy > {told['min_redundancy']:g} (here {alike})"
    yield f"MMR did not change the results: it requires {needs} and {least}; {ALWAYS}"
