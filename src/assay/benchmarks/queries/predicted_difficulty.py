"""Rankings -> how hard each query is predicted to be, without any judgment."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np

from assay.records import Floats, Rankings, decode

__all__ = ["difficulty_bands", "predict_difficulty", "predictor"]

DEEP = 20  # documents of each query that are looked at
PERSISTENCE = 0.9  # with which a reader goes on to the next document
THREE = 3
LEVELS = {2: ("easy", "hard"), 3: ("easy", "medium", "hard")}


def predictor(runs: int) -> str:
    """Say what difficulty is predicted by."""
    spread = f"spread of the top {DEEP} scores"
    return f"{spread}, agreement between runs" if runs > 1 else spread


def predict_difficulty(rankings: Sequence[Rankings], queries: Sequence[str]) -> dict[str, float]:
    """Put the queries in order from 0 (easy) to 1 (hard); nothing where all look alike.

    A query looks easy where a run tells documents well apart, that is by the standard deviation of
    the first scores: Perez-Iglesias and Araujo (SPIRE 2010), as in NQC: Shtok et al. (TOIS 2012).
    The score of the corpus that NQC divides by is not known of a system of others; instead each
    run places the queries, and the mean of their places counts. It looks easy, too, where runs
    agree: Aslam and Pavlu (ECIR 2007), here by RBO: Webber, Moffat and Zobel (TOIS 2010). Both
    count the same. A query that failed in some run is not placed: that says nothing of the query.
    """
    queries = _answered(rankings, queries)
    if not rankings or not queries:
        return {}
    ease = _places(np.mean([_places(_spreads(one, queries)) for one in rankings], axis=0))
    if len(rankings) > 1:
        ease += _places(_agreements(rankings, queries))
    if np.ptp(ease) == 0:
        return {}
    return dict(zip(queries, _places(-ease).tolist(), strict=True))


def _answered(rankings: Sequence[Rankings], queries: Sequence[str]) -> list[str]:
    """Leave out what some run has no answer to, be it an empty one."""
    each = [(one.numbers(queries) >= 0).tolist() for one in rankings]
    return [query for query, *known in zip(queries, *each, strict=True) if all(known)]


def _spreads(rankings: Rankings, queries: Sequence[str]) -> Floats:
    """Return the standard deviation of the first scores; 0 where nothing was found."""
    found = np.zeros(len(queries))
    for at, rows in enumerate(_rows(rankings, queries)):
        scores = rankings.scores[rows]
        found[at] = scores.std() if len(scores) else 0.0
    return found


def _agreements(rankings: Sequence[Rankings], queries: Sequence[str]) -> Floats:
    """Return the mean RBO over all pairs of runs, as far as is looked."""
    each = [_rows(one, queries) for one in rankings]
    found = np.zeros(len(queries))
    for at, rows in enumerate(zip(*each, strict=True)):
        found[at] = _agreement(
            [decode(one.documents[row]) for one, row in zip(rankings, rows, strict=True)]
        )
    return found


def _agreement(orders: Sequence[Sequence[str]]) -> float:
    """Sum up over depths what share of the documents a pair of runs has in common.

    A document that n runs have shown so far is common to n (n - 1) / 2 pairs.
    """
    shown: Counter[str] = Counter()
    common, total, weight = 0, 0.0, 1.0
    for depth in range(DEEP):
        for order in orders:
            for document in islice(order, depth, depth + 1):
                common += shown[document]
                shown[document] += 1
        total += weight * common / (depth + 1)
        weight *= PERSISTENCE
    return total


def _rows(rankings: Rankings, queries: Sequence[str]) -> list[slice]:
    """Return where the first documents of each query stand."""
    offsets = rankings.offsets.tolist()
    return [
        slice(offsets[at], min(offsets[at + 1], offsets[at] + DEEP))
        for at in rankings.numbers(queries).tolist()
    ]


def _places(values: Floats) -> Floats:
    """Place values from 0 to 1, the smallest first; equal ones share the mean of their places."""
    _, member, counts = np.unique(values, return_inverse=True, return_counts=True)
    places = np.cumsum(counts) - (counts + 1) / 2
    return np.asarray(places[member] / max(len(values) - 1, 1), np.float64)


def difficulty_bands(hardness: Mapping[str, float]) -> dict[str, list[str]]:
    """Cut at the thirds, easiest first; equal queries stay together, where their middle falls.

    Where that leaves two bands these are easy and hard; where all queries are equal, or there is
    only one, there are none.
    """
    ordered = sorted(hardness, key=hardness.__getitem__)
    values = [hardness[query] for query in ordered]
    found: dict[int, list[str]] = {}
    for query, value in zip(ordered, values, strict=True):
        first, last = bisect_left(values, value), bisect_right(values, value)
        band = min((first + last) * THREE // (2 * len(values)), THREE - 1)
        found.setdefault(band, []).append(query)
    if len(found) not in LEVELS:
        return {}
    return dict(zip(LEVELS[len(found)], (found[band] for band in sorted(found)), strict=True))
