"""What each list says of each place, as a fusion sees it, before any weight is given to the list.

Every fusion adds up columns, one for each list, times weights. The columns are asked from the
fusion itself, with all weight on one list, so that they have the bits that a search would get.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import signature
from typing import cast

import numpy as np

from assay import catalogue
from assay.engines import fusions
from assay.engines.fusions import Fusion
from assay.engines.rank_rows import ranked
from assay.engines.sweep._part_answers import PartAnswers
from assay.engines.sweep._view import View
from assay.errors import InputError
from assay.records import Bools, Floats, FoundRows, Ints

__all__ = ["columns_of"]


def _alone(fusion: Fusion, *, others: int) -> Fusion:
    """Return the same fusion with all weight on the first list, and none on the others."""
    if fusion.name not in catalogue.files(fusions):
        raise InputError(
            f"the fusion {fusion.name!r} cannot be replayed: it may do more than add up lists",
            where="fusion",
            hint=f"search with it, or use one of {', '.join(catalogue.files(fusions))}",
        )
    make = cast("Callable[..., Fusion]", catalogue.find(fusions, fusion.name))
    taken = signature(make).parameters
    settings = {name: value for name, value in fusion.settings if name in taken}
    return make(**{**settings, "weights": (1.0,) + (0.0,) * others})


def columns_of(
    fusion: Fusion,
    view: View,
    heard: Sequence[PartAnswers],
    *,
    fill: bool,
    uncovered: Bools | None = None,
) -> tuple[Floats, ...]:
    """Return a matrix for each part: what the fusion makes of its lists.

    Queries that are ``uncovered`` are fused as if no part told its coverage.
    """
    if not fusion.scored:
        return _by_rank(fusion, view)
    listed, others = (_completed, 0) if fill else (_cut, 1)
    alone = _alone(fusion, others=others)
    columns = tuple(np.zeros(view.shape) for _ in view.ranks)
    for query, one in enumerate(heard):
        rows = view.line(query)
        for part, column in enumerate(columns):
            found = listed(one, part, rows, view.depth)
            if uncovered is not None and uncovered[query]:
                found = replace(found, coverage=None)
            places = np.searchsorted(rows, found.rows)
            found = replace(found, rows=places)
            column[query, : len(rows)] = _column(alone, found, len(rows), others=others)
    return columns


def _by_rank(fusion: Fusion, view: View) -> tuple[Floats, ...]:
    """Ask what each rank is worth; one after the last stands for what a list lacks."""
    every = FoundRows(np.arange(view.depth), np.zeros(view.depth))
    worth = _column(_alone(fusion, others=1), every, view.depth + 1, others=1)
    return tuple(worth[ranks] for ranks in view.ranks)


def _column(alone: Fusion, found: FoundRows, count: int, *, others: int) -> Floats:
    """Let a fusion score as many places by one list; without others, the list has all of them."""
    everything = FoundRows(np.arange(count), np.zeros(count))
    fused = alone([replace(found, decisive=False), *[everything] * others])
    column = np.empty(count)
    column[fused.rows] = fused.scores
    return column


def _cut(heard: PartAnswers, part: int, _rows: Ints, depth: int) -> FoundRows:
    found = heard.lists[part]
    coverage = None if found.coverage is None else found.coverage[:depth]
    return replace(found, rows=found.rows[:depth], scores=found.scores[:depth], coverage=coverage)


def _completed(heard: PartAnswers, part: int, rows: Ints, depth: int) -> FoundRows:
    """Fill in the scores of rows that only other lists hold, as the fuse stage does."""
    found, known = heard.lists[part], heard.complete[part]
    scores = known.scores[np.searchsorted(known.rows, rows)]
    scores[np.searchsorted(rows, found.rows[:depth])] = found.scores[:depth]
    complete = ranked(rows, scores, kind=found.kind, best=found.best)
    coverage = known.coverage
    if coverage is not None:
        coverage = coverage[np.searchsorted(known.rows, complete.rows)]
    return replace(complete, spread=found.spread, coverage=coverage)
