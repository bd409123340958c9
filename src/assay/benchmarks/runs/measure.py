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
from assay.records.busy import IDLE, is_busy
from assay.searches.built_search import AnswerCheck
from assay.statistics.percentile import percentile
from assay.statistics.percentile_interval import percentile_interval
from assay.statistics.t_interval import t_interval
from assay.text.count_noun import count_noun

__all__ = ["Measurements", "RunFacts", "latency", "measurements_of", "under_load"]

SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}
FEW = 100  # samples below which a p99 is hardly more than the largest
BETWEEN = "between"  # the stage of what whole searches take longer than their stages


@dataclass(frozen=True, slots=True)
class Measurements:
    """The answers, by query, and their times; ``failed`` tells why a query has none.

    ``milliseconds`` and ``stages`` have a value per answered query, in the order of ``found``; none
    where answers were not timed. ``at_once`` queries were asked at a time. ``cores`` is how many a
    search keeps busy while it takes its time; None where that was not measured. ``busy``: other
    work kept it waiting while its times were taken. ``processes`` worked at once. ``symbols`` has,
    for each of the first results of a query, those that the chunk that was found defines; nothing
    where no chunk does, or others searched.
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
    processes: int = 1
    symbols: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)


def under_load(measured: Measurements, several: int, seconds: float) -> Measurements:
    """Tell that several queries were asked at once, if they were."""
    notes = measured.notes
    if several > 1 and len(measured.milliseconds):
        notes = (*notes, f"its latency is that with {several} queries at once")
    return replace(measured, at_once=several, seconds=seconds, notes=notes)


def measurements_of(
    queries: Sequence[Query],
    tapes: Sequence[Rows],
    *,
    timed: bool = True,
    whole: Rows | None = None,
) -> Measurements:
    """Take each query's answer from the last tape, and add up its medians on all of them.

    One tape holds whole searches, several hold the stages of a search, each measured by itself.
    Then ``whole`` has some queries as they were asked of all stages at once: what these took longer
    than their stages (the way between them, and caches that the others have emptied) is added to
    every query as a part of its own.
    """
    failed = {query.key: why for query in queries if (why := _why(tapes, query.key))}
    keys = [query.key for query in queries if query.key not in failed]
    clocked = keys if timed else []
    parts = _parts(tapes, clocked)
    between = _between(tapes, clocked, whole or {})
    searches = whole or (tapes[0] if len(tapes) == 1 else {})
    return Measurements(
        found={key: unpack_answer(tapes[-1][key][0].value or b"") for key in keys},
        milliseconds=_sums(tapes, clocked, TOTAL) + between,
        stages={name: _sums(tapes, clocked, name) for name in parts}
        | ({BETWEEN: np.full(len(clocked), between)} if between else {}),
        failed=failed,
        repeats=min((len(rows[key]) for rows in tapes for key in keys), default=1),
        notes=(*_notes(tapes, failed), *_otherwise(tapes[-1], whole or {})),
        cores=_cores(searches) if timed else None,
        busy=timed and _waited(tapes),
    )


def _cores(whole: Rows) -> float | None:
    """Return what whole searches worked on all cores, as a share of what they took."""
    rows = [row for some in whole.values() for row in some if CPU in row.times and not row.error]
    took = sum(row.times[TOTAL] + row.times.get(WAITS, 0.0) for row in rows)
    return sum(row.times[CPU] for row in rows) / took if took else None


def _waited(tapes: Sequence[Rows]) -> bool:
    """Tell whether the searches got too little of a core; more cores for one do not help others.

    The stages of a search are measured at other times than some whole searches.
    """
    every = (row for rows in tapes for some in rows.values() for row in some)
    rows = [row.times for row in every if CPU in row.times and not row.error]
    took = sum(times[TOTAL] for times in rows)
    return sum(min(times[CPU], times[TOTAL]) for times in rows) < IDLE * took


def _between(tapes: Sequence[Rows], keys: Sequence[str], whole: Rows) -> float:
    """Return what whole searches take longer than their stages, as the median over queries."""
    asked = [key for key in keys if key in whole and not any(row.error for row in whole[key])]
    if not asked:
        return 0.0
    longer = _sums([whole], asked, TOTAL) - _sums(tapes, asked, TOTAL)
    return max(float(np.median(longer)), 0.0)


def _otherwise(answers: Rows, whole: Rows) -> Iterator[str]:
    """Say that whole searches answer otherwise than their stages: they never should."""
    other = [
        key
        for key, rows in whole.items()
        if rows[0].value is not None and key in answers and rows[0].value != answers[key][0].value
    ]
    if other:
        said = "queries answered otherwise by the whole search than by its stages"
        yield f"{said}: {len(other):,} of {len(whole):,}, e.g. {min(other)}"


def latency(measured: Measurements, *, elsewhere: bool = False) -> dict[str, Any]:
    """Sum the times up: mean, p50, p95 and p99, of all and of each stage; ``busy`` ones mislead.

    A search that works ``elsewhere``, too, waits for a server: it idles on a quiet machine as well.
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
    figures["queries"] = dict(zip(measured.found, measured.milliseconds.tolist(), strict=True))
    if measured.cores is not None:
        figures["cpu"] = {"mean": figures["mean"] * measured.cores, "cores": measured.cores}
    figures["busy"] = measured.processes > 1 or (
        not elsewhere and (measured.busy or is_busy(figures))
    )
    if measured.at_once > 1:
        figures["concurrency"] = measured.at_once
        asked = figures["samples"] * measured.repeats
        figures["queries_per_second"] = asked / max(measured.seconds, 1e-9)
    if figures["samples"] < FEW:
        figures["note"] = f"p99 of {figures['samples']} samples is hardly more than the largest"
    return figures


