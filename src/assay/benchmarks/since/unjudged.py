"""Two runs of two reports -> what their unjudged documents could change, where reports tell it."""

import numpy as np

from assay.benchmarks.since.pair import Pair, evaluation, rankings_of
from assay.rankings.judge import judge
from assay.records import Floats, Judgments, Metric, ToJudge, encode
from assay.records.report import RESULTS_KEPT
from assay.verdicts.holes import holes
from assay.verdicts.judge_next import judge_next
from assay.verdicts.judged_run import JudgedRun

__all__ = ["ends_of", "to_judge"]

CLOSE = 1e-9  # what scores of the same documents may differ by
MOST = 20  # documents to judge that are listed


def ends_of(pair: Pair, metric: Metric) -> tuple[Floats, Floats] | None:
    """Return the ends of the difference of each query over every grading; None if not known.

    A report has the judgments and the first documents of each query, unless an item can be met by
    several documents: it tells enough if both runs score with them what they scored.
    """
    sides = _sides(pair, metric)
    return None if sides is None else holes(*sides, metric)


def to_judge(pair: Pair, metric: Metric) -> list[ToJudge]:
    """List the documents whose grades would move the difference most, where they are known."""
    sides = _sides(pair, metric)
    return [] if sides is None else judge_next(*sides, metric, most=MOST)


def _sides(pair: Pair, metric: Metric) -> tuple[JudgedRun, JudgedRun] | None:
    queries, runs = pair.pairing.queries, (pair.before, pair.after)
    known = all(query in pair.judged for query in queries)
    if not (pair.scale and known and metric.k and metric.k <= RESULTS_KEPT):
        return None
    judgments = _judgments(pair)
    found = [JudgedRun(ranked, judge(judgments, ranked)) for ranked in map(rankings_of, runs)]
    for side, run in zip(found, runs, strict=True):
        told = evaluation(run, [str(metric)], queries).per_query[str(metric)]
        if not np.allclose(metric.score(side.judged), told, rtol=0, atol=CLOSE):
            return None
    return found[0], found[1]


def _judgments(pair: Pair) -> Judgments:
    rows = [[*pair.judged[query].items()] for query in pair.pairing.queries]
    return Judgments(
        pair.pairing.queries,
        np.concatenate(([0], np.cumsum([*map(len, rows)]))).astype(np.int64),
        encode(document for some in rows for document, _ in some),
        np.array([int(grade) for some in rows for _, grade in some], np.int64),
        pair.scale,
    )
