"""How much each query counts: a weight, or how often it is asked, among its further fields."""

import re
from collections.abc import Mapping
from dataclasses import replace

from assay.columns.titles import COUNTS, TITLES, plain, plain_titles
from assay.datasets.problems import Problems
from assay.errors import InputError
from assay.records import Dataset, Query
from assay.text.count_noun import count_noun
from assay.text.join_list import join_names
from assay.text.quote import quote_value

__all__ = ["weight_of", "with_weights", "without_weight"]

WEIGHT = frozenset(plain_titles(TITLES["weight"]))
COUNTED = frozenset(plain_titles(COUNTS))
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?")
LEAST, MOST = 1e-100, 1e100  # beyond them squares and shares are not numbers any more
ABOVE_0 = (
    "expected a number above 0, such as 1204: how often the query is asked; remove one that is not"
)


def with_weights(dataset: Dataset, *, where: str = "", counted: bool = False) -> Dataset:
    """Take weights from the further fields of queries; without any the dataset stays as it is.

    A field "weight" decides, and a query without it counts 1. Otherwise a count, such as "traffic"
    or "impressions", is a weight if every query has it; several such counts are refused. In what is
    known to be ``counted``, a log, it always is, so that a count that is no number is refused.
    """
    names = dict.fromkeys(key for query in dataset.queries if query.extra for key in query.extra)
    named = [key for key in names if plain(key) in WEIGHT]
    if len(named) > 1:
        raise InputError(
            f"{join_names(named)} differ in spelling only", where=where, hint="keep one"
        )
    if named:
        return _weighted(dataset, named[0], Problems(where or dataset.name))
    counts = [key for key in names if plain(key) in COUNTED]
    whole = [
        key
        for key in counts
        if counted or all(weight_of(one.extra.get(key)) for one in dataset.queries)
    ]
    if len(whole) > 1:
        problem = f"{join_names(whole)} could each be the weight of the queries"
        hint = f'rename the one that counts to "weight", e.g. {whole[0]}'
        raise InputError(problem, where=where, hint=hint)
    if whole:
        note = f'queries are weighted by "{whole[0][:40]}"'
        return _noted(_weighted(dataset, whole[0], Problems(where or dataset.name)), note)
    return _noted(dataset, *(_unused(dataset, key) for key in counts))


def weight_of(value: object) -> float:
    """Read a weight: a number above 0, also as text; 0 is none, nor is what no count can be.

    >>> weight_of(3), weight_of("2.5"), weight_of("often"), weight_of(-1), weight_of("1,204")
    (3.0, 2.5, 0.0, 0.0, 0.0)
    """
    if isinstance(value, str) and NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        number = float(value)
    except OverflowError:
        return 0.0
    return number if LEAST <= number <= MOST else 0.0


def without_weight(extra: Mapping[str, object]) -> dict[str, object]:
    """Leave out what would be read back as a weight."""
    return {key: value for key, value in extra.items() if plain(key) not in WEIGHT}


def _weighted(dataset: Dataset, key: str, problems: Problems) -> Dataset:
    queries = [_query(query, key, problems) for query in dataset.queries]
    problems.refuse()
    missing = sum(key not in query.extra for query in dataset.queries)
    have = count_noun(
        missing, "query has no weight and counts 1", "queries have no weight and count 1"
    )
    return _noted(replace(dataset, queries=tuple(queries)), have if missing else "")


def _query(query: Query, key: str, problems: Problems) -> Query:
    if key not in query.extra:
        return query
    rest = {name: value for name, value in query.extra.items() if name != key}
    weight = weight_of(query.extra[key])
    if not weight:
        problem = f'"{key[:40]}": invalid weight {quote_value(query.extra[key], 40)}'
        problems.add(problem, at=f'query "{query.key[:60]}"', hint=ABOVE_0)
    return replace(query, extra=rest, weight=weight or 1.0)


def _unused(dataset: Dataset, key: str) -> str:
    """Say why a count is no weight: some queries lack it; nothing of texts."""
    known = sum(weight_of(query.extra.get(key)) > 0 for query in dataset.queries)
    if not known:
        return ""
    some = count_noun(len(dataset.queries) - known, "query")
    return f'"{key[:40]}" is not used as weight: {some} without a number above 0'


def _noted(dataset: Dataset, *notes: str) -> Dataset:
    return replace(dataset, notes=(*dataset.notes, *filter(None, notes)))
