"""What the formulas share when ties are open: means over every order of the tied documents.

F. McSherry and M. Najork, "Computing information retrieval performance measures efficiently in the
presence of tied scores", ECIR 2008.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.records import Bools, Floats, Ints, JudgedRankings

__all__ = ["Span", "mean_products", "spans"]


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """Documents of one query with equal scores: their ranks, and what is known of the judged ones.

    ``leading`` and ``fresh`` are those of the rows: they tell documents from the items they meet.
    """

    query: int
    first: int
    last: int
    grade: Ints
    gain: Floats
    leading: Bools
    fresh: Bools

    @property
    def size(self) -> int:
        """How many documents share the score."""
        return self.last + 1 - self.first

    @property
    def ranks(self) -> Floats:
        """The ranks that they share."""
        return np.arange(self.first, self.last + 1, dtype=np.float64)


def spans(judged: JudgedRankings) -> Iterator[Span]:
    """Yield the spans that hold judged hits, query by query, best first."""
    changes = (np.diff(judged.query) != 0) | (np.diff(judged.first) != 0)
    edges = np.concatenate(([0], np.flatnonzero(changes) + 1, [len(judged.query)]))
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        if high > low:
            yield Span(
                int(judged.query[low]),
                int(judged.first[low]),
                int(judged.last[low]),
                judged.grade[low:high],
                judged.gain[low:high],
                judged.leading[low:high],
                judged.fresh[low:high],
            )


def mean_products(values: Floats, others: int) -> Floats:
    """Return the mean product of j members drawn from ``values`` and ``others`` ones, for each j.

    These are the elementary symmetric polynomials over their number of terms, added up member by
    member, so that every step stays between the smallest and the largest product.
    """
    means = np.ones(others + 1)
    for size, value in enumerate(values.tolist(), start=others + 1):
        drawn = np.arange(size + 1)
        without = np.append(means, 0.0) * (size - drawn)
        with_it = np.concatenate(([0.0], means)) * drawn * value
        means = (without + with_it) / size
    return means
