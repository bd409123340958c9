"""Evaluate: judgments + a run -> scores, and the honest state of the judgments."""

from collections.abc import Sequence
from typing import Literal

from assay.benchmarks.runs.score_run import score_run
from assay.metrics import parse_all
from assay.rankings.align import align
from assay.rankings.load import load
from assay.records import Evaluation, Metric
from assay.workflows.options import refuse_unknown
from assay.workflows.read_judgments import read_judgments

__all__ = ["evaluate"]

Ties = Literal["docid", "order", "expected"]


def evaluate(  # noqa: PLR0913 - every option is a name of its own
    qrels: object,
    run: object,
    metrics: Sequence[str | Metric] | str = (),
    *,
    ties: Ties = "docid",
    missing: Literal["zero", "skip"] = "zero",
    unjudged: Literal["zero", "condense", "bounds"] = "zero",
    no_relevant: Literal["zero", "skip"] = "zero",
    scale: int | None = None,
    format: str | None = None,  # noqa: A002
    binary: bool = False,
    subtopics: bool = False,
    corpus: object = None,
    match_weights: bool = False,
    query_weights: Literal["use", "ignore"] = "use",
    intervals: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Evaluation:
    """Score one run.

    ``qrels`` and ``run`` are paths, ``{query: {document: number}}``, polars or pandas frames, or
    records that were loaded before.

    - ``ties``: how documents with equal scores are ordered
    - ``missing``: whether judged queries that are not in the run score 0 or are skipped
    - ``unjudged``: how documents without a judgment count
    - ``no_relevant``: whether queries without relevant documents score 0 or are skipped
    - ``scale``: the largest possible grade (default: the largest grade given), for ERR and bounds
    - ``format``: the format of the judgments (default: detected)
    - ``binary``: every document listed in a table without a grade column is relevant
    - ``subtopics``: the second column of TREC qrels contains subtopics
    - ``corpus``: the corpus in which expected files are looked up (default: that of the dataset)
    - ``match_weights``: a symbol counts 1.0 of its grade, a file 0.7, a partial name 0.4
    - ``query_weights``: "ignore" lets every query count the same, whatever weights a dataset gives
    - ``intervals``: add confidence intervals of the means (Wilson for scores of 0 and 1, else a
      bootstrap with ``seed``)

    >>> evaluate({"q1": {"a": 1}}, {"q1": {"b": 0.9, "a": 0.8}}, "mrr").scores
    {'mrr': 0.5}
    """
    refuse_unknown(
        choices={"unjudged": ("zero", "condense", "bounds")},
        ties=ties,
        missing=missing,
        unjudged=unjudged,
        no_relevant=no_relevant,
        query_weights=query_weights,
    )
    wanted = parse_all(metrics)
    judgments = read_judgments(
        qrels,
        scale=scale,
        format=format,
        binary=binary,
        subtopics=subtopics,
        corpus=corpus,
        match_weights=match_weights,
        query_weights=query_weights,
    )
    rankings = align(load(run, ties=ties, name=name), judgments)
    return score_run(
        judgments,
        rankings,
        wanted,
        ties=ties,
        missing=missing,
        unjudged=unjudged,
        no_relevant=no_relevant,
        intervals=intervals,
        seed=seed,
    )
