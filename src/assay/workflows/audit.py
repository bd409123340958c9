"""Audit: a dataset, and the corpus it is about -> whether it can answer a question."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from assay.benchmarks.collections.resolve import opened_corpus
from assay.corpora.per_collection import CollectionCorpora
from assay.datasets.checks import Evidence, examine
from assay.datasets.limits import Limits
from assay.datasets.resolve.as_judgments import as_judgments
from assay.datasets.resolve.matching_notes import matching_notes
from assay.errors import InputError, UsageError
from assay.metrics import parse
from assay.records import (
    Agreement,
    Audit,
    AuditSettings,
    Corpus,
    Dataset,
    Document,
    Evaluation,
    Finding,
    Query,
    Resolution,
    Track,
    untracked,
)
from assay.records.traffic import effective_queries
from assay.statistics.effect import effect
from assay.statistics.power import power
from assay.statistics.queries_needed import queries_needed
from assay.statistics.smallest_detectable import smallest_detectable
from assay.text.quote import quote_value
from assay.workflows.evaluate import evaluate
from assay.workflows.load_dataset import load_dataset
from assay.workflows.read_judgments import read_judgments
from assay.workflows.resolve import resolve

__all__ = ["audit"]

SPREADS = (0.1, 0.2, 0.3)  # of paired differences, where no run has shown one
DIFFERENCES = (0.01, 0.02, 0.05, 0.1)
NUMBERS = (50, 100, 200, 500, 1000)


def audit(  # noqa: PLR0913 - every option is a name of its own
    dataset: str | Path | Dataset,
    corpus: str | Path | Mapping[str, object] | Corpus | Sequence[Document] | None = None,
    *,
    judge: str | Path | Dataset | None = None,
    runs: Sequence[object] = (),
    names: Sequence[str | None] = (),
    metric: str = "ndcg@10",
    sd: Sequence[float] = SPREADS,
    settings: AuditSettings | None = None,
    match_weights: bool = False,
    track: Track = untracked,
    format: str | None = None,  # noqa: A002
    limits: Limits | None = None,
    binary: bool = False,
    subtopics: bool = False,
) -> Audit:
    """Audit a dataset: its minimum detectable difference, and defects of queries and judgments.

    ``corpus`` accepts the same values as in ``resolve``; by default it is the corpus of the
    dataset. Without a corpus the checks that need documents are skipped. ``judge`` is a second
    dataset with grades for the same queries, for the agreement of judges. ``runs`` are used to
    measure the sd of differences and the difficulty of queries; without them, minimum detectable
    differences are reported for each ``sd``. ``match_weights`` scores runs by the quality of each
    match (symbol, file, partial name). The corpus is read at most twice (three times with a
    judge), one document at a time.

    >>> audit("stdlib").defects
    0
    """
    settings = settings or AuditSettings()
    _refuse_wrong(sd, settings)
    runs = [runs] if isinstance(runs, str | Path | Mapping) else runs
    metric = str(parse(metric))
    reading: dict[str, Any] = {"limits": limits, "binary": binary, "subtopics": subtopics}
    asked = load_dataset(dataset, format=format, **reading)
    second = None if judge is None else load_dataset(judge, **reading)
    opened, notes = _corpus(asked, corpus)
    if runs and isinstance(opened, CollectionCorpora):
        hint = "leave out the corpus, or audit each collection with its own runs"
        raise UsageError("runs cannot be scored with a corpus for each collection", hint=hint)
    found = None if opened is None else resolve(asked, opened, track=track)
    weighed = {**asked.metadata, "match_weights": True} if match_weights else asked.metadata
    scored = _evaluations(replace(asked, metadata=weighed), found, runs, names, metric)
    pairs = _spreads_of(scored, metric)
    measured = [pair["sd"] for pair in pairs if pair["sd"]]
    return Audit(
        dataset=asked.name,
        queries=len(asked.queries),
        judgments=sum(len(query.judgments) for query in asked.queries),
        findings=_findings(asked, opened, found, _scores(scored, metric), settings, track),
        smallest_detectable=_detectable(asked, sd, pairs),
        power=_powers(asked, sd),
        queries_needed=_needed(sd, _spread_factor(asked.queries)),
        spread=max(measured, default=sorted(sd)[len(sd) // 2]),
        measured=bool(measured),
        metric=metric,
        corpus=opened.name if opened else "",
        documents=found.documents if found else 0,
        agreement=None if second is None else _agreement(asked, found, second, opened, track),
        notes=(*asked.notes, *notes, *(matching_notes(found.rows) if found else ())),
    )


def _refuse_wrong(sd: Sequence[float], settings: AuditSettings) -> None:
    numbers = isinstance(sd, list | tuple) and all(isinstance(one, int | float) for one in sd)
    if not numbers or not sd or not all(0 < one <= 1 for one in sd):
        hint = "expected a list of numbers > 0 and <= 1, e.g. [0.1, 0.2]"
        raise UsageError(f"sd: invalid value {quote_value(sd)}", hint=hint)
    for name, share in (("near", settings.near), ("leaked_share", settings.leaked_share)):
        if not 0 < share <= 1:
            hint = "expected a fraction > 0 and <= 1, e.g. 0.8"
            raise UsageError(f"{name}: invalid value {quote_value(share)}", hint=hint)


def _corpus(dataset: Dataset, corpus: object) -> tuple[Corpus | None, list[str]]:
    """Open the corpus; one that only the dataset names, and that is not here, is only noted."""
    if corpus is None and not dataset.documents and not dataset.corpus:
        return None, []
    try:
        return opened_corpus(dataset, corpus), []
    except InputError as error:
        if corpus is not None:
            raise
        return None, [f"the corpus of {dataset.name} cannot be opened: {error.problem}"]


def _findings(
    dataset: Dataset,
    corpus: Corpus | None,
    resolution: Resolution | None,
    scores: Mapping[str, float] | None,
    settings: AuditSettings,
    track: Track,
) -> dict[str, Finding]:
    evidence = Evidence(dataset, resolution, settings, scores=scores)
    if corpus is None or resolution is None:
        return examine(evidence)
    documents = corpus.documents(texts=True, hashes=False)
    doing = f"comparing with {corpus.name}"
    tracked = track(documents, doing, total=resolution.documents, unit="documents")
    return examine(evidence, tracked, define=_define)


def _define(document: Document) -> Iterable[str]:
    """Name the symbols of a document; where its parser is not installed, it has none."""
    from assay.corpora.programs.defined_names import defined_names

    try:
        return defined_names(document)
    except InputError:
        return ()


def _evaluations(
    dataset: Dataset,
    resolution: Resolution | None,
    runs: Sequence[object],
    names: Sequence[str | None],
    metric: str,
) -> list[Evaluation]:
    if not runs:
        return []
    judgments = read_judgments(dataset) if resolution is None else as_judgments(dataset, resolution)
    named = [*names, *[None] * len(runs)]
    return [
        evaluate(judgments, run, metric, name=name) for run, name in zip(runs, named, strict=False)
    ]


def _scores(evaluations: Sequence[Evaluation], metric: str) -> dict[str, float] | None:
    """Return each query's mean score over the runs."""
    if not evaluations:
        return None
    means: list[float] = np.mean([one.per_query[metric] for one in evaluations], axis=0).tolist()
    return dict(zip(evaluations[0].queries, means, strict=True))


