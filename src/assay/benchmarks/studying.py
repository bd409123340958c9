"""Rank every query of a run in all the ways that structure is compared with; nothing is timed."""

from collections.abc import Mapping, Sequence

from assay.benchmarks._built import Built
from assay.benchmarks.measure import Measured
from assay.records import Query, Structured, Track, untracked

__all__ = ["study"]


def study(
    built: Built,
    queries: Sequence[Query],
    measured: Measured,
    *,
    track: Track = untracked,
    doing: str = "studying",
) -> Mapping[str, Structured]:
    """Account for each query that was answered; nothing if the configuration has no structure."""
    asked = [query for query in queries if query.key in measured.found]
    if not asked or built.studied(asked[0]) is None:
        return {}
    shown = track(asked, doing, total=len(asked), unit="queries")
    found = ((query.key, built.studied(query)) for query in shown)
    return {key: studied for key, studied in found if studied is not None}
