"""How much is read before an answer: results opened up to the first relevant one, and tokens."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from assay.benchmarks.collections.collection import CorpusReading
from assay.benchmarks.collections.open_collections import OpenCollections
from assay.benchmarks.runs.measure import Measurements
from assay.benchmarks.runs.run_result import RunResult
from assay.corpora.unit_tokens import unit_tokens
from assay.errors import AssayError
from assay.metrics import parse_all
from assay.records import Benchmark, Ints, Judgments, Rankings, decode
from assay.records.chunk import document_of_unit
from assay.text.count_noun import count_noun

__all__ = ["count_units", "first_relevant", "with_reading", "with_tokens"]

Opened = Mapping[str, Sequence[str]]  # by query: the documents up to the first relevant one
Counts = Mapping[tuple[str, str], int]  # by the name of a dataset, and a document: its tokens
NONE: dict[str, int | None] = {"opened": None, "tokens": None}


def with_reading(collections: OpenCollections, tried: Sequence[RunResult]) -> list[RunResult]:
    """Add to each run what is read of each judged query before its first relevant document.

    Tokens are counted of what is returned (whole documents, unless chunks or symbols are), as the
    corpus holds it, by the rule that measures chunks: the same for every run.
    """
    judgments = collections.truth.judgments
    site_of = _collections_of(collections)
    opened = [_opened(judgments, one) for one in tried]
    wanted = {
        (site_of[query], document)
        for each in opened
        for query, documents in each.items()
        for document in documents
    }
    counts = count_units(collections, wanted)
    return [
        _told(one, each, site_of, counts) if one.evaluation else one
        for one, each in zip(tried, opened, strict=True)
    ]


def with_tokens(
    benchmark: Benchmark,
    collections: OpenCollections,
    measured: Measurements,
    *,
    top_k: int | None = None,
) -> Measurements:
    """Add the tokens of all results, if a metric counts them; of what no corpus has, none.

    A note says where ``top_k`` ends the results before that many tokens are read.
    """
    wanted = [one.tokens for one in parse_all(benchmark.metrics) if one.tokens is not None]
    if not wanted:
        return measured
    of_query = _collections_of(collections)
    names = {
        key: [(of_query[key], name) for name in found[0]] for key, found in measured.found.items()
    }
    counts = count_units(collections, {pair for pairs in names.values() for pair in pairs})
    lengths = {key: [counts.get(pair, 0) for pair in pairs] for key, pairs in names.items()}
    strangers = {pair for pairs in names.values() for pair in pairs if pair not in counts}
    notes = (*_unknown(len(strangers)), *_cut_short(lengths, max(wanted), top_k))
    return replace(measured, tokens=lengths, notes=(*measured.notes, *notes))


def _unknown(strangers: int) -> Iterator[str]:
    if strangers:
        some = count_noun(strangers, "returned document is", "returned documents are")
        yield f"{some} not in the corpus: their tokens are unknown and count as 0"


def _cut_short(lengths: Mapping[str, Sequence[int]], most: int, top_k: int | None) -> Iterator[str]:
    short = sum(len(some) == top_k and sum(some) < most for some in lengths.values())
    if short:
        some = count_noun(short, "query", "queries")
        yield f"top_k {top_k} ends the results of {some} before {most:,} tokens: use a larger top_k"


def first_relevant(judgments: Judgments, rankings: Rankings) -> Ints:
    """Return for each judged query the rank of its first relevant document, 0 where none is."""
    rows = np.flatnonzero((judgments.grades > 0) & (judgments.documents != b""))
    query = judgments.query[rows]
    ranks = rankings.ranks(rankings.numbers(judgments.queries)[query], judgments.documents[rows])
    none = np.iinfo(np.int64).max
    first = np.full(len(judgments.queries), none)
    np.minimum.at(first, query[ranks > 0], ranks[ranks > 0])
    return np.where(first < none, first, 0)


def _opened(judgments: Judgments, one: RunResult) -> dict[str, list[str]]:
    """List the documents that are opened, of each query that finds a relevant one."""
    if one.rankings is None:
        return {}
    found, numbers = one.rankings, one.rankings.numbers(judgments.queries)
    firsts = first_relevant(judgments, found)
    some = np.flatnonzero(firsts)
    starts = found.offsets[numbers[some]]
    return {
        judgments.queries[at]: decode(found.documents[start : start + first])
        for at, start, first in zip(some.tolist(), starts.tolist(), firsts[some], strict=True)
    }


def _collections_of(collections: OpenCollections) -> dict[str, str]:
    return {
        collection.key(query.key): collection.name
        for collection in collections.each
        for query in collection.queries
    }


def count_units(
    collections: OpenCollections, wanted: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], int]:
    """Count the tokens of results, each with the name of its collection."""
    corpora: dict[str, CorpusReading] = {}
    names: dict[str, list[str]] = {}
    for collection in collections.each:
        corpora.setdefault(collection.content, collection.reading)
        names.setdefault(collection.content, []).append(collection.name)
    counts: dict[tuple[str, str], int] = {}
    for content, corpus in corpora.items():
        mine = {unit for name, unit in wanted if name in names[content]}
        found = _tokens(corpus, mine, collections.unit) if mine else {}
        counts |= {(name, one): count for name in names[content] for one, count in found.items()}
    return counts


def _tokens(corpus: CorpusReading, wanted: set[str], unit: str) -> dict[str, int]:
    inside: dict[str, list[str]] = {}
    for name in wanted:
        inside.setdefault(document_of_unit(name, unit), []).append(name)
    counts: dict[str, int] = {}
    with suppress(AssayError, OSError):  # a corpus that is gone by now takes nothing from the run
        for document in corpus.again.documents():
            if document.id in inside:
                counts |= unit_tokens(document, inside.pop(document.id), unit)
                if not inside:
                    break
    return counts


def _told(one: RunResult, opened: Opened, site_of: Mapping[str, str], counts: Counts) -> RunResult:
    asked = one.evaluation.queries if one.evaluation else ()
    reading = {
        query: {
            "opened": len(opened[query]),
            "tokens": _sum(counts.get((site_of[query], name)) for name in opened[query]),
        }
        if query in opened
        else NONE
        for query in asked
    }
    return replace(one, run=replace(one.run, reading=reading))


def _sum(counts: Iterable[int | None]) -> int | None:
    """Add up, unless something is unknown."""
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total
