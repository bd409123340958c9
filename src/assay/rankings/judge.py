"""Rankings + judgments -> judged rankings: find the retrieved documents that somebody judged.

Each judged document is looked up in the run, not the other way round: a run has a thousand times as
many rows as judgments.
"""

from dataclasses import dataclass, replace

import numpy as np

from assay.records import Bools, Coverage, Floats, Ints, JudgedRankings, Judgments, Rankings

__all__ = ["judge"]


def judge(
    judgments: Judgments, rankings: Rankings, *, condense: bool = False, expected: bool = False
) -> JudgedRankings:
    """Join one run with its judgments, in the order of the judged queries.

    ``condense`` takes unjudged documents out of the rankings; ``expected`` keeps how far ties let
    each document move.
    """
    where = rankings.numbers(judgments.queries)
    table = _Table(judgments)
    row, entry = table.find(rankings, where)
    hits = _Hits.of(rankings, where, row, table.query[entry], expected=expected)
    order = np.lexsort((hits.rank, hits.query))
    hits, entry = hits.take(order), entry[order]
    retrieved = np.where(where >= 0, rankings.counts[where], 0) if len(where) else where
    if condense:
        judged = table.top_grade[entry] >= 0
        hits, entry = hits.take(judged).condensed(), entry[judged]
        retrieved = np.bincount(hits.query, minlength=len(where))
    found = _claim(judgments, table, hits, entry, retrieved, expected=expected)
    if rankings.tokens is None or condense:
        return found
    # The tokens of all results down to each hit.
    running = np.append(np.zeros(1, np.int64), np.cumsum(rankings.tokens))
    start = rankings.offsets[where[found.query]]
    return replace(found, tokens=running[start + found.rank] - running[start])


class _Table:
    """The judged documents by query and id: an entry each, and the entry of each judgment."""

    def __init__(self, judgments: Judgments) -> None:
        self.entry_of_row = _entries(judgments)
        first = np.unique(self.entry_of_row, return_index=True)[1]
        self.query, self.documents = judgments.query[first], judgments.documents[first]
        self.top_grade = np.full(len(first), np.iinfo(np.int64).min)
        np.maximum.at(self.top_grade, self.entry_of_row, judgments.grades)

    @property
    def descending(self) -> Ints:
        """Number the documents from the last id to the first, as ties are resolved elsewhere."""
        place = np.empty(len(self.documents), np.int64)
        place[np.argsort(self.documents, kind="stable")[::-1]] = np.arange(len(place))
        return place

    def find(self, rankings: Rankings, where: Ints) -> tuple[Ints, Ints]:
        """Return the rows of the run that are judged, and the entry of each."""
        entry = np.flatnonzero(where[self.query] >= 0)
        row = rankings.lookup.find(where[self.query[entry]], self.documents[entry])
        return row[row >= 0], entry[row >= 0]

    def rows_of(self, entry: Ints) -> tuple[Ints, Ints]:
        """List the judgments of each hit's document, beside the number of the hit."""
        order = np.argsort(self.entry_of_row, kind="stable")
        sizes = np.bincount(self.entry_of_row, minlength=len(self.query))
        starts = np.cumsum(sizes) - sizes
        hit = np.repeat(np.arange(len(entry)), sizes[entry])
        before = np.cumsum(sizes[entry]) - sizes[entry]
        return hit, order[starts[entry][hit] + np.arange(len(hit)) - before[hit]]


