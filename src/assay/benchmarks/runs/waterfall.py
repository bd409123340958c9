"""Which stage loses what: the loss of a stage is the fall of the best nDCG that is attainable.

Best is what a ranking of the documents that survive a stage could have; what remains after the
last stage is the order. The falls follow on each other, so that they sum to 1 - nDCG.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.runs.attainable import Attainable
from assay.benchmarks.runs.run_result import RunResult
from assay.benchmarks.runs.survivors import CORPUS, FILTER, Survivors
from assay.metrics import parse_all
from assay.rankings.judge import judge
from assay.records import (
    Benchmark,
    Bools,
    Dataset,
    Floats,
    Ints,
    Judgments,
    Metric,
    Rankings,
    Resolution,
    decode,
)
from assay.records.chunk import document_of_unit
from assay.records.traffic import weighted_mean

__all__ = [
    "MOST",
    "Waterfall",
    "missed_of",
    "nothing_lost",
    "waterfall",
    "waterfall_metric",
    "with_waterfall",
]

JUDGMENTS, ORDER, FAILED = "judgments", "order", "failed"
NDCG = ("ndcg", "ndcg_exp")
K = 10
NOTHING = 1e-12  # what sums of the same numbers in another order differ by, and less than any loss
MOST = 20  # documents of a query that are named; a report would be as large as all judgments
_Missed = dict[str, dict[str, str]]  # query -> document -> stage


@dataclass(frozen=True, slots=True, eq=False)
class Waterfall:
    """What each of ``stages`` loses of each query (stage by query), and which lost each judgment.

    ``lost`` has for each row of the judgments the number of a stage, and -1 for a document that
    stands among the first k.
    """

    stages: tuple[str, ...]
    losses: Floats
    lost: Ints


def waterfall_metric(benchmark: Benchmark) -> Metric:
    """Choose the nDCG whose loss is told: the primary, or the first, or one at the primary's k."""
    wanted = parse_all(benchmark.metrics)  # the primary first
    named = next((one for one in wanted if one.name in NDCG and one.tokens is None), None)
    return named or parse_all([f"ndcg@{wanted[0].k or K}"])[0]


def waterfall(
    judgments: Judgments,
    rankings: Rankings,
    metric: Metric,
    *,
    kept: Survivors,
    failed: Sequence[str] = (),
) -> Waterfall:
    """Tell what each stage loses of each judged query; one that ``failed`` loses all by it."""
    judged = judge(judgments, rankings)
    rank = rankings.ranks(rankings.numbers(judgments.queries)[judgments.query], judgments.documents)
    alive = _nested([kept.reachable, *kept.stages.values(), rank > 0], kept.reachable)
    ends = _falling(Attainable(judgments, judged, metric), alive, metric.score(judged))
    losses = ends[:-1] - ends[1:]
    losses[losses < NOTHING] = 0.0
    stages = (JUDGMENTS, *kept.stages, kept.last, ORDER, FAILED)
    over = np.isin(np.array(judgments.queries, object), [*failed])
    losses = np.vstack([losses, np.zeros(len(over))])
    losses[-1, over] = losses[2:, over].sum(axis=0)
    losses[2:-1, over] = 0.0
    return Waterfall(stages, losses, _lost(alive, rank, metric.k, over[judgments.query]))


def nothing_lost(
    judgments: Judgments,
    *,
    last: str = "search",
    gone: Mapping[str, Collection[str]] | None = None,
    unit: str = "document",
) -> Survivors:
    """Say of a search of which only the answers are known what its corpus has.

    Of each query the documents that are ``gone`` are no answer to it, nor are ``unit``s of them.

    >>> judgments = Judgments.of_items({"q": [({"a": 1.0}, 1), ({}, 1)]})
    >>> nothing_lost(judgments).stages["corpus"].tolist()
    [True, False]
    """
    here = judgments.documents != b""
    left = np.ones(len(here), bool)
    for query, names in (gone or {}).items():
        at = judgments.queries.index(query)
        mine = slice(int(judgments.offsets[at]), int(judgments.offsets[at + 1]))
        units = decode(judgments.documents[mine])
        left[mine] = [document_of_unit(name, unit) not in names for name in units]
    return Survivors({CORPUS: here}, last, left)


