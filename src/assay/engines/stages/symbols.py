"""Symbols: replace chunks by the symbols that they define, each once."""

from collections.abc import Callable, Sequence

import numpy as np

from assay.engines.rank_rows import best_of
from assay.engines.stages._step import Step
from assay.records import FoundRows, Ints, Loss, SearchInput
from assay.records.fingerprint import fingerprint_settings

__all__ = ["symbols"]


def symbols(defined: Callable[[Ints], tuple[Ints, Ints]]) -> Step:
    """Rank symbols by the best chunk that defines each; within a chunk they keep their order.

    ``defined`` returns the numbers of the symbols that chunks define, and beside each the place of
    its chunk. Symbol n is written as row -(n + 1), so that it is not taken for a chunk.
    """

    def run(_asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        (only,) = found
        numbers, owner = defined(only.rows)
        first = np.sort(np.unique(numbers, return_index=True)[1])
        return FoundRows(-(numbers[first] + 1), only.scores[owner[first]], only.kind, only.best)

    return Step("symbols", lambda: fingerprint_settings(stage="symbols"), run, _lose)


def _lose(_asked: SearchInput, before: Sequence[FoundRows], _kept: FoundRows, rows: Ints) -> Loss:
    place = best_of(before[0], rows) or 0
    reason = "the chunk defines no symbol"
    return Loss("symbols", reason, place + 1, float(before[0].scores[place]))
