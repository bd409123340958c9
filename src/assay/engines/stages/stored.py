"""Stored: retrieve from an external store with its own lexical or dense search."""

from collections.abc import Sequence

import numpy as np

from assay.engines.check_values import check_count
from assay.engines.stages._retrieved import retrieved
from assay.engines.stages._step import Step
from assay.errors import InputError
from assay.records import FoundRows, Ints, Loss, SearchInput, Store, Vectors
from assay.records.fingerprint import fingerprint_settings

__all__ = ["stored"]


def stored(store: Store, part: str, *, depth: int) -> Step:
    """Retrieve the top ``depth`` chunks from a store; ``part`` is dense or lexical."""
    check_count(depth, where="depth")

    def run(asked: SearchInput, _found: Sequence[FoundRows]) -> FoundRows:
        if part == "lexical":
            return retrieved(asked, depth, lambda count: store.lexical(asked.text, count))
        return retrieved(asked, depth, lambda count: store.dense(_vector(asked), count))

    def lose(
        _asked: SearchInput, _before: Sequence[FoundRows], kept: FoundRows, rows: Ints
    ) -> Loss:
        needed = float(kept.scores[-1]) if len(kept.scores) else None
        returned = "returned" if np.isin(rows, kept.rows).any() else "not returned"
        reason = f"{returned} in the top {len(kept.rows):,} of the store"
        return Loss(part, reason, None, None, needed)

    return Step(
        name=part,
        identify=lambda: fingerprint_settings(
            stage="stored", part=part, store=store.fingerprint, depth=depth
        ),
        run=run,
        lose=lose,
        needs_vector=part == "dense",
    )


def _vector(asked: SearchInput) -> Vectors:
    if asked.vector is None:
        raise InputError(
            "requires the query vector",
            where="dense",
            hint="search with the model that the store was filled with",
        )
    return asked.vector
