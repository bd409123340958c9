"""Anything that holds judgments -> judgments: a path, a mapping, a frame, or judgments."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from assay.columns import Source, Triples, read
from assay.columns.faults import Faults
from assay.columns.mapping import mapping
from assay.datasets import judgments
from assay.datasets._foreign_files import refuse_foreign
from assay.errors import InputError
from assay.records import Ints, Judgments, Lookup, Names
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["NO_EFFECT", "WHOLE", "load_judgments"]

SUBTOPICS = "judgments are per subtopic: each subtopic is one expected item"
NO_EFFECT = "binary has no effect: the judgments have grades"
WHOLE = (
    "expected whole numbers, e.g. 0, 1, 2, 3; decimal ratings (0.5) are read from a CSV file with"
    " commas and the header query,docid,rating"
)
MOST = 1000  # of a grade: more is surely a score or an id in the wrong column
KEEP_ONE = "keep one judgment per document and query"
CHECK_FILE = "check that this is the file you meant"
SUBTOPICS_HINT = "keep one of the two; if the second column contains subtopics, add --subtopics"


def load_judgments(
    qrels: object,
    *,
    scale: int | None = None,
    format: str | None = None,  # noqa: A002
    binary: bool = False,
    subtopics: bool = False,
) -> Judgments:
    """Read judgments; ``scale`` is the largest grade of their scale (default: the largest).

    ``binary`` takes each listed document of a table without a grade column for relevant, whatever
    further columns there are. ``subtopics`` takes the second column of a TREC file for the subtopic
    that a document is judged for; otherwise a document has one grade for a query.
    """
    if isinstance(qrels, Judgments):
        return _on_scale(qrels, scale)
    triples, name = _triples(qrels, format)
    given = triples.notes
    if subtopics:
        _refuse_without_subtopics(triples, name)
    else:
        triples, given = _without_repeats(triples)
    notes = (*given, *_ungraded(triples, binary=binary, where=name))
    whole = np.floor(triples.values) == triples.values
    hint = WHOLE
    triples.refuse(~whole, lambda row: f"grade {triples.values[row]:g} is not a whole number", hint)
    huge = np.abs(triples.values) > MOST
    triples.refuse(huge, lambda row: f"grade {triples.values[row]:g} is out of range", hint)
    if not len(triples.values):
        raise InputError("contains no judgments", where=name, hint=CHECK_FILE)
    items = _subtopics(triples) if subtopics else None
    grades = triples.values.astype(np.int64)
    found = Judgments(
        triples.queries,
        triples.offsets,
        triples.documents,
        grades,
        max(1, int(grades.max())),
        items=items,
        name=name,
        notes=notes if items is None else (*notes, SUBTOPICS),
    )
    return _on_scale(found, scale)


def _ungraded(triples: Triples, *, binary: bool, where: str) -> tuple[str, ...]:
    if triples.ungraded is not None:
        return triples.ungraded.notes(binary=binary, where=where)
    return (NO_EFFECT,) if binary else ()


def _refuse_without_subtopics(triples: Triples, where: str) -> None:
    if triples.labels is None:
        hint = "expected a TREC file with four columns: query subtopic document grade"
        raise InputError("contains no subtopics", where=where, hint=hint)


def _subtopics(triples: Triples) -> Ints:
    """Number the subtopics of a diversity file, in which a document is judged for several."""
    labels = cast("Names", triples.labels)
    width = triples.documents.dtype.itemsize + labels.dtype.itemsize
    both = np.zeros(len(triples.values), f"S{width + 1}")
    both[:] = np.char.add(np.char.add(triples.documents, b" "), labels)
    replace(triples, documents=both).refuse_duplicates(KEEP_ONE)
    query = np.repeat(np.arange(len(triples.queries)), np.diff(triples.offsets))
    label = np.unique(labels, return_inverse=True)[1]
    items: Ints = np.unique(query * len(label) + label, return_inverse=True)[1].astype(np.int64)
    return items


def _on_scale(judgments: Judgments, scale: int | None) -> Judgments:
    """Set the largest grade of the judges' scale; it cannot be below one that they gave."""
    if scale is None:
        return judgments
    if not isinstance(scale, int) or scale > MOST:
        hint = f"expected the largest grade, a whole number up to {MOST:,}"
        raise InputError(
            f"scale: invalid value {quote_value(scale)}", where=judgments.name, hint=hint
        )
    top = int(judgments.grades.max(initial=0))
    if scale * judgments.factor < max(1, top):
        rating = max(1, top / judgments.factor)
        hint = f"set the scale to at least {math.ceil(rating)}"
        problem = f"grade {rating:g} exceeds the scale maximum {scale}"
        raise InputError(problem, where=judgments.name, hint=hint)
    return replace(judgments, scale=scale * judgments.factor)


