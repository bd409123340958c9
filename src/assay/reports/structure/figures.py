"""Figures: the lines of the ancestor's report of one cell, as a table of name and value."""

from collections.abc import Mapping
from typing import Any

from assay.records import Structure, Table

__all__ = ["figures"]


def figures(structure: Structure, settings: Mapping[str, Any] | None = None) -> Table:
    """Write pairs of scores, latency, rates, overlap, redundancy, alpha, verdict and readings."""
    rows = [*_about(structure, settings or {}), *_pairs(structure), *_latency(structure)]
    rows += [*_rates(structure), *_receipts(structure), ["Verdict", structure.verdict]]
    rows += [[f"Reading of {n}", one.reading] for n, one in structure.relations.items()]
    return Table(("figure", "value"), rows)


def _about(structure: Structure, settings: Mapping[str, Any]) -> list[list[str]]:
    rows = [["Queries", f"{structure.queries:,}"]]
    if settings:
        rows.append(["M, K", f"{settings['candidates']}, {settings['k']}"])
        rows.append(["Alpha", f"{settings['coherence']['alpha']:g}"])
    return rows


def _pairs(structure: Structure) -> list[list[str]]:
    cosine, coherence = structure.method("cosine"), structure.method("coherence")
    if cosine is None or coherence is None:
        return []
    rows = []
    for name, uplift in coherence.uplift.items():
        share = "" if uplift.relative is None else f" ({uplift.relative:+.1%})"
        pair = f"{cosine.scores[name]:.4f} / {coherence.scores[name]:.4f}{share}"
        rows.append([f"{name} (cosine, coherence)", pair])
    return rows


def _latency(structure: Structure) -> list[list[str]]:
    coherence = structure.method("coherence")
    if coherence is None or not coherence.latency_ms:
        return []
    times = coherence.latency_ms
    return [["Latency P50/P95 (ms)", f"{times['p50']:.1f} / {times['p95']:.1f}"]]


def _rates(structure: Structure) -> list[list[str]]:
    rates = structure.rates
    return [
        ["Fallback rate (forced excluded)", _percent(rates["fallback"])],
        ["Easy gate rate", _percent(rates["easy"])],
        ["Low-impact gate rate", _percent(rates["low_impact"])],
    ]


def _receipts(structure: Structure) -> list[list[str]]:
    spread, alpha, alike = structure.distributions, structure.suggested_alpha, structure.redundancy
    overlap = spread.get("edge_overlap")
    known = "-" if overlap is None else f"{overlap.percentiles['p50']:.2f}"
    rows = [["Edge overlap (median)", known if overlap else "- (the graph is exact)"]]
    if alike is not None:
        rows.append(["Redundancy (before, after MMR)", f"{alike.baseline:.3f} / {alike.score:.3f}"])
    rows.append(["Suggested alpha (median)", "-" if alpha is None else f"{alpha:.3f}"])
    if "condition_bound" in spread:
        bound = spread["condition_bound"].percentiles["p95"]
        rows.append(["Condition bound (p95)", f"{bound:.3f}"])
    if "completeness" in spread:
        rows.append(["Receipt completeness", _percent(spread["completeness"].mean)])
    return rows


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
