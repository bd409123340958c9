"""The figures that a check can name: metrics, costs, and what structure-aware ranking did."""

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from assay.errors import InputError
from assay.metrics import parse
from assay.records import Distribution, Interval, Metric, Run, Structure
from assay.records.costs import COSTS, Cost
from assay.statistics.wilson import wilson
from assay.text.near_miss import near_miss

__all__ = [
    "OVERLAP",
    "STRUCTURE",
    "UPLIFT",
    "Figure",
    "Measure",
    "find_figure",
    "structure_measure",
]

UPLIFT = "uplift"
OVERLAP = "edge_overlap"
# Figures of runs with coherence ranking; what is None is neither better high nor low.
STRUCTURE: dict[str, bool | None] = {
    "condition_bound_p95": False,
    "fallback_rate": False,
    "easy_gate_rate": None,
    "low_impact_gate_rate": None,
    "edge_overlap_p50": True,
    "edge_overlap_p10": True,
    "redundancy": False,
    UPLIFT: True,
}
SHARES = {"p10": 0.1, "p50": 0.5, "p95": 0.95}
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure by its canonical name; one of ``metric`` and ``cost`` is set, or it is structure."""

    name: str
    higher_is_better: bool | None
    metric: Metric | None = None
    cost: Cost | None = None

    @property
    def is_bounded(self) -> bool:
        """Whether it lies between 0 and 1, as every metric and every share does."""
        return (
            self.metric is not None or self.name.startswith(OVERLAP) or self.name.endswith("_rate")
        )


@dataclass(frozen=True, slots=True)
class Measure:
    """A value with its interval, if it has one; a share also has its ``hits`` and ``trials``."""

    value: float
    interval: Interval | None = None
    hits: int = 0
    trials: int = 0


def find_figure(text: str, *, where: str = "") -> Figure:
    """Find a figure by its name, as the names of metrics are read.

    >>> find_figure("nDCG@10").name, find_figure("latency_p95_ms").higher_is_better
    ('ndcg@10', False)
    """
    name = text.strip()
    if name in COSTS:
        return Figure(name, COSTS[name].higher_is_better, cost=COSTS[name])
    if name in STRUCTURE:
        return Figure(name, STRUCTURE[name])
    known = [*COSTS, *STRUCTURE]
    close = near_miss(name, known, alike=0.75)
    try:
        metric = parse(name)
    except InputError as error:
        near = error.hint if error.hint.startswith("did you mean") else ""
        other = near or f"{error.hint}; or {', '.join(known)}"
        hint = f'did you mean "{close}"?' if close else other
        raise InputError(f'unknown figure "{name[:60]}"', where=where, hint=hint) from None
    return Figure(str(metric), metric.kind.higher_is_better, metric=metric)


def structure_measure(run: Run, name: str) -> Measure | None:
    """Return a figure of structure; None where a run does not have it.

    >>> structure_measure(Run("bm25", "", {}), "fallback_rate") is None
    True
    """
    structure = run.structure
    if structure is None:
        return None
    if name.endswith("_rate"):
        return _rate(structure, name.removesuffix("_rate").removesuffix("_gate"))
    if name == "redundancy":
        method = structure.method(structure.returned)
        known = method.redundancy if method else None
        return None if known is None else Measure(known)
    if name == UPLIFT:
        return _uplift(structure)
    figure, _, share = name.rpartition("_")
    found = structure.distributions.get(figure)
    return None if found is None else _percentile(found, share)


def _rate(structure: Structure, name: str) -> Measure | None:
    rate = structure.rates.get(name)
    if rate is None:
        return None
    forced = structure.fallbacks.get("forced", 0) if name == "fallback" else 0
    trials = structure.studied - forced
    if trials < 1:  # a layout of another tool has the rate alone
        return Measure(rate)
    hits = round(rate * trials)
    return Measure(rate, wilson(hits, trials, level=LEVEL), hits, trials)


def _uplift(structure: Structure) -> Measure | None:
    """Return the gain over cosine as a share of its score."""
    method = structure.method(structure.returned)
    found = method.uplift.get(structure.primary) if method else None
    if found is None or found.relative is None:
        return None
    of, base = found.interval, abs(found.baseline)
    known = math.isfinite(of.low) and math.isfinite(of.high) and of.high > of.low
    ends = Interval(of.low / base, of.high / base) if known else None
    return Measure(found.relative, ends, trials=found.queries)


def _percentile(found: Distribution, share: str) -> Measure | None:
    value = found.percentiles.get(share)
    if value is None:
        return None
    return Measure(value, _percentile_interval(found, SHARES[share]), trials=found.values)


def _percentile_interval(found: Distribution, share: float) -> Interval | None:
    """Bound a percentile by the edges of the bins that hold the ends of its interval.

    How many values are below a percentile is binomial, as in ``percentile_interval``; a report has
    the bins and not the values, so that each end is that of a bin, which is the careful side.
    """
    from scipy.special import bdtr  # scipy only where a tail is needed

    count, tail = found.values, (1 - LEVEL) / 2
    if not found.counts:
        return None

    def at_most(below: int) -> float:
        return float(bdtr(below, count, share))

    first = bisect_right(range(count), tail, key=at_most)
    last = bisect_left(range(count), 1 - tail, key=at_most)
    low = _edge(found, first, upper=False) if first else -math.inf
    return Interval(low, _edge(found, last + 1, upper=True) if last < count else math.inf)


def _edge(found: Distribution, rank: int, *, upper: bool) -> float:
    """Return the edge of the bin with the value of a rank, the smallest value being 1."""
    seen = 0
    for at, count in enumerate(found.counts):
        seen += count
        if seen >= rank:
            return found.edges[at + upper]
    return found.edges[-1]
