"""The datasets of a benchmark with their corpora, opened; several are put together as one."""

import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from assay.benchmarks.collections.resolve import opened_benchmark
from assay.benchmarks.collections.truth import Truth, find_truth, truth_of
from assay.benchmarks.runs.measure import excluded
from assay.benchmarks.work.identity import about_corpus, about_dataset
from assay.corpora.fingerprint import fingerprint
from assay.datasets.dataset_list import same_factor
from assay.errors import InputError
from assay.records import (
    FACTOR,
    Benchmark,
    Collection,
    Corpus,
    Dataset,
    Query,
    Resolution,
    Track,
    untracked,
)
from assay.searches.parts import fingerprint_of

__all__ = ["Site", "Sites", "joined", "open_sites", "with_truth"]

T = TypeVar("T")
VECTORS = ("document_vectors.npy", "query_vectors.npy")  # as `assay dataset make` writes them


@dataclass(frozen=True, eq=False)
class Site:
    """One dataset, and the corpus that it asks about; ``name`` is empty if it is the only one."""

    name: str
    dataset: Dataset
    corpus: Corpus

    @property
    def queries(self) -> tuple[Query, ...]:
        """What is asked."""
        return self.dataset.queries

    @cached_property
    def asked(self) -> str:
        """Name what is asked by its content, and what does not count as an answer."""
        parts = [[one.key, one.text, sorted(excluded(one))] for one in self.queries]
        # Earlier versions recorded what is excluded, too: their stage outputs are not read.
        how = ["excluded before retrieval"] if any(map(excluded, self.queries)) else []
        return fingerprint_of("queries", *how, parts)

    @cached_property
    def content(self) -> str:
        """Name what the corpus holds."""
        return fingerprint(self.corpus)

    def key(self, query: str) -> str:
        """Name a query of this dataset among those of all."""
        return f"{self.name}/{query}" if self.name else query


@dataclass(frozen=True, eq=False)
class Sites:
    """All datasets of a benchmark. ``dataset`` and ``truth`` are those of all of them together."""

    each: tuple[Site, ...]
    dataset: Dataset
    truth: Truth
    about: dict[str, Any] = field(default_factory=dict)


def open_sites(benchmark: Benchmark, *, sample: int | None = None, seed: int = 0) -> list[Site]:
    """Open the datasets of a benchmark; of a ``sample`` the seed chooses the queries."""
    chosen = benchmark.collections
    if len(chosen) == 1:  # also in a list: no name stands before the keys of its queries
        chosen = (replace(chosen[0], name=""),)
    return [_opened(benchmark, one, sample, seed) for one in chosen]


def with_truth(sites: Sequence[Site], *, track: Track = untracked) -> Sites:
    """Find out what is right in each, and put several together."""
    truths = [find_truth(one.dataset, one.corpus, track=track) for one in sites]
    abouts = [
        {
            "dataset": about_dataset(one.dataset),
            "corpus": about_corpus(one.corpus, truth.resolution),
        }
        for one, truth in zip(sites, truths, strict=True)
    ]
    if len(sites) == 1:
        return Sites((sites[0],), sites[0].dataset, truths[0], abouts[0])
    dataset, resolution = joined(sites, [one.resolution for one in truths])
    truth = truth_of(
        dataset,
        resolution,
        leaked=[
            site.key(query) for site, one in zip(sites, truths, strict=True) for query in one.leaked
        ],
    )
    return Sites(tuple(sites), dataset, truth, _abouts(sites, abouts))


def joined(sites: Sequence[Site], found: Sequence[Resolution]) -> tuple[Dataset, Resolution]:
    """Put datasets together, and where their references lead; a single one stays as it is."""
    if len(sites) == 1:
        return sites[0].dataset, found[0]
    return _joined(sites), _resolutions(sites, found)


def _opened(benchmark: Benchmark, one: Collection, sample: int | None, seed: int) -> Site:
    alone = replace(
        benchmark, dataset=one.dataset, corpus=one.corpus, reading=one.reading, datasets=()
    )
    dataset, corpus = opened_benchmark(alone)
    _refuse_vectors(dataset)
    if benchmark.match_weights is not None:
        metadata = {**dataset.metadata, "match_weights": benchmark.match_weights}
        dataset = replace(dataset, metadata=metadata)
    return Site(one.name, _sampled(dataset, sample, seed), corpus)


def _refuse_vectors(dataset: Dataset) -> None:
    """Refuse a dataset that brings vectors: its texts say nothing, and would be embedded."""
    for name in VECTORS if dataset.home else ():
        if os.path.exists(os.path.join(dataset.home, name)):  # noqa: PTH110, PTH118 - never raises
            problem = f"brings its own vectors ({name}), which a run cannot search yet"
            hint = "its texts alone would be embedded, which measures nothing; use another dataset"
            raise InputError(problem, where=dataset.name, hint=hint)


