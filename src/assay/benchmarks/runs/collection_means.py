"""Scores over several collections -> each by itself, their macro mean, and how far they differ."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.errors import InputError, UsageError
from assay.records import Bools, Floats, Interval, Ints
from assay.statistics.mean_interval import mean_interval

__all__ = ["Collected", "sum_up_collections"]


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """A run's scores over several collections.

    ``collections`` has for each its score by metric, their ``intervals``, and its number of
    ``queries``. ``macro`` has
    by metric the mean over the collections, whatever their sizes, with sd, best, worst and range,
    and the names of both ends; ``intervals`` are of those means, each collection resampled by
    itself. ``strata`` numbers the collection of each query, for comparing.
    """

    collections: dict[str, dict[str, Any]]
    macro: dict[str, dict[str, Any]]
    intervals: dict[str, Interval]
    strata: Ints

    @property
    def scores(self) -> dict[str, float]:
        """The macro means, by metric."""
        return {metric: float(one["mean"]) for metric, one in self.macro.items()}


def sum_up_collections(
    per_query: Mapping[str, Floats],
    collection: Sequence[str],
    *,
    seed: int = 0,
    lower_is_better: Sequence[str] = (),
) -> Collected:
    """Sum up the scores by metric, given the name of each query's collection.

    Of the metrics that are named ``lower_is_better`` the least is the best.
    """
    names, strata = _numbered(collection)
    _refuse_odd(per_query, strata)
    counts = np.bincount(strata, minlength=len(names))
    means = {
        metric: np.bincount(strata, np.asarray(scores, np.float64)) / counts
        for metric, scores in per_query.items()
    }
    return Collected(
        collections={
            name: {metric: float(of[at]) for metric, of in means.items()}
            | {"queries": int(counts[at]), "intervals": _intervals(per_query, strata == at, seed)}
            for at, name in enumerate(names)
        },
        macro={m: _macro(of, names, down=m in lower_is_better) for m, of in means.items()},
        intervals={m: mean_interval(s, seed=seed, strata=strata) for m, s in per_query.items()},
        strata=strata,
    )


def _intervals(
    per_query: Mapping[str, Floats], kept: Bools, seed: int
) -> dict[str, list[float] | None]:
    """Give the interval of each metric over one collection; None for a single query."""
    found = {m: mean_interval(np.asarray(s)[kept], seed=seed) for m, s in per_query.items()}
    known = {metric: math.isfinite(one.high) for metric, one in found.items()}
    return {m: [one.low, one.high] if known[m] else None for m, one in found.items()}


def _numbered(collection: Sequence[str]) -> tuple[list[str], Ints]:
    """Number the collections in the order in which they come."""
    names = list(dict.fromkeys(collection))
    number = {name: at for at, name in enumerate(names)}
    return names, np.array([number[name] for name in collection], np.int64)


def _refuse_odd(per_query: Mapping[str, Floats], strata: Ints) -> None:
    if not len(strata):
        raise InputError("there are no queries to sum up", hint="give at least one query")
    for metric, scores in per_query.items():
        if len(scores) != len(strata):
            hint = "name one collection for each query"
            raise UsageError(f"{len(scores)} {metric} scores, {len(strata)} names", hint=hint)


def _macro(means: Floats, names: Sequence[str], *, down: bool) -> dict[str, Any]:
    """Tell how the collections differ; the first of equal ends is named."""
    least, most = int(means.argmin()), int(means.argmax())
    best, worst = (least, most) if down else (most, least)
    return {
        "mean": float(means.mean()),
        "sd": float(means.std(ddof=1)) if len(means) > 1 else None,
        "best": float(means[best]),
        "worst": float(means[worst]),
        "range": float(means[most] - means[least]),
        "best_collection": names[best],
        "worst_collection": names[worst],
    }
