"""Receipts of many queries -> how often gates and fallbacks took over, and how figures spread."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from assay.records import Distribution, Floats, Ints, Receipt
from assay.statistics.percentile import percentile

__all__ = ["count_fallbacks", "count_gates", "distributions", "rates"]

SHARES = {"p5": 0.05, "p10": 0.1, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p90": 0.9, "p95": 0.95}
BINS = 10
ROUNDING = 1e-9
LEAST = 1e-300  # a range that can still be cut into bins
FORCED = "forced"  # a fallback that somebody asked for: it tells nothing of the method


def count_gates(receipts: Sequence[Receipt]) -> dict[str, int]:
    """Count the queries of each gate; those of none stand under ``none``."""
    counts = Counter(receipt.gate or "none" for receipt in receipts)
    return {name: counts[name] for name in dict.fromkeys(("none", "easy", "low_impact", *counts))}


def count_fallbacks(receipts: Sequence[Receipt]) -> dict[str, int]:
    """Count the queries of each reason; those without a fallback stand under ``none``."""
    counts = Counter(receipt.fallback or "none" for receipt in receipts)
    known = ("none", "residual", "no_anchor", FORCED)
    return {name: counts[name] for name in dict.fromkeys((*known, *counts))}


def rates(receipts: Sequence[Receipt]) -> dict[str, float | None]:
    """Return the shares of gated and of fallen-back queries; the latter leaves forced ones out."""
    free = [receipt for receipt in receipts if receipt.fallback != FORCED]
    return {
        "easy": _share([receipt.gate == "easy" for receipt in receipts]),
        "low_impact": _share([receipt.gate == "low_impact" for receipt in receipts]),
        "gated": _share([receipt.gate is not None for receipt in receipts]),
        "fallback": _share([receipt.fallback is not None for receipt in free]),
    }


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def distributions(receipts: Sequence[Receipt]) -> dict[str, Distribution]:
    """Spread out each figure of the receipts that at least one of them has."""
    figures: Mapping[str, list[float | None]] = {
        "delta_h": [receipt.delta_h for receipt in receipts],
        "coherence_fraction": [receipt.coherence_fraction for receipt in receipts],
        "condition_bound": [receipt.condition_bound for receipt in receipts],
        "residual": [receipt.residual for receipt in receipts],
        "solve_ms": [_solve_ms(receipt) for receipt in receipts],
        "efficiency": [_efficiency(receipt) for receipt in receipts],
        "edge_overlap": [receipt.edge_overlap for receipt in receipts],
        "edge_jaccard": [receipt.edge_jaccard for receipt in receipts],
        "completeness": [receipt.completeness for receipt in receipts],
        "components": [float(receipt.components) for receipt in receipts],
        **_iterations(receipts),
    }
    spread = {name: _spread(values) for name, values in figures.items()}
    return {name: one for name, one in spread.items() if one is not None}


def _iterations(receipts: Sequence[Receipt]) -> dict[str, list[float | None]]:
    """Name the iterations of each solve apart."""
    solves = dict.fromkeys(name for receipt in receipts for name in receipt.iterations or {})
    counts = [receipt.iterations or {} for receipt in receipts]
    return {f"iterations_{name}": [_number(one.get(name)) for one in counts] for name in solves}


def _number(value: float | None) -> float | None:
    return None if value is None else float(value)


def _solve_ms(receipt: Receipt) -> float | None:
    """Find the time of the solve, whose name may have its stage before it."""
    times = [value for name, value in receipt.milliseconds.items() if name.endswith("solve")]
    return times[0] if times else None


def _efficiency(receipt: Receipt) -> float | None:
    """Return how much the energy falls in a millisecond of solving."""
    time = _solve_ms(receipt)
    return None if receipt.delta_h is None or not time else receipt.delta_h / time


def _spread(values: Sequence[float | None]) -> Distribution | None:
    known = np.array([value for value in values if value is not None], np.float64)
    known = known[np.isfinite(known)]
    if not len(known):
        return None
    low, high = float(known.min()), float(known.max())
    counts, edges = _histogram(known, low, high)
    return Distribution(
        values=len(known),
        missing=len(values) - len(known),
        mean=float(known.mean()),
        least=low,
        most=high,
        percentiles={name: percentile(known, share) for name, share in SHARES.items()},
        edges=tuple(float(edge) for edge in edges),
        counts=tuple(int(count) for count in counts),
    )


def _histogram(known: Floats, low: float, high: float) -> tuple[Ints, Floats]:
    """Count in bins of one width; in a single one where all are equal but for rounding."""
    if high - low <= max(ROUNDING * max(abs(low), abs(high)), LEAST):
        return np.array([len(known)]), np.array([low, high])
    counts, edges = np.histogram(known, BINS)
    return counts, edges
