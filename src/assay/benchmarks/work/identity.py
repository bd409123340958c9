"""What a report says of its benchmark, dataset and corpus: names, counts and fingerprints."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from assay.benchmarks.runs.measure import excluded
from assay.corpora.fingerprint import fingerprint
from assay.records import KEYS, Benchmark, Corpus, Dataset, Judgment, Resolution
from assay.records.command import unplaced
from assay.records.run_settings import Settings
from assay.searches.configuration.configuration import describe
from assay.searches.parts import fingerprint_of

if TYPE_CHECKING:
    from assay.benchmarks.collections.open_collections import Site

__all__ = ["about_benchmark", "about_corpus", "about_dataset", "decision_of", "identity_of"]


def identity_of(
    benchmark: Benchmark, sites: "Sequence[Site]", settings: Settings, *, seed: int = 0
) -> str:
    """Name a benchmark by all that decides its work, so that the same can be gone on with.

    Judgments belong to it: a report must not take the place of one with others. The ``seed``
    decides the order of the queries in a race.
    """
    configurations = [[one.name, describe(one)] for one in benchmark.configurations]
    searched = [[site.name, _fingerprint(site.dataset), site.content] for site in sites]
    raced = [[dict(benchmark.race), benchmark.primary, benchmark.baseline, seed]]
    given = (configurations, searched, asdict(settings), *(raced if benchmark.race else []))
    return fingerprint_of("benchmark", *given)


def decision_of(benchmark: Benchmark, sites: "Sequence[Site]") -> str:
    """Name what is decided: configurations, queries, judgments and documents, however measured."""
    configurations = [[one.name, describe(one)] for one in benchmark.configurations]
    searched = [[site.name, _fingerprint(site.dataset), site.content] for site in sites]
    return fingerprint_of("decision", configurations, searched, benchmark.primary)


def about_benchmark(benchmark: Benchmark, *, settings: Settings) -> dict[str, Any]:
    """Tell what was asked for, and how it is measured."""
    corpus = benchmark.corpus
    return {
        "name": benchmark.name,
        "description": benchmark.description,
        "metrics": list(benchmark.metrics),
        "primary": benchmark.primary,
        "baseline": benchmark.baseline or None,
        "budgets": dict(benchmark.budgets),
        "margin": benchmark.margin,
        "alpha": benchmark.alpha,
        "ship_if": benchmark.ship_if,
        "unjudged": benchmark.unjudged,
        "race": dict(benchmark.race) or None,
        **({} if benchmark.match_weights is None else {"match_weights": benchmark.match_weights}),
        "asks": settings.asks,
        "repeats": settings.builds,
        "live": settings.live,
        "timed": settings.timed,
        "dataset": benchmark.dataset,
        "corpus": corpus if corpus is None or isinstance(corpus, str) else dict(corpus),
        "datasets": [one.name for one in benchmark.datasets],
        "configurations": [one.name for one in benchmark.configurations],
        **({"command": unplaced(benchmark.command)} if benchmark.command else {}),
    }


def about_dataset(dataset: Dataset) -> dict[str, Any]:
    """Name the queries and judgments by their content."""
    return {
        "name": dataset.name,
        "format": dataset.format,
        "queries": len(dataset.queries),
        "judgments": sum(len(query.judgments) for query in dataset.queries),
        "scale": dataset.scale,
        "fingerprint": _fingerprint(dataset),
    }


def about_corpus(corpus: Corpus, resolution: Resolution) -> dict[str, Any]:
    """Name the documents by their content."""
    return {
        "name": corpus.name,
        "documents": resolution.documents,
        "skipped": dict(resolution.skipped),
        "fingerprint": fingerprint(corpus),
    }


def _fingerprint(dataset: Dataset) -> str:
    """Hash what decides the scores: texts, what is left out of answers, references, grades."""
    digest = sha256(f"scale {dataset.scale}".encode())
    for query in dataset.queries:
        judged = [_judged(judgment) for judgment in query.judgments]
        about = [query.key, query.text, query.category, query.collection]
        parts = [*about, sorted(excluded(query)), judged]
        digest.update(json.dumps(parts, ensure_ascii=True).encode() + b"\n")
    return digest.hexdigest()


def _judged(judgment: Judgment) -> list[Any]:
    reference = judgment.reference
    keys = [getattr(reference, key) for key in KEYS]
    return [*keys, reference.symbol, reference.match, judgment.grade, judgment.group]
