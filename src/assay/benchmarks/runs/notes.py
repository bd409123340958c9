"""What a reader of a report must know besides its figures."""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

import numpy as np

from assay.benchmarks.runs.run_result import TIES, RunResult, tie_notes
from assay.benchmarks.work.worker import untold
from assay.engines.dense import Recall
from assay.records import Benchmark, Rankings, Run, UnitState
from assay.records.run_settings import RunSettings
from assay.records.times import has_given_queries, timed_runs, unlike_loads
from assay.searches.build import recall_note
from assay.text.join_list import first_named, join_list, join_names
from assay.text.quote import quote

__all__ = [
    "CACHED_VECTORS",
    "RECORDED_EARLIER",
    "equal_runs",
    "first_alike",
    "mixed_loads",
    "notes_of",
    "remembered",
    "tied_runs",
]

NAMED = 5  # datasets that a note names
FEW = 3  # runs that are named where each of them has a figure
RECORDED_EARLIER = "recorded earlier and not measured again"
AT_SERVICE = "--fresh, or settings.fresh in a request,"
CACHED_VECTORS = "vectors from the cache"


def notes_of(
    benchmark: Benchmark,
    tried: Sequence[RunResult],
    settings: RunSettings,
    *,
    states: Sequence[UnitState] = (),
    began: float = 0.0,
    together: bool = False,
    at_service: bool = False,
) -> Iterator[str]:
    """Note what was merged, failed, recorded earlier, identical, or timed under load.

    ``states`` are those of all units of work; those that were done before it ``began`` were timed
    then. ``together``: several processes worked at the same time. ``at_service``: a request asked
    for it, which has settings in place of options.
    """
    runs = [one.run for one in tried]
    done = [run for run in runs if run.status == "completed"]
    recalled = [run for run in done if "dense_recall" in run.indexing]
    silent = {one.run.name for one in tried if one.rankings and not one.rankings.offsets[-1]}
    contents = {run.indexing["content"] for run in done if "content" in run.indexing}
    if len(contents) > 1:
        yield "the corpus changed during the benchmark: not all runs searched the same documents"
    yield from mixed_loads(runs, silent=silent)
    yield from _earlier(states, began, fresh=AT_SERVICE if at_service else "--fresh")
    yield from _replaced(benchmark)
    yield from benchmark.merged
    for one in tried:
        for name in one.run.aliases:
            yield f"{quote(name)} is identical to {quote(one.run.name)}: they are one run"
        if one.rankings is None and benchmark.baseline in (one.run.name, *one.run.aliases):
            yield f"the baseline {quote(benchmark.baseline)} failed, so no runs were compared"
        if one.run.status == "failed":
            what, hint = untold(one.run.error)
            yield f"{quote(one.run.name)} failed: {'; '.join(filter(None, (what, hint)))}"
        named, told = quote(one.run.name), _told_once(one, recalled=recalled)
        yield from (f"{named}: {note}" for note in one.run.notes if note not in told)
    answers = [one.rankings for one in tried if one.rankings]
    yield from equal_runs(answers)
    yield from tied_runs(answers)
    yield from remembered({run.name: run.indexing for run in runs})
    yield from (*_built_elsewhere(runs), *_given(runs), *_recalls(recalled))
    if together:
        none = "; no run is named the fastest" if settings.timed and len(done) > 1 else ""
        yield f"several processes shared the machine, so latencies were measured under load{none}"
    if not settings.timed:
        yield "nothing was timed (--untimed): there are no latencies, and no fastest run"


def _told_once(one: RunResult, *, recalled: Sequence[Run]) -> list[str]:
    """Return the notes of a run that are told for all runs together."""
    ties = [*tie_notes(one.rankings)] if one.rankings else []
    if one.run not in recalled or len(recalled) < 2:
        return ties
    return [*ties, *recall_note(Recall(**one.run.indexing["dense_recall"]))]


def _recalls(runs: Sequence[Run]) -> Iterator[str]:
    """Tell the least and the largest recall of several approximate indexes."""
    found = {run.name: run.indexing["dense_recall"] for run in runs}
    if len(found) < 2:
        return
    ends = [pick(found, key=lambda name: float(found[name]["mean"])) for pick in (min, max)]
    low, high = (f"{found[name]['mean']:.1%} ({quote(name)})" for name in ends)
    k = found[ends[0]]["k"]
    yield f"recall@{k} of approximate indexes against exact search: {low} to {high}"


