"""Datasets, their judgments and a report -> what there is to judge."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from assay.benchmarks.collections.collection import OpenCollection
from assay.benchmarks.collections.open_collections import joined
from assay.benchmarks.collections.resolve import resolve_in
from assay.corpora.no_corpus import NoCorpus
from assay.datasets.resolve.as_judgments import as_judgments
from assay.judging.grades import of_queries
from assay.judging.judging import Judging
from assay.records import Document, Judgments, Report, Track
from assay.records.judging import Pair

__all__ = ["OpenJudging", "differ", "documents_of", "judged_in", "open_judging"]


@dataclass(frozen=True, slots=True, eq=False)
class OpenJudging:
    """What is still open, and what can be shown of each query's documents."""

    judging: Judging
    documents: dict[Pair, Document]


def differ(collections: Sequence[OpenCollection]) -> bool:
    """Tell whether datasets ask about different corpora: who judges must know about which then."""
    return len(collections) > 1 and len({collection.content for collection in collections}) > 1


def judged_in(collections: Sequence[OpenCollection], *, track: Track) -> Judgments:
    """Find the documents that datasets judge, all of them together."""
    found = [resolve_in(one.corpus, one.dataset, track=track) for one in collections]
    return as_judgments(*joined(collections, found))


def open_judging(
    collections: Sequence[OpenCollection],
    judgments: Judgments,
    report: Report,
    *,
    runs: Sequence[str],
    track: Track,
) -> OpenJudging:
    """Set the runs of a report against each other by judgments of now, for the queries it has."""
    asked = of_queries(judgments, report.queries)
    number = {one.key(query.key): at for at, one in enumerate(collections) for query in one.queries}
    strata = np.array([number[query] for query in asked.queries], np.int64)
    documents = documents_of(collections, _shown(report), track=track)
    judging = Judging(
        report,
        asked,
        known=documents,
        runs=runs,
        strata=strata if len(collections) > 1 else None,
        scales=[one.dataset.scale for one in collections],
        pool=_to_judge(collections),
    )
    return OpenJudging(judging, documents)


def _to_judge(collections: Sequence[OpenCollection]) -> list[Pair]:
    """List the documents of the queries that `assay diff` drew, which are all to be judged."""
    return [
        (one.key(query.key), judgment.reference.document_id)
        for one in collections
        if one.dataset.metadata.get("sample")
        for query in sorted(one.queries, key=lambda query: -query.weight)
        for judgment in query.judgments
        if judgment.grade < 0
    ]


def _shown(report: Report) -> set[Pair]:
    return {
        (query, document)
        for run in report.runs
        for query, some in run.rankings.items()
        for document in some
    }


def documents_of(
    collections: Sequence[OpenCollection], wanted: Collection[Pair], *, track: Track
) -> dict[Pair, Document]:
    """Read the documents of some queries, each from the corpus that its dataset asks about."""
    found: dict[Pair, Document] = {}
    for collection in collections:
        own = {collection.key(query.key) for query in collection.queries}
        pairs = [pair for pair in wanted if pair[0] in own]
        read = _read(collection, {document for _, document in pairs}, track)
        found |= {pair: read[pair[1]] for pair in pairs if pair[1] in read}
    return found


def _read(collection: OpenCollection, wanted: Collection[str], track: Track) -> dict[str, Document]:
    """Read documents by their ids; without a corpus the judge must know them by their ids."""
    if isinstance(collection.corpus, NoCorpus):
        return {one: Document(one) for one in wanted}
    every = collection.corpus.documents(texts=True, hashes=False) if wanted else ()
    tracked = track(every, f"reading {collection.corpus.name}", unit="documents")
    return {one.id: one for one in tracked if one.id in wanted}
