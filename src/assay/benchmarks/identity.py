"""What a report says of its benchmark, dataset and corpus: names, counts and fingerprints."""

import json
from hashlib import sha256
from typing import Any

from assay.benchmarks.measure import excluded
from assay.corpora.fingerprint import fingerprint
from assay.records import KEYS, Benchmark, Corpus, Dataset, Judgment, Resolution

__all__ = ["about_benchmark", "about_corpus", "about_dataset"]


def about_benchmark(benchmark: Benchmark, *, repeats: int) -> dict[str, Any]:
    """Tell what was asked for."""
    corpus = benchmark.corpus
    return {
        "name": benchmark.name,
        "description": benchmark.description,
        "metrics": list(benchmark.metrics),
        "primary": benchmark.primary,
        "baseline": benchmark.baseline or None,
        "budgets": dict(benchmark.budgets),
        "margin": benchmark.margin,
        "repeats": repeats,
        "dataset": benchmark.dataset,
        "corpus": corpus if corpus is None or isinstance(corpus, str) else dict(corpus),
        "configurations": [one.name for one in benchmark.configurations],
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
