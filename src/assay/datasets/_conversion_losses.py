"""Two versions of a dataset -> what the second lacks, in words and numbers."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from assay.datasets._pairs import pairs
from assay.records import FACTOR, KEYS, Dataset, Judgment, Query

__all__ = ["losses"]

OF_QUERY: dict[str, Callable[[Query], object]] = {
    "key": lambda query: query.key,
    "text": lambda query: query.text,
    "category": lambda query: query.category,
    "difficulty": lambda query: query.difficulty,
    "collection": lambda query: query.collection,
    "further field": lambda query: dict(query.extra),
}
OF_JUDGMENT: dict[str, Callable[[Judgment], object]] = {
    "grade": lambda judgment: judgment.grade,
    "group": lambda judgment: judgment.group,
    "reason": lambda judgment: _reason(judgment),
    "provenance": lambda judgment: _provenance(judgment),
    "symbol": lambda judgment: judgment.reference.symbol,
    "match mode": lambda judgment: judgment.reference.match,
    "reference key": lambda judgment: [getattr(judgment.reference, key) for key in KEYS],
}


def losses(before: Dataset, after: Dataset) -> list[str]:
    """Say what ``after`` no longer holds of ``before``; the order of queries is the same in both.

    >>> whole = Dataset("d", (Query("q1", "where are retries", category="concept"),))
    >>> losses(whole, Dataset("d", (Query("q1", "where are retries"),)))
    ['the category of 1 query is lost']
    """
    return [*_of_dataset(before, after), *_of_queries(before, after), *_of_judgments(before, after)]


def _of_dataset(before: Dataset, after: Dataset) -> Iterator[str]:
    for field in ("description", "documents", "corpus"):
        if getattr(before, field) and getattr(before, field) != getattr(after, field):
            yield f"the {field} {'are' if field == 'documents' else 'is'} lost"
    old, new = _further(before), _further(after)
    if old and old != new:
        yield "the metadata is lost"
    if before.factor != after.factor:
        yield f"ratings with decimals become grades x {before.factor}"
    if before.scale != after.scale:
        yield f"the scale becomes 0..{after.scale} instead of 0..{before.scale}"


def _further(dataset: Dataset) -> dict[str, object]:
    return {key: value for key, value in dataset.metadata.items() if key != FACTOR}


def _of_queries(before: Dataset, after: Dataset) -> Iterator[str]:
    kept = _same_queries(before, after)
    if gone := len(before.queries) - len(kept):
        yield f"{_count(gone, 'query')} cannot be kept"
    for noun, of in OF_QUERY.items():
        lost = sum(bool(of(old)) and of(old) != of(new) for old, new in kept)
        if lost:
            yield f"the {noun} of {_count(lost, 'query')} {_fate(noun)}"


def _of_judgments(before: Dataset, after: Dataset) -> Iterator[str]:
    kept, moved = [], 0
    for old, new in _same_queries(before, after):
        places = pairs(old.judgments, new.judgments)
        moved += any(one[1] > other[1] for one, other in pairwise(places))
        kept += [(old.judgments[here], new.judgments[there]) for here, there in places]
    if gone := _total(before) - len(kept):
        yield f"{_count(gone, 'judgment')} cannot be kept"
    if moved:
        yield f"the order of the judgments of {_count(moved, 'query')} changes"
    for noun, of in OF_JUDGMENT.items():
        lost = sum(of(one) not in (None, "") and of(one) != of(other) for one, other in kept)
        if lost:
            yield f"the {noun} of {_count(lost, 'judgment')} {_fate(noun)}"


def _same_queries(before: Dataset, after: Dataset) -> list[tuple[Query, Query]]:
    """Pair the queries by place, or by name where some are gone."""
    if len(before.queries) == len(after.queries):
        return list(zip(before.queries, after.queries, strict=True))
    left = {query.key: query for query in after.queries}
    by_text = all(query.key == query.text for query in after.queries)  # a format without keys
    first: dict[str, Query] = {}
    for query in before.queries:
        first.setdefault(query.text if by_text and query.text.strip() else query.key, query)
    return [(query, left[name]) for name, query in first.items() if name in left]


def _reason(judgment: Judgment) -> object:
    """Return what is said for a grade, be it empty; None where only its provenance is told."""
    said = judgment.because
    given = said is not None and (said.reason or said.lines or _provenance(judgment) is None)
    return (said.reason, said.lines) if said is not None and given else None


def _provenance(judgment: Judgment) -> object:
    said = judgment.because
    given = () if said is None else (said.judge, said.when, said.report, said.seen)
    return given if any(given) else None


def _fate(noun: str) -> str:
    return "changes" if noun in ("key", "grade", "reference key", "match mode") else "is lost"


def _total(dataset: Dataset) -> int:
    return sum(len(query.judgments) for query in dataset.queries)


def _count(number: int, noun: str) -> str:
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else many}"
