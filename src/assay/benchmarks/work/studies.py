"""Rank every query of a run in all the ways that structure is compared with; nothing is timed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.benchmarks.work.ask import STUDIED, ReplyTape
from assay.benchmarks.work.tapes import Rows, pack_study, unpack_study
from assay.errors import InputError
from assay.records import Query, RecordedAnswer, StructureStudy, Track, untracked
from assay.searches.built_search import BuiltSearch
from assay.text.count_noun import count_noun

__all__ = ["Studies", "read_studies", "record_studies"]


@dataclass(frozen=True, slots=True)
class Studies:
    """What was studied, by query, and why some queries could not be."""

    found: Mapping[str, StructureStudy] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)

    def renamed(self, name: Callable[[Sequence[str]], tuple[str, ...]]) -> "Studies":
        """Return them with each order of candidates as what becomes of it."""
        found = {
            key: replace(one, orders={method: name(order) for method, order in one.orders.items()})
            for key, one in self.found.items()
        }
        return replace(self, found=found)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know."""
        if not self.failed:
            return ()
        key, why = next(iter(self.failed.items()))
        counted = count_noun(len(self.failed), "query")
        return (f"{counted} without a coherence receipt, e.g. {key}: {why[:200]}",)


def record_studies(
    built: BuiltSearch,
    queries: Sequence[Query],
    tape: ReplyTape,
    *,
    track: Track = untracked,
    doing: str = "computing receipts",
) -> None:
    """Record a receipt for each completed query; nothing without coherence ranking.

    Receipts are recorded with the results, in a round of their own.
    """
    rows = [*tape.rows()]
    answered = {row.query for row in rows if not row.round and row.value is not None}
    known = {row.query for row in rows if row.round == STUDIED}
    open_ = answered - known
    asked = [query for query in queries if query.fingerprint in open_]
    if not asked or not _has_structure(built, asked[0]):
        return
    for query in track(asked, doing, total=len(asked), unit="queries"):
        tape.record([_studied(built, query)])


def _studied(built: BuiltSearch, query: Query) -> RecordedAnswer:
    try:
        studied = built.studied(query)
    except InputError as error:  # the answers are measured: they are not lost with an account
        return RecordedAnswer(query.fingerprint, STUDIED, error=str(error).split("\n")[0])
    return RecordedAnswer(query.fingerprint, STUDIED, pack_study(studied) if studied else None)


def read_studies(rows: Rows) -> Studies:
    """Read recorded receipts."""
    found: dict[str, StructureStudy] = {}
    failed: dict[str, str] = {}
    for key, (row, *_) in rows.items():
        if row.error:
            failed[key] = row.error
        elif row.value is not None:
            found[key] = unpack_study(row.value)
    return Studies(found, failed)


def _has_structure(built: BuiltSearch, query: Query) -> bool:
    """Ask once, before any progress is shown; what fails must at least have tried."""
    try:
        return built.studied(query) is not None
    except InputError:
        return True
