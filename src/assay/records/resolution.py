"""Where references lead: what each found in a corpus, by which key, or why nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.records.dataset import Dataset, Reference

__all__ = ["Reason", "Resolution", "ResolvedReference", "UnknownSymbol"]

Reason = Literal["", "not_found", "ambiguous", "invalid"]


@dataclass(frozen=True, slots=True)
class ResolvedReference:
    """What one judgment's reference found.

    ``documents`` are the ids that it leads to (several for an expected item, none if unresolved),
    ``key`` the key that found them. ``candidates`` are the documents between which an ambiguous
    reference cannot tell, or near misses of one that found nothing. ``spared`` marks a reference
    that found nothing while another of its group did: its item is resolved all the same.
    ``partial`` are those of ``documents`` of which only a part of the name was given; ``by_part``
    says that a part was looked for, since no path or id is equal to it. ``respelled`` marks a path
    that the corpus writes with other separators, another case or without an absolute prefix.
    """

    query: str
    reference: Reference
    documents: tuple[str, ...] = ()
    key: str = ""
    reason: Reason = ""
    candidates: tuple[str, ...] = ()
    spared: bool = False
    partial: tuple[str, ...] = ()
    by_part: bool = False
    respelled: bool = False


@dataclass(frozen=True, slots=True)
class UnknownSymbol:
    """A symbol that a judgment expects in a document that defines no such one."""

    query: str
    document: str
    symbol: str
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """A dataset mapped onto a corpus; counts are of items, so the right answers of a group are one.

    ``rows`` has one row per judgment, in the dataset's order. ``documents`` is the number of those
    that were read, ``skipped`` that of the files which were not, by reason. ``irrelevant`` is how
    many of ``total`` have a grade of 0 or less: nobody expects them. ``unknown_symbols`` are within
    documents that were found: they are missed only where chunks or symbols are evaluated.
    """

    rows: tuple[ResolvedReference, ...]
    total: int
    resolved: int
    ambiguous: int
    missing: int
    corpus: str = ""
    documents: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    irrelevant: int = 0
    unknown_symbols: tuple[UnknownSymbol, ...] = ()

    @property
    def status(self) -> Literal["resolved", "partial", "unresolved"]:
        """Say whether all, some or none of the items were found."""
        if self.resolved == self.total:
            return "resolved"
        return "partial" if self.resolved else "unresolved"

    def queries_by_document(self, dataset: Dataset) -> dict[str, list[str]]:
        """Return the keys of the queries that each document is relevant to."""
        grades = (one.grade for query in dataset.queries for one in query.judgments)
        found: dict[str, list[str]] = {}
        for row, grade in zip(self.rows, grades, strict=True):
            for document in row.documents if grade > 0 else ():
                found.setdefault(document, []).append(row.query)
        return found

    @property
    def noun(self) -> Literal["expected item", "reference"]:
        """Say what is counted: only where all are relevant are they all expected."""
        return "reference" if self.irrelevant else "expected item"
