"""The documents that two runs both show."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.records import Ints, Rankings

__all__ = ["Common", "common"]


@dataclass(frozen=True, slots=True, eq=False)
class Common:
    """A row per query and document in the top of both runs, and how much each run shows."""

    queries: tuple[str, ...]
    query: Ints
    left: Ints
    right: Ints
    left_shown: Ints
    right_shown: Ints


def common(
    left: Rankings, right: Rankings, depth: int, queries: Sequence[str] | None = None
) -> Common:
    """Match the first ``depth`` documents of each query (default: the queries of either run)."""
    queries = tuple(queries or dict.fromkeys((*left.queries, *right.queries)))
    ours, theirs = left.numbers(queries), right.numbers(queries)
    left_shown, right_shown = _shown(left, ours, depth), _shown(right, theirs, depth)
    query = np.repeat(np.arange(len(queries)), left_shown)
    rank = np.arange(len(query)) - np.repeat(np.cumsum(left_shown) - left_shown, left_shown) + 1
    documents = left.documents[left.offsets[ours[query]] + rank - 1]
    other = right.ranks(theirs[query], documents)
    both = (other > 0) & (other <= depth)
    return Common(queries, query[both], rank[both], other[both], left_shown, right_shown)


def _shown(run: Rankings, number: Ints, depth: int) -> Ints:
    return np.where(number >= 0, np.minimum(run.counts[number], depth), 0)
