"""A benchmark and its report -> what there is to judge; a report of something else is refused."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.benchmarks.identity import about_dataset
from assay.benchmarks.judging import Judging
from assay.benchmarks.resolving import resolve_in
from assay.benchmarks.sites import Site, joined, open_sites
from assay.datasets.as_judgments import as_judgments
from assay.errors import InputError
from assay.records import Benchmark, Dataset, Document, Judgment, Query, Report, Track
from assay.records.judging import Pair

__all__ = [
    "Opened",
    "differ",
    "documents_of",
    "is_of",
    "made_for",
    "open_judging",
    "without",
]

HINT = "run the benchmark again (`assay run FILE`), or name its report (--report)"


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """The datasets as the report knows them, and what can be shown of each query's documents."""

    sites: tuple[Site, ...]
    judging: Judging
    documents: dict[Pair, Document]


def differ(sites: Sequence[Site]) -> bool:
    """Tell whether datasets ask about different corpora: who judges must know about which then."""
    return len(sites) > 1 and len({site.content for site in sites}) > 1


def open_judging(
    benchmark: Benchmark, report: Report, *, runs: Sequence[str], track: Track
) -> Opened:
    """Open what a report was made of; grades that were given for this very report are set aside."""
    opened = open_sites(benchmark)
    sites = [replace(one, dataset=without(one.dataset, report)) for one in opened]
    asked = [_asked(one, report) for one in sites]
    _refuse_other(asked, report)
    found = [resolve_in(one.corpus, one.dataset, track=track) for one in asked]
    judgments = as_judgments(*joined(asked, found))
    number = {one.key(query.key): at for at, one in enumerate(asked) for query in one.queries}
    strata = np.array([number[query] for query in judgments.queries], np.int64)
    documents = documents_of(asked, _shown(report), track=track)
    judging = Judging(
        report,
        judgments,
        known=documents,
        runs=runs,
        strata=strata if len(asked) > 1 else None,
        scales=[one.dataset.scale for one in asked],
    )
    return Opened(tuple(sites), judging, documents)


def _shown(report: Report) -> set[Pair]:
    return {
        (query, document)
        for run in report.runs
        for query, some in run.rankings.items()
        for document in some
    }


def is_of(sites: Sequence[Site], report: Report) -> bool:
    """Tell whether a report was made with these datasets, and with these judgments."""
    if sorted(_names(sites)) != sorted(report.dataset.get("collections", {})):
        return False
    asked = [_asked(replace(one, dataset=without(one.dataset, report)), report) for one in sites]
    return all(
        about_dataset(one.dataset)["fingerprint"] == _told(one, report, "dataset") for one in asked
    )


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


def made_for(dataset: Dataset, report: Report) -> list[tuple[Query, Judgment]]:
    """List the judgments that were given for a report."""
    return [
        (query, one)
        for query in dataset.queries
        for one in query.judgments
        if _is_for(one, report.id)
    ]


def without(dataset: Dataset, report: Report) -> Dataset:
    """Take out the judgments that were given for a report."""
    return replace(dataset, queries=tuple(_without(dataset.queries, report.id)))


def _without(queries: Iterable[Query], report: str) -> Iterable[Query]:
    for query in queries:
        kept = tuple(one for one in query.judgments if not _is_for(one, report))
        yield query if len(kept) == len(query.judgments) else replace(query, judgments=kept)


def _is_for(judgment: Judgment, report: str) -> bool:
    return bool(report) and judgment.because is not None and judgment.because.report == report


def _asked(site: Site, report: Report) -> Site:
    """Keep the queries that the report has, which may be a sample."""
    kept = tuple(query for query in site.queries if site.key(query.key) in report.queries)
    return replace(site, dataset=replace(site.dataset, queries=kept))


def _refuse_other(sites: Sequence[Site], report: Report) -> None:
    """Compare each dataset and corpus with those of the report, by name and content."""
    several, named = [*report.dataset.get("collections", {})], _names(sites)
    if sorted(named) != sorted(several):
        theirs, ours = (", ".join(names) or "one dataset" for names in (several, named))
        problem = f"this report was made with other datasets: {theirs}; the benchmark has {ours}"
        raise InputError(problem, where=_place(report), hint=HINT)
    for site in sites:
        _refuse_changed(site, report)


def _refuse_changed(site: Site, report: Report) -> None:
    found = {"dataset": about_dataset(site.dataset)["fingerprint"], "corpus": site.content}
    start = f"{site.name}: " if site.name else ""
    for what, name in found.items():
        if _told(site, report, what) != name:
            problem = f"{start}the {what} is not the one that this report was made with"
            raise InputError(problem, where=_place(report), hint=HINT)


def _told(site: Site, report: Report, what: str) -> str:
    """Return the fingerprint of a dataset or corpus that a report was made with."""
    told = getattr(report, what)
    told = told.get("collections", {}).get(site.name, {}) if site.name else told
    return str(told.get("fingerprint", ""))


def _names(sites: Sequence[Site]) -> list[str]:
    return [site.name for site in sites if site.name]


def _place(report: Report) -> str:
    return report.id or str(report.dataset.get("name", ""))
