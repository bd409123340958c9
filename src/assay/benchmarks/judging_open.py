"""A benchmark and its report -> what there is to judge; a report of something else is refused."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from assay.benchmarks.identity import about_dataset
from assay.benchmarks.judging import Judging
from assay.benchmarks.opening import opened_benchmark
from assay.benchmarks.resolving import resolve_in
from assay.corpora.fingerprint import fingerprint
from assay.datasets.as_judgments import as_judgments
from assay.errors import InputError
from assay.records import Benchmark, Corpus, Dataset, Document, Judgment, Query, Report, Track

__all__ = ["Opened", "documents_of", "made_for", "open_judging", "without"]


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A dataset as the report knows it, and the documents that can be shown, by id."""

    dataset: Dataset
    judging: Judging
    documents: dict[str, Document]


def open_judging(
    benchmark: Benchmark, report: Report, *, runs: Sequence[str], track: Track
) -> Opened:
    """Open what a report was made of; grades that were given for this very report are set aside."""
    if benchmark.datasets:
        hint = "name a benchmark of one dataset, and run it"
        raise InputError("has several datasets", where=benchmark.file, hint=hint)
    whole, corpus = opened_benchmark(benchmark)
    dataset = without(whole, report)
    _refuse_other(dataset, corpus, report)
    asked = _asked(dataset, report)
    judgments = as_judgments(asked, resolve_in(corpus, asked, track=track))
    shown = {name for run in report.runs for some in run.rankings.values() for name in some}
    documents = documents_of(corpus, shown, track=track)
    return Opened(dataset, Judging(report, judgments, known=documents, runs=runs), documents)


def documents_of(corpus: Corpus, wanted: Collection[str], *, track: Track) -> dict[str, Document]:
    """Read the texts of some documents."""
    every = track(
        corpus.documents(texts=True, hashes=False), f"reading {corpus.name}", unit="documents"
    )
    return {one.id: one for one in every if one.id in wanted}


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


def _asked(dataset: Dataset, report: Report) -> Dataset:
    """Keep the queries that the report has, which may be a sample."""
    kept = tuple(query for query in dataset.queries if query.key in report.queries)
    return replace(dataset, queries=kept)


def _refuse_other(dataset: Dataset, corpus: Corpus, report: Report) -> None:
    found = {
        "dataset": about_dataset(_asked(dataset, report))["fingerprint"],
        "corpus": fingerprint(corpus),
    }
    for what, name in found.items():
        told = getattr(report, what)
        if told.get("fingerprint") != name:
            problem = f"the {what} is not the one that this report was made with"
            hint = "run the benchmark again (`assay run FILE`), or name its report (--report)"
            raise InputError(problem, where=report.id or str(told.get("name", "")), hint=hint)
