"""Diversify: reorder the top results with MMR so that they differ from each other."""

from collections.abc import Callable, Sequence
from dataclasses import asdict

import numpy as np

from assay.engines.check_values import check_count, check_share
from assay.engines.mmr import mmr
from assay.engines.rank_rows import above
from assay.engines.stages._step import Step
from assay.errors import InputError
from assay.records import FoundRows, Ints, MmrSettings, SearchInput, Vectors
from assay.records.fingerprint import fingerprint_settings

__all__ = ["diversify"]


def diversify(vectors: Callable[[Ints], Vectors], *, settings: MmrSettings) -> Step:
    """Choose the first k by MMR, above the rest, which keep their order; or leave all as it is.

    ``vectors`` gives a vector for each row, asked by the row's number in the index, never by its
    place in the list. The new scores are what each choice was worth; those of the rest only say
    that they are below: each is one less than the score above it.
    """
    _check(settings)

    def run(_asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        (only,) = found
        reach = max(settings.pool or 5 * settings.k, settings.k)
        looked_up = _finite(vectors(only.rows[:reach]))
        order, worths = mmr(only.scores[:reach], looked_up, settings=settings)
        if not len(worths):
            return only
        rows, k = np.concatenate([only.rows[:reach][order], only.rows[reach:]]), len(worths)
        return above(FoundRows(rows[:k], worths, "mmr"), rows[k:])

    return Step(
        "diversify", lambda: fingerprint_settings(stage="diversify", **asdict(settings)), run
    )


def _finite(vectors: Vectors) -> Vectors:
    """Refuse what resembles nothing, not even itself: it would be chosen again and again."""
    if not np.isfinite(vectors).all():
        raise InputError(
            "a vector contains NaN or infinite values",
            where="diversify",
            hint="check the model, then rebuild the index",
        )
    return vectors


def _check(settings: MmrSettings) -> None:
    check_share(settings.relevance, where="relevance")
    check_count(settings.k, where="k")
    check_count(settings.min_k, where="min_k", least=0)
    if settings.pool is not None:
        check_count(settings.pool, where="pool", least=settings.k)
    if not -1 <= settings.min_redundancy <= 1:
        raise InputError(
            f"invalid value {settings.min_redundancy}",
            where="min_redundancy",
            hint="expected a mean cosine from -1 to 1",
        )
