"""Sets of words that are nearly equal, without comparing each with each."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

__all__ = ["near_pairs"]

MOST = 10  # pairs of one set; beyond this it belongs to a family, whose pairs say nothing more
RARE = 16  # sets that hold a rare word: few enough to look at each
LONG = 12  # words of a prefix, beyond which its pairs of words are too many
BUDGET = 30_000_000  # comparisons: ten seconds or so


def near_pairs(
    sets: Sequence[frozenset[str]], *, threshold: float, most: int = MOST, budget: int = BUDGET
) -> tuple[list[tuple[int, int, float]], int | None]:
    """Return pairs of different sets whose Jaccard similarity reaches the threshold.

    Two such sets share one of their rarest words, or two where all that they share are common:
    prefix filtering with bounds on the length (PPJoin: Xiao et al., WWW 2008; longer prefixes:
    Wang, Li and Feng, SIGMOD 2012). A set that has met ``most`` others is compared no more, so
    that half a million queries of one template do not cost the square of their number. Where the
    budget of comparisons is spent, as with half a million queries out of three hundred words, the
    second value is the smallest size of sets that were not all compared, else None.
    """
    ranked, rare = _ranked(sets)
    index, join = _Index(threshold, rare), _Join(sets, [_mark(row) for row in ranked], most)
    for one in sorted(range(len(sets)), key=lambda at: len(ranked[at])):
        for members, need in index.candidates(ranked[one]):
            budget -= len(members)
            join.compare(one, members, need)
        if budget < 0:
            return join.sorted(), len(sets[one])
        index.enter(one, ranked[one])
    return join.sorted(), None


def _ranked(sets: Sequence[frozenset[str]]) -> tuple[list[list[int]], int]:
    """Number the words from the rarest to the commonest, and sort each set so.

    Words with a number below the second value are rare.
    """
    counts = Counter(word for one in sets for word in one)
    words = sorted(counts, key=lambda word: (counts[word], word))
    numbers = {word: at for at, word in enumerate(words)}
    rare = sum(count <= RARE for count in counts.values())
    return [sorted(numbers[word] for word in one) for one in sets], rare


def _mark(row: Sequence[int]) -> int:
    """Fold a set into 64 bits; what differs in the marks differs in the sets."""
    mark = 0
    for word in row:
        mark |= 1 << (word * 0x9E3779B97F4A7C15 >> 40 & 63)
    return mark


class _Join:
    """The pairs found so far, and how many of them each set is in."""

    def __init__(self, sets: Sequence[frozenset[str]], marks: Sequence[int], most: int) -> None:
        self.sets = sets
        self.marks = marks
        self.most = most
        self.met = [0] * len(sets)
        self.pairs: dict[tuple[int, int], float] = {}

    def compare(self, one: int, members: list[int], need: int) -> None:
        """Compare a set with others of one size; those that have met enough leave the list."""
        size = len(self.sets[one]) + len(self.sets[members[0]])
        mark, met, most = self.marks[one], self.met, self.most
        for other in members:
            if (mark ^ self.marks[other]).bit_count() > size - 2 * need:
                continue
            common = len(self.sets[one] & self.sets[other])
            pair = (one, other) if one < other else (other, one)
            if common >= need and max(met[one], met[other]) < most and pair not in self.pairs:
                self.pairs[pair] = common / (size - common)
                met[one], met[other] = met[one] + 1, met[other] + 1
        if max(met[one], met[members[0]]) >= most:
            members[:] = [member for member in members if met[member] < most]

    def sorted(self) -> list[tuple[int, int, float]]:
        """Return the pairs with their similarities."""
        return sorted((*pair, similarity) for pair, similarity in self.pairs.items())


class _Index:
    """The sets met so far, by a rare word or by two common ones, then by size."""

    def __init__(self, threshold: float, rare: int) -> None:
        self.threshold = threshold
        self.rare = rare
        self.found: dict[int | tuple[int, int], dict[int, list[int]]] = {}

    def need(self, size: int) -> int:
        """Return how many words two sets of this size together must share."""
        return math.ceil(self.threshold / (1 + self.threshold) * size - 1e-9)

    def enter(self, one: int, row: Sequence[int]) -> None:
        """Keep a set under all that a larger one could look for."""
        size = len(row)
        prefix = size - self.need(2 * size) + 1
        keys: list[int | tuple[int, int]] = [*row[:prefix]]
        if prefix < LONG:
            keys += [pair for pair, _ in self.pairs(row, prefix)]
        for key in keys:
            self.found.setdefault(key, {}).setdefault(size, []).append(one)

    def candidates(self, row: Sequence[int]) -> Iterator[tuple[list[int], int]]:
        """Yield lists of sets, not larger, that may be alike, with what they must share."""
        size = len(row)
        least = math.ceil(self.threshold * size - 1e-9)
        for key, at in self.keys(row, size - least + 1, alone=self.need(size + least) < 2):
            for other, members in self.found.get(key, {}).items():
                need = self.need(size + other)
                # Sets of one size that may differ in nothing are equal: no pair of different ones.
                if (
                    members
                    and other >= least
                    and at <= size - need
                    and (need, other) != (size, size)
                ):
                    yield members, need

    def keys(
        self, row: Sequence[int], prefix: int, *, alone: bool
    ) -> Iterator[tuple[int | tuple[int, int], int]]:
        """Yield what to look for, and up to which place of the row it was taken from."""
        paired = prefix < LONG and not alone
        for at, word in enumerate(row[:prefix]):
            if word < self.rare or not paired:
                yield word, at
        if paired:
            yield from self.pairs(row, prefix)

    def pairs(self, row: Sequence[int], prefix: int) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the pairs of common words in a prefix that is one word longer."""
        common = [(word, at) for at, word in enumerate(row[: prefix + 1]) if word >= self.rare]
        for second, (word, at) in enumerate(common):
            for first, _ in common[:second]:
                yield (first, word), at - 1
