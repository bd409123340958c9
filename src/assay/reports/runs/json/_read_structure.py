"""What structure is worth, from JSON."""

from collections.abc import Mapping
from typing import Any

from assay.records import Correlation, Distribution, Method, Relation, Structure, Target, Uplift
from assay.reports.runs.json._from_json import interval, uplift

__all__ = ["read_structure"]

FIGURES = ("values", "missing", "mean", "min", "max", "histogram")  # the rest are percentiles


def read_structure(value: Mapping[str, Any]) -> Structure:
    """Return the record that ``reports/structure/json.py`` wrote."""
    plain = ("primary", "queries", "studied", "verdict", "returned", "gates", "fallbacks")
    figures = ("rates", "diversified", "suggested_alpha")
    return Structure(
        **{key: value[key] for key in (*plain, *figures)},
        methods=tuple(_method(name, one) for name, one in value["methods"].items()),
        against=_uplifts(value["against"]),
        against_open=_uplifts(value["against_open"]),
        parts={part: _uplifts(methods) for part, methods in value["parts"].items()},
        distributions={name: _spread(one) for name, one in value["distributions"].items()},
        redundancy=None if value["redundancy"] is None else uplift(value["redundancy"]),
        relations={name: _relation(one) for name, one in value["correlations"].items()},
        targets={name: Target(**one) for name, one in value["targets"].items()},
        notes=tuple(value["notes"]),
    )


def _uplifts(value: Mapping[str, Any]) -> dict[str, Uplift]:
    return {name: uplift(one) for name, one in value.items()}


def _method(name: str, value: Mapping[str, Any]) -> Method:
    return Method(
        name=name,
        scores=value["scores"],
        intervals={metric: interval(ends) for metric, ends in value["intervals"].items()},
        uplift=_uplifts(value["uplift"]),
        redundancy=value["redundancy"],
        latency_ms=value["latency_ms"],
    )


def _spread(value: Mapping[str, Any]) -> Distribution:
    return Distribution(
        values=value["values"],
        missing=value["missing"],
        mean=value["mean"],
        least=value["min"],
        most=value["max"],
        percentiles={key: one for key, one in value.items() if key not in FIGURES},
        edges=tuple(value["histogram"]["edges"]),
        counts=tuple(value["histogram"]["counts"]),
    )


def _relation(value: Mapping[str, Any]) -> Relation:
    return Relation(
        queries=value["queries"],
        spearman=_correlated(value["spearman"]),
        pearson=_correlated(value["pearson"]),
        low=None if value["low"] is None else uplift(value["low"]),
        high=None if value["high"] is None else uplift(value["high"]),
        reading=value["reading"],
        method=value["method"],
    )


def _correlated(value: Mapping[str, Any]) -> Correlation:
    ends = value["ci"]
    return Correlation(value["r"], None if ends is None else interval(ends), value["p"])
