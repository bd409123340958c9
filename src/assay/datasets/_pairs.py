"""The judgments of a query before and after a change -> which of them is which."""

from collections.abc import Iterator, Sequence

from assay.records import KEYS, Judgment, Reference

__all__ = ["pairs"]

Named = dict[tuple[str, str], list[int]]


def pairs(before: Sequence[Judgment], after: Sequence[Judgment]) -> list[tuple[int, int]]:
    """Return the places of each judgment in both, where one reference shares a name with the other.

    Each stands in one pair at most, and there are as many pairs as can be; one without a partner
    is gone. Of several that compete for one partner, the highest grade gets it.

    >>> old = [Judgment(Reference(document_id="a"), 0), Judgment(Reference(document_id="b"), 3)]
    >>> pairs(old, [Judgment(Reference(path="b"), 1)])
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


def _named(after: Sequence[Judgment]) -> Named:
    """Return the places of the judgments by each key and name; key "" is any but the symbol."""
    named: Named = {}
    for at, one in enumerate(after):
        for key, name in _names(one.reference):
            named.setdefault((key, name), []).append(at)
            if key != "symbol":
                named.setdefault(("", name), []).append(at)
    return named


def _options(reference: Reference, named: Named) -> Iterator[int]:
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
