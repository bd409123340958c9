"""Rankings + judgments -> judged rankings: find the retrieved documents that somebody judged.

The judged documents go into an open-addressing table in one array, behind a sparse filter of one
byte per slot. The run passes by in pieces that fit the processor's cache; most rows meet an empty
byte and are done after one look.
"""

from dataclasses import dataclass

import numpy as np

from assay.records import (
    Bools,
    Coverage,
    Floats,
    Ints,
    JudgedRankings,
    Judgments,
    Names,
    Rankings,
    Words,
    as_words,
    fingerprints,
)

__all__ = ["judge"]

CHUNK = 1 << 15


def judge(
    judgments: Judgments, rankings: Rankings, *, condense: bool = False, expected: bool = False
) -> JudgedRankings:
    """Join one run with its judgments, in the order of the judged queries.

    ``condense`` takes unjudged documents out of the rankings; ``expected`` keeps how far ties let
    each document move.
    """
    in_run = {query: at for at, query in enumerate(rankings.queries)}
    where = np.array([in_run.get(query, -1) for query in judgments.queries], np.int64)
    table = _Table(judgments)
    row, entry = table.find(rankings, where)
    hits = _Hits.of(judgments, rankings, where, row, table.query[entry], expected=expected)
    order = np.lexsort((hits.rank, hits.query))
    hits, entry = hits.take(order), entry[order]
    retrieved = np.where(where >= 0, rankings.counts[where], 0) if len(where) else where
    if condense:
        judged = table.top_grade[entry] >= 0
        hits, entry = hits.take(judged).condensed(), entry[judged]
        retrieved = np.bincount(hits.query, minlength=len(where))
    return _claim(judgments, table, hits, entry, retrieved, expected=expected)


class _Table:
    """The judged documents by query and id: an entry each, its rows, and how to find it."""

    def __init__(self, judgments: Judgments) -> None:
        query = judgments.query
        self.seeds = fingerprints(
            np.arange(1, len(judgments.queries) + 1, dtype=np.uint64).reshape(-1, 1), np.uint64(0)
        )
        keys = fingerprints(as_words(judgments.documents), self.seeds[query])
        self.entry_of_row = _entries(judgments)
        first = np.unique(self.entry_of_row, return_index=True)[1]
        self.query, self.documents = query[first], judgments.documents[first]
        self.keys = keys[first]
        self.top_grade = np.full(len(first), np.iinfo(np.int64).min)
        np.maximum.at(self.top_grade, self.entry_of_row, judgments.grades)
        self.slots, self.shift = _slots(self.keys)
        self.filter, self.filter_shift = _filter(self.keys)

    def find(self, rankings: Rankings, where: Ints) -> tuple[Ints, Ints]:
        """Return the rows of the run that are judged, and the entry of each."""
        judged_query = np.full(len(rankings.queries), -1)
        judged_query[where[where >= 0]] = np.flatnonzero(where >= 0)
        marked = [
            self._marked(rankings, judged_query, low, high)
            for low, high in _pieces(rankings.offsets, judged_query)
        ]
        row = np.concatenate([rows for rows, _ in marked] or [np.empty(0, np.int64)])
        keys = np.concatenate([part for _, part in marked] or [np.empty(0, np.uint64)])
        query = judged_query[np.searchsorted(rankings.offsets, row, side="right") - 1]
        entry = self._probe(keys, rankings.documents[row], query)
        return row[entry >= 0], entry[entry >= 0]

    def _marked(
        self, rankings: Rankings, judged_query: Ints, low: int, high: int
    ) -> tuple[Ints, Words]:
        """Return the few rows of a piece that the filter lets through, with their keys."""
        start, end = int(rankings.offsets[low]), int(rankings.offsets[high])
        counts = np.diff(rankings.offsets[low : high + 1])
        seeds = np.repeat(self.seeds[judged_query[low:high]], counts)
        keys = fingerprints(as_words(rankings.documents[start:end]), seeds)
        row = np.flatnonzero(self.filter[(keys >> self.filter_shift).view(np.int64)])
        return start + row, keys[row]

    def _probe(self, keys: Words, names: Names, query: Ints) -> Ints:
        """Walk on from slots that hold another document until the right one or an empty slot."""
        slot = (keys >> self.shift).astype(np.int64)
        entry = self.slots[slot].astype(np.int64)
        matched = np.full(len(keys), -1)
        open_ = np.flatnonzero(entry >= 0)
        while len(open_):
            at = entry[open_]
            same = (self.keys[at] == keys[open_]) & (self.query[at] == query[open_])
            same[same] = self.documents[at[same]] == names[open_[same]]
            matched[open_[same]] = at[same]
            open_ = open_[~same]
            slot[open_] = (slot[open_] + 1) % len(self.slots)
            entry[open_] = self.slots[slot[open_]]
            open_ = open_[entry[open_] >= 0]
        return matched


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


