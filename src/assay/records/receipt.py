"""An account of every number in a coherence ranking, and of what else could have been ranked."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

__all__ = ["Receipt", "ReceiptItem", "StructureStudy"]


@dataclass(frozen=True, slots=True)
class ReceiptItem:
    """What one candidate adds to the fall of the energy, term by term, and what became of it.

    ``coherence``, ``anchor`` and ``ground`` are signed drops from the baseline to the solution.
    ``baseline_alignment`` and ``alignment`` are cosines with the query of both. ``rank_before`` is
    by the cosines, ``rank_after`` by coherence, and ``rank_final`` as the search returns it: the
    same unless MMR has diversified. ``neighbours`` are documents with the weights of the edges to
    them.
    """

    document: str
    coherence: float
    anchor: float
    ground: float
    cosine: float
    baseline_alignment: float
    alignment: float
    score: float
    rank_before: int
    rank_after: int
    rank_final: int
    neighbours: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What coherence did to one query. None means not computed.

    ``gate`` is easy, low_impact or None; ``fallback`` is the reason for one (residual, no_anchor,
    forced), or None. In both cases the order of the cosines stayed. ``edges`` has each edge once.
    ``completeness`` is the share of the promised fields that are there.
    """

    version: int
    delta_h: float | None
    terms: Mapping[str, float] | None
    items: tuple[ReceiptItem, ...]
    coherence_fraction: float | None
    condition_bound: float | None
    gate: str | None
    fallback: str | None
    energy_baseline: float | None
    energy: float | None
    iterations: Mapping[str, int] | None
    residual: float | None
    candidates: int
    edges: tuple[tuple[str, str, float], ...]
    components: int
    edge_overlap: float | None
    edge_jaccard: float | None
    graph: str
    redundancy: float | None
    diversified: bool
    settings: Mapping[str, Any]
    milliseconds: Mapping[str, float]
    completeness: float = 1.0


@dataclass(frozen=True, slots=True)
class StructureStudy:
    """One query ranked in every way that coherence is to be compared with.

    ``orders`` has the documents, best first, by method: cosine, coherence, coherence_mmr,
    coherence_open (no gate keeps it from ranking), neighbour_average and shuffled_graph (the two
    controls). ``redundancy`` is that of the first k of each order.
    """

    receipt: Receipt
    orders: Mapping[str, tuple[str, ...]]
    redundancy: Mapping[str, float | None] = field(default_factory=dict)

    def slim(self) -> "StructureStudy":
        """Leave out items and edges: sums over many queries need neither, and would fill memory."""
        return replace(self, receipt=replace(self.receipt, items=(), edges=()))
