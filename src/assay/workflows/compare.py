"""Compare: a baseline, its candidates and judgments -> tested differences, and a verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from assay.benchmarks.comparisons.compare_runs import compare_runs
from assay.benchmarks.comparisons.guardrails import parts_by
from assay.benchmarks.comparisons.pairing import Correction
from assay.errors import InputError, UsageError
from assay.metrics import parse_all
from assay.rankings.align import align
from assay.rankings.load import load
from assay.records import Comparisons, Ints, Judgments, Metric, Rankings
from assay.workflows.options import HIGHER, NOT_PRIMARY, refuse_unknown, refuse_wrong_numbers
from assay.workflows.read_judgments import read_judgments

__all__ = ["compare"]


def compare(  # noqa: PLR0913 - every option is a name of its own
    baseline: object,
    candidates: object,
    *,
    qrels: object = None,
    metrics: Sequence[str | Metric] | str = (),
    primary: str | None = None,
    ties: Literal["docid", "order"] = "docid",
    missing: Literal["zero", "skip"] = "zero",
    correction: Correction = "holm",
    alpha: float = 0.05,
    margin: float = 0.02,
    flips: int = 10_000,
    seed: int = 0,
    unjudged: Literal["bounds", "zero"] = "bounds",
    judge_most: int = 20,
    scale: int | None = None,
    format: str | None = None,  # noqa: A002
    binary: bool = False,
    subtopics: bool = False,
    corpus: object = None,
    match_weights: bool = False,
    query_weights: Literal["use", "ignore"] = "use",
    collections: Mapping[str, str] | None = None,
    names: Sequence[str | None] = (),
) -> Comparisons:
    """Compare one candidate, or a list of them, with the baseline, paired by query.

    ``primary`` is the metric that decides the verdict (default: the first of ``metrics``, else
    ndcg@10); ``margin`` is the smallest gain that matters, as a fraction of the baseline's score;
    ``scale`` is the largest grade a judge could give (default: the largest in the judgments);
    ``format`` is that of the judgments (default: by content); ``binary`` counts each document as
    relevant that a table without a grade column lists; ``subtopics`` reads the second column of
    TREC judgments as the subtopic of a document; ``corpus`` is where the expected files of a
    dataset are looked up (default: its own); ``match_weights`` weights a match by its kind: symbol
    1.0, file 0.7, part of a name 0.4; ``unjudged="zero"`` counts unjudged documents as not
    relevant; ``query_weights="ignore"`` lets every query count the same, whatever weights the
    dataset gives; ``collections`` has the collection of each query, and each collection then has
    the same weight.
    """
    if qrels is None:
        hint = "pass qrels=FILE, or compare two reports with assay.compare_reports(old, new)"
        raise UsageError("no judgments given to compare runs by", hint=hint)
    _check(
        ties=ties,
        missing=missing,
        correction=correction,
        unjudged=unjudged,
        query_weights=query_weights,
    )
    refuse_wrong_numbers(alpha=alpha, margin=margin, flips=flips, seed=seed)
    wanted = _metrics(metrics, primary)
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
    runs = [baseline, *(candidates if isinstance(candidates, list | tuple) else [candidates])]
    rankings = [align(one, judgments) for one in _load(runs, names, ties)]
    return compare_runs(
        judgments,
        rankings,
        wanted,
        ties=ties,
        missing=missing,
        correction=correction,
        alpha=alpha,
        margin=margin,
        flips=flips,
        seed=seed,
        unjudged=unjudged,
        judge_most=judge_most,
        strata=_strata(judgments, collections),
        parts=parts_by(judgments.queries, judgments.categories, collections or {}),
    )


def _check(**options: str) -> None:
    """Refuse misspelt options; ties need one order here, since bounds need ranks."""
    choices = {"ties": ("docid", "order"), "unjudged": ("bounds", "zero")}
    refuse_unknown(choices=choices, **options)


def _metrics(metrics: Sequence[str | Metric] | str, primary: str | None) -> list[Metric]:
    """Read the metrics; the primary one comes first."""
    wanted = parse_all(metrics)
    if primary is not None:
        chosen = parse_all([primary])[0]
    else:
        chosen = wanted[0] if metrics else parse_all("ndcg@10")[0]
    if not chosen.kind.higher_is_better:
        raise UsageError(NOT_PRIMARY.format(chosen), hint=HIGHER)
    return [chosen, *(metric for metric in wanted if str(metric) != str(chosen))]


def _load(runs: Sequence[object], names: Sequence[str | None], ties: str) -> list[Rankings]:
    """Read the runs; several of one name get a number."""
    if len(runs) < 2:
        raise UsageError("no candidate to compare with the baseline", hint="give at least one run")
    given = [*names, *[None] * len(runs)]
    loaded = [load(run, ties=ties, name=given[at]) for at, run in enumerate(runs)]
    seen: dict[str, int] = {}
    for at, run in enumerate(loaded):
        seen[run.name] = seen.get(run.name, 0) + 1
        if seen[run.name] > 1:
            loaded[at] = replace(run, name=f"{run.name} ({seen[run.name]})")
    return loaded


def _strata(judgments: Judgments, collections: Mapping[str, str] | None) -> Ints | None:
    if collections is None:
        return None
    lost = [query for query in judgments.queries if query not in collections]
    if lost:
        hint = "give the collection of every judged query"
        raise InputError(f'query "{lost[0]}" has no collection', hint=hint)
    codes: dict[str, int] = {}
    of_query = [codes.setdefault(collections[query], len(codes)) for query in judgments.queries]
    return np.array(of_query, np.int64)
