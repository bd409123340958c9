"""What a service keeps: datasets with versions, corpora, mappings, judgments, events, tokens.

Times are seconds since 1970. ``revision`` counts the changes of a thing: to change it, a caller
names the revision that it saw. ``deleted`` is None, or when it was marked as deleted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from assay.records.dataset import Query, Reference
from assay.records.resolution import Reason
from assay.records.work import WorkState

__all__ = [
    "AuditEntry",
    "BenchmarkProgress",
    "BenchmarkStatus",
    "ChangeCounts",
    "CorpusEntry",
    "DatasetChanges",
    "DatasetEntry",
    "DatasetVersion",
    "EventEntry",
    "JobStatus",
    "JudgmentEntry",
    "JudgmentSource",
    "MappingEntry",
    "MappingState",
    "NewEvent",
    "NewJudgment",
    "NewToken",
    "Page",
    "QueryVersion",
    "ReferenceChoice",
    "Role",
    "RunProgress",
    "TokenEntry",
    "UnresolvedReference",
]

T = TypeVar("T")
JudgmentSource = Literal["person", "clicks", "model"]
MappingState = Literal["pending", "resolved", "partial", "unresolved"]
Role = Literal["viewer", "editor", "admin"]


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items of a list; ``next`` is the cursor of the page after it, empty on the last one."""

    items: tuple[T, ...]
    next: str = ""


@dataclass(frozen=True, slots=True)
class ChangeCounts:
    """How many were added, removed and changed."""

    added: int = 0
    removed: int = 0
    changed: int = 0


@dataclass(frozen=True, slots=True)
class DatasetChanges:
    """What a version changed; ``settings`` are description, scale, corpus and metadata."""

    queries: ChangeCounts = ChangeCounts()
    judgments: ChangeCounts = ChangeCounts()
    documents: ChangeCounts = ChangeCounts()
    settings: bool = False
    reordered: bool = False


@dataclass(frozen=True, slots=True)
class DatasetVersion:
    """One state of a dataset, which never changes.

    ``fingerprint`` names its content, without the name of the dataset. ``restored`` is the version
    whose content it has again.
    """

    number: int
    author: str
    created: float
    note: str
    fingerprint: str
    queries: int
    judgments: int
    documents: int
    changes: DatasetChanges
    restored: int | None = None


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    """A dataset of the store, with its current version."""

    id: str
    name: str
    description: str
    revision: int
    created: float
    updated: float
    version: DatasetVersion
    deleted: float | None = None


@dataclass(frozen=True, slots=True)
class QueryVersion:
    """A query as it was from version ``since`` on; ``until`` is the first that has it no longer."""

    query: Query
    since: int
    until: int | None


@dataclass(frozen=True, slots=True)
class CorpusEntry:
    """A corpus of the store: ``where`` describes it as `open_corpus` takes it.

    What is known of its content is from ``last_read``, and nothing before the first reading.
    """

    id: str
    name: str
    where: Mapping[str, Any]
    revision: int
    created: float
    updated: float
    fingerprint: str = ""
    documents: int | None = None
    skipped: Mapping[str, int] = field(default_factory=dict)
    last_read: float | None = None
    deleted: float | None = None


@dataclass(frozen=True, slots=True)
class MappingEntry:
    """A version of a dataset, mapped onto a corpus; counts are of items, as in a `Resolution`.

    ``fingerprint`` is that of the corpus when it was resolved: another one now asks for resolving
    it again.
    """

    id: str
    dataset: str
    version: int
    corpus: str
    state: MappingState
    revision: int
    created: float
    updated: float
    total: int = 0
    resolved: int = 0
    ambiguous: int = 0
    missing: int = 0
    fingerprint: str = ""
    resolved_at: float | None = None
    deleted: float | None = None


@dataclass(frozen=True, slots=True)
class UnresolvedReference:
    """A reference of a query that leads to no document, why, and what may be meant.

    ``chosen`` is a document that was chosen for it and is not in the corpus.
    """

    query: str
    reference: Reference
    reason: Reason
    candidates: tuple[str, ...] = ()
    chosen: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceChoice:
    """The document that somebody chose for a reference."""

    reference: Reference
    document: str
    author: str
    created: float


@dataclass(frozen=True, slots=True)
class NewJudgment:
    """A grade of a document for a query; None takes an earlier grade back."""

    query: str
    document: str
    grade: int | None
    source: JudgmentSource = "person"
    note: str = ""


@dataclass(frozen=True, slots=True)
class JudgmentEntry:
    """A judgment of the store: who gave it for which dataset, and when."""

    number: int
    dataset: str
    author: str
    created: float
    judgment: NewJudgment


@dataclass(frozen=True, slots=True)
class NewEvent:
    """Something that happened in a live search, such as a query or a click.

    An event with an ``id`` is stored once. ``time`` is that of the sender, or else when it came.
    """

    kind: str
    time: float | None = None
    id: str = ""
    user: str = ""
    session: str = ""
    benchmark: str = ""
    configuration: str = ""
    query: str = ""
    payload: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventEntry:
    """An event of the store; ``received`` is when it came."""

    number: int
    received: float
    event: NewEvent


@dataclass(frozen=True, slots=True)
class TokenEntry:
    """A token that gives access to the service, without its secret."""

    id: str
    name: str
    role: Role
    author: str
    created: float
    expires: float | None = None
    last_used: float | None = None
    revoked: float | None = None


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made; ``plain`` is shown to a person once, and stored nowhere."""

    entry: TokenEntry
    plain: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Who did what to which object, and when; ``before`` and ``after`` sum up what changed."""

    number: int
    time: float
    author: str
    act: str
    kind: str
    object: str
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BenchmarkStatus:
    """How far a benchmark is: ``done`` of its ``total`` units of work are completed.

    ``runs`` maps names to states, in order. ``parallel`` is how many workers may share it, 0 for
    any number. ``cancelling`` tells whether its workers are about to stop, ``reported`` whether it
    has a report.
    """

    id: str
    name: str
    state: WorkState
    author: str
    created: float
    started: float | None
    finished: float | None
    error: str
    parallel: int
    runs: Mapping[str, WorkState]
    done: int
    total: int
    reported: bool
    deleted: bool
    revision: int
    cancelling: bool = False


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is, in queries over all its stages; in units of work where nothing is asked."""

    name: str
    state: WorkState
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class BenchmarkProgress:
    """How far a benchmark or another job is, in units of work; ``stage`` names one in progress."""

    id: str
    name: str
    kind: str
    state: WorkState
    done: int
    total: int
    runs: tuple[RunProgress, ...] = ()
    stage: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class JobStatus:
    """A job other than a benchmark: how far it is, and what it came to."""

    id: str
    kind: str
    name: str
    state: WorkState
    created: float
    finished: float | None = None
    error: str = ""
    result: Mapping[str, Any] = field(default_factory=dict)
