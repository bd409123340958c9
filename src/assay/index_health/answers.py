"""The answers that a dataset knows: whether the index holds them, so that they can be found."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from assay.benchmarks.collections.resolve import resolve_in
from assay.index_health.look import IndexState, have_direction, make_finding
from assay.records import (
    Corpus,
    Dataset,
    HealthFinding,
    Reading,
    Resolution,
    ResolvedReference,
    Track,
    Vectors,
)
from assay.records.model import embedder_input
from assay.text.count_noun import count_noun

__all__ = [
    "KnownAnswers",
    "Pairs",
    "answers_indexed",
    "find_answers",
    "pair_answers",
    "pair_neighbours",
]

LINES = Reading(  # the share of the answers that are missing
    watch=0.0,
    bad=0.1,
    meaning="Documents that are judged relevant are not in the index, so no search can find them: "
    "update the index with `assay index`, or check the references with `assay dataset resolve`.",
    reason="",
)
LEADS = {"ambiguous": "matches several documents", "invalid": "not a valid reference"}
QUERIES = 200  # of a dataset that are embedded
NONE: Vectors = np.zeros((0, 0), np.float32)


@dataclass(frozen=True, slots=True)
class KnownAnswers:
    """The documents that are relevant to each query, and those without a chunk in the index.

    ``total`` counts the answers, each once however many queries it is relevant to.
    """

    relevant: dict[str, list[str]]
    total: int
    missing: tuple[str, ...]


def find_answers(
    look: IndexState, corpus: Corpus, dataset: Dataset, *, track: Track
) -> KnownAnswers:
    """Look up where references lead, and whether the index has what they lead to."""
    resolution = resolve_in(corpus, dataset, track=track)
    held = {one.id for one in look.held if one.chunks}
    relevant: dict[str, list[str]] = {}
    lacking: dict[tuple[str, ...], str] = {}
    for row in _expected(resolution, dataset):
        if row.documents:
            relevant.setdefault(row.query, []).extend(row.documents)
        there = not held.isdisjoint(row.documents)  # one document of an expected item will do
        lacking[row.documents or (str(row.reference),)] = "" if there else _lack(row)
    unique = {key: list(dict.fromkeys(names)) for key, names in relevant.items()}
    return KnownAnswers(unique, len(lacking), tuple(text for text in lacking.values() if text))


def answers_indexed(judged: KnownAnswers) -> HealthFinding:
    """Count the answers that can be found at all."""
    missing, total = len(judged.missing), judged.total
    return make_finding(
        "coverage",
        "answers indexed",
        total - missing,
        LINES.meaning,
        state=LINES.state(missing / max(total, 1)),
        expected=(float(total), float(total)),
        unit=f"of {total:,}",
        cases=judged.missing,
    )


def _expected(resolution: Resolution, dataset: Dataset) -> Iterator[ResolvedReference]:
    """Yield what is judged relevant, except where another of its group takes its place."""
    judgments = [one for query in dataset.queries for one in query.judgments]
    for row, judgment in zip(resolution.rows, judgments, strict=True):
        if judgment.grade > 0 and not row.spared:
            yield row


def _lack(row: ResolvedReference) -> str:
    """Say which answer is missing, and where it is missing from."""
    if row.documents:
        return row.documents[0]
    return f"{row.reference} ({LEADS.get(row.reason, 'not in the corpus')})"


@dataclass(frozen=True, eq=False)
class Pairs:
    """Vectors of related texts, row by row, and where they come from.

    ``queries`` are the vectors of the queries, where there are some.
    """

    one: Vectors = field(default_factory=lambda: NONE)
    other: Vectors = field(default_factory=lambda: NONE)
    origin: str = ""
    queries: Vectors | None = None

    @property
    def kind(self) -> str:
        """What a pair is made of."""
        return "neighbours" if self.queries is None else "query and relevant document"


def pair_neighbours(look: IndexState) -> Pairs:
    """Pair chunks with the next of their document: mostly they are about the same."""
    rows, packed = look.directed
    codes = look.codes(rows)
    follows = np.flatnonzero((codes[1:] == codes[:-1]) & (rows[1:] == rows[:-1] + 1))
    places = follows[look.some(len(follows))]
    one, other = look.unpacked(packed[places]), look.unpacked(packed[places + 1])
    return Pairs(one, other, "neighbouring chunks of a document")


def pair_answers(
    look: IndexState, dataset: Dataset, judged: KnownAnswers, *, track: Track
) -> Pairs:
    """Pair queries with the nearest chunk of each document that is relevant to them."""
    relevant = judged.relevant
    keys = [key for key in relevant if look.embedder]
    chosen = [keys[place] for place in look.some(len(keys), QUERIES).tolist()]
    if look.embedder is None or not chosen:
        return Pairs()
    asked = {
        query.key: embedder_input(look.embedder, name=query.key, text=query.text)
        for query in dataset.queries
    }
    vectors = look.embedder.embed([asked[key] for key in chosen], query=True, track=track)
    directed = have_direction(vectors)
    queries = vectors[directed]
    found = [
        (query, nearest)
        for key, query in zip(compress(chosen, directed), queries, strict=True)
        for nearest in _nearest(look, query, relevant[key])
    ]
    pairs = "with the nearest chunk of each relevant document"
    origin = f"{count_noun(len(queries), 'query')} of {dataset.name} {pairs}"
    if not found:
        return Pairs(queries=queries)
    one, other = (np.stack(side) for side in zip(*found, strict=True))
    return Pairs(one, other, origin, queries)


def _nearest(look: IndexState, query: Vectors, documents: list[str]) -> Iterator[Vectors]:
    """Yield, of each document that has vectors, the one that is nearest to a query."""
    rows, packed = look.directed
    for name in documents:
        own = look.snapshot.rows_of(name)  # those of one document are consecutive
        start, end = np.searchsorted(rows, [own[0], own[-1] + 1]) if own else (0, 0)
        if start < end:
            vectors = look.unpacked(packed[start:end])
            yield vectors[int(np.argmax(vectors @ query))]
