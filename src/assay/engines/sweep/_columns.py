"""What each list says of each cell, as a fusion sees it, before any weight is given to the list.

Every fusion adds up columns, one for each list, times weights. The columns are made by the fusion
itself, so that they have the bits that a search would get, and serve all weights.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay import catalogue
from assay.engines import fusions
from assay.engines.fusions import Column, Fusion
from assay.engines.fusions.blend import UNDECIDED
from assay.engines.sweep._collapse import choose_chunks
from assay.engines.sweep._inputs import FusionInputs
from assay.engines.sweep._layout import Layout
from assay.engines.sweep._order import order_cells
from assay.engines.sweep._ranking import Ranking
from assay.engines.sweep._view import View
from assay.errors import InputError
from assay.records import Bools, Floats, FoundRows, Ints
from assay.text.quote import quote_value

__all__ = ["Columns", "prepare_columns"]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """A column for each list, and factors of its weight, if it has less weight in some cells."""

    layout: Layout
    each: tuple[Floats, ...]
    factors: tuple[Floats | None, ...]

    @property
    def nbytes(self) -> int:
        """Count the bytes of all columns."""
        some = [one for one in (*self.each, *self.factors) if one is not None]
        return sum(int(column.nbytes) for column in some)

    def rank(self, weights: Sequence[float], *, most: int | None = None) -> Ranking:
        """Rank the chunks of each query, or its documents by their best; keep the first ones."""
        scores, rows = choose_chunks(self.layout, self._fuse(weights))
        return order_cells(scores, rows, self.layout.lines, most=most)

    def _fuse(self, weights: Sequence[float]) -> Floats:
        """Add them up. The order of additions is that of a search, and so are the bits."""
        scores = self._weigh(0, weights[0])
        for part, weight in enumerate(weights[1:], 1):
            scores += self._weigh(part, weight)
        return scores

    def _weigh(self, part: int, weight: float) -> Floats:
        factors = self.factors[part]
        return self.each[part] * (weight if factors is None else weight * factors)


def prepare_columns(
    fusion: Fusion, view: View, layout: Layout, inputs: Callable[[], FusionInputs]
) -> Columns:
    """Ask a fusion what it makes of each list, and lay it out; ranks alone need no ``inputs``."""
    column = _column_of(fusion)
    factors: Sequence[Floats | None] = [None] * len(view.ranks)
    if not fusion.scored:
        matrices = _score_ranks(column, view)
    elif fusion.spreads:
        lists, factors = _let_decide(inputs(), layout.places // view.rows.shape[1])
        matrices = _score_lists(column, view, lists)
    else:
        matrices = _score_lists(column, view, inputs())
    each = tuple(matrix.ravel()[layout.places] for matrix in matrices)
    return Columns(layout, each, tuple(factors))


def _column_of(fusion: Fusion) -> Column:
    if fusion.column is None or fusion.name not in catalogue.files(fusions):
        raise InputError(
            f"cannot replay {quote_value(fusion.name)}: it may not be a weighted sum of lists",
            where="fusion",
            hint=f"run the search with it, or use one of {', '.join(catalogue.files(fusions))}",
        )
    return fusion.column


def _score_ranks(column: Column, view: View) -> list[Floats]:
    """Score each rank; one after the last is for documents that a list does not contain."""
    every = FoundRows(np.arange(view.depth), np.zeros(view.depth))
    worth = column(every, np.arange(view.depth + 1))
    return [worth[ranks] for ranks in view.ranks]


def _score_lists(column: Column, view: View, inputs: FusionInputs) -> list[Floats]:
    matrices = [np.zeros(view.rows.shape) for _ in view.ranks]
    for query, lists in enumerate(inputs.each):
        rows = view.line(query)
        for found, matrix in zip(lists, matrices, strict=True):
            matrix[query, : len(rows)] = column(found, rows)
    return matrices


def _let_decide(inputs: FusionInputs, queries: Ints) -> tuple[FusionInputs, list[Floats | None]]:
    """Do as the blend where a list knows best: no coverage, and the others only part equals.

    ``queries`` has the query of each cell.
    """
    decisive = np.array([[found.decisive for found in lists] for lists in inputs.each], np.bool_)
    held = np.array([[len(found.rows) > 0 for found in lists] for lists in inputs.each], np.bool_)
    known: Bools = np.logical_or.reduce(decisive & held, axis=1)
    bare = tuple(
        tuple(replace(found, coverage=None) for found in lists) if best else lists
        for lists, best in zip(inputs.each, known.tolist(), strict=True)
    )
    cut = (known[:, None] & ~decisive).T
    return FusionInputs(bare), [
        np.where(one, UNDECIDED, 1.0)[queries] if one.any() else None for one in cut
    ]
