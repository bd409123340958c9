"""Evaluate: judgments + a run -> scores, and the honest state of the judgments."""

from collections.abc import Sequence
from typing import Literal

from assay.benchmarks.runs.score_run import score_run
from assay.metrics import parse_all
from assay.rankings.align import align
from assay.rankings.load import load
from assay.records import Evaluation, Metric
from assay.workflows._options import refuse_unknown
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
    intervals: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Evaluation:
    """Score one run.

    ``qrels`` and ``run`` are paths, ``{query: {document: number}}``, polars or pandas frames, or
    what an earlier call read. ``ties`` says how equal scores are ordered, ``missing`` what a judged
    query without an answer scores, ``unjudged`` how documents without a judgment count, and
    ``no_relevant`` what becomes of queries that nothing is relevant to. ``scale`` is the largest
    grade a judge could give (default: the largest given), which ERR and bounds depend on;
    ``format`` names that of the judgments (default: by content);
    ``binary`` takes each document that a table without a grade column lists for relevant;
    ``subtopics`` takes the second column of TREC's judgments for the subtopic of a document;
    ``corpus`` is where the expected files of a dataset are looked up (default: its own);
    ``match_weights`` lets a symbol count 1.0 of its grade, a file 0.7 and a part of a name 0.4;
    ``intervals`` adds how sure each mean is, by Wilson where all scores are 0 or 1, else by a
    bootstrap that starts at ``seed``.

    >>> evaluate({"q1": {"a": 1}}, {"q1": {"b": 0.9, "a": 0.8}}, "mrr").scores
    {'mrr': 0.5}
    """
    refuse_unknown(
        choices={"unjudged": ("zero", "condense", "bounds")},
        ties=ties,
        missing=missing,
        unjudged=unjudged,
        no_relevant=no_relevant,
    )
    wanted = parse_all(metrics)
    reading = {"binary": binary, "subtopics": subtopics, "match_weights": match_weights}
    judgments = read_judgments(qrels, scale=scale, format=format, corpus=corpus, **reading)
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
