"""What two searches answer differently, query by query, without any judgments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.extras import require_extra
from assay.records.arrays import Floats, Ints
from assay.records.interval import Interval
from assay.text import sanitize
from assay.text.count_noun import count_noun

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Diff", "DiffTotals", "JudgingPlan", "QueryDiff", "QuerySample"]

MOST = 10  # queries that are printed


@dataclass(frozen=True, slots=True)
class QueryDiff:
    """One query: the first documents of both searches, and how similar the rankings are.

    ``weight`` is how much the query counts, such as how often it is asked; ``share`` is its part of
    all weight.
    """

    query: str
    text: str
    weight: float
    share: float
    rbo: float
    overlap: float
    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def changed(self) -> bool:
        """Whether any of the first documents, or their order, is another."""
        return self.before != self.after

    @property
    def first_changed(self) -> bool:
        """Whether the first document is another."""
        return self.before[:1] != self.after[:1]

    @property
    def documents_changed(self) -> bool:
        """Whether any of the first documents was not among them before, or is not any more."""
        return set(self.before) != set(self.after)

    @property
    def new(self) -> tuple[str, ...]:
        """The documents that were not there before, in their order."""
        known = set(self.before)
        return tuple(one for one in self.after if one not in known)

    @property
    def gone(self) -> tuple[str, ...]:
        """The documents that are not there any more, in their order before."""
        left = set(self.after)
        return tuple(one for one in self.before if one not in left)

    @property
    def moved(self) -> tuple[tuple[str, int, int], ...]:
        """The documents of both with another rank: before, and after."""
        rank = {one: at for at, one in enumerate(self.before, 1)}
        pairs = ((one, rank.get(one, 0), at) for at, one in enumerate(self.after, 1))
        return tuple((one, old, new) for one, old, new in pairs if old and old != new)

    @property
    def impact(self) -> float:
        """How much of all traffic changes: its share times what the two do not have in common."""
        return self.share * (1 - min(self.rbo, self.overlap))


@dataclass(frozen=True, slots=True)
class DiffTotals:
    """Means over queries, by traffic or each counting the same, with 95 % intervals.

    ``changed`` is the share whose first k results differ at all, ``documents_changed`` that with
    other documents and not only another order, ``first_changed`` that whose first result differs;
    ``empty_before`` and ``empty_after`` have no results.
    """

    changed: float
    changed_interval: Interval
    documents_changed: float
    documents_changed_interval: Interval
    first_changed: float
    first_changed_interval: Interval
    rbo: float
    rbo_interval: Interval
    overlap: float
    empty_before: float
    empty_after: float


@dataclass(frozen=True, slots=True, eq=False)
class QuerySample:
    """Rows that were drawn, and the probability with which each of all rows is drawn."""

    rows: Ints
    probabilities: Floats


@dataclass(frozen=True, slots=True)
class JudgingPlan:
    """How many changed queries to judge for a difference of the mean over all traffic.

    ``needed`` has, for a difference and for each spread of the differences of changed queries
    (``sd=0.3``), the number of queries, or None if even all ``changed`` ones are too few;
    ``detectable`` has for some numbers of queries the smallest difference that they show four times
    out of five. ``share`` is that of the changed traffic: a difference over all traffic is so much
    smaller than that of the changed.
    """

    changed: int
    share: float
    needed: Mapping[str, Mapping[str, int | None]]
    detectable: Mapping[int, Mapping[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Diff:
    """What ``assay.diff`` returns: each query, the totals, and what to judge next.

    ``totals`` are by traffic, ``unweighted`` with every query counting the same; None if there are
    no weights. ``latency_ms`` has what was measured of both. ``changes`` are all queries, those
    with the most traffic among the changed first. Changed does not mean better: without judgments
    no verdict is possible. ``failed`` has the queries that one of the two could not answer, and
    why: they are not among the changes. ``sample`` tells of the queries that were drawn to be
    judged.
    """

    before: str
    after: str
    k: int
    p: float
    changes: tuple[QueryDiff, ...]
    totals: DiffTotals
    unweighted: DiffTotals | None
    plan: JudgingPlan
    failed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    latency_ms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sample: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    report: str = ""

    @property
    def changed(self) -> tuple[QueryDiff, ...]:
        """The queries whose first k documents differ."""
        return tuple(one for one in self.changes if one.changed)

    def frame(self) -> "pl.DataFrame":
        """Return a row per query as a polars frame."""
        require_extra("frames", "a frame needs the package polars")
        import polars as pl  # costs more than a small diff

        keys = ("query", "text", "weight", "share", "rbo", "overlap", "changed", "first_changed")
        lists = ("new", "gone", "before", "after")
        rows = [
            {key: getattr(one, key) for key in keys}
            | {key: list(getattr(one, key)) for key in lists}
            for one in self.changes
        ]
        return pl.DataFrame(rows)

    def __repr__(self) -> str:
        return sanitize(f"<{self}; more: .changes, .frame()>")

    def __str__(self) -> str:
        count = count_noun(len(self.changes), "query")
        changed = f"{self.totals.changed:.1%} of the traffic changed in the top {self.k}"
        return f"{self.after} compared with {self.before} ({count}): {changed}"
