"""Every query ranked by every method -> the effect of coherence, with its controls."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.benchmarks.structure.method_scores import METHODS, MethodScores, uplifted
from assay.benchmarks.structure.receipts import count_fallbacks, count_gates, distributions, rates
from assay.benchmarks.structure.relations import relations, suggested_alpha
from assay.benchmarks.structure.verdict import targets, verdict
from assay.metrics import parse_all
from assay.records import Judgments, Method, Metric, Structure, StructureStudy, Uplift

__all__ = ["sum_up_structure"]

CONTROLS = ("neighbour_average", "shuffled_graph")
FREE = ("neighbour_average",)  # controls that pass no gates: without them one must be better, too
DIVERSITY = "alpha_ndcg@10"


def sum_up_structure(  # noqa: PLR0913 - every option is a name of its own
    studied: Mapping[str, StructureStudy],
    judgments: Judgments,
    *,
    metrics: Sequence[str],
    primary: str,
    seed: int = 0,
    latency: Mapping[str, Mapping[str, Any]] | None = None,
    returned: str = "coherence",
    top: int | None = None,
    collections: Mapping[str, str] | None = None,
) -> Structure | None:
    """Score every order of every studied query; None where none of them is judged and ranked.

    ``studied`` is in the order in which queries came, which the suggestion of alpha reads as time.
    ``latency`` has the figures of each method that was timed, p50 and p95 among them. The verdict
    and the targets are those of what is ``returned`` (coherence or coherence_mmr), and all orders
    are cut to the ``top`` of them that a search returns. ``collections`` names that of each query,
    if there are several: each counts the same.
    """
    judged = [query for query in judgments.queries if query in studied]
    if not judged or not all("cosine" in one.orders for one in studied.values()):
        return None
    receipts = [one.receipt for one in studied.values()]
    wanted = _wanted(metrics, primary, judgments)
    scored = MethodScores.of(
        studied, judgments, wanted, seed=seed, top=top, collections=collections
    )
    methods = {name: _method(name, scored, latency or {}) for name in scored.evaluations}
    spread = distributions(receipts)
    shares = rates(receipts)
    own = methods.get(returned, methods["cosine"])
    structure = Structure(
        primary=primary,
        queries=len(judged),
        studied=len(studied),
        methods=tuple(methods.values()),
        against=_against(scored, primary, returned, CONTROLS),
        gates=count_gates(receipts),
        fallbacks=count_fallbacks(receipts),
        rates=shares,
        parts=_parts(scored, primary, returned),
        distributions=spread,
        redundancy=_redundancy(studied, seed),
        diversified=sum(map(_is_diversified, studied.values())),
        relations=relations(scored, primary),
        suggested_alpha=suggested_alpha(scored, primary),
        targets=targets(
            p95=own.latency_ms.get("p95"),
            k=scored.metrics[primary].k,
            rates=shares,
            overlap=spread.get("edge_overlap"),
            uplift=own.uplift.get(primary),
        ),
        verdict="",
        notes=_notes(studied, judgments),
        returned=returned,
        against_open=_against(scored, primary, "coherence_open", FREE),
    )
    return replace(structure, verdict=verdict(structure))


def _is_diversified(one: StructureStudy) -> bool:
    plain = one.orders.get("coherence")
    return one.orders.get("coherence_mmr", plain) != plain


def _wanted(metrics: Sequence[str], primary: str, judgments: Judgments) -> list[Metric]:
    """Name the metrics; where documents cover items, diversity is measured, too."""
    extra = [DIVERSITY] if judgments.items is not None else []
    return list({str(one): one for one in parse_all([primary, *metrics, *extra])}.values())


def _method(name: str, scored: MethodScores, latency: Mapping[str, Mapping[str, Any]]) -> Method:
    evaluation = scored.evaluations[name]
    similar = [one.redundancy.get(name) for one in scored.studied.values()]
    known = [value for value in similar if value is not None]
    times = latency.get(name, {})
    return Method(
        name=name,
        scores=evaluation.scores,
        intervals=evaluation.intervals or {},
        uplift={}
        if name == "cosine"
        else {metric: scored.uplift(name, metric) for metric in scored.metrics},
        redundancy=float(np.mean(known)) if known else None,
        latency_ms={key: float(times[key]) for key in ("p50", "p95") if key in times},
    )


def _against(
    scored: MethodScores, primary: str, method: str, controls: Sequence[str]
) -> dict[str, Uplift]:
    """Measure a method against controls, too: above cosine is not yet above those."""
    if method not in scored.evaluations:
        return {}
    shown = [name for name in controls if name in scored.evaluations]
    return {name: scored.uplift(method, primary, over=name) for name in shown}


def _parts(scored: MethodScores, primary: str, returned: str) -> dict[str, dict[str, Uplift]]:
    """Look at gated, ungated and fallen-back queries apart, with and without the gates."""
    receipts = [scored.studied[query].receipt for query in scored.queries]
    fallen = np.array([receipt.fallback is not None for receipt in receipts])
    gates = np.array([receipt.gate or "" for receipt in receipts])
    kept = {
        "ungated": (gates == "") & ~fallen,
        "gated": (gates != "") & ~fallen,
        "easy": (gates == "easy") & ~fallen,
        "low_impact": (gates == "low_impact") & ~fallen,
        "fallback": fallen,
    }
    looked_at = dict.fromkeys(("coherence", returned, "coherence_open"))
    methods = [name for name in looked_at if name in scored.evaluations]
    return {
        part: {name: scored.uplift(name, primary, keep=keep) for name in methods}
        for part, keep in kept.items()
        if keep.any()
    }


def _redundancy(studied: Mapping[str, StructureStudy], seed: int) -> Uplift | None:
    """Compare the redundancy before and after diversifying; a fall is the gain."""
    pairs = [
        (one.redundancy.get("coherence"), one.redundancy.get("coherence_mmr"))
        for one in studied.values()
    ]
    known = np.array([pair for pair in pairs if None not in pair], np.float64)
    return uplifted(known[:, 0], known[:, 1], upwards=False, seed=seed) if len(known) else None


def _notes(studied: Mapping[str, StructureStudy], judgments: Judgments) -> tuple[str, ...]:
    known = set(judgments.queries)
    counts = {
        "judged queries without a coherence receipt, not included": len(known - studied.keys()),
        "queries without judgments, in rates and distributions only": len(studied.keys() - known),
    }
    lacking = [n for n in METHODS if not all(n in one.orders for one in studied.values())]
    said = [f"{what}: {number:,}" for what, number in counts.items() if number]
    methods = f"methods that did not rank every query: {', '.join(lacking)}"
    return (*said, *([methods] if lacking else []))
