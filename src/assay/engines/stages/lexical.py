"""Lexical: retrieve the chunks that match the terms of the query (BM25)."""

from collections.abc import Sequence

from assay.engines.check_values import check_count
from assay.engines.is_code import is_code
from assay.engines.stages._retrieved import retrieved, unretrieved
from assay.engines.stages._step import Step
from assay.records import FoundRows, Ints, LexicalIndex, Loss, SearchInput
from assay.records.fingerprint import fingerprint_settings

__all__ = ["lexical"]


def lexical(index: LexicalIndex, *, depth: int) -> Step:
    """Retrieve the top ``depth`` chunks from a lexical index."""
    check_count(depth, where="depth")

    def run(asked: SearchInput, _found: Sequence[FoundRows]) -> FoundRows:
        return retrieved(asked, depth, lambda count: index.search(asked.text, count))

    def lose(asked: SearchInput, _before: Sequence[FoundRows], kept: FoundRows, rows: Ints) -> Loss:
        scores = index.scores(asked.text, rows.tolist())
        return unretrieved(
            "lexical", scores, rows, kept, lambda row: index.rank_of(asked.text, row)
        )

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
