"""Dense: retrieve the chunks whose vectors are nearest to the query vector."""

from collections.abc import Sequence
from functools import partial

from assay.engines.check_values import check_count
from assay.engines.dense import DenseIndex
from assay.engines.stages._retrieved import ranking, retrieved, unretrieved
from assay.engines.stages._step import Step
from assay.errors import InputError
from assay.records import FoundRows, Ints, Loss, SearchInput, Vectors
from assay.records.fingerprint import fingerprint_settings

__all__ = ["dense"]


def dense(index: DenseIndex, *, depth: int) -> Step:
    """Retrieve the top ``depth`` chunks from a vector index."""
    check_count(depth, where="depth")

    def run(asked: SearchInput, _found: Sequence[FoundRows]) -> FoundRows:
        vector = _vector(asked)
        return retrieved(
            asked,
            depth,
            lambda count: index.search(vector, depth, more=count - depth),
            partial(among, asked),
        )

    def among(asked: SearchInput, count: int, rows: Ints) -> FoundRows:
        return index.search(_vector(asked), count, rows=rows)

    def lose(asked: SearchInput, _before: Sequence[FoundRows], kept: FoundRows, rows: Ints) -> Loss:
        vector = _vector(asked)
        scores = index.scores(vector, rows)
        rank_of = ranking(asked, lambda row: index.rank_of(vector, row), partial(among, asked))
        return unretrieved("dense", scores, rows, kept, rank_of)

    return Step(
        name="dense",
        identify=lambda: fingerprint_settings(stage="dense", index=index.fingerprint, depth=depth),
        run=run,
        lose=lose,
        needs_vector=True,
        scores=lambda asked, rows: index.scores(_vector(asked), rows),
        spread=lambda asked: index.spread(_vector(asked)),
    )


def _vector(asked: SearchInput) -> Vectors:
    if asked.vector is None:
        raise InputError(
            "requires the query vector",
            where="dense",
            hint="search with the model that the index was built with",
        )
    return asked.vector
