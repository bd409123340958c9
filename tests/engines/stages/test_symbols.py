"""Chunks become the symbols that they define."""

import numpy as np

from assay.engines.stages.symbols import symbols
from assay.records import FoundRows, SearchInput

DEFINED = {10: [0, 1], 11: [], 12: [1, 2], 13: [3]}


def defined(rows):
    pairs = [(n, at) for at, row in enumerate(rows.tolist()) for n in DEFINED[row]]
    return np.array([n for n, _ in pairs], np.int64), np.array([at for _, at in pairs], np.int64)


def found(*rows):
    return FoundRows(np.array(rows, np.int64), np.array([9.0, 8.0, 7.0, 6.0][: len(rows)]), "bm25")


def test_each_symbol_has_the_rank_and_the_score_of_its_first_chunk():
    step = symbols(defined)
    kept = step(SearchInput("q"), [found(12, 11, 10, 13)])
    assert kept.rows.tolist() == [-2, -3, -1, -4]
    assert kept.scores.tolist() == [9.0, 9.0, 7.0, 6.0]
    assert kept.kind == "bm25"


def test_chunks_without_symbols_are_lost():
    step = symbols(defined)
    before = found(11)
    kept = step(SearchInput("q"), [before])
    assert len(kept.rows) == 0
    lost = step.lose(SearchInput("q"), [before], kept, np.array([11]))
    assert (lost.stage, lost.rank) == ("symbols", 1)
