"""A stage that also answers for what it did: scores at any depth, matched terms, lost documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.records import Asked, Floats, Found, Ints, Loss, Structured

__all__ = ["Lose", "Step", "best_of", "left_out"]

Lose = Callable[[Asked, Sequence[Found], Found, Ints], Loss]
"""Says why rows that came in (or exist) did not go on: the query, what came in and went out."""


def best_of(found: Found, rows: Ints) -> int | None:
    """Return the place of the first of these rows in a list, or None."""
    places = np.flatnonzero(np.isin(found.rows, rows))
    return int(places[0]) if len(places) else None


def left_out(_asked: Asked, before: Sequence[Found], _kept: Found, rows: Ints) -> Loss:
    """Say no more than that rows were left out, with the rank that they came with."""
    place = best_of(before[0], rows) if before else None
    return Loss("", "left out", None if place is None else place + 1)


@dataclass(frozen=True, eq=False)
class Step:
    """One stage of a search, as ``assay.records.Stage`` asks, and what explains it.

    ``identify`` gives the fingerprint when somebody asks. The next five are those of a stage that
    retrieves: the scores of any rows, what matched in one row, mean and standard deviation of the
    scores of all rows, the share of the query that rows hold, and whether it knows best. ``study``
    belongs to a stage that ranks by structure: it gives the account of what that did, and what
    other ways of ranking would have done.
    """

    name: str
    identify: Callable[[], str]
    run: Callable[[Asked, Sequence[Found]], Found]
    lose: Lose = left_out
    needs_vector: bool = False
    scores: Callable[[Asked, Ints], Floats] | None = None
    terms: Callable[[Asked, int], Sequence[Mapping[str, object]]] | None = None
    spread: Callable[[Asked], tuple[float, float]] | None = None
    coverage: Callable[[Asked, Ints], Floats] | None = None
    decisive: Callable[[Asked], bool] | None = None
    study: Callable[[Asked, Sequence[Found]], Structured] | None = None

    @cached_property
    def fingerprint(self) -> str:
        """Change whenever the output may."""
        return self.identify()

    def __call__(self, asked: Asked, found: Sequence[Found]) -> Found:
        """Answer a query, given what the stages before found."""
        return self.run(asked, found)
