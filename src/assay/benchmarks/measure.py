"""Ask every query of a built configuration, and measure how long each answer takes."""

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assay.benchmarks._at_once import at_once
from assay.benchmarks._built import Built
from assay.errors import AssayError, InputError
from assay.records import Floats, Query, Track, harmless, untracked
from assay.statistics.percentile import percentile
from assay.statistics.percentile_interval import percentile_interval

__all__ = ["Measured", "excluded", "latency", "measure"]

WARM_UP = 3  # queries that are asked beforehand, so that no first use of anything is measured
SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
FEW = 100  # samples below which a p99 is hardly more than the largest
HOPELESS = 5  # queries, the first of all: if all of them fail alike, so will the others
WAITS = "waits"  # the stage of attempts that failed, and of the pauses after them
Clock = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Measured:
    """The answers, by query, and their times; ``failed`` tells why a query has none.

    ``milliseconds`` and ``stages`` have a value per answered query, in the order of ``found``; none
    where answers were not timed. ``at_once`` queries were asked at a time.
    """

    found: Mapping[str, tuple[Sequence[str], Floats]]
    milliseconds: Floats
    stages: Mapping[str, Floats]
    failed: Mapping[str, str] = field(default_factory=dict)
    repeats: int = 3
    notes: tuple[str, ...] = ()
    at_once: int = 1
    seconds: float = 0.0


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
    itself. A query that fails once has failed: it is neither timed nor asked again. Attempts that
    failed and the waits after them are no part of a latency. A system that takes several queries at
    once is asked so. Where the first few queries all fail alike, no more are asked.
    """
    repeats = repeats if built.timed else 1
    for query in queries[: warm_up if built.timed else 0]:
        if _asked(built, query, clock).error:
            break
    asked, began = _Asked(), clock()
    answers = _answers(built, queries, repeats, clock, asked)
    total = repeats * len(queries)
    for key, answer in track(answers, doing, total=total, unit="queries"):
        asked.take(key, answer)
    if asked.hopeless:
        asked.give_up(queries)
    seconds = (clock() - began) / 1e9
    measured = asked.summed(queries, repeats, timed=built.timed)
    notes = (*measured.notes, *_load(measured, built.concurrency))
    return replace(measured, at_once=built.concurrency, seconds=seconds, notes=notes)


def _answers(
    built: Built, queries: Sequence[Query], repeats: int, clock: Clock, asked: "_Asked"
) -> Iterator[tuple[str, "_Answer"]]:
    """Ask all queries, round after round, one at a time or as many as may be asked at once.

    A query that has failed is not asked again: that would cost time, and change nothing.
    """

    def ask(query: Query) -> tuple[str, _Answer]:
        return query.key, _asked(built, query, clock)

    for _ in range(repeats):
        left = [query for query in queries if not asked.failed(query.key)]
        several = built.concurrency > 1
        for one in at_once(ask, left, most=built.concurrency) if several else map(ask, left):
            yield one
            if asked.hopeless:
                return


def _load(measured: Measured, at_once: int) -> Iterator[str]:
    if at_once > 1 and len(measured.milliseconds):
        yield f"its latency is that with {at_once} queries at once"


def latency(measured: Measured) -> dict[str, Any]:
    """Sum the times up: mean, p50, p95 and p99, of all and of each stage."""
    if not len(measured.milliseconds):
        return {}
    figures: dict[str, Any] = _figures(measured.milliseconds)
    figures["stages"] = {stage: _figures(times) for stage, times in measured.stages.items()}
    ends = {name: percentile_interval(measured.milliseconds, at) for name, at in SHARES.items()}
    figures["intervals"] = {name: [one.low, one.high] for name, one in ends.items()}
    figures |= {"samples": len(measured.milliseconds), "repeats": measured.repeats}
    if measured.at_once > 1:
        figures["concurrency"] = measured.at_once
        asked = figures["samples"] * measured.repeats
        figures["queries_per_second"] = asked / max(measured.seconds, 1e-9)
    if figures["samples"] < FEW:
        figures["note"] = f"p99 of {figures['samples']} samples is hardly more than the largest"
    return figures


@dataclass(frozen=True, slots=True)
class _Answer:
    documents: Sequence[str] = ()
    scores: Floats = field(default_factory=lambda: np.empty(0))
    milliseconds: float = 0.0
    stages: Mapping[str, float] = field(default_factory=dict)
    waited: float = 0.0
    error: str = ""


def _asked(built: Built, query: Query, clock: Clock) -> _Answer:
    """Ask once; whatever goes wrong belongs to this query, and not to the others."""
    exclude = excluded(query)
    start = clock()
    try:
        documents, scores, stages = built.found(query, exclude=exclude)
        taken = (clock() - start) / 1e6
        _refuse_odd(documents, scores)
    except AssayError as error:
        return _Answer(error=harmless(error.problem or str(error)))
    except Exception as error:  # noqa: BLE001 - a search may raise anything, and the rest goes on
        return _Answer(error=harmless(f"{type(error).__name__}: {error}"))
    waited = stages.get(WAITS, 0.0)
    own = {name: time for name, time in stages.items() if name != WAITS}
    values = np.asarray(scores, np.float64)
    return _Answer(list(documents), values, max(taken - waited, 0.0), own, waited)


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
        self._waits: list[float] = []
        self._unasked: list[str] = []

    def failed(self, key: str) -> bool:
        """Tell whether a query has failed before."""
        return key in self._failed

    @property
    def hopeless(self) -> bool:
        """Tell whether there are only failures, and of one kind: what stands before details."""
        if self._first or len(self._failed) < HOPELESS:
            return False
        return len({re.split("[:(]", why)[0] for why in self._failed.values()}) == 1

    def give_up(self, queries: Sequence[Query]) -> None:
        """Count what was not asked any more as failed, too."""
        self._unasked = [one.key for one in queries if one.key not in self._failed]
        why = f"not asked: the first {HOPELESS} failed alike"
        self._failed |= dict.fromkeys(self._unasked, why)

    def take(self, key: str, answer: _Answer) -> None:
        """Keep an answer; only the times of later ones are kept."""
        self._waits += [answer.waited] if answer.waited else []
        if answer.error:
            self._failed.setdefault(key, answer.error)
            return
        first = self._first.setdefault(key, answer)
        if first is not answer and not _alike(first, answer):
            self._differ.add(key)
        timed = _Answer(milliseconds=answer.milliseconds, stages=answer.stages)
        self._times.setdefault(key, []).append(timed)

    def summed(self, queries: Sequence[Query], repeats: int, *, timed: bool = True) -> Measured:
        """Take the medians of each query."""
        keys = [query.key for query in queries if query.key not in self._failed]
        clocked = keys if timed else []
        every = (name for key in clocked for one in self._times[key] for name in one.stages)
        stages = [name for name in dict.fromkeys(every) if name != "total"]  # measured here
        return Measured(
            found={key: (self._first[key].documents, self._first[key].scores) for key in keys},
            milliseconds=self._medians(clocked),
            stages={name: self._medians(clocked, stage=name) for name in stages},
            failed={one.key: self._failed[one.key] for one in queries if one.key in self._failed},
            repeats=repeats,
            notes=tuple(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        if self._unasked:
            said = f"the first {HOPELESS} queries failed alike"
            yield f"{said}, so no more were asked: {len(self._unasked):,} are left"
        if self._differ:
            said = "queries answered differently when asked again"
            yield f"{said}: {len(self._differ):,}, e.g. {min(self._differ)}"
        if self._waits:
            said = (
                f"attempts that failed, and waits after them, took {sum(self._waits) / 1e3:.1f} s"
            )
            searches = "1 search" if len(self._waits) == 1 else f"{len(self._waits):,} searches"
            yield f"{said} in {searches}: they are left out of the latency"

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
