"""Winner's curse: what the best of many gains on queries that did not choose it."""

import numpy as np

from assay.records import CorrectedGain, Floats, Ints
from assay.statistics._sample import sample
from assay.statistics._weights import weights

__all__ = ["winners_curse"]

FOLDS = 10


def winners_curse(
    gains: Floats,
    *,
    stopped: int = 0,
    repeats: int = 50,
    seed: int = 0,
    strata: Ints | None = None,
) -> CorrectedGain:
    """Correct the gain of the best candidate; one column of gains over the baseline for each.

    Nested resampling: nine tenths of the queries choose the winner, the last tenth, which had no
    say, measures it (Varma and Simon, BMC Bioinformatics 2006); the mean over all tenths and many
    splits is the corrected gain. It never exceeds the observed one; for one candidate it equals it.
    The last ``stopped`` columns take part in each choice, but are not the winner that is named.
    """
    rows = sample(gains, strata=strata, what="gains")
    weighted = rows * weights(len(rows), strata)[:, None]
    totals = weighted.sum(axis=0)
    winner = int(np.argmax(totals[: len(totals) - stopped]))
    if len(rows) == 1:
        return CorrectedGain(
            winner,
            float(totals[winner]),
            None,
            "only one query: no held-out queries to correct the gain with",
        )
    generator = np.random.Generator(np.random.PCG64(seed))
    drawn = [_held_out(weighted, _folds(generator, len(rows), strata)) for _ in range(repeats)]
    corrected = min(float(np.mean(drawn)), float(totals[winner]))
    return CorrectedGain(winner, float(totals[winner]), corrected)


def _folds(generator: np.random.Generator, queries: int, strata: Ints | None) -> Ints:
    """Deal shuffled queries into folds in turn, collection by collection."""
    shuffled = generator.permutation(queries)
    if strata is not None:
        shuffled = shuffled[np.argsort(strata[shuffled], kind="stable")]
    folds = np.empty(queries, dtype=np.int64)
    folds[shuffled] = np.arange(queries) % min(FOLDS, queries)
    return folds


def _held_out(weighted: Floats, folds: Ints) -> float:
    """Sum, over the folds, what the winner of all other folds gains in this one."""
    parts = np.zeros((int(folds.max()) + 1, weighted.shape[1]))
    np.add.at(parts, folds, weighted)
    winners = np.argmax(weighted.sum(axis=0) - parts, axis=1)
    return float(parts[np.arange(len(parts)), winners].sum())
