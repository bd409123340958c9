"""{query: {document: value}} -> triples, the form that pytrec_eval and ranx share."""

from collections.abc import Mapping
from numbers import Real

import numpy as np

from assay.columns.faults import Faults
from assay.columns.rows import text_column
from assay.columns.triples import Triples, gather
from assay.errors import InputError
from assay.records import Floats, decode
from assay.text.quote import quote_value

__all__ = ["mapping"]

TYPES = {str: "a string", bool: "true or false", Real: "a number", list: "a list"}


def mapping(table: Mapping[str, Mapping[str, float]], *, where: str, value: str) -> Triples:
    """Read a nested mapping; ``value`` says what its numbers are: a score or a grade."""
    queries: list[str] = []
    documents: list[str] = []
    values: list[Floats] = []
    faults = Faults(where)
    for number, (query, row) in enumerate(table.items()):
        try:
            values.append(_values(row, where=f'{where}, query "{query}"', value=value))
        except InputError as error:
            faults.add(number, error)
            continue
        queries.append(query)
        documents.extend(row)
    faults.refuse()
    lengths = list(map(len, values))

    def query_of(row: int) -> str:
        query = queries[int(np.searchsorted(np.cumsum(lengths), row, side="right"))]
        return f'{where}, query "{query}"'

    def place(row: int) -> str:
        return f'{query_of(row)}, document "{documents[row]}"'

    names = decode(text_column(queries, place=lambda _: where))
    column = text_column(documents, place=query_of)
    joined = np.concatenate(values) if values else np.empty(0)
    triples = gather(names, lengths, column, joined, place, name=where)
    finite = np.isfinite(triples.values)
    triples.refuse(~finite, lambda row: f"{value} {triples.values[row]} is not finite", _FINITE)
    return triples


_SHAPE = "expected {query: {document: number}}"
_FINITE = "give each document a finite number"


def _values(row: object, *, where: str, value: str) -> Floats:
    if not isinstance(row, Mapping):
        problem = f"expected {{document: {value}}}, found {_type(row)}"
        raise InputError(problem, where=where, hint=_SHAPE)
    return _numbers(row, where=where, value=value)


def _numbers(row: Mapping[str, float], *, where: str, value: str) -> Floats:
    # numpy would take true for 1 and the text "0.5" for 0.5
    odd = [kind for kind in set(map(type, row.values())) if not _is_number(kind)]
    if odd:
        document, number = next(pair for pair in row.items() if type(pair[1]) in odd)
        problem = f"{value} {quote_value(number)} is not a number"
        raise InputError(problem, where=f'{where}, document "{document}"', hint=_FINITE)
    try:
        return np.fromiter(row.values(), np.float64, len(row))
    except OverflowError:
        raise InputError(f"a {value} is too large", where=where, hint=_FINITE) from None


def _type(value: object) -> str:
    """Say what a value is in the words of JSON."""
    return next((name for kind, name in TYPES.items() if isinstance(value, kind)), "null")


def _is_number(kind: type) -> bool:
    return issubclass(kind, Real) and not issubclass(kind, bool)
