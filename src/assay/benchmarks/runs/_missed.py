"""Which stage lost each judged document -> the relevant ones by query, as many as one would read.

All runs name documents in the same order, and as many. So of the first of any runs together it is
known of each whether it is lost: what stands before it in one run stands before it in all of them.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from assay.benchmarks.runs.survivors import CORPUS
from assay.records import Dataset, Ints, Judgments, Resolution, decode

__all__ = ["MOST", "missed_of"]

MOST = 20  # documents of a query that are named; a report would be as large as all judgments
_Missed = dict[str, dict[str, str]]  # query -> document -> stage


def missed_of(
    stages: Sequence[str],
    lost: Ints,
    *,
    judgments: Judgments,
    resolution: Resolution,
    dataset: Dataset,
    asked: Collection[str],
) -> tuple[_Missed, dict[str, int]]:
    """Name the relevant documents that are not shown, the highest grades first, then by name.

    At the end stand references that lead to no document. Besides, count how many more there are.
    """
    told, grades = _lost(stages, lost, judgments)
    for query, said in _unresolved(resolution, dataset):
        told.setdefault(query, {}).setdefault(said, CORPUS)
    asked = frozenset(asked)
    whole = {query: told[query] for query in judgments.queries if query in told and query in asked}
    kept = {query: _first(mine, grades.get(query, {})) for query, mine in whole.items()}
    more = {query: len(mine) - MOST for query, mine in whole.items() if len(mine) > MOST}
    return kept, more


def _lost(
    stages: Sequence[str], lost: Ints, judgments: Judgments
) -> tuple[_Missed, dict[str, dict[str, int]]]:
    """Return the stage that lost each relevant document, and its largest grade."""
    told: _Missed = {}
    grades: dict[str, dict[str, int]] = {}
    rows = np.flatnonzero((lost >= 0) & (judgments.grades > 0) & (judgments.documents != b""))
    columns = (judgments.query[rows], lost[rows], judgments.grades[rows])
    names = decode(judgments.documents[rows])
    for name, number, stage, grade in zip(names, *(one.tolist() for one in columns), strict=True):
        query = judgments.queries[number]
        told.setdefault(query, {})[name] = stages[stage]
        known = grades.setdefault(query, {})
        known[name] = max(grade, known.get(name, 0))
    return told, grades


def _unresolved(resolution: Resolution, dataset: Dataset) -> list[tuple[str, str]]:
    judged = (one for query in dataset.queries for one in query.judgments)
    return [
        (row.query, row.reference.name or str(row.reference))
        for one, row in zip(judged, resolution.rows, strict=True)
        if one.grade > 0 and not row.documents and not row.spared
    ]


def _first(mine: Mapping[str, str], grades: Mapping[str, int]) -> dict[str, str]:
    order = sorted(mine, key=lambda name: (-grades.get(name, 0), name))
    return {name: mine[name] for name in order[:MOST]}
