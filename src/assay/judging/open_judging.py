"""Datasets, their judgments and a report -> what there is to judge."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from assay.benchmarks.collections.open_collections import Site, joined
from assay.benchmarks.collections.resolving import resolve_in
from assay.datasets.resolve.as_judgments import as_judgments
from assay.judging.grades import of_queries
from assay.judging.judging import Judging
from assay.records import Document, Judgments, Report, Track
from assay.records.judging import Pair

__all__ = ["Opened", "differ", "documents_of", "judged_in", "open_judging"]


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """What is still open, and what can be shown of each query's documents."""

    judging: Judging
    documents: dict[Pair, Document]


def differ(sites: Sequence[Site]) -> bool:
    """Tell whether datasets ask about different corpora: who judges must know about which then."""
    return len(sites) > 1 and len({site.content for site in sites}) > 1


def judged_in(sites: Sequence[Site], *, track: Track) -> Judgments:
    """Find the documents that datasets judge, all of them together."""
    found = [resolve_in(one.corpus, one.dataset, track=track) for one in sites]
    return as_judgments(*joined(sites, found))


def open_judging(
    sites: Sequence[Site],
    judgments: Judgments,
    report: Report,
    *,
    runs: Sequence[str],
    track: Track,
) -> Opened:
    """Set the runs of a report against each other by judgments of now, for the queries it has."""
    asked = of_queries(judgments, report.queries)
    number = {one.key(query.key): at for at, one in enumerate(sites) for query in one.queries}
    strata = np.array([number[query] for query in asked.queries], np.int64)
    documents = documents_of(sites, _shown(report), track=track)
    judging = Judging(
        report,
        asked,
        known=documents,
        runs=runs,
        strata=strata if len(sites) > 1 else None,
        scales=[one.dataset.scale for one in sites],
    )
    return Opened(judging, documents)


def _shown(report: Report) -> set[Pair]:
    return {
        (query, document)
        for run in report.runs
        for query, some in run.rankings.items()
        for document in some
    }


def documents_of(
    sites: Sequence[Site], wanted: Collection[Pair], *, track: Track
) -> dict[Pair, Document]:
    """Read the documents of some queries, each from the corpus that its dataset asks about."""
    found: dict[Pair, Document] = {}
    for site in sites:
        own = {site.key(query.key) for query in site.queries}
        pairs = [pair for pair in wanted if pair[0] in own]
        read = _read(site, {document for _, document in pairs}, track)
        found |= {pair: read[pair[1]] for pair in pairs if pair[1] in read}
    return found


def _read(site: Site, wanted: Collection[str], track: Track) -> dict[str, Document]:
    every = site.corpus.documents(texts=True, hashes=False) if wanted else ()
    tracked = track(every, f"reading {site.corpus.name}", unit="documents")
    return {one.id: one for one in tracked if one.id in wanted}
