"""From the scores of chunks to the score of their document."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.engines import collapses
from assay.engines.stages.collapse import collapse
from assay.errors import UnknownNameError
from assay.records import FoundRows, SearchInput

ASKED = SearchInput("anything")
every = pytest.mark.parametrize("how", ["max", "sum", "top3"])

# Rows 0 to 4 are of document 0, rows 5 and 6 of document 1, row 7 of document 2.
DOCUMENTS = np.array([0, 0, 0, 0, 0, 1, 1, 2])
CHUNKS = FoundRows(
    np.array([7, 5, 1, 0, 6, 4, 3]), np.array([9.0, 8.0, 7.0, 6.0, 4.0, 2.0, 1.0]), "bm25", 20.0
)


def told(found):
    return list(zip(found.rows.tolist(), found.scores.tolist(), strict=True))


def test_the_ways():
    assert catalogue.names(collapses) == ["max", "sum", "top3"]


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        ("max", [(7, 9.0), (5, 8.0), (1, 7.0)]),
        ("sum", [(1, 16.0), (5, 12.0), (7, 9.0)]),
        ("top3", [(7, 9.0), (5, 6.0), (1, 5.0)]),  # 9 / 1, (8 + 4) / 2, (7 + 6 + 2) / 3
    ],
)
def test_by_hand(how, expected):
    assert told(collapse(DOCUMENTS, how=how)(ASKED, [CHUNKS])) == expected
    assert told(collapse(lambda rows: DOCUMENTS[rows], how=how)(ASKED, [CHUNKS])) == expected


def test_only_max_keeps_the_largest_possible_score():
    assert collapse(DOCUMENTS)(ASKED, [CHUNKS]).best == 20.0
    assert collapse(DOCUMENTS, how="sum")(ASKED, [CHUNKS]).best is None


@every
def test_nothing_found(how):
    nothing = FoundRows(np.empty(0, np.int64), np.empty(0), "cosine", 1.0)
    assert told(collapse(DOCUMENTS, how=how)(ASKED, [nothing])) == []


@every
@settings(max_examples=50)
@given(st.dictionaries(st.integers(0, 40), st.floats(-5, 5), max_size=30), st.integers(1, 9))
def test_each_document_once_in_order_and_as_worked_out(how, scores, documents):
    rows = sorted(scores, key=lambda row: (-scores[row], row))
    found = FoundRows(np.array(rows, np.int64), np.array([scores[row] for row in rows]), "cosine")
    of = np.arange(41) % documents

    collapsed = collapse(of, how=how)(ASKED, [found])

    groups = {}
    for row in rows:
        groups.setdefault(of[row], []).append(row)
    worked = {"max": lambda s: s[0], "sum": sum, "top3": lambda s: sum(s[:3]) / len(s[:3])}[how]
    expected = {own[0]: worked([scores[row] for row in own]) for own in groups.values()}
    assert dict(told(collapsed)) == pytest.approx(expected)
    pairs = [(-score, row) for row, score in told(collapsed)]
    assert pairs == sorted(pairs)


def test_ties_by_row():
    found = FoundRows(np.array([2, 5, 9]), np.array([1.0, 1.0, 1.0]), "cosine")
    assert collapse(np.array([0] * 5 + [1] * 5))(ASKED, [found]).rows.tolist() == [2, 5]


def test_an_unknown_way_is_refused():
    with pytest.raises(UnknownNameError, match=r'"maxx"(?s:.)*"max"'):
        collapse(DOCUMENTS, how="maxx")


def test_the_way_is_in_the_fingerprint():
    assert len({collapse(DOCUMENTS, how=how).fingerprint for how in ("max", "sum", "top3")}) == 3
