"""Cut: keep the top k results."""

from collections.abc import Sequence
from dataclasses import replace

from assay.engines.check_values import check_count
from assay.engines.rank_rows import best_of
from assay.engines.stages._step import Step
from assay.records import FoundRows, Ints, Loss, SearchInput
from assay.records.fingerprint import fingerprint_settings

__all__ = ["cut"]


def cut(top_k: int) -> Step:
    """Keep the top ``top_k`` results."""
    check_count(top_k, where="top_k")

    def run(_asked: SearchInput, found: Sequence[FoundRows]) -> FoundRows:
        (only,) = found
        return replace(only, rows=only.rows[:top_k], scores=only.scores[:top_k])

    def lose(_asked: SearchInput, before: Sequence[FoundRows], kept: FoundRows, rows: Ints) -> Loss:
        place = best_of(before[0], rows) or 0
        reason = f"ranked {place + 1:,}, below the cutoff of {top_k:,} (top_k)"
        score, needed = float(before[0].scores[place]), float(kept.scores[-1])
        return Loss("cut", reason, place + 1, score, needed)

    return Step("cut", lambda: fingerprint_settings(stage="cut", top_k=top_k), run, lose)
