"""The judgments in terms of the documents of the corpus, and how many of them resolve."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from assay.benchmarks.collections.breakdowns import BreakdownValues, breakdown_values
from assay.benchmarks.collections.filters import filter_notes
from assay.benchmarks.collections.resolve import resolve_in
from assay.corpora.no_corpus import NoCorpus
from assay.datasets.checks import Evidence, examine
from assay.datasets.resolve.as_judgments import as_judgments
from assay.errors import InputError
from assay.records import Corpus, Dataset, Judgments, Resolution, Track, untracked
from assay.records.skipped_files import describe_unread
from assay.text.count_noun import count_noun
from assay.text.join_list import first_named
from assay.text.quote import quote

__all__ = [
    "Truth",
    "find_truth",
    "no_truth",
    "resolve_some",
    "truth_of",
    "with_empty_noted",
    "without_relevant",
]

NAMED = 5  # queries that a note names
SHOWN = 10  # unresolved references that a report keeps


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Judgments in terms of documents.

    In ``judgments`` what is not in the corpus counts as missed; ``resolved`` omits it, and is None
    where everything was found. ``leaked`` are the queries that occur verbatim in a document that is
    relevant to them. ``labels`` name the items of judgments of chunks or symbols, by their numbers;
    ``lost_places`` those that their document does not have, by the row of the resolution. ``notes``
    are messages for the user. ``breakdowns`` has the values of fields that scores are broken down
    by, of each query.
    """

    resolution: Resolution
    judgments: Judgments
    resolved: Judgments | None
    leaked: tuple[str, ...]
    labels: tuple[str, ...] = ()
    lost_places: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    breakdowns: BreakdownValues = field(default_factory=dict)

    def accounts(self) -> dict[str, Any]:
        """Count what became of the references, and the leaked queries if there is a corpus."""
        return {
            "total": self.resolution.total,
            "resolved": self.resolution.resolved,
            "ambiguous": self.resolution.ambiguous,
            "missing": self.resolution.missing,
            "unresolved": [*islice(self._unresolved(), SHOWN)],
            "without_relevant": len(without_relevant(self.judgments)),
            "leaked": len(self.leaked) if self.resolution.documents else None,
            "leaked_queries": list(self.leaked),
        }

    def _unresolved(self) -> Iterator[dict[str, Any]]:
        for at, row in enumerate(self.resolution.rows):
            if row.reason and not row.spared:
                yield {
                    "query": row.query,
                    "reference": self.lost_places.get(at, str(row.reference)),
                    "reason": row.reason,
                    "candidates": list(row.candidates[:SHOWN]),
                }


def find_truth(
    dataset: Dataset, corpus: Corpus, *, breakdowns: Sequence[str] = (), track: Track = untracked
) -> Truth:
    """Resolve the references of a dataset, and look for leaked queries.

    ``breakdowns`` are the fields that scores are broken down by.
    """
    resolution = resolve_some(dataset, corpus, track=track)
    leaked = _leaked(dataset, corpus, resolution, track)
    values = breakdown_values(dataset, corpus, resolution, breakdowns)
    notes = (*_unread(corpus), *filter_notes(dataset, corpus, resolution))
    return replace(truth_of(dataset, resolution, leaked=leaked), notes=notes, breakdowns=values)


def no_truth(dataset: Dataset, corpus: Corpus, *, track: Track = untracked) -> Truth:
    """Count the documents of a corpus for queries of which nothing is judged."""
    resolution = resolve_in(corpus, dataset, track=track)
    found = Truth(resolution, as_judgments(dataset, resolution), None, ())
    return replace(found, notes=_unread(corpus))


def _unread(corpus: Corpus) -> tuple[str, ...]:
    return tuple(filter(None, [describe_unread(corpus.skipped)]))


def resolve_some(dataset: Dataset, corpus: Corpus, *, track: Track = untracked) -> Resolution:
    """Resolve the references of a dataset, and refuse a corpus in which none is found."""
    resolution = resolve_in(corpus, dataset, doing="resolving references in", track=track)
    if not resolution.documents and not isinstance(corpus, NoCorpus):
        hint = "check its path and patterns"
        raise InputError("the corpus contains no documents", where=corpus.name, hint=hint)
    if not resolution.total:
        hint = "add judgments; `assay diff FILE` shows what changes between two configurations "
        hint += "without any, and which queries to judge"
        raise InputError("no query has judgments", where=dataset.name, hint=hint)
    if not resolution.resolved:
        hint = "check that the dataset was made for this corpus; "
        hint += "`assay dataset resolve DATASET --corpus CORPUS` shows why"
        problem = f"none of the {resolution.total:,} judgments resolves to a document of "
        problem += corpus.name
        raise InputError(problem, where=dataset.name, hint=hint)
    return resolution


def truth_of(dataset: Dataset, resolution: Resolution, *, leaked: Sequence[str]) -> Truth:
    """Make judgments of documents, given what the references resolve to."""
    lost = resolution.resolved < resolution.total
    return Truth(
        resolution=resolution,
        judgments=with_empty_noted(as_judgments(dataset, resolution)),
        resolved=as_judgments(dataset, resolution, unresolved="drop") if lost else None,
        leaked=tuple(leaked),
    )


def _leaked(
    dataset: Dataset, corpus: Corpus, resolution: Resolution, track: Track
) -> tuple[str, ...]:
    if isinstance(corpus, NoCorpus):
        return ()
    documents = corpus.documents(texts=True, hashes=False)
    doing = f"checking {corpus.name} for leaked queries"
    tracked = track(documents, doing, total=resolution.documents, unit="documents")
    found = examine(Evidence(dataset, resolution), tracked, only=("leaked",))["leaked"]
    return tuple(str(row["query"]) for row in found.rows)


def without_relevant(judgments: Judgments) -> list[str]:
    """Return the queries without relevant documents, in their order."""
    ends, grades = judgments.offsets.tolist(), judgments.grades
    spans = zip(judgments.queries, ends[:-1], ends[1:], strict=True)
    return [query for query, start, end in spans if grades[start:end].max(initial=0) <= 0]


def with_empty_noted(judgments: Judgments) -> Judgments:
    """Name the queries without relevant documents."""
    empty = without_relevant(judgments)
    if not empty:
        return judgments
    queries = count_noun(len(empty), "query has", "queries have")
    named = first_named(empty, NAMED, show=quote)
    note = f"{queries} no relevant document, so every run scores 0 on {named}"
    return replace(judgments, notes=(*judgments.notes, note))
