"""The datasets of a benchmark with their corpora, opened; several are put together as one."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from assay.benchmarks.collections.breakdowns import breakdown_notes
from assay.benchmarks.collections.collection import (
    CorpusReading,
    NoCorpusReading,
    OpenCollection,
)
from assay.benchmarks.collections.describe import about_corpus, about_dataset
from assay.benchmarks.collections.filters import check_filters, ignored_filters
from assay.benchmarks.collections.places import PlacedJudgments, find_places
from assay.benchmarks.collections.resolve import opened_benchmark
from assay.benchmarks.collections.sample_notes import sample_notes
from assay.benchmarks.collections.truth import Truth, find_truth, no_truth, truth_of
from assay.corpora.no_corpus import NoCorpus
from assay.datasets.dataset_list import same_factor
from assay.errors import InputError
from assay.models.given.own_vectors import VectorPlaces
from assay.records import (
    FACTOR,
    Benchmark,
    Collection,
    Corpus,
    Dataset,
    Ints,
    Resolution,
    Track,
    untracked,
)
from assay.records.fingerprint import fingerprint_of
from assay.records.metric import TOKENS
from assay.searches.configuration.nested_settings import is_asked, passed_fields

__all__ = ["OpenCollections", "joined", "open_collections", "strata_of", "with_truth"]

T = TypeVar("T")
NOTHING_KNOWN: Mapping[str, Dataset] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class OpenCollections:
    """All datasets of a benchmark. ``dataset`` and ``truth`` are those of all of them together.

    Where chunks or symbols are the ``unit`` of evaluation, ``placed`` has what the judgments of
    each dataset mean within documents.
    """

    each: tuple[OpenCollection, ...]
    dataset: Dataset
    truth: Truth
    about: dict[str, Any] = field(default_factory=dict)
    unit: str = "document"
    placed: tuple[PlacedJudgments, ...] = ()


def open_collections(
    benchmark: Benchmark,
    *,
    sample: int | None = None,
    seed: int = 0,
    contents: Sequence[str] = (),
    known: Mapping[str, Dataset] = NOTHING_KNOWN,
    track: Track = untracked,
) -> list[OpenCollection]:
    """Open the datasets of a benchmark; of a ``sample`` the seed chooses the queries.

    ``contents`` name what the corpora held when the benchmark was started: they need not be read
    for that. A corpus that several datasets share is read once. Datasets that are ``known`` by
    their addresses lie in no file.
    """
    chosen = benchmark.collections
    if len(chosen) == 1:  # also in a list: no name stands before the keys of its queries
        chosen = (replace(chosen[0], name=""),)
    readings: dict[str, CorpusReading] = {}
    paths = any(is_asked(one.system) for one in benchmark.configurations)
    words = any(one.has_given_vectors for one in benchmark.configurations)
    read = dict(known)
    found = []
    for at, one in enumerate(chosen):
        whole, corpus = _opened(benchmark, one, read)
        dataset = _sampled(whole, sample, seed)
        _refuse_tokens(benchmark, corpus)
        shared = _corpus_name(one, dataset)
        reading = (
            NoCorpusReading(dataset)
            if isinstance(corpus, NoCorpus)
            else CorpusReading(corpus, seed=seed, paths=paths, words=words, track=track)
        )
        reading = readings.setdefault(shared, reading) if shared else reading
        stored = contents[at] if contents else ""
        everything = read.get(one.dataset, whole)  # also the queries of other collections
        places = VectorPlaces(everything, one.corpus, one.vectors, benchmark.home)
        found.append(OpenCollection(one.name, dataset, reading, stored, places))
    return found


def _refuse_tokens(benchmark: Benchmark, corpus: Corpus) -> None:
    """Refuse metrics that count tokens where no corpus has the texts."""
    counted = [name for name in benchmark.metrics if name.endswith(TOKENS)]
    if counted and isinstance(corpus, NoCorpus):
        hint = "add a corpus, or use a cutoff in results, e.g. recall@10"
        where = benchmark.file or benchmark.name
        raise InputError(f"{counted[0]} needs the texts of a corpus", where=where, hint=hint)


def _corpus_name(one: Collection, dataset: Dataset) -> str:
    """Name the corpus of a collection as it is given; nothing where a dataset holds documents."""
    if one.corpus is not None:
        return fingerprint_of("given", one.corpus)
    if dataset.documents or not dataset.corpus:
        return ""
    return fingerprint_of("own", dict(dataset.corpus), dataset.home)


def with_truth(
    collections: Sequence[OpenCollection],
    *,
    unit: str = "document",
    scored: bool = True,
    breakdowns: Sequence[str] = (),
    track: Track = untracked,
) -> OpenCollections:
    """Find out what is right in each, and put several together.

    If chunks or symbols are the ``unit``, judgments are still of documents: what they mean in these
    is ``placed``. Where nothing is ``scored``, nothing needs to be known to be right.
    ``breakdowns`` are the fields that scores are broken down by.
    """
    for one in collections:
        one.refuse_changed()
    find = partial(find_truth, breakdowns=breakdowns) if scored else no_truth
    truths = [_truth(one, find, track) for one in collections]
    unknown = breakdown_notes(
        [(one.dataset, one.reading.again) for one in collections],
        [one.breakdowns for one in truths],
        breakdowns if scored else (),
    )
    abouts = [
        {
            "dataset": about_dataset(one.dataset, one.vectors),
            "corpus": about_corpus(one.corpus, truth.resolution, one.content, one.vectors),
        }
        for one, truth in zip(collections, truths, strict=True)
    ]
    placed = [
        find_places(one.dataset, truth.resolution, one.reading.again, unit=unit, track=track)
        for one, truth in zip(collections, truths, strict=True)
        if unit != "document"
    ]
    if len(collections) == 1:
        (only,), within = collections, tuple(placed)
        truth = replace(truths[0], notes=(*truths[0].notes, *unknown))
        return OpenCollections((only,), only.dataset, truth, abouts[0], unit, within)
    dataset, resolution = joined(collections, [one.resolution for one in truths])
    truth = truth_of(
        dataset,
        resolution,
        leaked=[
            collection.key(query)
            for collection, one in zip(collections, truths, strict=True)
            for query in one.leaked
        ],
    )
    told = zip(collections, truths, strict=True)
    notes = (*(f"{where.name}: {note}" for where, one in told for note in one.notes), *unknown)
    values = {
        where.key(query): known
        for where, one in zip(collections, truths, strict=True)
        for query, known in one.breakdowns.items()
    }
    truth, about = replace(truth, notes=notes, breakdowns=values), _abouts(collections, abouts)
    return OpenCollections(tuple(collections), dataset, truth, about, unit, tuple(placed))


def _truth(one: OpenCollection, find: Callable[..., Truth], track: Track) -> Truth:
    """Find out what is right in a collection; of what is wrong its name is told, too."""
    try:
        return find(one.dataset, one.reading.again, track=track)
    except InputError as error:
        if not one.name or one.name == error.where:
            raise
        where = f'{error.where}, collection "{one.name}"'
        raise InputError(error.problem, where=where, hint=error.hint) from None


def joined(
    collections: Sequence[OpenCollection], found: Sequence[Resolution]
) -> tuple[Dataset, Resolution]:
    """Put datasets together, and where their references lead; a single one stays as it is."""
    if len(collections) == 1:
        return collections[0].dataset, found[0]
    return _joined(collections), _resolutions(collections, found)


def _opened(
    benchmark: Benchmark, one: Collection, read: dict[str, Dataset]
) -> tuple[Dataset, Corpus]:
    """Open a dataset and its corpus; one that several collections share is ``read`` once."""
    alone = replace(
        benchmark, dataset=one.dataset, corpus=one.corpus, reading=one.reading, datasets=()
    )
    dataset, corpus = opened_benchmark(alone, dataset=read.get(one.dataset))
    if one.only:
        read[one.dataset] = dataset
        asked = tuple(query for query in dataset.queries if query.collection == one.only)
        dataset = replace(dataset, queries=asked)
    if not all(is_asked(chosen.system) for chosen in benchmark.configurations):
        check_filters(dataset)
    if benchmark.match_weights is not None:
        metadata = {**dataset.metadata, "match_weights": benchmark.match_weights}
        dataset = replace(dataset, metadata=metadata)
    if not benchmark.scored:
        dataset = replace(dataset, queries=tuple(replace(q, judgments=()) for q in dataset.queries))
    if benchmark.query_weights == "ignore":
        dataset = replace(dataset, queries=tuple(replace(q, weight=1.0) for q in dataset.queries))
    dataset = _with_variables(dataset, benchmark)
    ignored = ignored_filters(dataset, benchmark.configurations)
    drawn = sample_notes(dataset, benchmark.configurations) if benchmark.scored else ()
    return replace(dataset, notes=(*dataset.notes, *ignored, *drawn)), corpus


def _with_variables(dataset: Dataset, benchmark: Benchmark) -> Dataset:
    """Give queries the fields that outside systems are passed: they decide what is found."""
    is_passed = passed_fields(one.system for one in benchmark.configurations)
    passed = (
        {name: value for name, value in query.fields.items() if is_passed(name)}
        for query in dataset.queries
    )
    pairs = zip(dataset.queries, passed, strict=True)
    queries = tuple(replace(one, variables=given) if given else one for one, given in pairs)
    return replace(dataset, queries=queries)


def _sampled(dataset: Dataset, sample: int | None, seed: int) -> Dataset:
    """Choose queries, in their order; the same seed chooses the same of the same dataset."""
    if sample is None or sample >= len(dataset.queries):
        return dataset
    judged = [at for at, query in enumerate(dataset.queries) if query.judgments]
    if not judged:
        hint = "check that this is the dataset you meant"
        raise InputError("the dataset has no judged queries", where=dataset.name, hint=hint)
    chosen = sorted(random.Random(seed).sample(judged, min(sample, len(judged))))  # noqa: S311
    note = f"sample of {len(chosen):,} of {len(dataset.queries):,} queries (seed {seed})"
    queries = tuple(dataset.queries[at] for at in chosen)
    return replace(dataset, queries=queries, notes=(*dataset.notes, note))


def _joined(collections: Sequence[OpenCollection]) -> Dataset:
    """Put datasets together; the key of a query begins with the name of its dataset."""
    queries = tuple(
        replace(query, key=collection.key(query.key), collection=collection.name)
        for collection in collections
        for query in collection.queries
    )
    if len({query.key for query in queries}) < len(queries):
        names = ", ".join(collection.name for collection in collections)
        problem = f"duplicate query keys in the datasets {names}: a key is DATASET/QUERY"
        raise InputError(problem, hint="use dataset names without a slash")
    notes = tuple(
        f"{collection.name}: {note}"
        for collection in collections
        for note in collection.dataset.notes
    )
    factor = same_factor([collection.dataset for collection in collections])
    return Dataset(
        name=", ".join(collection.name for collection in collections),
        queries=queries,
        scale=max(collection.dataset.scale for collection in collections),
        metadata={
            "collections": [collection.name for collection in collections],
            **_weighed(collections),
            **({FACTOR: factor} if factor > 1 else {}),
        },
        notes=notes,
    )


def _weighed(collections: Sequence[OpenCollection]) -> dict[str, bool]:
    """Tell whether matches are weighed, in all datasets or in none."""
    said = {
        collection.name: collection.dataset.metadata.get("match_weights") is True
        for collection in collections
    }
    if len(set(said.values())) > 1:
        names = ", ".join(name for name, weighed in said.items() if weighed)
        hint = "set match_weights in the benchmark file, for all datasets"
        raise InputError(f"match_weights is set for some datasets only: {names}", hint=hint)
    return {"match_weights": True} if all(said.values()) else {}


def _resolutions(collections: Sequence[OpenCollection], found: Sequence[Resolution]) -> Resolution:
    corpora = _distinct([collection.content for collection in collections], found)
    rows = tuple(
        replace(row, query=collection.key(row.query))
        for collection, one in zip(collections, found, strict=True)
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


def _abouts(
    collections: Sequence[OpenCollection], abouts: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Tell of all datasets and corpora together, and of each."""
    datasets, corpora = [one["dataset"] for one in abouts], [one["corpus"] for one in abouts]
    searched = _distinct([one["fingerprint"] for one in corpora], corpora)
    names = [collection.name for collection in collections]
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
            **_sizes(searched),
            "fingerprint": fingerprint_of([one["fingerprint"] for one in corpora]),
            "collections": dict(zip(names, corpora, strict=True)),
        },
    }


def _sizes(corpora: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Add up what is known of the sizes of corpora: without a corpus, nothing is."""
    known = [one for one in corpora if "documents" in one]
    if not known:
        return {}
    documents, skipped = sum(one["documents"] for one in known), [one["skipped"] for one in known]
    return {"documents": documents, "skipped": _summed(skipped)}


def _distinct(contents: Sequence[str], told: Sequence[T]) -> list[T]:
    """Keep what is told of each corpus once, however many datasets ask about it."""
    return list(dict(zip(contents, told, strict=True)).values())


def _summed(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    names = dict.fromkeys(name for one in counts for name in one)
    return {name: sum(one.get(name, 0) for one in counts) for name in names}


def strata_of(collections: OpenCollections) -> Ints | None:
    """Number the collection of each judged query; None where there is only one collection."""
    if len(collections.each) == 1:
        return None
    of_query = {query.key: query.collection for query in collections.dataset.queries}
    numbers = {collection.name: at for at, collection in enumerate(collections.each)}
    strata = [numbers[of_query[query]] for query in collections.truth.judgments.queries]
    return np.array(strata, np.int64)
