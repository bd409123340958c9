"""Anything that holds judgments -> judgments: a path, a mapping, a frame, or judgments."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from assay.columns import Source, Triples, mapping, recognise
from assay.datasets import judgments
from assay.errors import InputError
from assay.records import Judgments

__all__ = ["load_judgments"]


def load_judgments(
    qrels: object,
    *,
    scale: int | None = None,
    format: str | None = None,  # noqa: A002
) -> Judgments:
    """Read judgments; ``scale`` is the largest grade of their scale (default: the largest)."""
    if isinstance(qrels, Judgments):
        return qrels
    triples, name = _triples(qrels, format)
    whole = np.floor(triples.values) == triples.values
    hint = "grades are whole numbers, e.g. 0, 1, 2, 3"
    triples.refuse(~whole, lambda row: f"grade {triples.values[row]:g} is not whole", hint)
    huge = np.abs(triples.values) > 1000
    triples.refuse(huge, lambda row: f"grade {triples.values[row]:g} is out of range", hint)
    triples.refuse_duplicates("keep one judgment of a document for a query")
    if not len(triples.values):
        raise InputError("holds no judgments", where=name, hint="is it the right file?")
    grades = triples.values.astype(np.int64)
    top = max(1, int(grades.max()))
    if scale is not None and scale < top:
        hint = f"the scale must reach {top}"
        raise InputError(f"grade {top} is above the scale's {scale}", where=name, hint=hint)
    return Judgments(
        triples.queries,
        triples.offsets,
        triples.documents,
        grades,
        scale or top,
        name=name,
        notes=triples.notes,
    )


def _triples(qrels: object, chosen: str | None) -> tuple[Triples, str]:
    if isinstance(qrels, str | Path):
        with Source(qrels) as source:
            read = recognise(judgments, source, name=chosen).read(source)
        return read, source.name
    if isinstance(qrels, Mapping):
        return mapping(qrels, where="qrels", value="grade"), "qrels"
    from assay.columns.header import DOCUMENT, GRADE, QUERY
    from assay.columns.tables import frame, is_frame

    if is_frame(qrels):
        return frame(qrels, (QUERY, DOCUMENT, GRADE), where="qrels", value="grade"), "qrels"
    hint = "pass a path, {query: {document: grade}}, or a polars or pandas frame"
    raise InputError(f"cannot read judgments from {type(qrels).__name__}", hint=hint)
