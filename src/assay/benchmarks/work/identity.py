"""What a report says of its benchmark, dataset and corpus: names, counts and fingerprints."""

from collections.abc import Sequence
from typing import Any

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.describe import dataset_fingerprint
from assay.records import Benchmark
from assay.records.command import unplaced
from assay.records.fingerprint import fingerprint_of
from assay.records.run_settings import RunSettings
from assay.searches.configuration.configuration import describe
from assay.workspace.ledger.ledger import Ledger

__all__ = ["about_benchmark", "decided_before", "decision_of", "identity_of"]


def identity_of(
    benchmark: Benchmark, collections: Sequence[OpenCollection], settings: RunSettings
) -> str:
    """Name a benchmark by all that decides its work, so that the same can be gone on with.

    Judgments belong to it: a report must not take the place of one with others. So do the settings:
    the seed chooses a sample, and the order of the queries in a race.
    """
    configurations = [[one.name, describe(one)] for one in benchmark.configurations]
    searched = [
        [collection.name, dataset_fingerprint(collection.dataset), collection.content]
        for collection in collections
    ]
    raced = [[dict(benchmark.race), benchmark.primary, benchmark.baseline]]
    given = (configurations, searched, settings.identity, *(raced if benchmark.race else []))
    return fingerprint_of("benchmark", *given)


def decision_of(benchmark: Benchmark, collections: Sequence[OpenCollection]) -> str:
    """Name what is decided: configurations, queries, judgments and documents, however measured."""
    configurations = [[one.name, describe(one)] for one in benchmark.configurations]
    searched = [
        [collection.name, dataset_fingerprint(collection.dataset), collection.content]
        for collection in collections
    ]
    return fingerprint_of("decision", configurations, searched, benchmark.primary)


def about_benchmark(benchmark: Benchmark, *, settings: RunSettings) -> dict[str, Any]:
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
        "asks": settings.rounds,
        "repeats": settings.repeats,
        "live": settings.live,
        "timed": settings.timed,
        "dataset": benchmark.dataset,
        "corpus": corpus if corpus is None or isinstance(corpus, str) else dict(corpus),
        "datasets": [one.name for one in benchmark.datasets],
        "configurations": [one.name for one in benchmark.configurations],
        **({"command": unplaced(benchmark.command)} if benchmark.command else {}),
    }


def decided_before(ledger: Ledger, benchmark: str) -> int:
    """Count the other decisions that were completed under the name of a benchmark.

    The same configurations on the same queries, judgments and documents are one decision, however
    often they are measured.
    """
    listed = ledger.benchmarks()
    own = next(one for one in listed if one.id == benchmark)
    mine = own.about.get("decision", own.identity)
    earlier = {
        one.about.get("decision", one.identity)
        for one in listed
        if one.name == own.name and one.state == "completed" and one.created <= own.created
    }
    return len(earlier - {mine})
