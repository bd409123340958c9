"""What is asked, and what would be right: queries, judgments and the references they point with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from assay.records.document import Document
from assay.records.fingerprint import fingerprint_of

__all__ = ["FACTOR", "KEYS", "Dataset", "Judgment", "Match", "Query", "Rationale", "Reference"]

Match = Literal["exact", "substring"]

FACTOR = "grade_factor"
"""The key of the metadata that says by what ratings with decimals were multiplied."""

KEYS = ("document_id", "uri", "content_hash", "path", "file_name")
"""The keys of a reference that can name a document, in the order in which they are tried."""


NO_CATEGORY = "uncategorised"  # the name of queries without one, among categories


@dataclass(frozen=True, slots=True)
class Reference:
    """Points at a document by one or more keys; empty keys are not given.

    ``symbol`` beside another key says where in the document; alone it is an expected symbol, which
    whatever document defines it meets. A ``substring`` match meets every document whose path holds
    the given part (or that defines a symbol holding it, whatever the case).
    """

    document_id: str = ""
    uri: str = ""
    content_hash: str = ""
    path: str = ""
    file_name: str = ""
    symbol: str = ""
    match: Match = "exact"

    @classmethod
    def named(cls, text: str) -> "Reference":
        """Take a bare name for whatever it may be: an id, a URI, a path, or a file's name.

        >>> str(Reference.named("setup.md"))
        '"setup.md"'
        """
        last = "" if "/" in text else text
        return cls(document_id=text, uri=text, path=text, file_name=last)

    @property
    def name(self) -> str:
        """The bare name that ``named`` would read back, or nothing."""
        return self.document_id if self == Reference.named(self.document_id) else ""

    def __str__(self) -> str:
        if self.name:
            return f'"{self.name}"'
        given = [f'{key} "{getattr(self, key)}"' for key in KEYS if getattr(self, key)]
        given += [f'symbol "{self.symbol}"'] if self.symbol else []
        return ", ".join(given) or "nothing"


@dataclass(frozen=True, slots=True)
class Rationale:
    """Why a judge gave a grade: the lines of the document that show it, and a sentence.

    ``judge`` says who gave it and ``when`` (UTC, as in 2026-11-16T12:00:00Z), ``report`` the id of
    the report that it was asked for; ``seen`` are the first and the last line that the judge was
    shown.
    """

    reason: str = ""
    lines: tuple[int, int] | None = None
    judge: str = ""
    when: str = ""
    report: str = ""
    seen: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Judgment:
    """Says that a reference has a grade.

    Judgments of one query with the same ``group`` are one expected item: any of them is a right
    answer.
    """

    reference: Reference
    grade: int
    group: str = ""
    because: Rationale | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """What a person asks, by ``key`` and ``text``; ``extra`` keeps what a file says beyond that.

    ``collection`` names the repository (or other corpus) that a query belongs to, where a dataset
    covers several.
    """

    key: str
    text: str
    judgments: tuple[Judgment, ...] = ()
    category: str = ""
    difficulty: str = ""
    collection: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def excluded(self) -> frozenset[str]:
        """Name the documents that do not count, such as the file that a query was made from."""
        named = self.extra.get("exclude")
        return frozenset(map(str, named)) if isinstance(named, list | tuple) else frozenset()

    @property
    def fingerprint(self) -> str:
        """Name what is asked, and what does not count: answers are recorded under this name."""
        return _fingerprint(self.key, self.text, self.excluded)


@lru_cache(maxsize=100_000)  # asked for with each answer of each stage
def _fingerprint(key: str, text: str, excluded: frozenset[str]) -> str:
    return fingerprint_of("query", key, text, sorted(excluded))[:32]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Queries with their judgments, on a scale from 0 to ``scale``.

    ``documents`` are those that the file itself holds. ``corpus`` describes the corpus that the
    judgments were made for, where the file says so; its paths are relative to ``home``, the folder
    that the dataset was read from, in ``format``. ``notes`` are for the person who loads it.
    """

    name: str
    queries: tuple[Query, ...]
    description: str = ""
    scale: int = 3
    documents: tuple[Document, ...] = ()
    corpus: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = field(default=(), compare=False)
    home: str = field(default="", compare=False)
    format: str = field(default="", compare=False)

    @property
    def factor(self) -> int:
        """By what the ratings of the judges were multiplied, where they had decimals."""
        found = self.metadata.get(FACTOR)
        return found if type(found) is int and found in (10, 100, 1000) else 1
