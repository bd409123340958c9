"""Threshold: drop results with a score below a minimum."""

from collections.abc import Sequence
from dataclasses import replace

from assay.engines.absolute_scores import absolute, check_absolute
from assay.engines.check_values import check_share
from assay.engines.rank_rows import best_of
from assay.engines.stages._step import Step
from assay.records import FoundRows, Ints, Loss, SearchInput
from assay.records.fingerprint import fingerprint_settings

__all__ = ["threshold"]


def threshold(value: float, *, kind: str | None = None) -> Step:
    """Keep scores of at least ``value`` on a scale of 0 to 1 that no query changes.

    A cosine stays as it is, RRF is divided by its largest possible value, BM25 becomes
    s / (s + 10). Other kinds are refused; with ``kind``, before the first search.
    """
    check_share(value, where="threshold")
    if kind is not None:
        check_absolute(kind)

    def run(_asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        (only,) = found
        kept = absolute(only) >= value
        return replace(only, rows=only.rows[kept], scores=only.scores[kept])

    def lose(
        _asked: SearchInput, before: Sequence[FoundRows], _kept: FoundRows, rows: Ints
    ) -> Loss:
        place = best_of(before[0], rows) or 0
        score = float(absolute(before[0])[place])
        return Loss("threshold", "score below the threshold", place + 1, score, value)

    return Step(
        "threshold", lambda: fingerprint_settings(stage="threshold", value=value), run, lose
    )