def _nested(survive: Sequence[Bools], reachable: Bools) -> Bools:
    """Let what comes back later have survived all along, so that each is part of the last."""
    table = np.array(survive, bool)
    found: Bools = np.logical_or.accumulate(table[::-1], axis=0)[::-1] & reachable
    return found


def _falling(attainable: Attainable, alive: Bools, score: Floats) -> Floats:
    """Return 1, the best after each stage, and the score; no end is below one that follows."""
    ends: list[Floats] = [np.ones(len(score))]
    for at, rows in enumerate(alive):
        same = at > 0 and np.array_equal(rows, alive[at - 1])
        ends.append(ends[-1] if same else attainable.best(rows))
    falling: Floats = np.maximum.accumulate(np.array([*ends, score])[::-1], axis=0)[::-1]
    return np.minimum(falling, 1.0)


def _lost(alive: Bools, rank: Ints, k: int | None, over: Bools) -> Ints:
    """Number the stage that lost each judged document; -1 where none did."""
    found: Ints = np.where(alive.all(axis=0), len(alive), np.argmin(alive, axis=0)).astype(np.int64)
    found[over & (found > 1)] = len(alive) + 1
    found[(rank > 0) & (rank <= (k or len(rank) + rank.max(initial=0)))] = -1
    return found


def with_waterfall(
    benchmark: Benchmark,
    collections: OpenCollections,
    tried: RunResult,
    kept: Survivors | None,
    failed: Mapping[str, str],
) -> RunResult:
    """Add to a run what its stages lose; to one that has not answered, nothing."""
    if tried.rankings is None or tried.evaluation is None:
        return tried
    judgments, metric = collections.truth.judgments, waterfall_metric(benchmark)
    if kept is None:
        gone = {query.key: out for query in collections.dataset.queries if (out := query.excluded)}
        kept = nothing_lost(judgments, gone=gone, unit=collections.unit)
    found = waterfall(judgments, tried.rankings, metric, kept=kept, failed=[*failed])
    asked = set(tried.evaluation.queries)
    rows = [at for at, query in enumerate(judgments.queries) if query in asked]
    missed, more = _missed(found, collections, asked)
    run = replace(
        tried.run,
        waterfall=_means(found, rows, judgments, collections.dataset),
        losses=_by_query(found, rows, judgments),
        missed=missed,
        missed_more=more,
    )
    return replace(tried, run=run)


def _missed(
    found: Waterfall, collections: OpenCollections, asked: Collection[str]
) -> tuple[_Missed, dict[str, int]]:
    truth = collections.truth
    if collections.unit != "document":
        told = missed_places(found.stages, found.lost, truth.judgments, truth.labels)
        return _limited({query: mine for query, mine in told.items() if query in asked}, {})
    return missed_of(
        found.stages,
        found.lost,
        judgments=truth.judgments,
        resolution=truth.resolution,
        dataset=collections.dataset,
        asked=asked,
    )


def missed_places(
    stages: Sequence[str], lost: Ints, judgments: Judgments, labels: Sequence[str]
) -> _Missed:
    """Name the expected items that no shown unit meets, and the last stage that had one of them."""
    items = np.arange(len(lost)) if judgments.items is None else judgments.items
    last: dict[int, int] = {}
    rows = zip(items.tolist(), lost.tolist(), judgments.grades.tolist(), strict=True)
    for item, stage, grade in rows:
        if grade > 0 and last.get(item, 0) >= 0:
            last[item] = -1 if stage < 0 else max(stage, last.get(item, 0))
    told: _Missed = {}
    of_item = dict(zip(items.tolist(), judgments.query.tolist(), strict=True))
    for item, stage in last.items():
        if stage >= 0:
            told.setdefault(judgments.queries[of_item[item]], {})[labels[item]] = stages[stage]
    return told


