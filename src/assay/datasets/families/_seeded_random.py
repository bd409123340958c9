"""Seeded choices that stay the same on every platform and Python."""

import random
from collections.abc import Sequence
from typing import TypeVar

from assay.datasets.families._settings import at_least, at_most

__all__ = ["HIGHEST", "SeededRandom"]

HIGHEST = 2**64 - 1

T = TypeVar("T")


class SeededRandom:
    """Draws from a seed by ``random.random()``, the one method that Python promises to keep.

    ``choice``, ``shuffle`` and ``sample`` have changed between versions, and may change again.
    """

    def __init__(self, seed: int) -> None:
        at_least(0, seed=seed)  # Python takes -1 for 1
        at_most(HIGHEST, "seeds have 64 bits", seed=seed)
        self._source = random.Random(seed)  # noqa: S311 (datasets, not secrets)

    def below(self, limit: int) -> int:
        """Draw a whole number from 0 up to, but not including, a limit."""
        return int(self._source.random() * limit)

    def happens(self, probability: float) -> bool:
        """Say yes with a probability."""
        return self._source.random() < probability

    def pick(self, items: Sequence[T]) -> T:
        """Draw one item."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order (Fisher and Yates)."""
        mixed = list(items)
        for at in range(len(mixed) - 1, 0, -1):
            other = self.below(at + 1)
            mixed[at], mixed[other] = mixed[other], mixed[at]
        return mixed

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Draw up to ``count`` different items, in the order in which they stand."""
        chosen = sorted(self.shuffled(range(len(items)))[:count])
        return [items[at] for at in chosen]
