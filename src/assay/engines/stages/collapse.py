"""Collapse: merge the chunks of each document into one result."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from assay import catalogue
from assay.engines import collapses
from assay.engines.rank_rows import above, best_of, ranked
from assay.engines.stages._step import Step
from assay.records import Floats, FoundRows, Ints, Loss, SearchInput
from assay.records.fingerprint import fingerprint_settings

__all__ = ["collapse"]

_How = Callable[[Floats, Ints, Ints], Floats]


def collapse(documents: Ints | Callable[[Ints], Ints], *, how: str = "max") -> Step:
    """Keep the best chunk of each document, which then represents it.

    ``documents`` maps rows to documents, as an array over all rows or as a function. ``how`` is the
    rule for the score of a document: max, sum or top3. After a reranker, only reranked chunks
    count; documents without such a chunk stay below the others.
    """
    score = cast(_How, catalogue.find(collapses, how))
    codes_of = documents if callable(documents) else documents.__getitem__

    def merged(only: FoundRows) -> FoundRows:
        _, firsts, codes = np.unique(codes_of(only.rows), return_index=True, return_inverse=True)
        scores = score(only.scores, codes, firsts)
        best = only.best if how == "max" else None
        return ranked(only.rows[firsts], scores, kind=only.kind, best=best)

    def run(_asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        (only,) = found
        if how == "max" or not only.judged or only.judged == len(only.rows):
            return merged(only)
        # The scores below what a reranker judged are ranks: they say nothing of a judged document.
        cut = only.judged
        head = merged(replace(only, rows=only.rows[:cut], scores=only.scores[:cut]))
        return above(head, _unseen(codes_of(only.rows), cut, only.rows))

    return Step("collapse", lambda: fingerprint_settings(stage="collapse", how=how), run, _lose)


def _unseen(codes: Ints, cut: int, rows: Ints) -> Ints:
    """Return the first row of each document of which none stands before a place."""
    _, firsts = np.unique(codes, return_index=True)
    unseen: Ints = rows[np.sort(firsts[firsts >= cut])]
    return unseen


def _lose(_asked: SearchInput, before: Sequence[FoundRows], _kept: FoundRows, rows: Ints) -> Loss:
    place = best_of(before[0], rows) or 0
    reason = "another chunk represents the document"
    return Loss("collapse", reason, place + 1, float(before[0].scores[place]))
