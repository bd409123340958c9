"""{query: {document: value}} -> triples, the form that pytrec_eval and ranx share."""

from collections.abc import Mapping

import numpy as np

from assay.columns.rows import text_column
from assay.columns.triples import Triples, gather
from assay.errors import InputError
from assay.records import Floats

__all__ = ["mapping"]


def mapping(table: Mapping[str, Mapping[str, float]], *, where: str, value: str) -> Triples:
    """Read a nested mapping; ``value`` says what its numbers are: a score or a grade."""
    queries: list[str] = []
    documents: list[str] = []
    values: list[Floats] = []
    for query, row in table.items():
        if not isinstance(row, Mapping):
            problem = f"holds {type(row).__name__} where {{document: {value}}} is expected"
            raise InputError(problem, where=f'{where}, query "{query}"', hint=_SHAPE)
        queries.append(query if isinstance(query, str) else str(query))
        documents.extend(row)
        values.append(_numbers(row, where=f'{where}, query "{query}"', value=value))
    lengths = list(map(len, values))
    column = text_column(documents, where=where)

    def place(row: int) -> str:
        query = queries[int(np.searchsorted(np.cumsum(lengths), row, side="right"))]
        return f'{where}, query "{query}", document "{documents[row]}"'

    joined = np.concatenate(values) if values else np.empty(0)
    triples = gather(queries, lengths, column, joined, place)
    finite = np.isfinite(triples.values)
    triples.refuse(~finite, lambda row: f"{value} {triples.values[row]} is not finite", _FINITE)
    return triples


_SHAPE = "the form is {query: {document: number}}"
_FINITE = "give each document a finite number"


def _numbers(row: Mapping[str, float], *, where: str, value: str) -> Floats:
    try:
        return np.fromiter(row.values(), np.float64, len(row))
    except (TypeError, ValueError):
        for document, number in row.items():
            if not isinstance(number, int | float):
                problem = f"{value} {number!r} is not a number"
                place = f'{where}, document "{document}"'
                raise InputError(problem, where=place, hint=_FINITE) from None
        raise
