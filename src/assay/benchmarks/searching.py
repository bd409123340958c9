"""An index + a configuration -> something that can be asked."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import cast

import numpy as np

from assay.benchmarks._graph import dense_of
from assay.benchmarks.parts import lexical_at, reranker_of
from assay.catalogue import find
from assay.corpora.count_tokens import count_tokens
from assay.engines import fusions
from assay.engines.dense import Recall, recall
from assay.engines.dense.exact import exact
from assay.engines.explain import explain
from assay.engines.fusions import Fusion
from assay.engines.groups import Groups
from assay.engines.holding import holding
from assay.engines.search import Pipeline, Searched, search
from assay.engines.stages import Step
from assay.engines.stages.collapse import collapse
from assay.engines.stages.cut import cut
from assay.engines.stages.dense import dense
from assay.engines.stages.fuse import fuse
from assay.engines.stages.grouped import grouped
from assay.engines.stages.lexical import lexical
from assay.engines.stages.rerank import rerank
from assay.engines.stages.threshold import threshold
from assay.engines.why_not import why_not
from assay.errors import InputError
from assay.records import (
    Answer,
    Asked,
    Configuration,
    Embedder,
    Floats,
    Hit,
    Ints,
    LexicalIndex,
    Loss,
    Vectors,
)
from assay.workspace.blobs import Blobs
from assay.workspace.index_store import Snapshot

__all__ = ["Searcher"]

Shares = Callable[[Sequence[str]], Floats]

PAGE = 1000  # texts that are read at once
SAMPLES = 100  # queries by which an approximate index is measured
RECALL_AT = 10


class Searcher:
    """A snapshot of an index with the stages of one configuration; it closes the snapshot."""

    def __init__(
        self,
        snapshot: Snapshot,
        configuration: Configuration,
        *,
        embedder: Embedder | None = None,
        memory: Blobs | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._configuration = configuration
        self._embedder = embedder
        self._memory = memory
        self._lexical: LexicalIndex | None = None
        self._samples: list[Vectors] = []
        self.notes: list[str] = []
        self.pipeline = Pipeline(tuple(self._parts), tuple(self._refining()))
        np.unique(self._snapshot.rows[:1])  # its first call imports for 10 ms: not in a search

    def close(self) -> None:
        """Let go of the index."""
        if self._lexical is not None:
            self._lexical.close()
        if self._memory is not None:
            self._memory.close()
        self._snapshot.close()

    @property
    def fingerprint(self) -> str:
        """Change whenever an answer may, for other reasons than the content of the index."""
        return self.pipeline.fingerprint

    @property
    def content(self) -> str:
        """Name the content of all documents in the index."""
        return self._snapshot.fingerprint

    @cached_property
    def tokens(self) -> int:
        """Count the tokens of all chunks, by the rule in which chunk sizes are given."""
        rows = self._snapshot.rows
        parts = (rows[start : start + PAGE] for start in range(0, len(rows), PAGE))
        return sum(count_tokens(text) for part in parts for text in self._texts(part))

    def search(self, text: str) -> Searched:
        """Ask, and keep what each stage did; the query's vector is never remembered."""
        searched = search(self.pipeline, text, embed=self._embed if self._embedder else None)
        vector = searched.asked.vector
        if vector is not None and self._dense.kind != "exact" and len(self._samples) < SAMPLES:
            self._samples.append(vector)
        return searched

    def recall(self) -> Recall | None:
        """Measure an approximate index by the queries that were asked; None for an exact one."""
        if not self._samples:
            return None
        stored = self._dense.stored
        truth = exact(stored.packed, stored.rows, precision=stored.precision)
        return recall(self._dense, truth, np.stack(self._samples), RECALL_AT)

    def documents(self, rows: Ints) -> list[str]:
        """Name the documents of rows."""
        names = self._snapshot.documents
        return [names[code] for code in self._codes(rows)]

    def named(self, names: Iterable[str]) -> set[str]:
        """Return the ids of the documents of these names, which are ids or else paths."""
        return {one for name in names for one in self._snapshot.ids.get(name, ())}

    def answer(self, text: str, *, explained: bool = False, lost: str | None = None) -> Answer:
        """Ask, and tell of each result where it is and how it came there."""
        searched = self.search(text)
        return Answer(
            query=text,
            hits=tuple(self._hits(searched, terms=explained)),
            latency_ms=searched.latency_ms,
            loss=None if lost is None else self._loss(searched, lost),
            documents=len(self._snapshot.documents),
            chunks=len(self._snapshot.rows),
            notes=tuple(self.notes),
        )

    def _hits(self, searched: Searched, *, terms: bool) -> list[Hit]:
        found = searched.found
        names = self.documents(found.rows)
        places = self._places(searched.asked, found.rows) if self._joined else found.rows
        chunks = self._snapshot.chunks(places.tolist())
        shares = self._holding(searched.asked)
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
                matched=tuple(shares(chunk.text.split("\n")).tolist()),
                stages=explain(self.pipeline, searched, self._snapshot.rows_of(name), terms=terms),
            )
            for rank, (name, chunk, score) in enumerate(
                zip(names, chunks, found.scores, strict=True), 1
            )
        ]

    def _loss(self, searched: Searched, document: str) -> Loss:
        rows = self._snapshot.rows_of(document)
        if not rows and document not in self._snapshot.documents:
            near = self._snapshot.find(document)
            hint = f"did you mean {near[0]}?" if near else "is it ignored, binary or too large?"
            raise InputError("is not in the index", where=document, hint=hint)
        return why_not(self.pipeline, searched, rows)

    @cached_property
    def _parts(self) -> list[Step]:
        """Make the stages that retrieve."""
        chosen, parts = self._configuration, []
        if chosen.lexical is not None:
            self._lexical = lexical_at(chosen, self._snapshot.lexical)
            parts.append(self._by_document(lexical(self._lexical, depth=chosen.depth)))
        if chosen.dense is not None:
            self._dense = dense_of(chosen, self._snapshot, dimension=self._model.dimension)
            self.notes += [self._dense.note] if self._dense.note else []
            parts.append(self._by_document(dense(self._dense, depth=chosen.depth)))
        return parts

    def _by_document(self, part: Step) -> Step:
        """Let a part retrieve documents, unless chunks are to be fused."""
        how = self._configuration.collapse
        return grouped(part, self._groups, how=how) if self._joined else part

    @property
    def _joined(self) -> bool:
        """Tell whether each part retrieves documents, named by their first rows."""
        chosen = self._configuration
        return chosen.lexical is not None and chosen.lexical_unit != "chunk"

    def _places(self, asked: Asked, rows: Ints) -> Ints:
        """Return the chunk of each document that answers best: nearest, and with most words."""
        shares = self._holding(asked)
        members = [self._groups.members(int(row)) for row in rows]
        return np.array([self._place(asked, some, shares) for some in members], np.int64)

    def _place(self, asked: Asked, members: Ints, shares: Shares) -> int:
        if len(members) == 1:
            return int(members[0])
        near = self._dense.scores(asked.vector, members) if asked.vector is not None else 0.0
        return int(members[np.argmax(shares(self._texts(members)) + near)])

    def _holding(self, asked: Asked) -> Shares:
        """Return what tells how much of a query's words texts hold, as its index weighs them."""
        return self._lexical.holding(asked.text) if self._lexical else holding(asked.text)

    @cached_property
    def _groups(self) -> Groups:
        return Groups(self._snapshot.rows, self._snapshot.document_of)

    def _refining(self) -> list[Step]:
        """Make the stages that follow: fuse, threshold, rerank, collapse, cut."""
        chosen, steps = self._configuration, []
        kind = "cosine" if chosen.lexical is None else "bm25"
        if len(self._parts) > 1:
            fusion = _fusion(chosen)
            steps.append(fuse(fusion, parts=self._parts, fill=fusion.scored))
            kind = fusion.kind
        if chosen.threshold is not None:
            steps.append(threshold(chosen.threshold, kind=kind))
        if chosen.rerank is not None:
            scorer = reranker_of(chosen, self._embedder, self._memory)
            steps.append(rerank(scorer, self._judged, depth=chosen.rerank_depth or chosen.depth))
        if not self._joined:
            steps.append(collapse(self._codes, how=chosen.collapse))
        return [*steps, cut(chosen.top_k)]

    def _judged(self, asked: Asked, rows: Ints) -> Sequence[str]:
        """Return the texts that a reranker judges: of a whole document, its best chunk."""
        return self._texts(self._places(asked, rows) if self._joined else rows)

    def _texts(self, rows: Ints) -> Sequence[str]:
        return self._snapshot.texts(rows.tolist())

    def _codes(self, rows: Ints) -> Ints:
        """Number the documents of rows."""
        places = np.searchsorted(self._snapshot.rows, rows)
        codes: Ints = self._snapshot.document_of[places]
        return codes

    def _embed(self, text: str) -> Vectors:
        vector: Vectors = self._model.embed([text], query=True)[0]
        return vector

    @property
    def _model(self) -> Embedder:
        return cast("Embedder", self._embedder)


def _fusion(chosen: Configuration) -> Fusion:
    make = cast("Callable[..., Fusion]", find(fusions, str(chosen.fusion)))
    settings: dict[str, object] = {}
    if chosen.weights is not None:
        settings["weights"] = chosen.weights
    if chosen.rrf_k is not None:
        settings["k"] = chosen.rrf_k
    return make(**settings)
