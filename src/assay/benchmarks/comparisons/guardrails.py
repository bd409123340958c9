"""Guardrails: what a candidate must not lose for its gain: any category, and any answer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.records import BrokenLimit, Floats, Ints, Query, Run
from assay.records.dataset import NO_CATEGORY
from assay.statistics.effect import effect
from assay.statistics.holm import holm
from assay.statistics.mcnemar import mcnemar
from assay.statistics.noninferiority import noninferiority
from assay.text.quote import quote
from assay.verdicts.margin import margin_of

__all__ = [
    "GroupLoss",
    "QueryGroup",
    "broken_categories",
    "broken_errors",
    "losses",
    "parts_by",
    "parts_of",
]

TWICE = 2  # times the margin: a category has fewer queries, and may lose a little more


@dataclass(frozen=True, slots=True)
class QueryGroup:
    """A category of queries, or a collection: its name in words, and the rows of its queries."""

    name: str
    rows: Ints


@dataclass(frozen=True, slots=True)
class GroupLoss:
    """What a candidate loses in a part, the most that it may lose, and p of losing more."""

    part: str
    loss: float
    most: float
    p: float


def parts_of(
    asked: Iterable[Query], queries: Sequence[str], strata: Ints | None = None
) -> list[QueryGroup]:
    """List the categories that have a name, and the collections where there are several."""
    about = {query.key: query for query in asked}
    categories = {key: query.category for key, query in about.items()}
    collections = {key: query.collection for key, query in about.items()}
    return parts_by(queries, categories, {} if strata is None else collections)


def parts_by(
    queries: Sequence[str], categories: Mapping[str, str], collections: Mapping[str, str]
) -> list[QueryGroup]:
    """List the categories and collections that have a name, of queries by their keys.

    A collection whose queries are those of one category is not counted twice.
    """
    parts = _grouped([categories.get(query, "") for query in queries], "category")
    known = {part.rows.tobytes() for part in parts}
    more = _grouped([collections.get(query, "") for query in queries], "collection")
    return [*parts, *(part for part in more if part.rows.tobytes() not in known)]


def _grouped(names: Sequence[str], kind: str) -> list[QueryGroup]:
    every = np.array(names)
    wanted = [name for name in dict.fromkeys(names) if name not in ("", NO_CATEGORY)]
    return [QueryGroup(f"{kind} {name}", np.flatnonzero(every == name)) for name in wanted]


def losses(
    before: Floats,
    after: Floats,
    parts: Sequence[QueryGroup],
    *,
    margin: float,
    strata: Ints | None = None,
    weights: Floats | None = None,
) -> list[GroupLoss]:
    """Test for each part whether it loses more than twice the margin, a fraction of the score.

    ``strata`` numbers the collection of each query, in the order of the scores; ``weights`` is how
    much each counts.
    """
    most = TWICE * margin_of(effect(before, strata=strata, weights=weights).difference, margin)
    found = []
    for part in parts:
        differences = after[part.rows] - before[part.rows]
        inside = None if strata is None else strata[part.rows]
        of = None if weights is None else weights[part.rows]
        lost = -effect(differences, strata=inside, weights=of).difference
        # Shown if the mean of what is lost beyond the allowed is above 0; without spread 2^-n.
        p = noninferiority(-differences - most, margin=0.0, strata=inside, weights=of).p
        found.append(GroupLoss(part.name, lost, most, p))
    return found


def broken_categories(
    lost: Mapping[str, Sequence[GroupLoss]], *, alpha: float = 0.05, further: int = 0
) -> dict[str, list[BrokenLimit]]:
    """Name for each candidate the parts with a significant loss; Holm over parts x candidates.

    So many ``further`` candidates are corrected for, too. Half of ``alpha`` is spent here; the
    other half is the lower tail of the two-sided test of all queries. So an equal candidate is
    refused, by one or the other, in at most ``alpha`` of all benchmarks.
    """
    flat = [(name, one) for name, some in lost.items() for one in some]
    found: dict[str, list[BrokenLimit]] = {name: [] for name in lost}
    if not flat:
        return found
    most = max(len(some) for some in lost.values())
    p = holm(np.array([*(one.p for _, one in flat), *[1.0] * (further * most)]))
    for (name, one), corrected in zip(flat, p.tolist(), strict=False):
        if corrected < alpha / 2:
            found[name].append(_broken(one))
    return found


def _broken(one: GroupLoss) -> BrokenLimit:
    what = f"{one.part} loses {one.loss:.3f}, more than twice the margin ({one.most:.3f})"
    return BrokenLimit(what, f"a loss of at most {one.most:.3f} in {one.part}", "category")


def broken_errors(baseline: Run, candidate: Run, *, alpha: float = 0.05) -> list[BrokenLimit]:
    """Say if more queries fail than with the baseline, by McNemar's exact one-sided test."""
    before, after = set(baseline.failed), set(candidate.failed)
    if mcnemar(len(before - after), len(after - before)) >= alpha:
        return []
    name = quote(baseline.name)
    what = f"more queries failed than with {name} ({len(after):,} instead of {len(before):,})"
    keep = f"no more failed queries than {name} ({len(before):,})"
    return [BrokenLimit(what, keep, "errors")]
