"""An index + a configuration -> something that can be asked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, cast

import numpy as np

from assay.engines.dense import Recall, recall
from assay.engines.dense.exact import exact
from assay.engines.explain import explain
from assay.engines.search import Pipeline, SearchTrace, search
from assay.engines.why_not import why_not
from assay.errors import InputError
from assay.records import (
    Answer,
    Configuration,
    Embedder,
    Hit,
    Ints,
    Loss,
    PairScorer,
    Query,
    SearchInput,
    Store,
    StructureStudy,
    Vectors,
)
from assay.records.chunk import split_place
from assay.records.filters import Filters
from assay.records.fingerprint import fingerprint_of
from assay.records.model import embedder_input, is_given
from assay.searches.opened_index import OpenedIndex
from assay.searches.parts import is_approximate
from assay.searches.pipeline import Stages, diversity, not_acted
from assay.searches.stores import StoreIndex
from assay.text.near_miss import did_you_mean
from assay.workspace.blobs import Blobs
from assay.workspace.index.index_store import Snapshot

__all__ = ["Searcher"]

NO_FILTERS = Filters()
SAMPLES = 100  # queries by which an approximate index is measured
RECALL_AT = 10


class Searcher:
    """A snapshot of an index with the stages of one configuration; it closes the snapshot.

    ``store`` is what searches instead of our own indexes; it is closed, too. What is ``Shared`` by
    several configurations is not closed here, nor is the memory that they share.
    """

    def __init__(
        self,
        snapshot: Snapshot | OpenedIndex,
        configuration: Configuration,
        *,
        embedder: Embedder | None = None,
        reranker: PairScorer | None = None,
        memory: Blobs | None = None,
        store: Store | None = None,
    ) -> None:
        shared = snapshot if isinstance(snapshot, OpenedIndex) else OpenedIndex(snapshot)
        self._owned = None if isinstance(snapshot, OpenedIndex) else shared
        self._snapshot, self._places = shared.snapshot, shared.places
        self._configuration = configuration
        self._embedder = embedder
        self._memory = memory
        self._samples: dict[str, Vectors] = {}  # by the text of a query: each counts once
        self._stages = Stages(
            shared,
            configuration,
            embedder=embedder,
            reranker=reranker,
            memory=memory,
            store=store,
        )
        np.unique(self._snapshot.rows[:1])  # its first call imports for 10 ms: not in a search

    @property
    def pipeline(self) -> Pipeline:
        """The stages, in their order."""
        return self._stages.pipeline

    @property
    def stages(self) -> Stages:
        """What the stages are made of."""
        return self._stages

    @property
    def notes(self) -> list[str]:
        """What a reader must know."""
        return self._stages.notes

    def close(self) -> None:
        """Let go of the index."""
        memory = self._memory if self._owned else None
        with ExitStack() as stack:  # each of them, whatever the others have to say
            for part in (self._owned, self._stages.store, memory):
                if part is not None:
                    stack.callback(part.close)

    @property
    def fingerprint(self) -> str:
        """Change whenever an answer may, for other reasons than the content of the index."""
        stages = self.pipeline.fingerprint
        given = getattr(self._embedder, "query_fingerprint", "")  # an index knows nothing of them
        return fingerprint_of(stages, given) if given else stages

    @property
    def content(self) -> str:
        """Name the content of all documents in the index."""
        return self._snapshot.fingerprint

    @property
    def snapshot(self) -> Snapshot:
        """What is searched."""
        return self._snapshot

    def search(
        self,
        text: str,
        *,
        exclude: Iterable[str] = (),
        filters: Filters = NO_FILTERS,
        key: str = "",
    ) -> SearchTrace:
        """Search, and record what each stage did; the query vector is never cached.

        Documents to ``exclude`` are named as in `rows_of`; no stage sees them, nor any that
        ``filters`` leave out. The ``key`` of a query of a dataset leads to its vector, where it was
        given.
        """
        before = self.waited
        embed = (lambda text: self.embed(text, key=key)) if self._embedder else None
        excluded = self.rows_of(exclude)
        allowed = self.allowed(filters, excluded)
        searched = search(self.pipeline, text, embed=embed, excluded=excluded, allowed=allowed)
        searched = _without_lookup(searched) if self.given else searched
        vector = searched.asked.vector
        if vector is not None and self._stages.approximate and len(self._samples) < SAMPLES:
            self._samples.setdefault(text, vector)
        return _without_waits(searched, self.waited - before)

    def sample(self, queries: Iterable[Query]) -> None:
        """Measure an approximate index by these queries, also those that were asked elsewhere."""
        if self._embedder is not None and self._stages.approximate:
            known, keys = self._samples, dict[str, str]()
            for query in queries:
                keys.setdefault(query.text, query.key)
            self._samples = {
                text: known[text] if text in known else self.embed(text, key=key)
                for text, key in islice(keys.items(), SAMPLES)
            }

    def recall(self, asked: Mapping[str, Vectors] | None = None) -> Recall | None:
        """Measure an approximate index by the queries that were asked; None for an exact one.

        Queries that were ``asked`` elsewhere are given by their text.
        """
        known = asked if asked is not None and self._stages.approximate else self._samples
        vectors = list(known.values())[:SAMPLES]
        if not vectors:
            return None
        stored, store = self._stages.stored, self._stages.store
        truth = exact(stored.packed, stored.rows, precision=stored.precision)
        index = StoreIndex(store) if store is not None else self._stages.dense
        samples, depth = np.stack(vectors), self._configuration.depth
        return recall(index or truth, truth, samples, RECALL_AT, depth=depth)

    def dense_facts(self, recalled: Recall | None) -> dict[str, Any]:
        """Tell of an approximate index with which settings it is searched, and its recall."""
        index = self._stages.dense
        told = index is not None and is_approximate(self._configuration)
        settings = {"dense_index": index.facts(self._configuration.depth)} if index and told else {}
        return settings | ({"dense_recall": asdict(recalled)} if recalled else {})

    def results(self, rows: Ints) -> list[str]:
        """Name the results of rows: documents, chunks or symbols."""
        return self._stages.results(rows)

    def best_chunks(self, asked: SearchInput, rows: Ints) -> Ints:
        """Return the chunk of each result that answers best; nothing where none has symbols.

        Whole documents are read for it, so each result is cached for other searches of the index.
        """
        if not self._snapshot.has_symbols:
            return rows[:0]
        if not self._stages.joined:
            return rows
        chosen, known = self._configuration, self._places
        lexical = self._stages.lexical
        words = lexical.fingerprint if lexical else None
        how = (words, chosen.dense, chosen.precision, asked.text)
        if unknown := [row for row in rows.tolist() if (*how, row) not in known]:
            found = self._stages.places(asked, np.array(unknown)).tolist()
            known |= {(*how, row): place for row, place in zip(unknown, found, strict=True)}
        return np.array([known[*how, row] for row in rows.tolist()], np.int64)

    def symbols(self, chunks: Mapping[str, Ints]) -> dict[str, list[tuple[str, ...]]]:
        """Name what each of the best chunks of some queries defines."""
        if not self._snapshot.has_symbols:
            return {}
        rows = sorted({row for some in chunks.values() for row in some.tolist()})
        known: dict[int, tuple[str, ...]]
        if self._configuration.unit == "symbol":
            named = self._stages.units.symbols
            known = {row: (named[-row - 1],) for row in rows}
        else:
            known = dict(zip(rows, self._snapshot.symbols(rows), strict=True))
        return {key: [known[row] for row in some.tolist()] for key, some in chunks.items()}

    def named(self, names: Iterable[str]) -> set[str]:
        """Return the ids of the documents of these names, which are ids or else paths."""
        return {one for name in names for one in self._snapshot.ids.get(name, ())}

    def rows_of(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return all rows of the documents of these names, ascending."""
        rows = (row for one in self.named(names) for row in self._snapshot.rows_of(one))
        return tuple(sorted(rows))

    def allowed(self, filters: Filters, excluded: Sequence[int] = ()) -> Ints | None:
        """Return the rows that filters let through, but for those excluded; None without any."""
        if not filters:
            return None
        rows = self._snapshot.matching(filters)
        return np.setdiff1d(rows, excluded, assume_unique=True) if excluded else rows

    def studied(
        self,
        text: str,
        *,
        exclude: Iterable[str] = (),
        filters: Filters = NO_FILTERS,
        key: str = "",
    ) -> StructureStudy | None:
        """Rank a query in every way that structure is compared with, if structure ranks."""
        return self._study(self.search(text, exclude=exclude, filters=filters, key=key))

    def answer(
        self,
        text: str,
        *,
        filters: Filters = NO_FILTERS,
        explained: bool = False,
        lost: str | None = None,
    ) -> Answer:
        """Ask, and tell of each result where it is and how it came there."""
        searched = self.search(text, filters=filters)
        studied = self._study(searched) if explained else None
        mixed = diversity(searched, self._stages.mixing, self._stages.vectors)
        return Answer(
            query=text,
            hits=tuple(self._hits(searched, terms=explained)),
            latency_ms=searched.latency_ms,
            loss=None if lost is None else self._loss(searched, lost),
            documents=len(self._snapshot.documents),
            chunks=len(self._snapshot.rows),
            notes=(*self.notes, *not_acted(mixed, self._stages.mixing), *self._unmatched(filters)),
            mmr=mixed,
            receipt=studied.receipt if studied else None,
        )

    def _unmatched(self, filters: Filters) -> Iterator[str]:
        """Say that no document matches, and what could be meant."""
        if filters and not len(self._snapshot.matching(filters)):
            yield f"no document matches {filters}: {self._snapshot.fields.explain(filters)}"

    def _study(self, searched: SearchTrace) -> StructureStudy | None:
        """Run the coherence stage again on its input, and explain what it did."""
        for at, stage in enumerate((*self.pipeline.retrieve, *self.pipeline.refine)):
            if stage.study is not None:
                return stage.study(searched.asked, [searched.traced[at - 1].found])
        return None

    def _hits(self, searched: SearchTrace, *, terms: bool) -> list[Hit]:
        found = searched.found
        names = self.results(found.rows)
        places = self._stages.places(searched.asked, found.rows)
        chunks = self._snapshot.chunks(places.tolist())
        told = dict(zip(names, self._snapshot.metadata(names), strict=True))
        shares = self._stages.holding(searched.asked)
        return [
            Hit(
                rank=rank,
                document=name,
                path=chunk.path,
                lines=chunk.lines,
                symbols=chunk.symbols,
                score=float(score),
                text=chunk.text,
                kind=chunk.kind,
                title=chunk.title,
                page=chunk.page,
                metadata=told[name],
                matched=tuple(shares(chunk.text.split("\n")).tolist()),
                stages=explain(self.pipeline, searched, self._snapshot.rows_of(name), terms=terms),
            )
            for rank, (name, chunk, score) in enumerate(
                zip(names, chunks, found.scores, strict=True), 1
            )
        ]

    def lose(self, text: str, place: str, *, filters: Filters = NO_FILTERS) -> Loss:
        """Say what lost the chunks of a place in a document (FILE::SYMBOL, FILE:LINES)."""
        document, part = split_place(place)
        rows = self._at(document, part, self._snapshot.rows_of(document))
        return why_not(self.pipeline, self.search(text, filters=filters), rows)

    def _loss(self, searched: SearchTrace, document: str) -> Loss:
        rows = self._snapshot.rows_of(document)
        if not rows and document not in self._snapshot.documents:
            near = self._snapshot.find(document)
            why = "check whether it is ignored, binary or too large"
            hint = f'did you mean "{near[0]}"?' if near else why
            raise InputError("not in the index", where=document, hint=hint)
        return why_not(self.pipeline, searched, rows)

    def _at(self, document: str, part: str, rows: list[int]) -> list[int]:
        """Return the rows of the chunks that define a symbol, or go on with it, or have lines."""
        whole = self._snapshot.continued()
        chunks = [
            replace(chunk, symbols=chunk.symbols or (whole.get(row, ""),))
            for row, chunk in zip(rows, self._snapshot.chunks(rows), strict=True)
        ]
        found = [row for row, chunk in zip(rows, chunks, strict=True) if chunk.is_at(part)]
        if found:
            return found
        what = "such lines" if not part.startswith("::") else f"symbol {part[2:]}"
        known = dict.fromkeys(name for chunk in chunks for name in chunk.symbols)
        last = f"its last line is {chunks[-1].lines[1]:,}"
        hint = did_you_mean(part[2:], known, otherwise="") if part.startswith("::") else last
        raise InputError(f"has no {what}", where=document, hint=hint)

    @property
    def given(self) -> bool:
        """Whether the vectors of queries are looked up, which is no part of a latency."""
        return is_given(self._embedder)

    def embed(self, text: str, *, key: str = "") -> Vectors:
        """Return the vector of a query, which is never cached; a given one is that of its key."""
        asked = embedder_input(self._embedder, name=key, text=text)
        vector: Vectors = cast("Embedder", self._embedder).embed([asked], query=True)[0]
        return vector

    @property
    def waited(self) -> float:
        """Milliseconds that a model over a network has spent on attempts that failed."""
        return float(getattr(self._embedder, "waited_ms", 0.0))


def _without_lookup(searched: SearchTrace) -> SearchTrace:
    """Leave the time of looking a vector up out: whoever searches for real must embed the query."""
    took = dict(searched.latency_ms)
    looked = took.pop("embed", 0.0)
    return replace(searched, latency_ms=took | {"total": max(took["total"] - looked, 0.0)})


def _without_waits(searched: SearchTrace, waited: float) -> SearchTrace:
    """Take attempts that failed, and the pauses after them, out of the times, and tell them."""
    if not waited:
        return searched
    took = dict(searched.latency_ms)
    took |= {name: max(took[name] - waited, 0.0) for name in ("embed", "total")}
    return replace(searched, latency_ms=took | {"waits": waited})
