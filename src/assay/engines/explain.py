"""How a result came to its place: its rank and score in each stage that had it."""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.engines.search import Pipeline, SearchTrace
from assay.engines.stages import Step
from assay.records import Ints, SearchInput

__all__ = ["explain"]


def explain(
    stages: Pipeline, searched: SearchTrace, rows: int | Sequence[int] | Ints, *, terms: bool = True
) -> dict[str, Mapping[str, object]]:
    """Tell of one row, or of all rows of a document, the first place in each stage that had it.

    With ``terms``, a stage that matches words says which of them gained how much in which field,
    and which share of the query is there (``coverage``).
    """
    wanted: list[int] = np.atleast_1d(np.asarray(rows, dtype=np.int64)).tolist()
    told: dict[str, Mapping[str, object]] = {}
    every = zip((*stages.retrieve, *stages.refine), searched.traced, searched.places, strict=True)
    for stage, traced, places in every:
        place = min((places[row] for row in wanted if row in places), default=None)
        if place is not None:
            row = int(traced.found.rows[place])
            place_of = {"rank": place + 1, "score": float(traced.found.scores[place]), "row": row}
            told[stage.name] = {**place_of, **_terms(stage, searched.asked, row, terms=terms)}
    return told


def _terms(stage: Step, asked: SearchInput, row: int, *, terms: bool) -> Mapping[str, object]:
    if not terms or not stage.terms:
        return {}
    told: dict[str, object] = {"terms": list(stage.terms(asked, row))}
    if stage.coverage:
        told["coverage"] = float(stage.coverage(asked, np.array([row]))[0])
    return told
