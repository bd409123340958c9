"""What the parts of a search said to one query, with all that a fusion could ask them later."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.engines.stages import Step
from assay.errors import InputError
from assay.records import Floats, FoundRows, Ints, SearchInput
from assay.text.quote import quote_value

__all__ = ["PartAnswers", "check_heard", "listen", "union_of"]


@dataclass(frozen=True, slots=True, eq=False)
class PartAnswers:
    """The result list of each part, and the scores of each part for every row of any list.

    ``complete`` has the rows of all lists, ascending, with the score that the part gives each (and
    its coverage, if known); it is empty if the parts cannot score any row. The lists also hold the
    spread of the scores of a query and whether a part decides.
    """

    lists: tuple[FoundRows, ...]
    complete: tuple[FoundRows, ...] = ()


def listen(
    asked: SearchInput, parts: Sequence[Step], *, found: Sequence[FoundRows] = ()
) -> PartAnswers:
    """Run all parts once, and score also what only the other parts retrieved.

    If the stage outputs ``found`` are recorded, the parts do not retrieve again.
    """
    known = found or [part(asked, []) for part in parts]
    lists = tuple(_told(asked, part, one) for part, one in zip(parts, known, strict=True))
    if not (lists and all(part.scores for part in parts)):
        return PartAnswers(lists)
    union = union_of(lists)
    pairs = zip(lists, parts, strict=True)
    return PartAnswers(
        lists, tuple(_told(asked, part, _all(asked, part, one, union)) for one, part in pairs)
    )


def union_of(lists: Sequence[FoundRows]) -> Ints:
    """Return the rows of all lists, ascending."""
    rows: Ints = np.unique(np.concatenate([np.empty(0, np.int64), *(one.rows for one in lists)]))
    return rows


def check_heard(heard: Sequence[PartAnswers], depth: int) -> None:
    """Refuse what is no answer of the same parts to all queries."""
    for number, one in enumerate(heard):
        where = f"recording, query {number + 1}"
        if len(one.lists) != len(heard[0].lists) or not one.lists:
            raise InputError("the queries have results from different parts", where=where)
        for found, first in zip(one.lists, heard[0].lists, strict=True):
            _check_list(found, first.kind, depth, where)
        if bool(one.complete) != bool(heard[0].complete):
            raise InputError("scores are filled in for some queries only", where=where)
        _check_complete(one, where)


def _check_list(found: FoundRows, kind: str, depth: int, where: str) -> None:
    problem = ""
    if len(found.rows) > depth:
        problem = f"a list has {len(found.rows)} rows, more than depth {depth}"
    elif found.kind != kind:
        here, before = quote_value(found.kind), quote_value(kind)
        problem = f"a part returned {here} scores here but {before} scores before"
    elif len(np.unique(found.rows)) != len(found.rows):
        problem = "a list contains a duplicate row"
    elif not np.isfinite(found.scores).all():
        problem = "a list contains NaN or infinite scores"
    elif not _ordered(found.rows, found.scores):
        problem = "a list is not sorted by descending score, then by row"
    if problem:
        raise InputError(problem, where=where, hint="record the lists as the stages return them")


def _ordered(rows: Ints, scores: Floats) -> bool:
    falls = scores[:-1] > scores[1:]
    tied = (scores[:-1] == scores[1:]) & (rows[:-1] < rows[1:])
    return bool((falls | tied).all())


def _check_complete(heard: PartAnswers, where: str) -> None:
    if not heard.complete:
        return
    union = union_of(heard.lists)
    for found in heard.complete:
        if not np.array_equal(found.rows, union) or not np.isfinite(found.scores).all():
            raise InputError(
                "filled-in scores must be one number per row of the lists, sorted by row",
                where=where,
                hint="record the score of each part for every row that any part retrieved",
            )
    if len(heard.complete) != len(heard.lists):
        raise InputError("scores are not filled in for every part", where=where)


def _all(asked: SearchInput, part: Step, found: FoundRows, union: Ints) -> FoundRows:
    scores = part.scores(asked, union) if part.scores else np.empty(0)
    return FoundRows(union, scores, found.kind, found.best)


def _told(asked: SearchInput, part: Step, found: FoundRows) -> FoundRows:
    """Add what a part knows of a query besides its scores, as the fuse stage asks for it."""
    return replace(
        found,
        spread=part.spread(asked) if part.spread else None,
        coverage=part.coverage(asked, found.rows) if part.coverage else None,
        decisive=bool(part.decisive and part.decisive(asked)),
    )
