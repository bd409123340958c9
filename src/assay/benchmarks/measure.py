"""Ask every query of a built configuration, and measure how long each answer takes."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.benchmarks._built import Built
from assay.errors import AssayError, InputError
from assay.records import Floats, Query, Track, untracked
from assay.statistics.percentile import percentile
from assay.statistics.percentile_interval import percentile_interval

__all__ = ["Measured", "excluded", "latency", "measure"]

WARM_UP = 3  # queries that are asked beforehand, so that no first use of anything is measured
SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
FEW = 100  # samples below which a p99 is hardly more than the largest
Clock = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Measured:
    """The answers, by query, and their times; ``failed`` tells why a query has none.

    ``milliseconds`` and ``stages`` have a value per answered query, in the order of ``found``.
    """

    found: Mapping[str, tuple[Sequence[str], Floats]]
    milliseconds: Floats
    stages: Mapping[str, Floats]
    failed: Mapping[str, str] = field(default_factory=dict)
    repeats: int = 3
    notes: tuple[str, ...] = ()


def measure(
    built: Built,
    queries: Sequence[Query],
    *,
    repeats: int = 3,
    warm_up: int = WARM_UP,
    clock: Clock = time.perf_counter_ns,
    track: Track = untracked,
    doing: str = "searching",
) -> Measured:
    """Ask one query at a time, all of them ``repeats`` times over, and take medians.

    A query is asked again only after all others, so that it is never answered out of the memory of
    itself. A query that fails once has failed, and is not timed.
    """
    for query in queries[:warm_up]:
        _asked(built, query, clock)
    rounds = [query for _ in range(repeats) for query in queries]
    asked = _Asked()
    for query in track(rounds, doing, total=len(rounds), unit="queries"):
        asked.take(query.key, _asked(built, query, clock))
    return asked.summed(queries, repeats)


def latency(measured: Measured) -> dict[str, Any]:
    """Sum the times up: mean, p50, p95 and p99, of all and of each stage."""
    if not len(measured.milliseconds):
        return {}
    figures: dict[str, Any] = _figures(measured.milliseconds)
    figures["stages"] = {stage: _figures(times) for stage, times in measured.stages.items()}
    ends = {name: percentile_interval(measured.milliseconds, at) for name, at in SHARES.items()}
    figures["intervals"] = {name: [one.low, one.high] for name, one in ends.items()}
    figures |= {"samples": len(measured.milliseconds), "repeats": measured.repeats}
    if figures["samples"] < FEW:
        figures["note"] = f"p99 of {figures['samples']} samples is hardly more than the largest"
    return figures


@dataclass(frozen=True, slots=True)
class _Answer:
    documents: Sequence[str] = ()
    scores: Floats = field(default_factory=lambda: np.empty(0))
    milliseconds: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)
    error: str = ""


def _asked(built: Built, query: Query, clock: Clock) -> _Answer:
    """Ask once; whatever goes wrong belongs to this query, and not to the others."""
    exclude = excluded(query)
    start = clock()
    try:
        documents, scores, stages = built.found(query.text, exclude=exclude)
        taken = (clock() - start) / 1e6
        _refuse_odd(documents, scores)
    except AssayError as error:
        return _Answer(error=error.problem or str(error))
    except Exception as error:  # noqa: BLE001 - a search may raise anything, and the rest goes on
        return _Answer(error=f"{type(error).__name__}: {error}")
    return _Answer(list(documents), np.asarray(scores, np.float64), taken, dict(stages))


def excluded(query: Query) -> frozenset[str]:
    """Name the documents that do not count, such as the file that a query was made from."""
    named = query.extra.get("exclude")
    return frozenset(map(str, named)) if isinstance(named, list | tuple) else frozenset()


def _refuse_odd(documents: Sequence[str], scores: Floats) -> None:
    """Take no answer that cannot be scored: a document twice, or scores that rise or are none."""
    values = np.asarray(scores, np.float64)
    if len(documents) != len(values):
        raise InputError(f"{len(documents)} documents came with {len(values)} scores")
    if not np.isfinite(values).all() or (np.diff(values) > 0).any():
        raise InputError("the scores do not fall from the first document to the last")
    if len(set(documents)) < len(documents):
        raise InputError("a document came twice")


class _Asked:
    """What was answered so far: the first answer of each query, and all of its times."""

    def __init__(self) -> None:
        self._first: dict[str, _Answer] = {}
        self._times: dict[str, list[_Answer]] = {}
        self._failed: dict[str, str] = {}
        self._differ: set[str] = set()

    def take(self, key: str, answer: _Answer) -> None:
        """Keep an answer; only the times of later ones are kept."""
        if answer.error:
            self._failed.setdefault(key, answer.error)
            return
        first = self._first.setdefault(key, answer)
        if first is not answer and not _alike(first, answer):
            self._differ.add(key)
        timed = _Answer(milliseconds=answer.milliseconds, stages=answer.stages)
        self._times.setdefault(key, []).append(timed)

    def summed(self, queries: Sequence[Query], repeats: int) -> Measured:
        """Take the medians of each query."""
        keys = [query.key for query in queries if query.key not in self._failed]
        every = (name for key in keys for one in self._times[key] for name in one.stages)
        stages = [name for name in dict.fromkeys(every) if name != "total"]  # measured here
        differ = sorted(self._differ)
        said = "queries answered differently when asked again"
        return Measured(
            found={key: (self._first[key].documents, self._first[key].scores) for key in keys},
            milliseconds=self._medians(keys),
            stages={name: self._medians(keys, stage=name) for name in stages},
            failed={one.key: self._failed[one.key] for one in queries if one.key in self._failed},
            repeats=repeats,
            notes=(f"{said}: {len(differ):,}, e.g. {differ[0]}",) if differ else (),
        )

    def _medians(self, keys: Sequence[str], *, stage: str = "") -> Floats:
        """Return the median time of each query, of one stage or of all."""
        return np.array(
            [np.median([_time(one, stage) for one in self._times[key]]) for key in keys]
        )


def _time(answer: _Answer, stage: str) -> float:
    return answer.stages.get(stage, 0.0) if stage else answer.milliseconds


def _alike(one: _Answer, other: _Answer) -> bool:
    return list(one.documents) == list(other.documents) and np.array_equal(one.scores, other.scores)


def _figures(times: Floats) -> dict[str, float]:
    return {"mean": float(times.mean())} | {n: percentile(times, at) for n, at in SHARES.items()}
