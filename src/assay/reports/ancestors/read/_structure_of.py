"""The rows and figures of ConsciousDB's JSON -> the structure of a run, as gates read it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from assay.records import Distribution, Interval, Method, Structure, Uplift
from assay.reports.ancestors.read._fields import Fields

__all__ = ["MethodRow", "structure_of"]

METHODS = {
    "Cosine": "cosine",
    "ConsciousDB": "coherence",
    "ConsciousDB+MMR": "coherence_mmr",
    "Neighbour average (control)": "neighbour_average",
    "Shuffled graph (control)": "shuffled_graph",
}
DISTRIBUTIONS = {
    "deltaH_total": "delta_h",
    "coherence_fraction": "coherence_fraction",
    "solver_efficiency": "efficiency",
    "condition_bound": "condition_bound",
    "edge_overlap": "edge_overlap",
}
RATES = {
    "fallback_rate": "fallback",
    "easy_gate_rate": "easy",
    "low_impact_gate_rate": "low_impact",
}
PERCENTILES = {"median": "p50", "p10": "p10", "p95": "p95"}


@dataclass(frozen=True, slots=True)
class MethodRow:
    """A row of the table of methods: scores by metric, and the gain over cosine of some.

    ``gains`` are fractions of the cosine's score, ``ends`` intervals of the differences.
    """

    name: str
    scores: Mapping[str, float]
    p95: float | None = None
    explained: bool = False
    gains: Mapping[str, float] = field(default_factory=dict)
    ends: Mapping[str, Interval] = field(default_factory=dict)

    @property
    def ours(self) -> str:
        """The name of the method here; empty for a run of its own."""
        return METHODS.get(self.name, "")


def structure_of(
    told: Fields, rows: Mapping[str, MethodRow], returned: str, primary: str
) -> Structure:
    """Return what coherence did; ``returned`` is the method whose order the run returns.

    Rates are taken as shares of all queries: the file does not count forced fallbacks.
    """
    queries = told.count("queries") or 0
    cosine = rows.get("Cosine", MethodRow("Cosine", {}))
    before = told.score("redundancy")
    return Structure(
        primary=primary,
        queries=queries,
        studied=queries,
        methods=tuple(_method(row, cosine, queries, before) for row in rows.values() if row.ours),
        against={},
        gates={},
        fallbacks={},
        rates={ours: told.score(key) for key, ours in RATES.items()},
        parts={},
        distributions=_distributions(told),
        redundancy=None,
        diversified=0,
        relations={},
        suggested_alpha=told.number("suggested_alpha"),
        targets={},
        verdict="",
        returned=returned,
    )


def _method(row: MethodRow, cosine: MethodRow, queries: int, before: float | None) -> Method:
    """Make a method; the redundancy of the file is the one before diversifying."""
    uplift = {
        metric: _uplift(row, cosine.scores[metric], metric, queries)
        for metric in row.scores
        if row.ours != "cosine" and metric in cosine.scores
    }
    times = {} if row.p95 is None else {"p95": row.p95}
    alike = before if row.ours == "coherence" else None
    return Method(row.ours, row.scores, {}, uplift, redundancy=alike, latency_ms=times)


def _uplift(row: MethodRow, base: float, metric: str, queries: int) -> Uplift:
    """Make an uplift, of which the file has neither p nor wins."""
    score = row.scores[metric]
    relative = row.gains.get(metric, (score - base) / base if base else None)
    return Uplift(
        queries,
        base,
        score,
        score - base,
        row.ends.get(metric, Interval(-math.inf, math.inf)),
        relative if base else None,
        math.nan,
        0,
        0,
        0,
    )


def _distributions(told: Fields) -> dict[str, Distribution]:
    found = {ours: _distribution(told.part(key)) for key, ours in DISTRIBUTIONS.items()}
    return {name: one for name, one in found.items() if one is not None}


def _distribution(told: Fields) -> Distribution | None:
    """Read a distribution; its bins are kept if they are as many as their edges allow."""
    known = {ours: told.number(key) for key, ours in PERCENTILES.items()}
    percentiles = {name: value for name, value in known.items() if value is not None}
    if not percentiles:
        return None
    edges, counts = _bins(told.part("histogram"))
    middle = percentiles.get("p50", next(iter(percentiles.values())))
    mean, least, most = (told.number(key) for key in ("mean", "min", "max"))
    return Distribution(
        values=sum(counts),
        missing=0,
        mean=middle if mean is None else mean,
        least=min(percentiles.values()) if least is None else least,
        most=max(percentiles.values()) if most is None else most,
        percentiles=percentiles,
        edges=edges,
        counts=counts,
    )


def _bins(told: Fields) -> tuple[tuple[float, ...], tuple[int, ...]]:
    edges, counts = _numbers(told, "edges"), _numbers(told, "counts")
    rising = all(one <= other for one, other in pairwise(edges))
    whole = all(count >= 0 and count == int(count) for count in counts)
    if not edges and not counts:
        return (), ()
    if len(edges) != len(counts) + 1 or not rising or not whole:
        hint = "expected rising edges, and a count between each two of them"
        raise told.error("", "not a histogram", hint=hint)
    return edges, tuple(int(count) for count in counts)


def _numbers(told: Fields, key: str) -> tuple[float, ...]:
    value: Any = told.value.get(key) or []
    if not isinstance(value, list):
        raise told.error(key, "not a list of numbers")
    each = Fields({str(at): one for at, one in enumerate(value)}, told.where, told.place(key))
    found = [each.number(at) for at in each.value]
    return tuple(one for one in found if one is not None)