def _agreement(
    dataset: Dataset,
    resolution: Resolution | None,
    judge: Dataset,
    corpus: Corpus | None,
    track: Track,
) -> Agreement:
    from assay.judging.agreement import agreement

    resolved = None if corpus is None else resolve(judge, corpus, track=track)
    names = dataset.name, judge.name if judge.name != dataset.name else f"{judge.name} (2)"
    rows = resolution, resolved
    return agreement(dataset, judge, rows, names=names)


def _detectable(
    dataset: Dataset, spreads: Sequence[float], pairs: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the minimum detectable difference, by number of queries and by category."""
    queries, factor = len(dataset.queries), _spread_factor(dataset.queries)
    numbers = sorted({queries, 2 * queries, *NUMBERS} - {0})
    categories = Counter(query.category for query in dataset.queries if query.category)
    return {
        **_row(queries, spreads, factor),
        "by_queries": [{"queries": number, **_row(number, spreads, factor)} for number in numbers],
        "categories": {
            name: {"queries": number, **_row(number, spreads, _category_factor(dataset, name))}
            for name, number in sorted(categories.items(), key=lambda pair: (-pair[1], pair[0]))
        },
        "runs": list(pairs),
    }


def _spread_factor(queries: Sequence[Query]) -> float:
    """Return what unequal weights multiply the spread of one query by: the root of n / n_eff."""
    return math.sqrt(len(queries) / (effective_queries(one.weight for one in queries) or 1))


def _category_factor(dataset: Dataset, name: str) -> float:
    return _spread_factor([query for query in dataset.queries if query.category == name])


def _spreads_of(evaluations: Sequence[Evaluation], metric: str) -> list[dict[str, Any]]:
    """Return the spread of the differences of each pair of runs, and what it lets one detect."""
    pairs = []
    for one, other in combinations(evaluations, 2):
        size = effect(other.per_query[metric] - one.per_query[metric], weights=one.weights)
        queries = len(one.queries)
        pairs.append(
            {
                "runs": [one.run, other.run],
                "queries": queries,
                "difference": size.difference,
                "sd": _finite(size.sd),
                "smallest_detectable": _possible(smallest_detectable(sd=size.sd, queries=queries)),
            }
        )
    return pairs


def _powers(dataset: Dataset, spreads: Sequence[float]) -> dict[str, dict[str, float]]:
    """Return the chance that a true difference of some sizes is found."""
    queries, factor = len(dataset.queries), _spread_factor(dataset.queries)
    return {
        _key(sd): {
            f"{size:g}": power(size, sd=sd * factor, queries=queries) if queries else 0.0
            for size in DIFFERENCES
        }
        for sd in spreads
    }


def _needed(spreads: Sequence[float], factor: float) -> dict[str, dict[str, int]]:
    """Return how many queries it takes to find a difference four times out of five."""
    return {
        _key(sd): {f"{size:g}": queries_needed(size, sd=sd * factor) for size in DIFFERENCES}
        for sd in spreads
    }


def _row(queries: int, spreads: Sequence[float], factor: float) -> dict[str, float | None]:
    return {
        _key(sd): _possible(smallest_detectable(sd=sd * factor, queries=queries)) for sd in spreads
    }


def _key(sd: float) -> str:
    return f"sd={sd:g}"


def _possible(difference: float) -> float | None:
    """Return None for what cannot be: scores lie between 0 and 1, and so do their differences."""
    return difference if difference < 1 else None


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
