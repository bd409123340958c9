"""What a fusion is: lists in, one list out, every document of any list scored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.engines.rank_rows import nothing, ranked
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints
from assay.records.fingerprint import fingerprint_settings
from assay.text.count_noun import count_noun

__all__ = ["Column", "Fusion", "check_lists", "check_weights", "weighted"]

Column = Callable[[FoundRows, Ints], Floats]
"""Scores each row of the union by one list; rows missing from the list get its floor."""


@dataclass(frozen=True, eq=False)
class Fusion:
    """Makes one list of several.

    ``kind`` is the kind of its scores, ``scored`` whether it looks at scores (and so gains from
    knowing those of documents that a list lacks) or at ranks alone. ``spreads`` says that it wants
    to know the spread of a query's scores over the whole index. ``column`` tells what one list says
    of rows before it is weighed, if the fusion does no more than add up such columns times weights.
    """

    name: str
    kind: str
    settings: tuple[tuple[str, object], ...]
    fuse: Callable[[Sequence[FoundRows]], FoundRows]
    scored: bool = True
    spreads: bool = False
    column: Column | None = None

    @property
    def fingerprint(self) -> str:
        """Hash its name and settings."""
        return fingerprint_settings(fusion=self.name, settings=dict(self.settings))

    def __call__(self, found: Sequence[FoundRows]) -> FoundRows:
        """Fuse the lists, in the order of the weights."""
        return self.fuse(found)


def weighted(
    found: Sequence[FoundRows],
    weights: Sequence[float],
    column: Column,
    *,
    kind: str,
    best: float | None = None,
) -> FoundRows:
    """Add up what each list says of each row of the union, times the list's weight."""
    if not any(len(one.rows) for one in found):
        return nothing(kind, best)
    rows: Ints = np.unique(np.concatenate([np.empty(0, np.int64), *(one.rows for one in found)]))
    scores = np.zeros(len(rows))
    for one, weight in zip(found, weights, strict=True):
        scores += weight * column(one, rows)
    return ranked(rows, scores, kind=kind, best=best)


def check_weights(weights: Sequence[float], name: str) -> tuple[float, ...]:
    """Refuse weights that would turn a ranking round, or say nothing."""
    given = tuple(float(weight) for weight in weights)
    if not all(np.isfinite(given)) or any(weight < 0 for weight in given) or not sum(given) > 0:
        raise InputError(
            f"invalid weights {list(given)} for {name}",
            where="weights",
            hint="expected one number >= 0 per list, at least one above 0, e.g. [0.4, 0.6]",
        )
    return given


def check_lists(found: Sequence[FoundRows], weights: Sequence[float], name: str) -> None:
    """Refuse another number of lists than of weights."""
    if len(found) != len(weights):
        raise InputError(
            f"{name} got {count_noun(len(weights), 'weight')} for {count_noun(len(found), 'list')}",
            where="weights",
            hint="pass one weight for each retrieval part, e.g. lexical and dense",
        )
