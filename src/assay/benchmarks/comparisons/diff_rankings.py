"""Two searches of the same queries -> what changed, by traffic, without judgments."""

from collections.abc import Mapping, Sequence

import numpy as np

from assay.errors import InputError
from assay.metrics.between.overlap import overlap
from assay.metrics.between.rbo import rbo
from assay.records import Floats, Query, Rankings, decode
from assay.records.diff import DiffTotals, QueryDiff
from assay.statistics.mean_interval import mean_interval
from assay.text.count_noun import count_noun
from assay.text.quote import quote_value

__all__ = ["diff_queries", "diff_totals", "without_failed"]

Failed = Mapping[str, Mapping[str, str]]  # of each search the queries that failed, and why


def without_failed(asked: Sequence[Query], failed: Failed) -> tuple[list[Query], list[str]]:
    """Leave out the queries of which one search failed, and note how much of the traffic they are.

    What it would have answered is unknown: that is neither a change nor an empty answer.
    """
    either = {key for reasons in failed.values() for key in reasons}
    found = [query for query in asked if query.key not in either]
    if not found:
        hint = "correct the search that fails, then run the same command again"
        raise InputError(f"no query was answered by both {' and '.join(failed)}", hint=hint)
    lost = [(name, [one for one in asked if one.key in failed[name]]) for name in failed]
    return found, [_failure(name, some, asked, failed[name]) for name, some in lost if some]


def _failure(
    name: str, lost: Sequence[Query], asked: Sequence[Query], reasons: Mapping[str, str]
) -> str:
    heaviest = max(query.weight for query in asked)
    weights = [sum(one.weight / heaviest for one in some) for some in (lost, asked)]
    count = f"{count_noun(len(lost), 'query')} ({weights[0] / weights[1]:.1%} of the traffic)"
    first = f"{quote_value(lost[0].key, 60)}: {reasons[lost[0].key][:200]}"
    which = "which is" if len(lost) == 1 else "which are"
    return f'"{name}" failed on {count}, {which} not compared, e.g. {first}'


def diff_queries(
    asked: Sequence[Query], before: Rankings, after: Rankings, *, k: int, p: float
) -> tuple[QueryDiff, ...]:
    """Put the first k documents of both side by side; the changed with the most traffic first."""
    keys = tuple(query.key for query in asked)
    alike, shared = rbo(before, after, p, queries=keys), overlap(before, after, k, queries=keys)
    shown = zip(_tops(before, keys, k), _tops(after, keys, k), strict=True)
    heaviest = max(query.weight for query in asked)
    total = sum(query.weight / heaviest for query in asked)
    found = [
        QueryDiff(
            query.key,
            query.text,
            query.weight,
            query.weight / heaviest / total,
            float(similarity),
            float(common),
            *tops,
        )
        for query, similarity, common, tops in zip(asked, alike, shared, shown, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: (not one.changed, -one.weight, -one.impact)))


def _tops(run: Rankings, keys: Sequence[str], k: int) -> list[tuple[str, ...]]:
    found = []
    for number in run.numbers(keys).tolist():
        start = int(run.offsets[number]) if number >= 0 else 0
        end = min(start + k, int(run.offsets[number + 1])) if number >= 0 else 0
        found.append(tuple(decode(run.documents[start:end])))
    return found


def diff_totals(changes: Sequence[QueryDiff], *, weighted: bool) -> DiffTotals:
    """Average over queries, by their weights or each the same.

    Resampled in one order whatever changed: an interval does not depend on k where values do not.
    """
    changes = sorted(changes, key=lambda one: one.query)
    weights = np.array([one.weight for one in changes]) if weighted else None

    def column(name: str) -> Floats:
        return np.array([float(getattr(one, name)) for one in changes])

    def mean(values: Floats) -> float:
        return float(np.average(values, weights=weights))

    changed, other = column("changed"), column("documents_changed")
    first, alike = column("first_changed"), column("rbo")
    return DiffTotals(
        changed=mean(changed),
        changed_interval=mean_interval(changed, weights=weights),
        documents_changed=mean(other),
        documents_changed_interval=mean_interval(other, weights=weights),
        first_changed=mean(first),
        first_changed_interval=mean_interval(first, weights=weights),
        rbo=mean(alike),
        rbo_interval=mean_interval(np.clip(alike, 0.0, 1.0), weights=weights),
        overlap=mean(column("overlap")),
        empty_before=mean(np.array([float(not one.before) for one in changes])),
        empty_after=mean(np.array([float(not one.after) for one in changes])),
    )
