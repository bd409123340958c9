"""What passes between the stages of a search, and what comes out at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from assay.records.arrays import Floats, Ints
from assay.records.loss import Loss
from assay.records.model import Vectors

if TYPE_CHECKING:  # few searches have one
    from assay.records.receipt import Receipt

__all__ = ["Answer", "FoundRows", "Hit", "SearchInput", "Stage", "StageTrace"]


@dataclass(frozen=True, slots=True, eq=False)
class SearchInput:
    """A query as the stages see it: its text and, if a stage needs it, its vector.

    ``excluded`` are the rows that it may not return: no stage retrieves them. ``allowed`` are the
    rows that its filters let through, ascending, without the excluded ones; None without filters.
    """

    text: str
    vector: Vectors | None = None
    excluded: tuple[int, ...] = ()
    allowed: Ints | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FoundRows:
    """What a stage found: rows of chunks, best first (ties: smaller row first), with scores.

    A row is the number under which the index keeps a chunk. ``best`` is the largest score that
    this query could have reached, where that is known (a cosine: 1), ``kind`` what the scores are:
    bm25, cosine, rrf, blend, ... For a fusion that asks: ``spread`` is the mean and the standard
    deviation of this query's scores over the whole index, ``coverage`` the share of the query that
    each row holds, and ``decisive`` says that this list knows best for this query. ``judged`` is
    how many from the top a reranker scored: the scores below only keep the order. ``took`` has the
    milliseconds of the parts of a stage that is timed in parts.
    """

    rows: Ints
    scores: Floats
    kind: str = ""
    best: float | None = None
    spread: tuple[float, float] | None = None
    coverage: Floats | None = None
    decisive: bool = False
    judged: int | None = None
    took: Mapping[str, float] | None = None


class Stage(Protocol):
    """One step of a search. The first stages retrieve, and get nothing; fusion gets all lists."""

    @property
    def name(self) -> str:
        """What reports call it: lexical, dense, fuse, threshold, rerank, collapse, cut."""

    @property
    def fingerprint(self) -> str:
        """Change whenever the output may."""

    def __call__(self, asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        """Answer a query, given what the stages before found."""


@dataclass(frozen=True, slots=True, eq=False)
class StageTrace:
    """What one stage of one search did, and how long it took."""

    stage: str
    found: FoundRows
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One result: a document, and the place in it that was found.

    ``stages`` tells for each stage that had it: rank and score (and, of the lexical stage when
    asked, the terms that matched in each field), and ``matched`` for each line of the text which
    share of the query's words stands on it. ``page`` is the page (slide, cell) where the place
    begins, 0 if the document has none, and ``metadata`` are the further fields of the document.
    """

    rank: int
    document: str
    path: str
    lines: tuple[int, int]
    symbols: tuple[str, ...]
    score: float
    text: str = ""
    kind: str = ""
    title: str = ""
    stages: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    matched: tuple[float, ...] = ()
    page: int = 0
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def last_page(self) -> int:
        """The page where the place ends: form feeds part the pages of a text."""
        return self.page + self.text.strip().count("\f") if self.page else 0


@dataclass(frozen=True, slots=True)
class Answer:
    """All results of one search, and what each stage took.

    ``loss`` tells why a document that was asked for is not among them; ``documents`` and
    ``chunks`` say how much was searched. ``receipt`` accounts for a coherence ranking, and ``mmr``
    tells whether it chose the top ``k`` again, and their ``redundancy`` before.
    """

    query: str
    hits: tuple[Hit, ...]
    latency_ms: Mapping[str, float] = field(default_factory=dict)
    loss: Loss | None = None
    documents: int = 0
    chunks: int = 0
    notes: tuple[str, ...] = ()
    receipt: "Receipt | None" = None
    mmr: Mapping[str, Any] | None = None