def _given(runs: Sequence[Run]) -> Iterator[str]:
    """Name the runs with vectors that others made: what that took is not known."""
    names = [
        run.name
        for run in runs
        if has_given_queries(run.latency_ms) or "given_vectors" in run.indexing
    ]
    if names:
        told = join_names(names, most=FEW)
        yield f"vectors were given to {told}: latency and indexing time do not include embedding"


def _built_elsewhere(runs: Sequence[Run]) -> Iterator[str]:
    """Name the runs whose index another machine built: its seconds are not compared."""
    names = [run.name for run in runs if run.indexing.get("elsewhere")]
    if names:
        told = join_names(names, most=FEW)
        yield f"another machine built the index of {told}: its indexing time is not compared"


def _replaced(benchmark: Benchmark) -> Iterator[str]:
    """Say that one dataset replaced several."""
    if benchmark.replaced and not benchmark.datasets:
        names = first_named(benchmark.replaced, NAMED, show=quote)
        yield (
            f"{PurePath(benchmark.dataset).name} (--dataset) replaced the benchmark's "
            f"{len(benchmark.replaced):,} datasets: {names}"
        )


def _earlier(states: Sequence[UnitState], began: float, *, fresh: str) -> Iterator[str]:
    """Say how much was recorded earlier, and since when: its latencies are of then."""
    early = [one.finished for one in states if one.finished and one.finished < began]
    if early:
        day = datetime.fromtimestamp(min(early), tz=UTC).strftime("%Y-%m-%d %H:%M UTC")
        yield (
            f"{len(early):,} of {len(states):,} units of work were {RECORDED_EARLIER}, the first "
            f"on {day}: their latencies are of then ({fresh} measures everything again)"
        )


def mixed_loads(runs: Sequence[Run], *, silent: Collection[str] = ()) -> Iterator[str]:
    """Say that latencies were measured with different numbers of concurrent queries, if so."""
    if why := unlike_loads(timed_runs(runs, silent=silent)):
        yield (
            f"latencies were {why}, so they cannot be compared: no run is named the fastest, and "
            "latency does not affect the pick"
        )


def tied_runs(answers: Sequence[Rankings]) -> Iterator[str]:
    """Count the ties of all runs in one note."""
    found = [one for one in answers if one.tied]
    if len(found) == 1:
        yield from (f"{quote(found[0].name)}: {said}" for said in tie_notes(found[0]))
    elif found:
        told = join_list([f"{one.tied:,} in {quote(one.name)}" for one in found], most=FEW)
        yield f"{TIES}: {told}"


def equal_runs(answers: Sequence[Rankings]) -> Iterator[str]:
    """Name the runs that return the same documents in the same order for every query."""
    found: dict[bytes, list[str]] = {}
    for one in answers:
        if len(one.documents):
            found.setdefault(_digest(one), []).append(one.name)
    for names in found.values():
        if len(names) > 1:
            yield f"{join_names(names)} return identical rankings, so their scores are the same"


def first_alike(answers: Sequence[Rankings]) -> list[int]:
    """Return for each run the place of the first one with identical rankings: often its own."""
    places: dict[bytes, int] = {}
    return [places.setdefault(_digest(one), at) for at, one in enumerate(answers)]


def _digest(rankings: Rankings) -> bytes:
    """Hash the documents of each query, in the order of the queries' names."""
    order = sorted(range(len(rankings.queries)), key=rankings.queries.__getitem__)
    counts, starts = rankings.counts[order], rankings.offsets[:-1][order]
    rows = np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
    named = "\0".join(rankings.queries[at] for at in order)
    digest = hashlib.blake2b(named.encode(), digest_size=16)
    digest.update(counts.tobytes())
    documents = rankings.documents[rows].tolist()  # names of equal runs may be stored wider in one
    digest.update(b"\0".join(documents))
    return digest.digest()


def remembered(indexing: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Name the runs whose seconds of indexing were measured earlier, or are not known."""
    early = [
        f"{quote(name)} ({_share(one)}{one['remembered_seconds']:,.1f} s)"
        for name, one in indexing.items()
        if one.get("remembered_seconds")
    ]
    if early:
        told = join_list(early, most=FEW)
        yield f"{CACHED_VECTORS} count with their original embedding time: {told}"
    lost = [
        name
        for name, one in indexing.items()
        if not one.get("seconds_complete", True) and "given_vectors" not in one
    ]
    if lost:
        yield (
            "the indexing time does not include embedding some cached vectors, whose time is "
            f"unknown: {join_names(lost, most=FEW)}"
        )


def _share(one: Mapping[str, Any]) -> str:
    """Count the cached vectors, of all chunks."""
    known, chunks = one.get("remembered_vectors"), one.get("chunks")
    return "" if known is None or chunks is None else f"{known:,} of {chunks:,}, "
