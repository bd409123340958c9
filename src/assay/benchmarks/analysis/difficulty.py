"""How each run does on easy and hard queries: as given, as measured, and as predicted."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from assay.benchmarks.analysis._comparable_runs import ComparableRuns, comparable_runs
from assay.benchmarks.queries.predicted_difficulty import difficulty_bands, predictor
from assay.records import Report
from assay.statistics.correlation import correlation

__all__ = ["difficulty"]

ORDER = ("trivial", "very easy", "easy", "medium", "moderate", "hard", "difficult", "very hard")


def difficulty(report: Report, *, seed: int) -> dict[str, Any]:
    """Tell the scores at each level of difficulty, easiest first; empty where nothing is scored.

    A query is measured by its mean score over the runs. How well it was predicted is the rank
    correlation of what was predicted with what was measured: 1 if the order is the same. Queries
    that failed in some run are left out of it: a failure says nothing of the query.
    """
    scores = comparable_runs(report)
    if not scores.queries:
        return {}
    return {
        "given": _given(report, scores),
        "measured": _measured(scores),
        "predicted": _predicted(report, scores),
    }


def _given(report: Report, scores: ComparableRuns) -> list[dict[str, Any]]:
    """Average by the level that the dataset names."""
    named = {key: str(one.get("difficulty") or "") for key, one in report.queries.items()}
    found = scores.grouped(named)
    return [_level(scores, name, found[name]) for name in sorted(found, key=_place)]


def _place(level: str) -> tuple[int, float, str]:
    """Put words that are known in their order, numbers in theirs, and others behind."""
    word = level.strip().casefold()
    if word in ORDER:
        return 0, ORDER.index(word), word
    number = word.replace(".", "", 1)
    return (1, float(word), word) if number.isdecimal() and number.isascii() else (2, 0.0, word)


def _measured(scores: ComparableRuns) -> list[dict[str, Any]]:
    """Cut the queries into thirds by their mean over the runs, and tell where."""
    means = scores.mean
    found = difficulty_bands({query: -mean for query, mean in means.items()})
    return [
        _level(scores, level, queries)
        | {"from": min(means[one] for one in queries), "to": max(means[one] for one in queries)}
        for level, queries in found.items()
    ]


def _predicted(report: Report, scores: ComparableRuns) -> dict[str, Any]:
    failed = {query for run in scores.runs for query in run.failed}
    known = {
        query: float(value)
        for query in scores.queries
        if query not in failed
        and (value := report.queries.get(query, {}).get("predicted")) is not None
    }
    if not known:
        return {}
    found = correlation(_array(known.values()), -_array(_of(scores.mean, known)), ranks=True)
    return {
        "correlation": found.r,
        "ci": None if found.interval is None else [found.interval.low, found.interval.high],
        "n": len(known),
        "predictor": predictor(len(scores.runs)),
        "levels": [_level(scores, *band) for band in difficulty_bands(known).items()],
    }


def _of(means: Mapping[str, float], queries: Iterable[str]) -> list[float]:
    return [means[query] for query in queries]


def _array(values: Iterable[float]) -> "np.typing.NDArray[np.float64]":
    return np.array([*values], np.float64)


def _level(scores: ComparableRuns, name: str, queries: list[str]) -> dict[str, Any]:
    return {"level": name, "queries": len(queries), "scores": scores.by_run(queries)}
