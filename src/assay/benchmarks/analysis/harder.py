"""Which groups of queries are significantly harder or easier than the others."""

from collections.abc import Collection, Mapping, Set
from statistics import fmean
from typing import Any

import numpy as np

from assay.benchmarks.analysis._comparable_runs import ComparableRuns, comparable_runs
from assay.benchmarks.analysis._query_groups import (
    by_breakdown,
    by_category,
    by_cluster,
    by_file_type,
)
from assay.records import Report
from assay.statistics.holm import holm
from assay.statistics.max_t_groups import max_t_groups

__all__ = ["harder"]

Groups = Mapping[str, Set[str]]  # queries, by the name of their group

SHUFFLES, FEWEST = 10_000, 1_000
MOST = 50  # groups of a question that are tested
DEALT = 5_000_000  # scores that are dealt at most, unless the fewest shuffles need more


def harder(report: Report, *, seed: int) -> dict[str, Any]:
    """Compare each category, cluster, file type and value of a field with the other queries.

    A query counts with its mean over the runs. ``p`` of a question is the least of its groups,
    which is corrected for all of them; ``p_holm`` for the other questions, too. A group with a
    ``p_holm`` of at most .05 differs, and its ``mean`` says whether it is harder than ``others``.
    """
    scores = comparable_runs(report)
    asked: dict[str, Mapping[str, Collection[str]]] = {
        "categories": by_category(report, scores),
        "clusters": by_cluster(report, scores),
        "file_types": by_file_type(report, scores),
        **{f"breakdowns.{name}": one for name, one in by_breakdown(report, scores).items()},
    }
    sets = {
        question: {name: frozenset(group) for name, group in groups.items()}
        for question, groups in asked.items()
        if len(groups) > 1
    }
    return _corrected({name: _told(scores, groups, seed) for name, groups in sets.items()})


def _told(scores: ComparableRuns, groups: Groups, seed: int) -> dict[str, Any]:
    """Test each group against all other queries that are in any; of many the largest."""
    within = frozenset[str]().union(*groups.values())
    queries = [query for query in scores.queries if query in within]
    largest = sorted(groups, key=lambda name: -len(groups[name]))[:MOST]
    tested = {name: group for name, group in groups.items() if name in largest}
    values = np.array([scores.mean[query] for query in queries], np.float64)
    member = np.array([[query in group for group in tested.values()] for query in queries], float)
    shuffles = min(SHUFFLES, max(FEWEST, DEALT // len(queries)))
    p = max_t_groups(values, member, shuffles=shuffles, seed=seed).tolist()
    each = {
        name: {"queries": len(group), **_means(scores, queries, group), "p": p[at]}
        for at, (name, group) in enumerate(tested.items())
    }
    return {"queries": len(queries), "groups": len(groups), "p": min(p), "each": each}


def _means(scores: ComparableRuns, queries: list[str], group: Set[str]) -> dict[str, float | None]:
    others = [scores.mean[query] for query in queries if query not in group]
    return {
        "mean": fmean(scores.mean[query] for query in group),
        "others": fmean(others) if others else None,
    }


def _corrected(found: dict[str, Any]) -> dict[str, Any]:
    """Correct for the number of questions: Holm's factor holds for the groups of a question."""
    if not found:
        return {}
    least = [one["p"] for one in found.values()]
    for one, p_holm in zip(found.values(), holm(np.array(least)).tolist(), strict=True):
        one["p_holm"] = p_holm
        left = sum(p >= one["p"] for p in least)
        for group in one["each"].values():
            group["p_holm"] = min(1.0, max(p_holm, left * group["p"]))
    return found
