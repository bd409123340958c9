"""What is put on a tape comes back, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.work.tapes import (
    pack_answer,
    pack_found,
    pack_vector,
    unpack_answer,
    unpack_found,
    unpack_vector,
)
from assay.errors import InputError
from assay.records import FoundRows

FLOATS = st.floats(allow_nan=True, allow_infinity=True, width=64)
ROWS = st.one_of(st.integers(0, 2**31 - 1), st.integers(2**31, 2**62))
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


def bits(found):
    return found.rows.tobytes(), found.scores.tobytes(), found.kind, found.best, found.judged


def test_a_list_of_two_rows():
    found = FoundRows(np.array([7, 3]), np.array([0.1, -0.0]), "bm25", 2.5, judged=1)
    packed = pack_found(found)
    # 18 bytes say what follows, then the kind, 2 rows of 4 bytes, and 2 scores of 8.
    assert len(packed) == 18 + len("bm25") + 2 * 4 + 2 * 8
    assert packed[18:30] == b"bm25\x07\0\0\0\x03\0\0\0"
    assert bits(unpack_found(packed)) == bits(found)


def test_rows_that_need_eight_bytes_have_them():
    found = FoundRows(np.array([2**31, 0]), np.array([1.0, 0.5]))
    assert len(pack_found(found)) == 18 + 2 * 8 + 2 * 8
    assert unpack_found(pack_found(found)).rows.tolist() == [2**31, 0]


def test_an_empty_list_is_a_list():
    found = FoundRows(np.empty(0, np.int64), np.empty(0), "cosine", None)
    assert bits(unpack_found(pack_found(found))) == bits(found)


@given(
    pairs=st.lists(st.tuples(ROWS, FLOATS), max_size=30),
    kind=st.sampled_from(["", "bm25", "cosine", "maß"]),
    best=st.none() | st.floats(allow_nan=False),
    judged=st.none() | st.integers(0, 2**31 - 1),
)
def test_any_list_comes_back(pairs, kind, best, judged):
    rows = np.array([row for row, _ in pairs], np.int64)
    scores = np.array([score for _, score in pairs], np.float64)
    found = FoundRows(rows, scores, kind, best, judged=judged)
    assert bits(unpack_found(pack_found(found))) == bits(found)


@given(pairs=st.lists(st.tuples(TEXTS, FLOATS), max_size=30))
def test_any_answer_comes_back(pairs):
    names = [name for name, _ in pairs]
    scores = np.array([score for _, score in pairs], np.float64)
    found, values = unpack_answer(pack_answer(names, scores))
    assert found == names
    assert values.tobytes() == scores.tobytes()


def test_names_of_files_that_are_no_unicode_come_back():
    names = ["a\udcff.py", "\r\n", "ünï/ço\N{GRINNING FACE}.md", ""]
    assert unpack_answer(pack_answer(names, np.zeros(4)))[0] == names


@given(values=st.lists(st.floats(width=32, allow_nan=True), max_size=40))
def test_any_vector_comes_back(values):
    vector = np.array(values, np.float32)
    found = unpack_vector(pack_vector(vector))
    assert found.tobytes() == vector.tobytes()
    assert found.dtype == np.float32


def test_a_vector_that_would_lose_bits_is_refused():
    with pytest.raises(InputError, match="float64"):
        pack_vector(np.array([0.1]))


def test_what_comes_back_can_be_written_to():
    """A stage may sort in place what it gets; bytes could not be."""
    found = unpack_found(pack_found(FoundRows(np.array([1, 2]), np.array([1.0, 2.0]))))
    found.rows.sort()
    found.scores.sort()
    unpack_vector(pack_vector(np.ones(2, np.float32))).sort()
