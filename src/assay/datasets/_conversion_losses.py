"""Two versions of a dataset -> what the second lacks, in words and numbers."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from assay.records import FACTOR, KEYS, Dataset, Judgment, Query, Reference
from assay.text.count_noun import count_noun

__all__ = ["losses", "pair_judgments"]

OF_QUERY: dict[str, Callable[[Query], object]] = {
    "key": lambda query: query.key,
    "text": lambda query: query.text,
    "category": lambda query: query.category,
    "difficulty": lambda query: query.difficulty,
    "collection": lambda query: query.collection,
    "weight": lambda query: query.weight if query.weight != 1 else None,
    "additional data": lambda query: dict(query.extra),
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
PlacesByName = dict[tuple[str, str], list[int]]


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
        yield f"decimal ratings become grades (rating x {before.factor})"
    if before.scale != after.scale:
        yield f"the scale changes from 0..{before.scale} to 0..{after.scale}"


def _further(dataset: Dataset) -> dict[str, object]:
    return {key: value for key, value in dataset.metadata.items() if key != FACTOR}


def _of_queries(before: Dataset, after: Dataset) -> Iterator[str]:
    kept = _same_queries(before, after)
    if gone := len(before.queries) - len(kept):
        yield count_noun(gone, "query is lost", "queries are lost")
    for noun, of in OF_QUERY.items():
        lost = sum(bool(of(old)) and of(old) != of(new) for old, new in kept)
        if lost:
            yield f"the {noun} of {count_noun(lost, 'query')} {_fate(noun)}"


def _of_judgments(before: Dataset, after: Dataset) -> Iterator[str]:
    kept, moved = [], 0
    for old, new in _same_queries(before, after):
        places = pair_judgments(old.judgments, new.judgments)
        moved += any(one[1] > other[1] for one, other in pairwise(places))
        kept += [(old.judgments[here], new.judgments[there]) for here, there in places]
    if gone := _total(before) - len(kept):
        yield count_noun(gone, "judgment is lost", "judgments are lost")
    if moved:
        yield f"the order of the judgments of {count_noun(moved, 'query')} changes"
    for noun, of in OF_JUDGMENT.items():
        lost = sum(of(one) not in (None, "") and of(one) != of(other) for one, other in kept)
        if lost:
            yield f"the {noun} of {count_noun(lost, 'judgment')} {_fate(noun)}"


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


def pair_judgments(before: Sequence[Judgment], after: Sequence[Judgment]) -> list[tuple[int, int]]:
    """Return the places of each judgment in both, where one reference shares a name with the other.

    Each belongs to one pair at most, and there are as many pairs as possible; a judgment without a
    partner is lost. Of several that compete for one partner, the highest grade gets it.

    >>> old = [Judgment(Reference(document_id="a"), 0), Judgment(Reference(document_id="b"), 3)]
    >>> pair_judgments(old, [Judgment(Reference(path="b"), 1)])
    [(1, 0)]
    """
    if len(before) == len(after) and all(
        old.reference == new.reference for old, new in zip(before, after, strict=True)
    ):
        return [(at, at) for at in range(len(before))]
    owners = _unchanged(before, after)
    taken = set(owners.values())
    named = _named(after)
    options = [list(_options(one.reference, named)) for one in before]
    rest = (at for at in range(len(before)) if at not in taken and options[at])
    for at in sorted(rest, key=lambda at: -before[at].grade):
        _place(at, options, owners)
    return sorted((old, new) for new, old in owners.items())


def _unchanged(before: Sequence[Judgment], after: Sequence[Judgment]) -> dict[int, int]:
    """Return the place before of each judgment that stayed as it was, by its place after."""
    places: dict[Judgment, list[int]] = {}
    for at in reversed(range(len(before))):
        places.setdefault(before[at], []).append(at)
    return {at: places[one].pop() for at, one in enumerate(after) if places.get(one)}


def _named(after: Sequence[Judgment]) -> PlacesByName:
    """Return the places of the judgments by each key and name; key "" is any but the symbol."""
    named: PlacesByName = {}
    for at, one in enumerate(after):
        for key, name in _names(one.reference):
            named.setdefault((key, name), []).append(at)
            if key != "symbol":
                named.setdefault(("", name), []).append(at)
    return named


def _options(reference: Reference, named: PlacesByName) -> Iterator[int]:
    """Yield what may be the same: first by the same key, then by a name that changed its key."""
    given = list(_names(reference))
    moved = [("", name) for key, name in given if key != "symbol"]
    found = (at for name in (*given, *moved) for at in named.get(name, ()))
    return iter(dict.fromkeys(found))


def _names(reference: Reference) -> Iterator[tuple[str, str]]:
    given = ((key, getattr(reference, key)) for key in (*KEYS, "symbol"))
    return ((key, name.strip() or name) for key, name in given if name)  # some formats trim names


def _place(first: int, options: Sequence[Sequence[int]], owners: dict[int, int]) -> None:
    """Find a partner; who has it already may move to another (an augmenting path: Berge 1957)."""
    reached: dict[int, int] = {}
    waiting = [first]
    for old in waiting:
        for new in options[old]:
            if new in reached:
                continue
            reached[new] = old
            if new in owners:
                waiting.append(owners[new])
                continue
            _move(first, new, reached, owners)
            return


def _move(first: int, new: int, reached: dict[int, int], owners: dict[int, int]) -> None:
    """Give each on the way the partner that it reached, and so free that of the one before."""
    held = {old: at for at, old in owners.items()} if reached[new] != first else {}
    while True:
        old = reached[new]
        owners[new] = old
        if old == first:
            return
        new = held[old]
