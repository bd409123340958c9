"""Figures: the lines of the ancestor's report, as a table of name and value."""

from collections.abc import Mapping
from typing import Any

from assay.records import Distribution, Relation, Structure, Table, Target, Uplift
from assay.reports.structure.names import told

__all__ = ["figures"]

PARTS = ("ungated", "gated", "fallback")
STATES = {True: "met", False: "not met", None: "not measured"}


def figures(
    structure: Structure, settings: Mapping[str, Any] | None = None, *, caption: str = ""
) -> Table:
    """Write scores, latency, rates, uplift by part, receipts, verdict, readings and targets."""
    rows = [*_about(structure, settings or {}), *_pairs(structure), *_latency(structure)]
    rows += [*_rates(structure), *_parts(structure), *_solves(structure), *_receipts(structure)]
    rows += [["Verdict", structure.verdict]]
    rows += [[f"Interpretation of {n}", _reading(one)] for n, one in structure.relations.items()]
    rows += [[f"Target: {one.aim}", _target(one)] for one in structure.targets.values()]
    rows += [["Note", note] for note in structure.notes]
    return Table(("figure", "value"), rows, caption=caption)


def _about(structure: Structure, settings: Mapping[str, Any]) -> list[list[str]]:
    rows = [["Queries", f"{structure.queries:,}"]]
    if settings:
        rows.append(["M, K", f"{settings['candidates']}, {settings['k']}"])
        rows.append(["Alpha", f"{settings['coherence']['alpha']:g}"])
    return rows


def _pairs(structure: Structure) -> list[list[str]]:
    """Pair the cosines with coherence, and with what is returned if that is another method."""
    cosine, rows = structure.method("cosine"), []
    for name in dict.fromkeys(("coherence", structure.returned)):
        method = structure.method(name)
        if cosine is None or method is None:
            continue
        for metric, uplift in method.uplift.items():
            share = "" if uplift.relative is None else f" ({uplift.relative:+.1%})"
            pair = f"{cosine.scores[metric]:.4f} / {method.scores[metric]:.4f}{share}"
            rows.append([f"{metric} (cosine, {told(name)})", pair])
    return rows


def _latency(structure: Structure) -> list[list[str]]:
    method = structure.method(structure.returned)
    if method is None or not method.latency_ms:
        return []
    times = method.latency_ms
    return [["Latency P50/P95 (ms)", f"{times['p50']:.1f} / {times['p95']:.1f}"]]


def _rates(structure: Structure) -> list[list[str]]:
    rates = structure.rates
    return [
        ["Fallback rate (forced excluded)", _percent(rates["fallback"])],
        ["Easy gate rate", _percent(rates["easy"])],
        ["Low-impact gate rate", _percent(rates["low_impact"])],
    ]


def _parts(structure: Structure) -> list[list[str]]:
    """Tell the uplift of gated and ungated queries apart, and what it was without the gates."""
    rows = []
    for part in PARTS:
        for name, one in structure.parts.get(part, {}).items():
            if part == "gated" or name != "coherence_open":
                title = f"Change of {structure.primary}, {one.queries:,} {part} ({told(name)})"
                rows.append([title, _change(one)])
    return rows


def _solves(structure: Structure) -> list[list[str]]:
    """Tell how far energies fell, by which term, at which cost, and how hard the system was."""
    spread = structure.distributions
    rows = [
        ["DeltaH (mean, p5, p95)", _three(spread.get("delta_h"))],
        ["Coherence fraction (mean, p5, p95)", _three(spread.get("coherence_fraction"))],
        ["Solver efficiency: deltaH per ms (mean, p5, p95)", _three(spread.get("efficiency"))],
    ]
    if "condition_bound" in spread:
        bound = spread["condition_bound"].percentiles["p95"]
        rows.append(["Condition bound (p95)", f"{bound:.3f}"])
    return [row for row in rows if row[1]]


def _receipts(structure: Structure) -> list[list[str]]:
    spread, alpha, alike = structure.distributions, structure.suggested_alpha, structure.redundancy
    overlap = spread.get("edge_overlap")
    known = "-" if overlap is None else f"{overlap.percentiles['p50']:.2f}"
    rows = [["Edge overlap (median)", known if overlap else "- (the graph is exact)"]]
    if alike is not None:
        rows.append(["Redundancy (before, after MMR)", f"{alike.baseline:.3f} / {alike.score:.3f}"])
    rows.append(["Suggested alpha (median)", "-" if alpha is None else f"{alpha:.3f}"])
    if "completeness" in spread:
        rows.append(["Receipt completeness", _percent(spread["completeness"].mean)])
    return rows


def _reading(one: Relation) -> str:
    if one.spearman.r is None or one.spearman.p is None:
        return one.reading
    p = "<.0001" if one.spearman.p < 0.0001 else f"{one.spearman.p:.4f}"
    about = f"rank correlation with the uplift of {told(one.method)}"
    return f"{about} {one.spearman.r:+.2f} (p {p}). {one.reading}"


def _target(one: Target) -> str:
    value = "" if one.value is None else f" at {one.value:.3f}"
    return STATES[one.met] + value + (f" ({one.note})" if one.note else "")


def _change(one: Uplift) -> str:
    low, high = one.interval.low, one.interval.high
    known = abs(high) < float("inf")
    return f"{one.difference:+.4f}" + (f" [{low:+.4f}, {high:+.4f}]" if known else "")


def _three(one: Distribution | None) -> str:
    if one is None:
        return ""
    return f"{one.mean:.3f}, {one.percentiles['p5']:.3f}, {one.percentiles['p95']:.3f}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"
