"""Judgments -> the largest nDCG that any ranking reaches, where expected items share documents.

The ideal counts every item, but a document is worth only the best of the items that it claims. So
the order matters that leaves each document an item of its own: it is found by trying all orders of
up to EXACT items, and greedily beyond that.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np

from assay.rankings.judge import judge
from assay.records import Judgments, Metric, PerQuery, Rankings, encode

__all__ = ["reachable", "reachable_notes"]

EXACT = 8  # items of a query, of which all orders are tried
GAINS: dict[str, Callable[[float], float]] = {
    "ndcg": lambda grade: grade,
    "ndcg_exp": lambda grade: float(2.0**grade - 1.0),
}
Worth = dict[int, float]  # item -> gain of a document that claims it


def reachable(judgments: Judgments, wanted: Sequence[Metric]) -> dict[str, PerQuery]:
    """Return the best score of each query for each nDCG in use; nothing where 1 is reachable."""
    graded = [one for one in wanted if one.name in GAINS and one.tokens is None]
    if not graded or not _is_short_of_1(judgments):
        return {}
    pools = [_pool(judgments, at) for at in range(len(judgments.queries))]
    best = {}
    for metric in graded:
        gain, k = GAINS[metric.name], metric.k
        orders = [_order(pool, gain, len(pool) if k is None else k) for pool in pools]
        best[str(metric)] = metric.score(judge(judgments, _rankings(judgments, orders)))
    return best


def reachable_notes(most: Mapping[str, float]) -> tuple[str, ...]:
    """Say what scores are to be compared with, in one note for all metrics."""
    if not most:
        return ()
    named = ", ".join(f"{metric} {value:.4f}" for metric, value in most.items())
    why = "expected items share documents, have match weights or are not found"
    return (f"the highest possible score is {named}, since {why}",)


def _is_short_of_1(judgments: Judgments) -> bool:
    """Tell whether a document meets two relevant items of a query, or one of them in part only."""
    if judgments.items is None:
        return False
    relevant = (judgments.grades > 0) & (judgments.documents != b"")
    if judgments.weights is not None and (judgments.weights[relevant] < 1).any():
        return True
    names = zip(judgments.query[relevant], judgments.documents[relevant], strict=True)
    return len(set(names)) < int(relevant.sum())


def _pool(judgments: Judgments, at: int) -> dict[str, Worth]:
    """Return what each document of a query is worth, by item; of equal ones the first is enough."""
    rows = range(int(judgments.offsets[at]), int(judgments.offsets[at + 1]))
    items, weights = judgments.items, judgments.weights
    pool: dict[str, Worth] = {}
    for row in rows:
        name, grade = judgments.documents[row].decode(), int(judgments.grades[row])
        if name and grade > 0 and items is not None:
            weight = 1.0 if weights is None else float(weights[row])
            pool.setdefault(name, {})[int(items[row])] = grade * weight
    return {name: dict(worth) for worth, name in _distinct(pool).items()}


def _distinct(pool: dict[str, Worth]) -> dict[tuple[tuple[int, float], ...], str]:
    kinds: dict[tuple[tuple[int, float], ...], str] = {}
    for name, worth in pool.items():
        kinds.setdefault(tuple(sorted(worth.items())), name)
    return kinds


def _order(pool: dict[str, Worth], gain: Callable[[float], float], k: int) -> list[str]:
    """Put documents in the order of the largest discounted gain."""
    items = frozenset(item for worth in pool.values() for item in worth)
    if len(items) > EXACT:
        return _greedy(pool, k)
    documents = [(name, frozenset(worth), worth) for name, worth in pool.items()]

    @cache
    def best(open_: frozenset[int], rank: int) -> tuple[float, tuple[str, ...]]:
        found: tuple[float, tuple[str, ...]] = (0.0, ())
        for name, claims, worth in documents if rank <= k else ():
            if now := claims & open_:
                rest, names = best(open_ - now, rank + 1)
                gained = gain(max(worth[item] for item in now)) / float(np.log2(rank + 1.0))
                found = max(found, (gained + rest, (name, *names)), key=lambda one: one[0])
        return found

    return [*best(items, 1)[1]]


def _greedy(pool: dict[str, Worth], k: int) -> list[str]:
    """Take the document of the largest gain, and of equal ones that which claims the fewest."""
    open_ = {item for worth in pool.values() for item in worth}
    order: list[str] = []
    while open_ and len(order) < k:
        left = [
            (name, [w for item, w in worth.items() if item in open_], worth)
            for name, worth in pool.items()
        ]
        name, _, worth = max(
            (one for one in left if one[1]), key=lambda one: (max(one[1]), -len(one[1]))
        )
        order.append(name)
        open_ -= worth.keys()
    return order


def _rankings(judgments: Judgments, orders: Sequence[Sequence[str]]) -> Rankings:
    sizes = [len(order) for order in orders]
    return Rankings(
        "best",
        judgments.queries,
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        encode(name for order in orders for name in order),
        np.concatenate(
            [np.arange(0, -size, -1, dtype=np.float64) for size in sizes] or [np.empty(0)]
        ),
        "order",
    )
