"""Threshold: let only those go on that are good enough."""

from collections.abc import Sequence
from dataclasses import replace

from assay.engines._identity import identity
from assay.engines.absolute_scores import absolute, check_absolute
from assay.engines.check_values import check_share
from assay.engines.stages._step import Step, best_of
from assay.records import Asked, Found, Ints, Loss

__all__ = ["threshold"]


def threshold(value: float, *, kind: str | None = None) -> Step:
    """Keep scores of at least ``value`` on a scale of 0 to 1 that no query changes.

    A cosine stays as it is, RRF is divided by its largest possible value, BM25 becomes
    s / (s + 10). Other kinds are refused; with ``kind``, before the first search.
    """
    check_share(value, where="threshold")
    if kind is not None:
        check_absolute(kind)

    def run(_asked: Asked, found: Sequence[Found]) -> Found:
        (only,) = found
        kept = absolute(only) >= value
        return replace(only, rows=only.rows[kept], scores=only.scores[kept])

    def lose(_asked: Asked, before: Sequence[Found], _kept: Found, rows: Ints) -> Loss:
        place = best_of(before[0], rows) or 0
        score = float(absolute(before[0])[place])
        return Loss("threshold", "its score is below the threshold", place + 1, score, value)

    return Step("threshold", lambda: identity(stage="threshold", value=value), run, lose)