def _means(
    found: Waterfall, rows: Sequence[int], judgments: Judgments, dataset: Dataset
) -> dict[str, float]:
    """Average over queries as scores are: by their weights, each collection counting the same."""
    several = bool(dataset.metadata.get("collections"))
    of_query = {query.key: query.collection if several else "" for query in dataset.queries}
    named = np.array([of_query.get(judgments.queries[at], "") for at in rows], object)
    groups = [np.array(rows)[named == name] for name in dict.fromkeys(named.tolist())]
    weights = judgments.query_weights(judgments.queries)
    means = np.mean([_mean(found.losses, group, weights) for group in groups], axis=0)
    told = dict(zip(found.stages, means.tolist(), strict=True))
    return {stage: loss for stage, loss in told.items() if loss or stage not in (FILTER, FAILED)}


def _mean(losses: Floats, group: Ints, weights: Floats | None) -> Floats:
    if weights is None:
        return np.asarray(losses[:, group].mean(axis=1))
    return np.array([weighted_mean(stage[group], weights[group]) for stage in losses])


def _by_query(
    found: Waterfall, rows: Sequence[int], judgments: Judgments
) -> dict[str, dict[str, float]]:
    told: dict[str, dict[str, float]] = {}
    for at, losses in zip(rows, found.losses[:, rows].T.tolist(), strict=True):
        mine = {stage: loss for stage, loss in zip(found.stages, losses, strict=True) if loss > 0}
        told |= {judgments.queries[at]: mine} if mine else {}
    return told


def missed_of(
    stages: Sequence[str],
    lost: Ints,
    *,
    judgments: Judgments,
    resolution: Resolution,
    dataset: Dataset,
    asked: Collection[str],
) -> tuple[_Missed, dict[str, int]]:
    """Name the relevant documents that are not shown, the highest grades first, then by name.

    At the end stand references that lead to no document. Besides, count how many more there are.
    """
    told, grades = _losing_stages(stages, lost, judgments)
    for query, said in _unresolved(resolution, dataset):
        told.setdefault(query, {}).setdefault(said, CORPUS)
    asked = frozenset(asked)
    whole = {query: told[query] for query in judgments.queries if query in told and query in asked}
    return _limited(whole, grades)


def _limited(
    whole: _Missed, grades: Mapping[str, Mapping[str, int]]
) -> tuple[_Missed, dict[str, int]]:
    """Keep the first of what is missed of each query, and count the rest."""
    kept = {query: _first(mine, grades.get(query, {})) for query, mine in whole.items()}
    more = {query: len(mine) - MOST for query, mine in whole.items() if len(mine) > MOST}
    return kept, more


def _losing_stages(
    stages: Sequence[str], lost: Ints, judgments: Judgments
) -> tuple[_Missed, dict[str, dict[str, int]]]:
    """Return the stage that lost each relevant document, and its largest grade."""
    told: _Missed = {}
    grades: dict[str, dict[str, int]] = {}
    rows = np.flatnonzero((lost >= 0) & (judgments.grades > 0) & (judgments.documents != b""))
    columns = (judgments.query[rows], lost[rows], judgments.grades[rows])
    names = decode(judgments.documents[rows])
    for name, number, stage, grade in zip(names, *(one.tolist() for one in columns), strict=True):
        query = judgments.queries[number]
        told.setdefault(query, {})[name] = stages[stage]
        known = grades.setdefault(query, {})
        known[name] = max(grade, known.get(name, 0))
    return told, grades


def _unresolved(resolution: Resolution, dataset: Dataset) -> list[tuple[str, str]]:
    judged = (one for query in dataset.queries for one in query.judgments)
    return [
        (row.query, row.reference.name or str(row.reference))
        for one, row in zip(judged, resolution.rows, strict=True)
        if one.grade > 0 and not row.documents and not row.spared
    ]


def _first(mine: Mapping[str, str], grades: Mapping[str, int]) -> dict[str, str]:
    order = sorted(mine, key=lambda name: (-grades.get(name, 0), name))
    return {name: mine[name] for name in order[:MOST]}
