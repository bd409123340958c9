"""What a reader of a report must know besides its figures."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import PurePath

from assay.benchmarks.runs._loads import mixed_loads
from assay.benchmarks.runs._runs_alike import remembered, tied, tied_runs, twins
from assay.benchmarks.runs.sum_up import Tried
from assay.benchmarks.work.worker import untold
from assay.records import Benchmark, UnitState
from assay.records.quoted import quoted
from assay.records.run_settings import Settings

__all__ = ["notes_of"]

NAMED = 5  # datasets that a note names


def notes_of(
    benchmark: Benchmark,
    tried: Sequence[Tried],
    settings: Settings,
    *,
    states: Sequence[UnitState] = (),
    began: float = 0.0,
) -> Iterator[str]:
    """Tell what was merged, what failed, what was not measured now, who answers alike, and loads.

    ``states`` are those of all pieces of work; those that were done before it ``began`` were timed
    then.
    """
    runs = [one.run for one in tried]
    done = [run for run in runs if run.status == "completed"]
    silent = {one.run.name for one in tried if one.rankings and not one.rankings.offsets[-1]}
    contents = {run.indexing["content"] for run in done if "content" in run.indexing}
    if len(contents) > 1:
        yield "the corpus changed while it was measured: not all runs searched the same documents"
    yield from mixed_loads(runs, silent=silent)
    yield from _replaced(benchmark)
    yield from benchmark.merged
    for one in tried:
        for name in one.run.aliases:
            yield f"{quoted(name)} is the same as {quoted(one.run.name)}: they are one run"
        if one.rankings is None and benchmark.baseline in (one.run.name, *one.run.aliases):
            yield f"the baseline {quoted(benchmark.baseline)} failed, so nothing is compared"
        if one.run.status == "failed":
            what, hint = untold(one.run.error)
            yield f"{quoted(one.run.name)} failed: {'; '.join(filter(None, (what, hint)))}"
        told_once = [*tied(one.rankings)] if one.rankings else []
        named = quoted(one.run.name)
        yield from (f"{named}: {note}" for note in one.run.notes if note not in told_once)
    answers = [one.rankings for one in tried if one.rankings]
    yield from twins(answers)
    yield from tied_runs(answers)
    yield from remembered({run.name: run.indexing for run in runs})
    yield from _earlier(states, began)
    if settings.parallel > 1:
        none = ", so none is called the fastest" if settings.timed and len(done) > 1 else ""
        yield f"{settings.parallel} processes shared the machine: latencies are of a busy one{none}"
    if not settings.timed:
        yield "nothing was timed (--untimed): there are no latencies, so none is the fastest"


def _replaced(benchmark: Benchmark) -> Iterator[str]:
    """Say that one dataset was asked in the place of several."""
    if benchmark.replaced and not benchmark.datasets:
        names = ", ".join(map(quoted, benchmark.replaced[:NAMED]))
        more = ", ..." if len(benchmark.replaced) > NAMED else ""
        yield (
            f"{PurePath(benchmark.dataset).name} (--dataset) was asked in the place of the "
            f"{len(benchmark.replaced):,} datasets of the benchmark: {names}{more}"
        )


def _earlier(states: Sequence[UnitState], began: float) -> Iterator[str]:
    """Say how much was recorded before, and since when: its times are of then."""
    early = [one.finished for one in states if one.finished and one.finished < began]
    if early:
        day = datetime.fromtimestamp(min(early), tz=UTC).strftime("%Y-%m-%d %H:%M UTC")
        yield (
            f"recorded before, and not measured again: {len(early):,} of {len(states):,} pieces of "
            f"work, the first on {day} (--fresh does all anew)"
        )
