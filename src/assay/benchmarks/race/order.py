"""The order in which the queries of a race are run, and when runs are tested."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import OpenCollections, strata_of
from assay.records import Floats, Ints

__all__ = ["Order", "ends_of", "order_of"]

GROWTH = 1.2  # of the number of queries from one look to the next, ...
LEAST = 5  # ... which are at least so many apart
STREAM = 0x5ACE  # tells these random numbers from those that choose a sample


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """All judged queries in random order; ``ends`` are the numbers of queries after a block.

    Before ``first`` queries nobody looks; where there are no more than that, nobody ever does.
    ``weights`` has the weight of each query in the mean, 1 for the heaviest: collections count the
    same, whatever their number of queries. ``groups`` numbers the collection of each, ``traffic``
    has the weight of each beside others of its collection.
    """

    queries: tuple[str, ...]
    ends: tuple[int, ...]
    weights: Floats
    groups: Ints
    first: int
    traffic: Floats | None = None

    def block(self, collections: OpenCollections, start: int, end: int) -> list[OpenCollection]:
        """Return the datasets with the queries of a block alone; those without any are left out."""
        chosen = {key: at for at, key in enumerate(self.queries[start:end])}
        found = [_only(collection, chosen) for collection in collections.each]
        return [collection for collection in found if collection.queries]


def order_of(collections: OpenCollections, *, seed: int, first: int) -> Order:
    """Shuffle the judged queries; each dataset has one at least in the ``first`` block."""
    judged = collections.truth.judgments.queries
    places = np.random.default_rng([seed, STREAM]).permutation(len(judged))
    strata = strata_of(collections)
    groups = np.zeros(len(judged), np.int64) if strata is None else strata
    traffic = collections.truth.judgments.query_weights(judged)
    seen = np.unique(groups[places], return_index=True)[1]
    first = max(first, int(seen.max(initial=0)) + 1)
    return Order(
        queries=tuple(judged[at] for at in places),
        ends=ends_of(first, len(judged)),
        weights=_shares(groups, traffic)[places],
        groups=groups[places],
        first=first,
        traffic=None if traffic is None else traffic[places],
    )


def _shares(groups: Ints, traffic: Floats | None) -> Floats:
    """Return each query's share of the mean, as a part of the largest."""
    if traffic is None:
        sizes = np.bincount(groups)[groups]
        return np.asarray(sizes.min(initial=len(groups)) / sizes, np.float64)
    shares = traffic / np.bincount(groups, traffic)[groups]
    return np.asarray(shares / shares.max(initial=0.0), np.float64)


def ends_of(first: int, queries: int) -> tuple[int, ...]:
    """Look early and often while few were asked, and never after the last: all is known then."""
    ends: list[int] = []
    end = first
    while end < queries:
        ends.append(end)
        end = max(end + LEAST, int(end * GROWTH))
    return tuple(ends)


def _only(collection: OpenCollection, chosen: Mapping[str, int]) -> OpenCollection:
    picked = [query for query in collection.queries if collection.key(query.key) in chosen]
    ordered = sorted(picked, key=lambda query: chosen[collection.key(query.key)])
    return replace(collection, dataset=replace(collection.dataset, queries=tuple(ordered)))
