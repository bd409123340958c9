"""Documents that share expected items -> what each is worth in the best order of them.

A document claims all its items that are free and is worth the best of them, so that one taken early
may leave nothing for another: the best order is searched for, rank by rank, over sets of claimed
items (A. Land and A. Doig, "An automatic method of solving discrete programming problems", 1960).
"""

import math
from collections.abc import Callable, Iterator
from itertools import count

__all__ = ["Claims", "best_order"]

Claims = dict[int, float]  # the items that a document meets, and what each is worth in it
Shared = list[tuple[int, list[tuple[int, float]]]]  # items as bits: all of a document, and each
State = tuple[int, int]  # the items that are claimed, as bits; how many documents of their own
Found = tuple[float, tuple[float, ...]]  # the discounted sum of a ranking, and its gains

EXACT = 10  # shared items up to which nothing but what cannot win is left out
STEPS = 1_000_000  # items looked at where there are more: a few tenths of a second
NOTHING = 1e-12


def best_order(
    documents: list[Claims], k: int | None = None, *, value: Callable[[float], float] = float
) -> list[float]:
    """Return the gains of the best ranking, from the first rank on.

    ``value`` is what the metric makes of a gain. The answer is exact where up to ten items are met
    by documents that share them; above, the most promising rankings are followed.

    >>> best_order([{1: 3.0, 2: 2.0}, {2: 2.0}])
    [2.0, 3.0]
    """
    left = _undominated(documents)
    greedy = _greedy(left)
    search = _Search(left, k, value)
    return list(search.improve(greedy)[1])


class _Search:
    """The best ranking of documents, found by extending all that could still win."""

    def __init__(
        self, documents: list[Claims], k: int | None, value: Callable[[float], float]
    ) -> None:
        self._value, self._k = value, k
        alone, shared = _apart(documents)
        self._alone = sorted((max(one.values()) for one in alone), reverse=True)
        items = sorted({item for one in shared for item in one})
        bit = {item: 1 << at for at, item in enumerate(items)}
        self._shared: Shared = [_as_bits(one, bit) for one in shared]
        tops = {bit[item]: max(one.get(item, 0.0) for one in shared) for item in items}
        self._tops = sorted(tops.items(), key=lambda one: -one[1])
        ranks = min(k or len(items) + len(alone), len(items) + len(alone))
        width = STEPS // max(1, ranks * len(shared) * len(items))
        self._width = None if len(items) <= EXACT else width

    def improve(self, gains: list[float]) -> Found:
        """Return the best ranking, which is the one given unless there is a better one."""
        best: Found = (self._sum(gains), tuple(gains))
        layer: dict[State, Found] = {} if self._width == 0 else {(0, 0): (0.0, ())}
        for rank in count(1):
            layer = self._extended(layer, rank) if self._k is None or rank <= self._k else {}
            if not layer:
                return best
            best = max([best, *layer.values()], key=lambda one: one[0])
            layer = self._promising(layer, rank, best[0])
        raise AssertionError  # count() has no end

    def _extended(self, layer: dict[State, Found], rank: int) -> dict[State, Found]:
        weight, longer = _discount(rank), dict[State, Found]()
        for state, (total, gains) in layer.items():
            for after, gain in self._next(state):
                now = total + self._value(gain) * weight
                if after not in longer or now > longer[after][0]:
                    longer[after] = (now, (*gains, gain))
        return longer

    def _next(self, state: State) -> Iterator[tuple[State, float]]:
        claimed, alone = state
        if alone < len(self._alone):
            yield (claimed, alone + 1), self._alone[alone]
        for every, each in self._shared:
            gain = next((gain for bit, gain in each if not claimed & bit), 0.0)
            if gain > 0:
                yield (claimed | every, alone), gain

    def _promising(self, layer: dict[State, Found], rank: int, best: float) -> dict[State, Found]:
        """Keep what could become better than the best, if each free item had its best rank."""
        could = {state: one[0] + self._at_most(state, rank) for state, one in layer.items()}
        kept = [state for state in layer if could[state] > best + NOTHING]
        if self._width is not None:
            kept = sorted(kept, key=lambda state: -could[state])[: self._width]
        return {state: layer[state] for state in kept}

    def _at_most(self, state: State, rank: int) -> float:
        claimed, alone = state
        free = [gain for bit, gain in self._tops if not claimed & bit]
        return self._sum(sorted([*free, *self._alone[alone:]], reverse=True), rank)

    def _sum(self, gains: list[float], above: int = 0) -> float:
        last = None if self._k is None else max(self._k - above, 0)
        ranked = enumerate(gains[:last], above + 1)
        return sum(self._value(gain) * _discount(rank) for rank, gain in ranked)


def _discount(rank: int) -> float:
    return 1.0 / math.log2(rank + 1.0)


def _as_bits(claims: Claims, bit: dict[int, int]) -> tuple[int, list[tuple[int, float]]]:
    """Write the items of a document as bits, the best first."""
    each = sorted(((bit[item], gain) for item, gain in claims.items()), key=lambda one: -one[1])
    return sum(one for one, _ in each), each


def _undominated(documents: list[Claims]) -> list[Claims]:
    """Leave out what is worth nothing, or has the items of another and none worth more."""
    left: dict[frozenset[int], list[Claims]] = {}
    for one in sorted(documents, key=lambda one: -sum(one.values())):
        alike = left.setdefault(frozenset(one), [])
        if any(one.values()) and not any(
            all(gain <= other[item] for item, gain in one.items()) for other in alike
        ):
            alike.append(one)
    return [one for alike in left.values() for one in alike]


def _apart(documents: list[Claims]) -> tuple[list[Claims], list[Claims]]:
    """Part the documents none of whose items another document has from the others."""
    times: dict[int, int] = {}
    for one in documents:
        for item in one:
            times[item] = times.get(item, 0) + 1
    alone = [one for one in documents if all(times[item] == 1 for item in one)]
    return alone, [one for one in documents if any(times[item] > 1 for item in one)]


def _greedy(documents: list[Claims]) -> list[float]:
    """Take what is worth most by then, and of equals what takes the least from others."""
    gains: list[float] = []
    claimed: set[int] = set()
    left = documents
    while left:
        worths = [_worth(one, claimed) for one in left]
        at = max(range(len(left)), key=worths.__getitem__)
        if not worths[at][0]:
            break
        gains.append(worths[at][0])
        claimed |= left[at].keys()
        left = left[:at] + left[at + 1 :]
    return gains


def _worth(claims: Claims, claimed: set[int]) -> tuple[float, float]:
    """Return what a document is worth now, and what it takes away, as a negative number."""
    free = [gain for item, gain in claims.items() if item not in claimed]
    top = max(free, default=0.0)
    return top, top - sum(free)
