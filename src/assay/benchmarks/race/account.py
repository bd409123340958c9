"""What a report tells of a race: its bound, who was beaten when and by whom, and what it saved."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.benchmarks.race.order import Order
from assay.records import Benchmark, Ints, Raced

__all__ = ["told"]

FEW = 5  # queries, of which none can be spared
METHOD = (
    "betting against being the best, on queries drawn without replacement "
    "(Waudby-Smith and Ramdas 2020, 2024); stopped at an e-value of 1 / alpha (Ville 1939)"
)


def told(
    raced: Raced | None,
    scores: Mapping[str, Sequence[float]],
    *,
    asked: Mapping[str, int],
    order: Order,
    benchmark: Benchmark,
    queries: int,
    fellows: Mapping[str, str],
    seed: int,
) -> dict[str, Any]:
    """Tell how a race went. A search is one query asked of one configuration, however often.

    ``asked`` has who took part, and after how many queries each was stopped, 0 if it was not.
    """
    stopped = {name: after for name, after in asked.items() if after}
    full = queries * len(asked)
    searches = sum(after or queries for after in asked.values())
    saved = 1 - searches / full if full else 0.0
    beaten = [
        _beaten(name, raced, scores, order.groups, fellows.get(name, name))
        for name in sorted(stopped, key=lambda name: stopped[name])
        if raced is not None
    ]
    return {
        "alpha": float(benchmark.race["alpha"]),
        "metric": benchmark.primary,
        "method": METHOD,
        "order_seed": seed,
        "queries": len(order.queries),
        "searches": searches,
        "searches_full": full,
        "saved": saved,
        "survivors": [name for name, after in asked.items() if not after],
        "beaten": beaten,
        "statement": _statement(benchmark, order, len(asked), len(beaten), saved),
    }


def _beaten(
    name: str,
    raced: Raced,
    scores: Mapping[str, Sequence[float]],
    groups: Ints,
    column: str,
) -> dict[str, Any]:
    """Tell of one; an e-value that is infinite (it cannot catch up) is None."""
    names = [*scores]
    at = names.index(column)
    after, leader = int(raced.after[at]), names[int(raced.by[at])]
    e_value = float(raced.e_values[at])
    return {
        "run": name,
        "after": after,
        "by": leader,
        "e_value": e_value if math.isfinite(e_value) else None,
        "score": _mean(scores[column], groups[:after]),
        "leader_score": _mean(scores[leader], groups[:after]),
    }


def _mean(scores: Sequence[float], groups: Ints) -> float:
    """Average the queries until then as a report does: each collection counts the same."""
    first = np.array(scores[: len(groups)])
    return float(np.mean([first[groups == one].mean() for one in np.unique(groups)]))


def _statement(benchmark: Benchmark, order: Order, runs: int, beaten: int, saved: float) -> str:
    """Say what is guaranteed, and what is not."""
    alpha, queries = float(benchmark.race["alpha"]), len(order.queries)
    if not order.ends:
        return _unraced(queries, order.first)
    if not beaten:
        return f"race: nobody was shown to be beaten before all {queries:,} queries were asked"
    were = "was" if beaten == 1 else "were"
    return (
        f"race: {beaten} of {runs} configurations {were} stopped early, which saved {saved:.0%} of "
        f"the searches (a search is one query asked of one configuration). Whichever is the best "
        f"by {benchmark.primary} over all {queries:,} queries was stopped with a chance of at most "
        f"{alpha:.3g}, over random orders of the queries and however often one looks"
    )


def _unraced(queries: int, first: int) -> str:
    """Say that nobody looked before the end, and how to look earlier."""
    few = f"{queries:,} quer{'y is' if queries == 1 else 'ies are'}"
    than = "fewer than" if queries < first else "no more than"
    sooner = max(1, queries // 3)
    hint = f"; `race: {{first: {sooner}}}` looks earlier" if queries > FEW else ""
    return f"race: {few} {than} the first look at {first:,}: nothing was raced{hint}"
