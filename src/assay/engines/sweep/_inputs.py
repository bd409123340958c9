"""The lists of all queries as a fusion gets them: cut to a depth, or completed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.engines.rank_rows import order_rows
from assay.engines.sweep._part_answers import PartAnswers
from assay.engines.sweep._view import View
from assay.records import FoundRows, Ints

__all__ = ["FusionInputs", "cut_lists", "fill_lists"]

NUMBERS = 3  # of 8 bytes for a row of a list: the row, its score and its coverage


@dataclass(frozen=True, slots=True, eq=False)
class FusionInputs:
    """For each query the list of each part; fusions share them."""

    each: tuple[tuple[FoundRows, ...], ...]

    @property
    def nbytes(self) -> int:
        """Count the bytes of all lists."""
        return sum(8 * NUMBERS * len(found.rows) for lists in self.each for found in lists)


def cut_lists(view: View, heard: Sequence[PartAnswers]) -> FusionInputs:
    """Cut all lists to the depth of a view."""
    return FusionInputs(
        tuple(tuple(_cut(found, view.depth) for found in one.lists) for one in heard)
    )


def fill_lists(view: View, heard: Sequence[PartAnswers]) -> FusionInputs:
    """Fill in the scores of rows that only other lists hold, as the fuse stage does."""
    lines = [(view.line(query), one) for query, one in enumerate(heard)]
    return FusionInputs(
        tuple(
            tuple(
                _fill(_cut(found, view.depth), known, rows)
                for found, known in zip(one.lists, one.complete, strict=True)
            )
            for rows, one in lines
        )
    )


def _cut(found: FoundRows, depth: int) -> FoundRows:
    if len(found.rows) <= depth:
        return found
    coverage = None if found.coverage is None else found.coverage[:depth]
    return replace(found, rows=found.rows[:depth], scores=found.scores[:depth], coverage=coverage)


def _fill(found: FoundRows, known: FoundRows, rows: Ints) -> FoundRows:
    at = np.searchsorted(known.rows, rows)
    scores = known.scores[at]
    scores[np.searchsorted(rows, found.rows)] = found.scores
    order = order_rows(rows, scores)
    coverage = None if known.coverage is None else known.coverage[at[order]]
    return replace(found, rows=rows[order], scores=scores[order], coverage=coverage)
