"""What a check is, and what it may look at."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from typing import Any

from assay.datasets.checks._words import question, running_text, terms
from assay.records import (
    AuditSettings,
    Dataset,
    Define,
    Document,
    Finding,
    Judgment,
    Query,
    Reference,
    Resolution,
    ResolvedReference,
)

__all__ = ["Check", "Evidence", "Gold", "Read", "check", "identity"]

NO_CORPUS = "no corpus given"


@dataclass(frozen=True)
class Gold:
    """A document that is right for some query, while it passes by; nothing keeps it afterwards."""

    document: Document
    define: Define | None = None

    @cached_property
    def text(self) -> str:
        """Its title and text."""
        return f"{self.document.title}\n{self.document.text}"

    @cached_property
    def running_text(self) -> str:
        """Its words with single spaces between and around them."""
        return running_text(self.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The stems of its words and of the parts of its identifiers."""
        return terms(self.text)

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The names that it defines, where that can be told."""
        return tuple(self.define(self.document)) if self.define else ()


Read = Callable[[Query, Gold, AuditSettings], Any]


@dataclass(frozen=True)
class Evidence:
    """The dataset, and what is known of the documents that it points at.

    ``resolution`` is None without a corpus. ``seen`` holds, by name of the check and number of the
    query, what its ``read`` kept of each document that is right for it; ``looked`` has the queries
    for which there was such a document. ``frequency`` counts the documents that hold a term of some
    query. ``scores`` are mean scores of queries over earlier runs.
    """

    dataset: Dataset
    resolution: Resolution | None = None
    settings: AuditSettings = field(default_factory=AuditSettings)
    seen: Mapping[str, Mapping[int, Sequence[tuple[str, Any]]]] = field(default_factory=dict)
    looked: frozenset[int] | None = None
    frequency: Mapping[str, int] = field(default_factory=dict)
    documents: int = 0
    scores: Mapping[str, float] | None = None

    @cached_property
    def offsets(self) -> list[int]:
        """Where the judgments of each query begin among all."""
        sizes = (len(query.judgments) for query in self.dataset.queries)
        return list(accumulate(sizes, initial=0))

    @cached_property
    def equal(self) -> dict[tuple[str, tuple[str, ...]], list[int]]:
        """Put queries of one collection with one normalised text together, but no empty texts."""
        found: dict[tuple[str, tuple[str, ...]], list[int]] = {}
        for number, query in enumerate(self.dataset.queries):
            tokens = question(query.text)
            if tokens:
                found.setdefault((query.collection, tokens), []).append(number)
        return found

    def resolved(self, number: int) -> Sequence[ResolvedReference | None]:
        """Return what each judgment of a query leads to; None where no corpus was given."""
        if self.resolution is None:
            return [None] * len(self.dataset.queries[number].judgments)
        return self.resolution.rows[self.offsets[number] : self.offsets[number + 1]]

    def gold(self, number: int) -> list[str]:
        """Name the documents that are right for a query, each once."""
        judgments = self.dataset.queries[number].judgments
        rows = zip(judgments, self.resolved(number), strict=True)
        found = (_documents(judgment, row) for judgment, row in rows if judgment.grade > 0)
        return list(dict.fromkeys(chain.from_iterable(found)))

    def grades(self, number: int) -> list[tuple[object, Judgment]]:
        """Pair each judgment of a query with what it is about, leaving out the pooled only."""
        judgments = self.dataset.queries[number].judgments
        rows = zip(judgments, self.resolved(number), strict=True)
        return [(identity(one, row), one) for one, row in rows if one.grade >= 0]


def _documents(judgment: Judgment, row: ResolvedReference | None) -> tuple[str, ...]:
    if row is not None:
        return row.documents
    return (judgment.reference.document_id,) if judgment.reference.document_id else ()


def identity(judgment: Judgment, row: ResolvedReference | None) -> tuple[str | Reference, str, str]:
    """Say what a judgment is about: a document (or a place in it) as part of one expected item.

    Two judgments about one thing must agree. A reference that matches several documents
    is an object of its own, and another group is another question about the same document.
    """
    reference = judgment.reference
    if row is not None and len(row.documents) == 1:
        return row.documents[0], reference.symbol, judgment.group
    return reference, "", judgment.group


@dataclass(frozen=True)
class Check:
    """A function from evidence to a finding, the first line of whose docstring is its summary.

    ``read`` is shown each pair of a query and a document that is right for it, once, while the
    corpus passes by; what it returns is kept unless None. Checks are told of in order of ``rank``.
    """

    find: Callable[[Evidence], Finding]
    read: Read | None = None
    rank: int = 50

    @property
    def summary(self) -> str:
        """Say what the check looks for."""
        return (self.find.__doc__ or "").strip().partition("\n")[0]

    def __call__(self, evidence: Evidence) -> Finding:
        """Look."""
        return self.find(evidence)


def check(
    *, rank: int, read: Read | None = None
) -> Callable[[Callable[[Evidence], Finding]], Check]:
    """Turn a function into a check."""
    return lambda find: Check(find, read=read, rank=rank)
