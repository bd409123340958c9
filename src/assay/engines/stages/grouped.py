"""Grouped: turn a stage that retrieves chunks into one that retrieves documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from assay.engines.groups import Groups
from assay.engines.rank_rows import ranked
from assay.engines.stages._step import Step
from assay.engines.stages.collapse import collapse
from assay.records import Floats, FoundRows, Ints, Loss, SearchInput
from assay.records.fingerprint import fingerprint_settings

__all__ = ["grouped"]


def grouped(part: Step, groups: Groups, *, how: str = "max") -> Step:
    """Let the best chunk speak for its document, or as ``how`` says; the first row names it.

    A document of which nothing was retrieved is scored by its best chunk.
    """
    merge = collapse(groups.first_of, how=how)

    def run(asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        merged = merge(asked, [part(asked, found)])
        rows = groups.first_of(merged.rows)
        return ranked(rows, merged.scores, kind=merged.kind, best=merged.best)

    def lose(asked: SearchInput, before: Sequence[FoundRows], _kept: FoundRows, rows: Ints) -> Loss:
        # Each document once: the rows may all be of one, which would count it as often.
        members, _ = groups.all_members(np.unique(groups.first_of(rows)))
        return part.lose(asked, before, part(asked, before), members)

    return replace(
        part,
        identify=lambda: fingerprint_settings(stage="grouped", part=part.fingerprint, how=how),
        run=run,
        lose=lose,
        scores=partial(_best, part.scores, groups) if part.scores else None,
        coverage=partial(_best, part.coverage, groups) if part.coverage else None,
        terms=partial(_terms, part, groups) if part.terms else None,
    )


def _best(
    scores: Callable[[SearchInput, Ints], Floats], groups: Groups, asked: SearchInput, rows: Ints
) -> Floats:
    """Return the best score of any chunk of each document."""
    members, begins = groups.all_members(rows)
    return groups.best(scores(asked, members), begins)


def _terms(
    part: Step, groups: Groups, asked: SearchInput, row: int
) -> Sequence[Mapping[str, object]]:
    """Tell what matched in the best chunk of a document."""
    members = groups.members(row)
    best = int(part.scores(asked, members).argmax()) if part.scores else 0
    return part.terms(asked, int(members[best])) if part.terms else ()
