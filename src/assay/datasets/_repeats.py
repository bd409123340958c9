"""Documents that are judged more than once for a query -> one judgment of each."""

from dataclasses import replace

import numpy as np

from assay.columns import Triples
from assay.columns.faults import Faults
from assay.errors import InputError
from assay.records import Lookup

__all__ = ["KEEP_ONE", "without_repeats"]

KEEP_ONE = "keep one judgment of a document for a query"
SUBTOPICS = "keep one of the two; if the second column names subtopics, add --subtopics"


def without_repeats(triples: Triples) -> tuple[Triples, tuple[str, ...]]:
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
    judgments = "judgment repeats" if merged == 1 else "judgments repeat"
    note = f"{merged:,} {judgments} a grade under another iteration: counted once"
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
        problem = f'document "{document}" is judged twice for query "{query}"'
        return InputError(problem, where=triples.place(other), hint=KEEP_ONE)
    if grades[one] == grades[other]:
        return None
    line = triples.place(one).removeprefix(f"{triples.name}, ")
    two = f"grade {grades[one]:g} ({line}) and grade {grades[other]:g}"
    problem = f'document "{document}" has {two} for query "{query}"'
    return InputError(problem, where=triples.place(other), hint=SUBTOPICS)