def _triples(qrels: object, chosen: str | None) -> tuple[Triples, str]:
    if isinstance(qrels, str | Path):
        with Source(qrels) as source:
            refuse_foreign(source.head(), where=source.name)
            rows = read(judgments, source, name=chosen)
        return rows, source.name
    if isinstance(qrels, Mapping):
        return mapping(qrels, where="qrels", value="grade"), "qrels"
    from assay.columns.tables import frame, is_frame
    from assay.columns.titles import DOCUMENT, GRADE, QUERY

    if is_frame(qrels):
        return frame(qrels, (QUERY, DOCUMENT, GRADE), where="qrels", value="grade"), "qrels"
    hint = "pass a path, {query: {document: grade}}, or a polars or pandas frame"
    raise InputError(f"cannot read judgments from {type(qrels).__name__}", hint=hint)


def _without_repeats(triples: Triples) -> tuple[Triples, tuple[str, ...]]:
    """Merge equal grades under different iterations; different grades are refused with both lines.

    Returns what is left, and the notes of it. A line that says the same again is refused, too.
    """
    if triples.labels is None:
        triples.refuse_duplicates(KEEP_ONE)
        return triples, triples.notes
    if not Lookup.of(triples.offsets, triples.documents).repeats:
        return triples, triples.notes
    rows = np.array(_first_rows(triples), np.int64)
    merged = len(triples.values) - len(rows)
    if not merged:
        return triples, triples.notes
    judgments = count_noun(merged, "judgment repeats", "judgments repeat")
    is_ = "is" if merged == 1 else "are"
    note = f"{judgments} a grade under another iteration and {is_} counted once"
    left = replace(
        triples,
        offsets=np.searchsorted(rows, triples.offsets),
        documents=triples.documents[rows],
        values=triples.values[rows],
        labels=triples.labels[rows],
        place=lambda row: triples.place(int(rows[row])),
        read_as=rows if triples.read_as is None else triples.read_as[rows],
    )
    return left, (*triples.notes, note)


def _first_rows(triples: Triples) -> list[int]:
    """Return the first row of each document of a query; a contradiction is refused."""
    faults = Faults(triples.name)
    query = np.repeat(np.arange(len(triples.queries)), np.diff(triples.offsets)).tolist()
    first: dict[tuple[int, bytes], int] = {}
    for row, key in enumerate(zip(query, triples.documents.tolist(), strict=True)):
        known = first.setdefault(key, row)
        if known != row and (error := _contradiction(triples, known, row)):
            order = row if triples.read_as is None else int(triples.read_as[row])
            faults.add(order, error)
    faults.refuse()
    return list(first.values())


def _contradiction(triples: Triples, one: int, other: int) -> InputError | None:
    labels, grades = triples.labels, triples.values
    document, query = triples.documents[other].decode(), triples.query_of(other)
    if labels is not None and labels[one] == labels[other]:
        problem = f'duplicate judgment of document "{document}" for query "{query}"'
        return InputError(problem, where=triples.place(other), hint=KEEP_ONE)
    if grades[one] == grades[other]:
        return None
    line = triples.place(one).removeprefix(f"{triples.name}, ")
    two = f"{grades[one]:g} ({line}) and {grades[other]:g}"
    problem = f'conflicting grades of document "{document}" for query "{query}": {two}'
    return InputError(problem, where=triples.place(other), hint=SUBTOPICS_HINT)
