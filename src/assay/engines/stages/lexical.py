"""Lexical: retrieve the chunks that match the terms of the query (BM25)."""

from collections.abc import Sequence
from functools import partial

from assay.engines.check_values import check_count
from assay.engines.is_code import is_code
from assay.engines.stages._retrieved import ranking, retrieved, unretrieved
from assay.engines.stages._step import Step
from assay.records import FoundRows, Ints, LexicalIndex, Loss, SearchInput
from assay.records.fingerprint import fingerprint_settings

__all__ = ["lexical"]


def lexical(index: LexicalIndex, *, depth: int) -> Step:
    """Retrieve the top ``depth`` chunks from a lexical index."""
    check_count(depth, where="depth")

    def run(asked: SearchInput, _found: Sequence[FoundRows]) -> FoundRows:
        return retrieved(
            asked, depth, lambda count: index.search(asked.text, count), partial(among, asked)
        )

    def among(asked: SearchInput, count: int, rows: Ints) -> FoundRows:
        return index.search(asked.text, count, rows=rows)

    def lose(asked: SearchInput, _before: Sequence[FoundRows], kept: FoundRows, rows: Ints) -> Loss:
        scores = index.scores(asked.text, rows.tolist())
        rank_of = ranking(asked, lambda row: index.rank_of(asked.text, row), partial(among, asked))
        return unretrieved("lexical", scores, rows, kept, rank_of)

    return Step(
        name="lexical",
        identify=lambda: fingerprint_settings(
            stage="lexical", index=index.fingerprint, depth=depth
        ),
        run=run,
        lose=lose,
        scores=lambda asked, rows: index.scores(asked.text, rows.tolist()),
        terms=lambda asked, row: index.explain(asked.text, row),
        coverage=lambda asked, rows: index.coverage(asked.text, rows.tolist()),
        decisive=lambda asked: is_code(asked.text),
    )