def _slots(keys: Words) -> tuple[Ints, np.uint64]:
    """Spread the entries over a table of at least twice their number; -1 is empty."""
    bits = max(10, (2 * len(keys)).bit_length())
    shift = np.uint64(64 - bits)
    slots = np.full(1 << bits, -1, np.int32)
    slot, waiting = (keys >> shift).astype(np.int64), np.arange(len(keys), dtype=np.int32)
    while len(waiting):
        free = waiting[slots[slot[waiting]] < 0]
        slots[slot[free]] = free
        waiting = waiting[slots[slot[waiting]] != waiting]
        slot[waiting] = (slot[waiting] + 1) % len(slots)
    return slots, shift  # type: ignore[return-value]


def _filter(keys: Words) -> tuple[Bools, np.uint64]:
    """Mark the slots of a table so wide that few foreign rows meet a mark."""
    bits = min(24, max(12, (32 * len(keys)).bit_length()))
    shift = np.uint64(64 - bits)
    marks = np.zeros(1 << bits, bool)
    marks[(keys >> shift).astype(np.int64)] = True
    return marks, shift


def _pieces(offsets: Ints, judged_query: Ints) -> list[tuple[int, int]]:
    """Cut the judged queries of a run into stretches of about CHUNK rows."""
    pieces: list[tuple[int, int]] = []
    low = 0
    while low < len(judged_query):
        if judged_query[low] < 0:
            low += 1
            continue
        limit = offsets[low] + CHUNK
        high = max(low + 1, int(np.searchsorted(offsets, limit, side="right")) - 1)
        gaps = np.flatnonzero(judged_query[low:high] < 0)
        high = low + int(gaps[0]) if len(gaps) else high
        pieces.append((low, high))
        low = high
    return pieces


@dataclass(frozen=True, slots=True, eq=False)
class _Hits:
    """Judged documents of the run: query, rank, and the ranks that ties let them take."""

    query: Ints
    rank: Ints
    first: Ints
    last: Ints

    @classmethod
    def of(
        cls,
        judgments: Judgments,
        rankings: Rankings,
        where: Ints,
        row: Ints,
        query: Ints,
        *,
        expected: bool,
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
    order = np.argsort(table.entry_of_row, kind="stable")
    sizes = np.bincount(table.entry_of_row, minlength=len(table.query))
    starts = np.cumsum(sizes) - sizes
    hit = np.repeat(np.arange(len(entry)), sizes[entry])
    step = np.arange(len(hit)) - np.repeat(np.cumsum(sizes[entry]) - sizes[entry], sizes[entry])
    row = order[starts[entry][hit] + step]
    item = row if judgments.items is None else judgments.items[row]
    grade = judgments.grades[row]
    gain = np.maximum(grade, 0).astype(np.float64)
    coverage = Coverage(
        query=hits.query[hit],
        rank=hits.rank[hit],
        first=hits.first[hit],
        last=hits.last[hit],
        item=item,
        grade=grade,
        pool_query=judgments.query,
        pool_document=table.entry_of_row,
        pool_item=np.arange(len(judgments.grades)) if judgments.items is None else judgments.items,
        pool_grade=judgments.grades,
    )
    if judgments.items is None:
        leading = fresh = np.ones(len(hit), bool)
    else:
        gain = gain * (1.0 if judgments.weights is None else judgments.weights[row])
        hit, grade, gain, leading, fresh = _claimed(hit, item, grade, gain)
    ideal_query, ideal_grade = _ideal(judgments)
    return JudgedRankings(
        queries=judgments.queries,
        query=hits.query[hit],
        rank=hits.rank[hit],
        grade=grade,
        gain=gain,
        leading=leading,
        fresh=fresh,
        first=hits.first[hit],
        last=hits.last[hit],
        retrieved=retrieved,
        ideal_query=ideal_query,
        ideal_grade=ideal_grade,
        scale=judgments.scale,
        coverage=coverage,
        tied=expected,
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
