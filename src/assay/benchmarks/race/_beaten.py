"""What is told of a run that was beaten: its scores over the queries that it was asked."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from assay.benchmarks.collections.open_collections import Site, Sites
from assay.benchmarks.collections.truth import Truth, truth_of
from assay.benchmarks.runs.measure import Measured
from assay.benchmarks.runs.several_collections import joined_measured
from assay.benchmarks.runs.sum_up import Done, Tried, sum_up
from assay.records import Benchmark, Configuration, Dataset

__all__ = ["keyed", "sum_up_beaten"]


def sum_up_beaten(
    chosen: Configuration,
    done: Done,
    each: Sequence[Measured],
    *,
    benchmark: Benchmark,
    sites: Sites,
    asked: Collection[str],
    seed: int,
) -> Tried:
    """Score what was ``asked`` of a run in each block; it is not compared any further.

    One that has failed until then scores 0: it might have gone on to answer, as any other.
    """
    dataset, truth = _asked_only(sites.dataset, sites.truth, asked)
    measured = _joined(each)
    tried = sum_up(
        chosen, done, measured, benchmark=benchmark, dataset=dataset, truth=truth, seed=seed
    )
    if tried.run.status == "failed":
        return replace(tried, stopped=dict.fromkeys(sorted(asked), 0.0))
    told = tried.run.per_query.items()
    scored = {key: row[benchmark.primary] for key, row in told if benchmark.primary in row}
    return Tried(replace(tried.run, status="beaten"), stopped=scored)


def keyed(sites: Sites, block: Sequence[Site], measured: Measured) -> Measured:
    """Name queries as they are named among those of all datasets."""
    alone = len(block) == 1 and len(sites.each) > 1
    return joined_measured(block, [measured]) if alone else measured


def _asked_only(dataset: Dataset, truth: Truth, asked: Collection[str]) -> tuple[Dataset, Truth]:
    queries = tuple(query for query in dataset.queries if query.key in asked)
    of_rows = [query.key for query in dataset.queries for _ in query.judgments]
    pairs = zip(of_rows, truth.resolution.rows, strict=True)
    rows = tuple(row for key, row in pairs if key in asked)
    fewer = replace(dataset, queries=queries)
    leaked = [key for key in truth.leaked if key in asked]
    return fewer, truth_of(fewer, replace(truth.resolution, rows=rows), leaked=leaked)


def _joined(each: Sequence[Measured]) -> Measured:
    """Put the answers of blocks together, and their times."""
    names = dict.fromkeys(name for one in each for name in one.stages)
    none = [np.zeros(len(one.milliseconds)) for one in each]
    return Measured(
        found={key: found for one in each for key, found in one.found.items()},
        milliseconds=np.concatenate([one.milliseconds for one in each]),
        stages={
            name: np.concatenate(
                [one.stages.get(name, lacking) for one, lacking in zip(each, none, strict=True)]
            )
            for name in names
        },
        failed={key: why for one in each for key, why in one.failed.items()},
        repeats=min(one.repeats for one in each),
        notes=tuple(dict.fromkeys(note for one in each for note in one.notes)),
        at_once=max(one.at_once for one in each),
        seconds=sum(one.seconds for one in each),
    )
