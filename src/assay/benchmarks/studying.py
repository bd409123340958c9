"""Rank every query of a run in all the ways that structure is compared with; nothing is timed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.benchmarks._built import Built
from assay.benchmarks.measure import Measured
from assay.errors import InputError
from assay.records import Query, Structured, Track, untracked

__all__ = ["Studies", "study"]


@dataclass(frozen=True, slots=True)
class Studies:
    """What was studied, by query, and why some queries could not be."""

    found: Mapping[str, Structured] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know."""
        if not self.failed:
            return ()
        key, why = next(iter(self.failed.items()))
        counted = f"queries without an account of their structure: {len(self.failed):,}"
        return (f"{counted}, e.g. {key}: {why[:200]}",)


def study(
    built: Built,
    queries: Sequence[Query],
    measured: Measured,
    *,
    track: Track = untracked,
    doing: str = "studying",
) -> Studies:
    """Account for each query that was answered; nothing if the configuration has no structure."""
    asked = [query for query in queries if query.key in measured.found]
    if not asked or not _has_structure(built, asked[0]):
        return Studies()
    found: dict[str, Structured] = {}
    failed: dict[str, str] = {}
    for query in track(asked, doing, total=len(asked), unit="queries"):
        try:
            studied = built.studied(query)
        except InputError as error:  # the answers are measured: they are not lost with an account
            failed[query.key] = str(error).split("\n")[0]
            continue
        if studied is None:
            return Studies()
        found[query.key] = studied.slim()
    return Studies(found, failed)


def _has_structure(built: Built, query: Query) -> bool:
    """Ask once, before any progress is shown; what fails must at least have tried."""
    try:
        return built.studied(query) is not None
    except InputError:
        return True