def _sampled(dataset: Dataset, sample: int | None, seed: int) -> Dataset:
    """Choose queries, in their order; the same seed chooses the same of the same dataset."""
    if sample is None or sample >= len(dataset.queries):
        return dataset
    judged = [at for at, query in enumerate(dataset.queries) if query.judgments]
    if not judged:
        raise InputError("has no judged query", where=dataset.name, hint="is it the right one?")
    chosen = sorted(random.Random(seed).sample(judged, min(sample, len(judged))))  # noqa: S311
    note = f"a sample of {len(chosen):,} of its {len(dataset.queries):,} queries (seed {seed})"
    queries = tuple(dataset.queries[at] for at in chosen)
    return replace(dataset, queries=queries, notes=(*dataset.notes, note))


def _joined(sites: Sequence[Site]) -> Dataset:
    """Put datasets together; their queries are told apart by the dataset's name before the key."""
    queries = tuple(
        replace(query, key=site.key(query.key), collection=site.name)
        for site in sites
        for query in site.queries
    )
    if len({query.key for query in queries}) < len(queries):
        names = ", ".join(site.name for site in sites)
        problem = f"queries of {names} come to the same keys, with the name of their dataset before"
        raise InputError(problem, hint="give the datasets names without a slash")
    notes = tuple(f"{site.name}: {note}" for site in sites for note in site.dataset.notes)
    factor = same_factor([site.dataset for site in sites])
    return Dataset(
        name=", ".join(site.name for site in sites),
        queries=queries,
        scale=max(site.dataset.scale for site in sites),
        metadata={
            "collections": [site.name for site in sites],
            **_weighed(sites),
            **({FACTOR: factor} if factor > 1 else {}),
        },
        notes=notes,
    )


def _weighed(sites: Sequence[Site]) -> dict[str, bool]:
    """Tell whether matches are weighed, in all datasets or in none."""
    said = {site.name: site.dataset.metadata.get("match_weights") is True for site in sites}
    if len(set(said.values())) > 1:
        names = ", ".join(name for name, weighed in said.items() if weighed)
        hint = "set match_weights in the benchmark file, for all of them"
        raise InputError(f"only {names} of its datasets has match_weights", hint=hint)
    return {"match_weights": True} if all(said.values()) else {}


def _resolutions(sites: Sequence[Site], found: Sequence[Resolution]) -> Resolution:
    corpora = _distinct([site.content for site in sites], found)
    rows = tuple(
        replace(row, query=site.key(row.query))
        for site, one in zip(sites, found, strict=True)
        for row in one.rows
    )
    return Resolution(
        rows=rows,
        total=sum(one.total for one in found),
        resolved=sum(one.resolved for one in found),
        ambiguous=sum(one.ambiguous for one in found),
        missing=sum(one.missing for one in found),
        documents=sum(one.documents for one in corpora),
        skipped=_summed([one.skipped for one in corpora]),
        irrelevant=sum(one.irrelevant for one in found),
    )


def _abouts(sites: Sequence[Site], abouts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Tell of all datasets and corpora together, and of each."""
    datasets, corpora = [one["dataset"] for one in abouts], [one["corpus"] for one in abouts]
    searched = _distinct([one["fingerprint"] for one in corpora], corpora)
    names = [site.name for site in sites]
    return {
        "dataset": {
            "name": ", ".join(names),
            "format": ", ".join(dict.fromkeys(str(one["format"]) for one in datasets)),
            "queries": sum(one["queries"] for one in datasets),
            "judgments": sum(one["judgments"] for one in datasets),
            "scale": max(one["scale"] for one in datasets),
            "fingerprint": fingerprint_of([one["fingerprint"] for one in datasets]),
            "collections": dict(zip(names, datasets, strict=True)),
        },
        "corpus": {
            "name": ", ".join(dict.fromkeys(str(one["name"]) for one in corpora)),
            "documents": sum(one["documents"] for one in searched),
            "skipped": _summed([one["skipped"] for one in searched]),
            "fingerprint": fingerprint_of([one["fingerprint"] for one in corpora]),
            "collections": dict(zip(names, corpora, strict=True)),
        },
    }


def _distinct(contents: Sequence[str], told: Sequence[T]) -> list[T]:
    """Keep what is told of each corpus once, however many datasets ask about it."""
    return list(dict(zip(contents, told, strict=True)).values())


def _summed(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    names = dict.fromkeys(name for one in counts for name in one)
    return {name: sum(one.get(name, 0) for one in counts) for name in names}
