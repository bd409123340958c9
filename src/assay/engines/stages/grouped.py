"""Grouped: let a stage that retrieves chunks retrieve documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from assay.engines._identity import identity
from assay.engines.groups import Groups
from assay.engines.rank_rows import ranked
from assay.engines.stages._step import Step
from assay.engines.stages.collapse import collapse
from assay.records import Asked, Floats, Found, Ints, Loss

__all__ = ["grouped"]


def grouped(part: Step, groups: Groups, *, how: str = "max") -> Step:
    """Let the best chunk speak for its document, or as ``how`` says; the first row names it.

    A document of which nothing was retrieved is scored by its best chunk.
    """
    merge = collapse(groups.first_of, how=how)

    def run(asked: Asked, found: Sequence[Found]) -> Found:
        merged = merge(asked, [part(asked, found)])
        rows = groups.first_of(merged.rows)
        return ranked(rows, merged.scores, kind=merged.kind, best=merged.best)

    def lose(asked: Asked, before: Sequence[Found], _kept: Found, rows: Ints) -> Loss:
        # Each document once: the rows may all be of one, which would count it as often.
        members, _ = groups.all_members(np.unique(groups.first_of(rows)))
        return part.lose(asked, before, part(asked, before), members)

    return replace(
        part,
        identify=lambda: identity(stage="grouped", part=part.fingerprint, how=how),
        run=run,
        lose=lose,
        scores=partial(_best, part.scores, groups) if part.scores else None,
        coverage=partial(_best, part.coverage, groups) if part.coverage else None,
        terms=partial(_terms, part, groups) if part.terms else None,
    )


def _best(
    scores: Callable[[Asked, Ints], Floats], groups: Groups, asked: Asked, rows: Ints
) -> Floats:
    """Return the best score of any chunk of each document."""
    members, begins = groups.all_members(rows)
    return groups.best(scores(asked, members), begins)


def _terms(part: Step, groups: Groups, asked: Asked, row: int) -> Sequence[Mapping[str, object]]:
    """Tell what matched in the best chunk of a document."""
    members = groups.members(row)
    best = int(part.scores(asked, members).argmax()) if part.scores else 0
    return part.terms(asked, int(members[best])) if part.terms else ()
