"""Sets of words that are nearly equal, without comparing each with each."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

__all__ = ["near_pairs"]

MOST = 10  # pairs of one set; beyond this it belongs to a family, whose pairs say nothing more

Index = dict[int, dict[int, list[int]]]


def near_pairs(
    sets: Sequence[frozenset[str]], *, threshold: float, most: int = MOST
) -> list[tuple[int, int, float]]:
    """Return pairs of different sets whose Jaccard similarity reaches the threshold.

    Two such sets share one of their rarest words: prefix filtering with length bounds, as in PPJoin
    (Xiao et al., WWW 2008). A set that has met ``most`` others is compared no more, so that half a
    million queries of one template cost no square of their number.
    """
    ranked = _ranked(sets)
    marks = [_mark(row) for row in ranked]
    met = [0] * len(sets)
    index: Index = {}
    pairs = []
    for one in sorted(range(len(sets)), key=lambda at: len(ranked[at])):
        for other in _candidates(ranked[one], index, threshold, met, most):
            size = len(ranked[one]) + len(ranked[other])
            need = _need(size, threshold)
            if (marks[one] ^ marks[other]).bit_count() > size - 2 * need:
                continue
            common = len(sets[one] & sets[other])
            if common >= need:
                pairs.append((min(one, other), max(one, other), common / (size - common)))
                met[one] += 1
                met[other] += 1
                if met[one] >= most:
                    break
        _enter(one, ranked[one], index, threshold)
    return sorted(pairs)


def _need(size: int, threshold: float) -> int:
    """Return how many words two sets of this size together must share."""
    return math.ceil(threshold / (1 + threshold) * size - 1e-9)


def _ranked(sets: Sequence[frozenset[str]]) -> list[list[int]]:
    """Number the words from the rarest to the commonest, and sort each set so."""
    counts = Counter(word for one in sets for word in one)
    numbers = {word: at for at, word in enumerate(sorted(counts, key=lambda w: (counts[w], w)))}
    return [sorted(numbers[word] for word in one) for one in sets]


def _mark(row: Sequence[int]) -> int:
    """Fold a set into 64 bits; what differs in the marks differs in the sets."""
    mark = 0
    for word in row:
        mark |= 1 << (word * 0x9E3779B97F4A7C15 >> 40 & 63)
    return mark


def _candidates(
    row: Sequence[int], index: Index, threshold: float, met: list[int], most: int
) -> Iterator[int]:
    """Yield the smaller sets that share a rare enough word with this one, each once."""
    size = len(row)
    least = math.ceil(threshold * size - 1e-9)
    tried: set[int] = set()
    for at, word in enumerate(row[: size - least + 1]):
        for other, members in index.get(word, {}).items():
            reach = size - _need(size + other, threshold)
            # Sets of one size that may differ in nothing are equal, and no pair of different ones.
            if other < least or at > reach or (other == size and reach == 0):
                continue
            if any(met[member] >= most for member in members):
                members[:] = [member for member in members if met[member] < most]
            for member in members.copy():
                if member not in tried:
                    tried.add(member)
                    yield member


def _enter(one: int, row: Sequence[int], index: Index, threshold: float) -> None:
    """Put a set under those of its words that a pair of it and a larger one must share one of."""
    size = len(row)
    for word in row[: size - _need(2 * size, threshold) + 1]:
        index.setdefault(word, {}).setdefault(size, []).append(one)
