"""The replies of a search to every query -> its answers, and how long each took."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assay.benchmarks.work.ask import CPU, HOPELESS, NOT_ASKED, TOTAL, WAITS
from assay.benchmarks.work.tapes import Rows, unpack_answer
from assay.records import (
    Floats,
    Query,
)
from assay.records.busy import is_busy, kept_waiting
from assay.records.configuration import GIVEN
from assay.searches.built_search import AnswerCheck
from assay.statistics.percentile import percentile
from assay.statistics.percentile_interval import percentile_interval
from assay.statistics.t_interval import t_interval
from assay.text.count_noun import count_noun

__all__ = [
    "UNASKED",
    "Measurements",
    "Recorded",
    "RunFacts",
    "latency",
    "measurements_of",
    "under_load",
]

UNASKED = "not run"  # why a query has no answer that is on no tape
GIVEN_UP = (NOT_ASKED, f"not asked: the first {HOPELESS} failed alike")  # as older tapes have it

SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
FEW = 100  # samples below which a p99 is hardly more than the largest
BETWEEN = "between"  # the stage of what whole searches take longer than their stages


@dataclass(frozen=True, slots=True)
class Measurements:
    """The answers, by query, and their times; ``failed`` tells why a query has none.

    ``milliseconds`` and ``stages`` have a value for each of the ``timed`` queries, in their order:
    all that were answered, some of those that another machine answered, or none. ``at_once``
    queries were asked at a time. ``cores`` is how many a search keeps busy while it takes its time;
    None where that was not measured. ``busy``: other work kept it waiting while its times were
    taken; ``together``: further processes of ours worked at once. ``symbols`` has, for each of the
    first results of a query, those that the chunk that was found defines; nothing where no chunk
    does, or others searched. ``tokens`` are the lengths of all results, where a metric needs them.
    """

    found: Mapping[str, tuple[Sequence[str], Floats]]
    milliseconds: Floats
    stages: Mapping[str, Floats]
    failed: Mapping[str, str] = field(default_factory=dict)
    repeats: int = 3
    notes: tuple[str, ...] = ()
    at_once: int = 1
    seconds: float = 0.0
    cores: float | None = None
    busy: bool = False
    together: bool = False
    timed: tuple[str, ...] = ()
    symbols: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)
    tokens: Mapping[str, Sequence[int]] = field(default_factory=dict)


def under_load(measured: Measurements, several: int, seconds: float) -> Measurements:
    """Note that several queries were run concurrently, if they were."""
    notes = measured.notes
    if several > 1 and len(measured.milliseconds):
        notes = (*notes, f"latency was measured with {several} concurrent queries")
    return replace(measured, at_once=several, seconds=seconds, notes=notes)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The outputs of a stage: what it ``found``, and the ``times`` of one machine.

    ``elsewhere``: another machine found it.
    """

    found: Rows
    times: Rows = field(default_factory=dict)
    elsewhere: bool = False


def measurements_of(
    queries: Sequence[Query], stages: Sequence[Recorded], *, whole: Rows | None = None
) -> Measurements:
    """Take each query's answer from the last stage, and add up its medians in all of them.

    One stage is a whole search, several are the stages of a search, each measured separately. Then
    ``whole`` has some queries that ran through all stages in sequence: what these took longer than
    their stages (the time between them, and caches that the others have emptied) is added to every
    query as a part of its own.
    """
    found, times = [one.found for one in stages], [one.times for one in stages]
    failed = {query.key: why for query in queries if (why := _why(stages, query.key))}
    keys = [query.key for query in queries if query.key not in failed]
    timed = [key for key in keys if all(key in rows for rows in times)]
    parts = _parts(times, timed)
    between = _between(times, timed, whole or {})
    searches = whole or (times[0] if len(times) == 1 else {})
    return Measurements(
        found={key: unpack_answer(found[-1][key][0].value or b"") for key in keys},
        milliseconds=_sums(times, timed, TOTAL) + between,
        stages={name: _sums(times, timed, name) for name in parts}
        | ({BETWEEN: np.full(len(timed), between)} if between else {}),
        failed=failed,
        repeats=min((len(rows[key]) for rows in times for key in timed), default=1),
        notes=(*_notes(stages, failed), *_otherwise(found[-1], whole or {})),
        cores=_cores(searches) if timed else None,
        busy=kept_waiting(_every(times)),
        timed=tuple(timed),
    )


def _every(tapes: Sequence[Rows]) -> Iterator[Mapping[str, float]]:
    """Yield the times of all searches that did not fail."""
    for rows in tapes:
        yield from (row.times for some in rows.values() for row in some if not row.error)


def _cores(whole: Rows) -> float | None:
    """Return what whole searches worked on all cores, as a share of what they took."""
    rows = [row for some in whole.values() for row in some if CPU in row.times and not row.error]
    took = sum(row.times[TOTAL] + row.times.get(WAITS, 0.0) for row in rows)
    return sum(row.times[CPU] for row in rows) / took if took else None


