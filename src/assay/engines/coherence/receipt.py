"""Write the receipt of a coherence ranking: every number in it, candidate by candidate."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from assay.engines.coherence._candidates import Candidates
from assay.engines.coherence.approximate import CandidateGraph
from assay.engines.coherence.energy import condition_bound
from assay.engines.coherence.graph import Graph
from assay.engines.coherence.rank import CoherenceRanking, alignments
from assay.records import CoherenceSettings, Floats, Ints, Receipt, ReceiptItem

__all__ = ["VERSION", "write_receipt"]

VERSION = 1
TERMS = ("coherence", "anchor", "ground")


def write_receipt(
    candidates: Candidates,
    joined: CandidateGraph,
    ranked: CoherenceRanking,
    *,
    settings: CoherenceSettings,
    redundancy: float | None,
    k: int,
    final: Ints | None = None,
    milliseconds: Mapping[str, float],
) -> Receipt:
    """Account for a ranking: items in the new order, edges with the earlier candidate first.

    What a query without an anchor has no solve for is None, and its candidates stay where they
    are. ``score`` is what the solve says, also where a gate or a fallback kept it from counting.
    ``final`` is the order after MMR, if it diversified, and ``redundancy`` that of the first ``k``.
    """
    receipt = Receipt(
        version=VERSION,
        **_solve(ranked, settings),
        items=_items(candidates, joined.graph, ranked, ranked.order if final is None else final),
        gate=ranked.gate,
        fallback=ranked.fallback,
        candidates=len(candidates.names),
        edges=_edges(joined.graph, candidates.names),
        components=joined.graph.components(),
        edge_overlap=joined.overlap,
        edge_jaccard=joined.jaccard,
        graph=joined.label,
        redundancy=redundancy,
        diversified=final is not None,
        settings=settings.in_effect(),
        milliseconds=milliseconds,
    )
    return replace(receipt, completeness=_completeness(receipt, k))


def _solve(ranked: CoherenceRanking, settings: CoherenceSettings) -> dict[str, Any]:
    solved, drop = ranked.solved, ranked.drop
    if solved is None or drop is None:
        names = ("delta_h", "terms", "coherence_fraction", "condition_bound", "energy_baseline")
        return dict.fromkeys((*names, "energy", "iterations", "residual"))
    return {
        "delta_h": drop.total,
        "terms": drop.terms,
        "coherence_fraction": drop.coherence_fraction,
        "condition_bound": condition_bound(solved.anchor, settings),
        "energy_baseline": drop.baseline,
        "energy": drop.solution,
        "iterations": {
            "baseline": solved.baseline.iterations,
            "solution": solved.solution.iterations,
        },
        "residual": solved.residual,
    }


def _items(
    candidates: Candidates, graph: Graph, ranked: CoherenceRanking, final: Ints
) -> tuple[ReceiptItem, ...]:
    columns = {name: values.tolist() for name, values in _columns(candidates, ranked).items()}
    near = _neighbours(graph, candidates.names)
    last = {at: place for place, at in enumerate(final.tolist(), 1)}
    return tuple(
        ReceiptItem(
            document=candidates.names[at],
            **{name: values[at] for name, values in columns.items()},
            rank_before=at + 1,
            rank_after=place,
            rank_final=last[at],
            neighbours=near[at],
        )
        for place, at in enumerate(ranked.order.tolist(), 1)
    )


def _columns(candidates: Candidates, ranked: CoherenceRanking) -> dict[str, Floats]:
    cosines, scores = candidates.cosines, ranked.scores
    if ranked.solved is None or ranked.drop is None:
        drops = dict.fromkeys(TERMS, np.zeros(len(cosines)))
        return (
            drops
            | dict.fromkeys(("cosine", "baseline_alignment", "alignment"), cosines)
            | {"score": scores}
        )
    return {
        **{name: ranked.drop.items[name] for name in TERMS},
        "cosine": cosines,
        "baseline_alignment": alignments(ranked.solved.baseline.values, candidates.query),
        "alignment": alignments(ranked.solved.solution.values, candidates.query),
        "score": scores,
    }


def _neighbours(graph: Graph, names: Sequence[str]) -> list[tuple[tuple[str, float], ...]]:
    """Name those at the other ends of each node's edges, the nearest first."""
    ends: list[list[tuple[float, int]]] = [[] for _ in names]
    for one, other, weight in _listed(graph):
        ends[one].append((-weight, other))
        ends[other].append((-weight, one))
    return [tuple((names[at], -weight) for weight, at in sorted(near)) for near in ends]


def _edges(graph: Graph, names: Sequence[str]) -> tuple[tuple[str, str, float], ...]:
    return tuple((names[one], names[other], weight) for one, other, weight in _listed(graph))


def _listed(graph: Graph) -> list[tuple[int, int, float]]:
    columns = (graph.first.tolist(), graph.second.tolist(), graph.weights.tolist())
    return list(zip(*columns, strict=True))


def _completeness(receipt: Receipt, k: int) -> float:
    """Return the share of the promised fields that are there: None is absent.

    Redundancy is promised of two results or more, overlaps where the graph was approximate, and
    the coherence fraction where there is a fall to be a fraction of.
    """
    says_none = {"gate", "fallback", "completeness"}
    if min(k, receipt.candidates) < 2:
        says_none.add("redundancy")
    if receipt.settings["graph"] != "approximate":
        says_none |= {"edge_overlap", "edge_jaccard"}
    if receipt.delta_h == 0:
        says_none.add("coherence_fraction")
    promised = [one.name for one in fields(receipt) if one.name not in says_none]
    return sum(getattr(receipt, name) is not None for name in promised) / len(promised)
