"""JSON of the effect of coherence, lossless, with the keys that other programs rely on."""

from typing import Any

from assay.records import (
    Correlation,
    Distribution,
    Interval,
    Method,
    Relation,
    Structure,
    Target,
    Uplift,
)

__all__ = ["json"]


def json(structure: Structure) -> dict[str, Any]:
    """Return what stands under ``structure`` in a report."""
    return {
        "primary": structure.primary,
        "queries": structure.queries,
        "studied": structure.studied,
        "verdict": structure.verdict,
        "methods": {one.name: _method(one) for one in structure.methods},
        "returned": structure.returned,
        "against": {name: _against(one) for name, one in structure.against.items()},
        "against_open": {name: _against(one) for name, one in structure.against_open.items()},
        "gates": dict(structure.gates),
        "fallbacks": dict(structure.fallbacks),
        "rates": dict(structure.rates),
        "parts": {
            part: {name: _uplift(one) for name, one in methods.items()}
            for part, methods in structure.parts.items()
        },
        "distributions": {n: _distribution(one) for n, one in structure.distributions.items()},
        "redundancy": None if structure.redundancy is None else _uplift(structure.redundancy),
        "diversified": structure.diversified,
        "correlations": {name: _relation(one) for name, one in structure.relations.items()},
        "suggested_alpha": structure.suggested_alpha,
        "targets": {name: _target(one) for name, one in structure.targets.items()},
        "notes": list(structure.notes),
    }


def _method(one: Method) -> dict[str, Any]:
    return {
        "scores": dict(one.scores),
        "intervals": {name: _ends(ends) for name, ends in one.intervals.items()},
        "uplift": {name: _uplift(uplift) for name, uplift in one.uplift.items()},
        "redundancy": one.redundancy,
        "latency_ms": dict(one.latency_ms),
    }


def _uplift(one: Uplift) -> dict[str, Any]:
    return {
        "queries": one.queries,
        "baseline": one.baseline,
        "score": one.score,
        "difference": one.difference,
        "ci": _ends(one.interval),
        "ci_note": one.interval.note,
        "relative": one.relative,
        "p": one.p,
        "wins": one.wins,
        "ties": one.ties,
        "losses": one.losses,
    }


def _against(one: Uplift) -> dict[str, Any]:
    """Say beside the figures which of the four answers they give."""
    return {**_uplift(one), "shown": one.shown}


def _distribution(one: Distribution) -> dict[str, Any]:
    return {
        "values": one.values,
        "missing": one.missing,
        "mean": one.mean,
        "min": one.least,
        "max": one.most,
        **one.percentiles,
        "histogram": {"edges": list(one.edges), "counts": list(one.counts)},
    }


def _relation(one: Relation) -> dict[str, Any]:
    return {
        "method": one.method,
        "queries": one.queries,
        "spearman": _correlated(one.spearman),
        "pearson": _correlated(one.pearson),
        "low": None if one.low is None else _uplift(one.low),
        "high": None if one.high is None else _uplift(one.high),
        "reading": one.reading,
    }


def _correlated(one: Correlation) -> dict[str, Any]:
    return {"r": one.r, "ci": None if one.interval is None else _ends(one.interval), "p": one.p}


def _target(one: Target) -> dict[str, Any]:
    return {"aim": one.aim, "value": one.value, "met": one.met, "note": one.note}


def _ends(interval: Interval) -> list[float] | None:
    """Say nothing rather than infinity, which JSON does not know."""
    known = abs(interval.high) < float("inf")
    return [interval.low, interval.high] if known else None
