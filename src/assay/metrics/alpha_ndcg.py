"""Alpha-nDCG: reward documents for what the ones above them have not covered yet.

C. Clarke et al., "Novelty and diversity in information retrieval evaluation", SIGIR 2008. The ideal
ranking is found greedily, as there, since an exact one is NP-hard; a run that does even better than
that scores 1.
"""

import numpy as np

from assay.metrics._shape import metric
from assay.metrics._ties import mean_products
from assay.records import Coverage, Ints, JudgedRankings, PerQuery, ratio

__all__ = ["alpha_ndcg"]


@metric(ideal=False, parameters={"alpha": 0.5})
def alpha_ndcg(judged: JudgedRankings, k: int | None, alpha: float) -> PerQuery:
    """Compute nDCG in which each further document for the same item earns less."""
    got = _expected(judged, k, 1.0 - alpha) if judged.tied else _gained(judged, k, 1.0 - alpha)
    return np.minimum(ratio(got, _ideal(judged, k, 1.0 - alpha)), 1.0)


def _gained(judged: JudgedRankings, k: int | None, fade: float) -> PerQuery:
    """Fade each item by the number of its earlier appearances."""
    coverage = judged.coverage
    rows = np.flatnonzero(coverage.grade >= judged.level)
    rows = rows[np.lexsort((coverage.rank[rows], coverage.item[rows]))]
    item, rank = coverage.item[rows], coverage.rank[rows]
    earlier = np.arange(len(rows)) - np.searchsorted(item, item)
    shown = rank <= (k or np.inf)
    gain = shown * np.power(fade, earlier) / np.log2(rank + 1.0)
    sums = np.bincount(coverage.query[rows], gain, minlength=len(judged.queries))
    return sums.astype(np.float64)


def _expected(judged: JudgedRankings, k: int | None, fade: float) -> PerQuery:
    got = np.zeros(len(judged.queries))
    coverage = judged.coverage
    relevant = coverage.grade >= judged.level
    order = np.lexsort((coverage.first, coverage.item))
    order = order[relevant[order]]
    for query, item in _runs(coverage, order):
        got[query] += _item_gain(coverage, item, k, fade)
    return got


def _runs(coverage: Coverage, order: Ints) -> list[tuple[int, Ints]]:
    """Split the rows into those of one item each."""
    edges = np.flatnonzero(np.diff(coverage.item[order])) + 1
    return [(int(coverage.query[rows[0]]), rows) for rows in np.split(order, edges) if len(rows)]


def _item_gain(coverage: Coverage, rows: Ints, k: int | None, fade: float) -> float:
    """Add up what one item earns, span by span of equal scores."""
    gain, before = 0.0, 0
    for first in np.unique(coverage.first[rows]):
        here = rows[coverage.first[rows] == first]
        ranks = np.arange(first, coverage.last[here[0]] + 1.0)
        discount = np.where(ranks <= (k or np.inf), 1.0 / np.log2(ranks + 1.0), 0.0)
        rivals = np.full(len(here) - 1, fade)
        novelty = mean_products(rivals, len(ranks) - len(here))
        gain += fade**before * len(here) / len(ranks) * float(novelty @ discount)
        before += len(here)
    return gain


def _ideal(judged: JudgedRankings, k: int | None, fade: float) -> PerQuery:
    pool = judged.coverage
    relevant = pool.pool_grade >= judged.level
    query, document = pool.pool_query[relevant], pool.pool_document[relevant]
    item = pool.pool_item[relevant]
    if len(np.unique(item)) == len(np.unique(document)) == len(item):
        return judged.ideal_sum(lambda grade: (grade >= judged.level).astype(np.float64), k)
    edges = np.searchsorted(query, np.arange(len(judged.queries) + 1))
    return np.array(
        [
            _greedy(document[low:high], item[low:high], k, fade)
            for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
        ]
    )


def _greedy(document: Ints, item: Ints, k: int | None, fade: float) -> float:
    """Take the document that adds most, again and again; of equals the last id, as ndeval does."""
    documents, items = np.unique(document), np.unique(item)
    covers = np.zeros((len(documents), len(items)))
    covers[np.searchsorted(documents, document), np.searchsorted(items, item)] = 1.0
    worth = np.ones(len(items))
    total = 0.0
    for rank in range(1, min(len(documents), k or len(documents)) + 1):
        best = int((covers @ worth).argmax())
        total += float(covers[best] @ worth) / np.log2(rank + 1.0)
        worth = worth * np.where(covers[best] > 0, fade, 1.0)
        covers[best] = 0.0
    return total