def _entries(judgments: Judgments) -> Ints:
    """Number the distinct documents of each query; only expected items repeat one.

    Items without a document have the empty id in common, but no document: each is its own entry.
    """
    if judgments.items is None:
        return np.arange(len(judgments.grades))
    numbers: dict[tuple[int, bytes | int], int] = {}
    rows = zip(
        judgments.query.tolist(),
        judgments.documents.tolist(),
        judgments.items.tolist(),
        strict=True,
    )
    return np.array(
        [numbers.setdefault((query, name or item), len(numbers)) for query, name, item in rows],
        np.int64,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Hits:
    """Judged documents of the run: query, rank, and the ranks that ties let them take."""

    query: Ints
    rank: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(
        cls, rankings: Rankings, where: Ints, row: Ints, query: Ints, *, expected: bool
    ) -> "_Hits":
        start = rankings.offsets[where[query]] if len(query) else query
        rank = row - start + 1
        if not expected:
            return cls(query, rank, rank, rank)
        scores = rankings.scores
        breaks = np.ones(len(scores) + 1, bool)
        breaks[1:-1] = scores[1:] != scores[:-1]
        breaks[rankings.offsets] = True
        edges = np.flatnonzero(breaks)
        at = np.searchsorted(edges, row, side="right")
        return cls(query, rank, edges[at - 1] - start + 1, edges[at] - start)

    def take(self, rows: Ints | Bools) -> "_Hits":
        return _Hits(self.query[rows], self.rank[rows], self.first[rows], self.last[rows])

    def condensed(self) -> "_Hits":
        """Number the hits as if nothing stood between them."""
        counts = np.bincount(self.query)
        start = (np.cumsum(counts) - counts)[self.query]
        position = np.arange(len(self.query))
        span = np.concatenate(
            ([0], np.cumsum((np.diff(self.query) != 0) | (np.diff(self.first) != 0)))
        )
        span = span[: len(position)]
        sizes = np.bincount(span)
        first = (np.cumsum(sizes) - sizes)[span]
        return _Hits(
            self.query, position - start + 1, first - start + 1, first + sizes[span] - start
        )


def _claim(
    judgments: Judgments,
    table: _Table,
    hits: _Hits,
    entry: Ints,
    retrieved: Ints,
    *,
    expected: bool,
) -> JudgedRankings:
    """Give each hit the items that no better-ranked hit has claimed."""
    hit, row = table.rows_of(entry)
    item = row if judgments.items is None else judgments.items[row]
    grade = judgments.grades[row]
    gain = np.maximum(grade, 0).astype(np.float64)
    coverage = _coverage(judgments, table, hits.take(hit), item, grade)
    if judgments.items is None:
        leading = fresh = np.ones(len(hit), bool)
    else:
        gain = gain * (1.0 if judgments.weights is None else judgments.weights[row])
        hit, grade, gain, leading, fresh = _claimed(hit, item, grade, gain)
    ideal_query, ideal_grade = _ideal(judgments)
    hits = hits.take(hit)
    return JudgedRankings(
        queries=judgments.queries,
        query=hits.query,
        rank=hits.rank,
        grade=grade,
        gain=gain,
        leading=leading,
        fresh=fresh,
        first=hits.first,
        last=hits.last,
        retrieved=retrieved,
        ideal_query=ideal_query,
        ideal_grade=ideal_grade,
        scale=judgments.scale,
        coverage=coverage,
        tied=expected,
        factor=judgments.factor,
    )


def _coverage(
    judgments: Judgments, table: _Table, hits: _Hits, item: Ints, grade: Ints
) -> Coverage:
    """Keep which document meets which item, whoever met it before."""
    rows = np.arange(len(judgments.grades))
    return Coverage(
        query=hits.query,
        rank=hits.rank,
        first=hits.first,
        last=hits.last,
        item=item,
        grade=grade,
        pool_query=judgments.query,
        pool_document=rows if judgments.items is None else table.descending[table.entry_of_row],
        pool_item=rows if judgments.items is None else judgments.items,
        pool_grade=judgments.grades,
    )


def _claimed(
    hit: Ints, item: Ints, grade: Ints, gain: Floats
) -> tuple[Ints, Ints, Floats, Bools, Bools]:
    """Keep the first claim of each item, and one empty row for a hit that claims nothing."""
    claims = np.zeros(len(hit), bool)
    claims[np.unique(item, return_index=True)[1]] = True
    # A later member is judged, unless all that it could meet is pooled but unjudged.
    grade = np.where(claims, grade, np.minimum(grade, 0))
    gain = np.where(claims, gain, 0.0)
    best = np.lexsort((-gain, hit))
    top = best[np.unique(hit[best], return_index=True)[1]]
    carried = np.zeros(len(hit))
    carried[top] = gain[top]
    by_grade = np.lexsort((-grade, hit))
    lead = by_grade[np.unique(hit[by_grade], return_index=True)[1]]
    leading = np.zeros(len(hit), bool)
    leading[lead] = True
    keep = claims | leading | (carried > 0)
    return hit[keep], grade[keep], carried[keep], leading[keep], claims[keep]


def _ideal(judgments: Judgments) -> tuple[Ints, Ints]:
    """List every item once with its full grade, the best of each query first."""
    query, grade = judgments.query, judgments.grades
    if judgments.items is not None:
        order = np.lexsort((-grade, judgments.items))
        first = order[np.unique(judgments.items[order], return_index=True)[1]]
        query, grade = query[first], grade[first]
    order = np.lexsort((-grade, query))
    return query[order], grade[order]
