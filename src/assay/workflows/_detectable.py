"""What a number of queries can detect: differences, their power, and how many more it takes."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from assay.records import Dataset, Evaluation
from assay.statistics.effect import effect
from assay.statistics.power import power
from assay.statistics.queries_needed import queries_needed
from assay.statistics.smallest_detectable import smallest_detectable

__all__ = ["detectable", "needed", "powers", "spreads_of"]

DIFFERENCES = (0.01, 0.02, 0.05, 0.1)
NUMBERS = (50, 100, 200, 500, 1000)


def detectable(
    dataset: Dataset, spreads: Sequence[float], pairs: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the smallest detectable difference, by number of queries and by category."""
    queries = len(dataset.queries)
    numbers = sorted({queries, 2 * queries, *NUMBERS} - {0})
    categories = Counter(query.category for query in dataset.queries if query.category)
    return {
        **_row(queries, spreads),
        "by_queries": [{"queries": number, **_row(number, spreads)} for number in numbers],
        "categories": {
            name: {"queries": number, **_row(number, spreads)}
            for name, number in sorted(categories.items(), key=lambda pair: (-pair[1], pair[0]))
        },
        "runs": list(pairs),
    }


def spreads_of(evaluations: Sequence[Evaluation], metric: str) -> list[dict[str, Any]]:
    """Return the spread of the differences of each pair of runs, and what it lets one detect."""
    pairs = []
    for one, other in combinations(evaluations, 2):
        size = effect(other.per_query[metric] - one.per_query[metric])
        queries = len(one.queries)
        pairs.append(
            {
                "runs": [one.run, other.run],
                "queries": queries,
                "difference": size.difference,
                "sd": _finite(size.sd),
                "smallest_detectable": _possible(smallest_detectable(sd=size.sd, queries=queries)),
            }
        )
    return pairs


def powers(queries: int, spreads: Sequence[float]) -> dict[str, dict[str, float]]:
    """Return the chance that a true difference of some sizes is found."""
    return {
        _key(sd): {
            f"{size:g}": power(size, sd=sd, queries=queries) if queries else 0.0
            for size in DIFFERENCES
        }
        for sd in spreads
    }


def needed(spreads: Sequence[float]) -> dict[str, dict[str, int]]:
    """Return how many queries it takes to find a difference four times out of five."""
    return {
        _key(sd): {f"{size:g}": queries_needed(size, sd=sd) for size in DIFFERENCES}
        for sd in spreads
    }


def _row(queries: int, spreads: Sequence[float]) -> dict[str, float | None]:
    return {_key(sd): _possible(smallest_detectable(sd=sd, queries=queries)) for sd in spreads}


def _key(sd: float) -> str:
    return f"sd={sd:g}"


def _possible(difference: float) -> float | None:
    """Return None for what cannot be: scores lie between 0 and 1, and so do their differences."""
    return difference if difference < 1 else None


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