def _why(tapes: Sequence[Rows], key: str) -> str:
    """Say why a query has no answer: the first stage that failed knows."""
    for rows in tapes:
        if key not in rows:
            return "not asked"
        if rows[key][0].error:
            return rows[key][0].error
        if why := next((row.error for row in rows[key] if row.error), ""):
            return why
    return ""


def _parts(tapes: Sequence[Rows], keys: Sequence[str]) -> list[str]:
    """Name the stages in their order."""
    every = (name for rows in tapes for key in keys for row in rows[key] for name in row.times)
    return [name for name in dict.fromkeys(every) if name not in (TOTAL, WAITS, CPU)]


def _sums(tapes: Sequence[Rows], keys: Sequence[str], part: str) -> Floats:
    """Add up, for each query, the medians of a part on all tapes that have it."""
    total = np.zeros(len(keys))
    for rows in tapes:
        times = [[row.times.get(part, 0.0) for row in rows[key]] for key in keys]
        total += np.array([np.median(some) for some in times]) if times else 0.0
    return total


def _notes(tapes: Sequence[Rows], failed: Mapping[str, str]) -> Iterator[str]:
    if unasked := sum(why == NOT_ASKED for why in failed.values()):
        said = f"the first {HOPELESS} queries failed alike"
        yield f"{said}, so no more were asked: {unasked:,} are left"
    every = [row for rows in tapes for some in rows.values() for row in some]
    if differ := {row.query for row in every if row.round and row.value is not None}:
        said = "queries answered differently when asked again"
        yield f"{said}: {len(differ):,}, e.g. {min(differ)}"
    if waits := [row.times[WAITS] for row in every if row.times.get(WAITS)]:
        said = f"attempts that failed, and waits after them, took {sum(waits) / 1e3:.1f} s"
        searches = count_noun(len(waits), "search", "searches")
        yield f"{said} in {searches}: they are left out of the latency"


def _reached(end: float) -> float | None:
    """Return an end of an interval; None where the samples are too few to have one."""
    return end if math.isfinite(end) else None


def _figures(times: Floats) -> dict[str, float]:
    return {"mean": float(times.mean())} | {n: percentile(times, at) for n, at in SHARES.items()}


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What is known of a run besides its answers: what it is, what it took, why it failed."""

    fingerprint: str = ""
    indexing: Mapping[str, Any] = field(default_factory=dict)
    storage: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    checked: AnswerCheck = field(default_factory=AnswerCheck)
    error: str = ""
