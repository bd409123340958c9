"""Collapse: make one result of the chunks of a document."""

from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from assay import catalogue
from assay.engines import collapses
from assay.engines._identity import identity
from assay.engines._ranked import ranked
from assay.engines.stages._step import Step, best_of
from assay.records import Asked, Floats, Found, Ints, Loss

__all__ = ["collapse"]

_How = Callable[[Floats, Ints, Ints], Floats]


def collapse(documents: Ints | Callable[[Ints], Ints], *, how: str = "max") -> Step:
    """Keep the best chunk of each document, which then stands for it.

    ``documents`` says for each row which document it is of, as an array over all rows or as a
    function of some. ``how`` names the way in which a document's score follows from its chunks'.
    """
    score = cast(_How, catalogue.find(collapses, how))
    codes_of = documents if callable(documents) else documents.__getitem__

    def run(_asked: Asked, found: Sequence[Found]) -> Found:
        (only,) = found
        _, firsts, codes = np.unique(codes_of(only.rows), return_index=True, return_inverse=True)
        scores = score(only.scores, codes, firsts)
        best = only.best if how == "max" else None
        return ranked(only.rows[firsts], scores, kind=only.kind, best=best)

    return Step("collapse", lambda: identity(stage="collapse", how=how), run, _lose)


def _lose(_asked: Asked, before: Sequence[Found], _kept: Found, rows: Ints) -> Loss:
    place = best_of(before[0], rows) or 0
    reason = "another chunk of the same document stands for it"
    return Loss("collapse", reason, place + 1, float(before[0].scores[place]))
