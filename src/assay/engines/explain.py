"""How a result came to its place: its rank and score in each stage that had it."""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.engines.search import Pipeline, Searched
from assay.engines.stages import Step
from assay.engines.stages._step import best_of
from assay.records import Asked, Ints

__all__ = ["explain"]


def explain(
    stages: Pipeline, searched: Searched, rows: int | Sequence[int] | Ints, *, terms: bool = True
) -> dict[str, Mapping[str, object]]:
    """Tell of one row, or of all rows of a document, the first place in each stage that had it.

    With ``terms``, a stage that matches words says which of them gained how much in which field.
    """
    wanted: Ints = np.atleast_1d(np.asarray(rows, dtype=np.int64))
    told: dict[str, Mapping[str, object]] = {}
    for stage, traced in zip((*stages.retrieve, *stages.refine), searched.traced, strict=True):
        place = best_of(traced.found, wanted)
        if place is not None:
            row = int(traced.found.rows[place])
            place_of = {"rank": place + 1, "score": float(traced.found.scores[place]), "row": row}
            told[stage.name] = {**place_of, **_terms(stage, searched.asked, row, terms=terms)}
    return told


def _terms(stage: Step, asked: Asked, row: int, *, terms: bool) -> Mapping[str, object]:
    return {"terms": list(stage.terms(asked, row))} if terms and stage.terms else {}
