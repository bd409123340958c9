"""What is asked, and what would be right: queries, judgments and the references they point with."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from assay.records.document import Document
from assay.records.filters import Filters
from assay.records.fingerprint import fingerprint_of

__all__ = ["FACTOR", "KEYS", "Dataset", "Judgment", "Match", "Query", "Rationale", "Reference"]

Match = Literal["exact", "substring"]

FACTOR = "grade_factor"
"""The key of the metadata that says by what ratings with decimals were multiplied."""

KEYS = ("document_id", "uri", "content_hash", "path", "file_name")
"""The keys of a reference that can name a document, in the order in which they are tried."""

IDS = ("document_id", "uri", "path", "file_name")  # what a search may return as an id
NO_CATEGORY = "uncategorised"  # the name of queries without one, among categories


@dataclass(frozen=True, slots=True)
class Reference:
    """Refers to a document by one or more keys; unused keys are empty.

    ``symbol`` together with another key is a place in the document; alone it is an expected symbol
    and matches any document that defines it. A ``substring`` reference matches each document whose
    path contains the given part, or that defines a symbol containing it (in any case).
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

    @property
    def id_key(self) -> str:
        """The first key whose value can be the id of a document; empty if there is none."""
        return next((key for key in IDS if getattr(self, key)), "")

    def __str__(self) -> str:
        if self.name:
            return f'"{self.name}"'
        given = [f'{key} "{getattr(self, key)}"' for key in KEYS if getattr(self, key)]
        given += [f'symbol "{self.symbol}"'] if self.symbol else []
        return ", ".join(given) or "nothing"


@dataclass(frozen=True, slots=True)
class Rationale:
    """Why a judge gave a grade: the lines of the document that support it, and a sentence.

    ``judge`` is the name of the judge, ``when`` the time (UTC, e.g. 2026-11-16T12:00:00Z),
    ``report`` the id of the report that the document was graded for; ``seen`` are the first and the
    last line that the judge was shown.
    """

    reason: str = ""
    lines: tuple[int, int] | None = None
    judge: str = ""
    when: str = ""
    report: str = ""
    seen: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Judgment:
    """The grade of a reference for a query.

    Judgments of one query with the same ``group`` are one expected item: any of them satisfies it.
    """

    reference: Reference
    grade: int
    group: str = ""
    because: Rationale | None = None

    @property
    def lines(self) -> tuple[int, int] | None:
        """The first and the last line that are meant, if it says so."""
        return self.because.lines if self.because else None


@dataclass(frozen=True, slots=True)
class Query:
    """A query with its ``key`` and ``text``; ``extra`` holds further fields of its file.

    ``collection`` is the repository (or other corpus) that a query belongs to, if a dataset covers
    several. ``weight`` is how much the query counts beside others, such as how often it is asked.
    ``variables`` are the fields that a benchmark passes to outside systems beside the text.
    """

    key: str
    text: str
    judgments: tuple[Judgment, ...] = ()
    category: str = ""
    difficulty: str = ""
    collection: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    variables: Mapping[str, Any] = field(default_factory=dict)

    @property
    def has_relevant(self) -> bool:
        """Whether any document is relevant to it: otherwise every ranking scores 0."""
        return any(one.grade > 0 for one in self.judgments)

    @property
    def excluded(self) -> frozenset[str]:
        """Name the documents that do not count, such as the file that a query was made from."""
        named = self.extra.get("exclude")
        return frozenset(map(str, named)) if isinstance(named, list | tuple) else frozenset()

    @property
    def filters(self) -> Filters:
        """Return what the documents that count must be like, by their metadata."""
        given = self.extra.get("filters")
        return Filters.of(given, where=f'query "{self.key}", filters') if given else NO_FILTERS

    @property
    def fingerprint(self) -> str:
        """Name what is asked, and what does not count: answers are recorded under this name."""
        filters = self.extra.get("filters")  # also those that only an outside system understands
        return _fingerprint(
            self.key, self.text, self.excluded, _written(self.variables), _written(filters)
        )

    @property
    def fields(self) -> dict[str, Any]:
        """All that its file says of it besides text and judgments, by name."""
        own = {name: getattr(self, name) for name in ("category", "difficulty", "collection")}
        extra = {name: value for name, value in self.extra.items() if name != "exclude"}
        return {name: value for name, value in own.items() if value} | extra


NO_FILTERS = Filters()


def _written(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str) if value else ""


@lru_cache(maxsize=100_000)  # asked for with each answer of each stage
def _fingerprint(
    key: str, text: str, excluded: frozenset[str], variables: str, filters: str
) -> str:
    # A query with neither keeps the name that it always had.
    given = [*([variables] if variables else []), *(["filters", filters] if filters else [])]
    return fingerprint_of("query", key, text, sorted(excluded), *given)[:32]


@dataclass(frozen=True, slots=True)
class Dataset:
    """Queries with their judgments, on a scale from 0 to ``scale``.

    ``documents`` are those that the file itself contains. ``corpus`` describes the corpus of the
    judgments, if the file names one; its paths are relative to ``home``, the folder from which the
    dataset was read. ``format`` is the format of the file, ``notes`` are messages for the user.
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
    def traffic(self) -> dict[str, float]:
        """The weight of each query by its key; empty where all queries count the same.

        If several datasets were put together, weights compare the queries of each.
        """
        several = bool(self.metadata.get("collections"))
        weights = {(query.collection if several else "", query.weight) for query in self.queries}
        if len(weights) == len({collection for collection, _ in weights}):
            return {}
        return {query.key: query.weight for query in self.queries}

    @property
    def factor(self) -> int:
        """By what the ratings of the judges were multiplied, where they had decimals."""
        found = self.metadata.get(FACTOR)
        return found if type(found) is int and found in (10, 100, 1000) else 1