def _between(tapes: Sequence[Rows], keys: Sequence[str], whole: Rows) -> float:
    """Return what whole searches take longer than their stages, as the median over queries."""
    asked = [key for key in keys if key in whole and not any(row.error for row in whole[key])]
    if not asked:
        return 0.0
    longer = _sums([whole], asked, TOTAL) - _sums(tapes, asked, TOTAL)
    return max(float(np.median(longer)), 0.0)


def _otherwise(answers: Rows, whole: Rows) -> Iterator[str]:
    """Say that whole searches return other results than their stages: they never should."""
    other = [
        key
        for key, rows in whole.items()
        if rows[0].value is not None and key in answers and rows[0].value != answers[key][0].value
    ]
    if other:
        said = f"{len(other):,} of {count_noun(len(whole), 'query', 'queries')} returned different "
        yield f"{said}results from the whole search than from its stages, e.g. {min(other)}"


def latency(
    measured: Measurements, *, elsewhere: bool = False, given: bool = False
) -> dict[str, Any]:
    """Sum the times up: mean, p50, p95 and p99, of all and of each stage; ``busy`` ones mislead.

    A search that works ``elsewhere``, too, waits for a server: it idles on a quiet machine as well.
    Where the vectors of queries were ``given``, embedding them is no part of any of it.
    """
    if not len(measured.milliseconds):
        return {}
    figures: dict[str, Any] = _figures(measured.milliseconds)
    figures["stages"] = {stage: _figures(times) for stage, times in measured.stages.items()}
    ends = {name: percentile_interval(measured.milliseconds, at) for name, at in SHARES.items()}
    ends["mean"] = t_interval(measured.milliseconds)
    figures["intervals"] = {
        name: [_reached(one.low), _reached(one.high)] for name, one in ends.items()
    }
    figures |= {"samples": len(measured.milliseconds), "repeats": measured.repeats}
    figures["queries"] = dict(zip(measured.timed, measured.milliseconds.tolist(), strict=True))
    if measured.cores is not None:
        figures["cpu"] = {"mean": figures["mean"] * measured.cores, "cores": measured.cores}
    figures["busy"] = measured.together or (not elsewhere and (measured.busy or is_busy(figures)))
    figures |= {"query_vectors": GIVEN} if given else {}
    if measured.at_once > 1:
        figures["concurrency"] = measured.at_once
        asked = figures["samples"] * measured.repeats
        figures["queries_per_second"] = asked / max(measured.seconds, 1e-9)
    if figures["samples"] < FEW:
        figures["note"] = f"p99 of {figures['samples']} samples is close to their maximum"
    return figures


def _why(stages: Sequence[Recorded], key: str) -> str:
    """Say why a query has no answer: the first stage that failed knows."""
    for one in stages:
        if key not in one.found:
            return UNASKED
        rows = (*one.found[key], *one.times.get(key, ()))
        if why := next((row.error for row in rows if row.error), ""):
            return why
    return ""


def _parts(tapes: Sequence[Rows], keys: Sequence[str]) -> list[str]:
    """Name the stages in their order."""
    every = (name for rows in tapes for key in keys for row in rows[key] for name in row.times)
    return [name for name in dict.fromkeys(every) if name not in (TOTAL, WAITS, CPU)]


def _sums(tapes: Sequence[Rows], keys: Sequence[str], part: str) -> Floats:
    """Add up, for each query, the medians of a part over all outputs that have it."""
    total = np.zeros(len(keys))
    for rows in tapes:
        times = [[row.times.get(part, 0.0) for row in rows[key]] for key in keys]
        total += np.array([np.median(some) for some in times]) if times else 0.0
    return total


def _notes(stages: Sequence[Recorded], failed: Mapping[str, str]) -> Iterator[str]:
    if unasked := sum(why in GIVEN_UP for why in failed.values()):
        said = f"the first {HOPELESS} queries failed with the same error"
        yield f"{said}, so the other {unasked:,} were not run"
    again = ("when repeated", "on this machine than on the machine that ran them first")
    for elsewhere, when in enumerate(again):
        tapes = [one.times for one in stages if one.elsewhere == bool(elsewhere)]
        differ = {
            key
            for rows in tapes
            for key, some in rows.items()
            if any(row.value is not None for row in some)
        }
        if differ:
            said = f"{count_noun(len(differ), 'query')} returned different results"
            yield f"{said} {when}, e.g. {min(differ)}"
    every = _every([one.times for one in stages])
    if waits := [times[WAITS] for times in every if times.get(WAITS)]:
        said = f"failed attempts and the waits after them took {sum(waits) / 1e3:.1f} s"
        searches = count_noun(len(waits), "search", "searches")
        yield f"{said} in {searches}, which the latency does not include"


def _reached(end: float) -> float | None:
    """Return an end of an interval; None where the samples are too few to have one."""
    return end if math.isfinite(end) else None


def _figures(times: Floats) -> dict[str, float]:
    return {"mean": float(times.mean())} | {n: percentile(times, at) for n, at in SHARES.items()}


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run besides its answers: what it is, what it took, why it failed.

    ``collections`` has the size and cost of the index of each, where there are several.
    """

    fingerprint: str = ""
    indexing: Mapping[str, Any] = field(default_factory=dict)
    storage: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    checked: AnswerCheck = field(default_factory=AnswerCheck)
    error: str = ""
    collections: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
