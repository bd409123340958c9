"""How vectors are kept: worked by hand, then what no precision may do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.engines.vectors.packing import PRECISIONS, dots, pack, unpack, width
from assay.errors import InputError

VALUES = st.floats(-1, 1, width=32)
MATRICES = arrays(np.float32, st.tuples(st.integers(0, 8), st.integers(1, 40)), elements=VALUES)


def unit(seed, count, dimension):
    made = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def test_int8_by_hand():
    packed = pack(np.array([[0.6, -0.8, 0.0]], dtype=np.float32), "int8")

    assert packed.shape == (1, 7)
    assert packed[0, 4:].view(np.int8).tolist() == [95, -127, 0]  # .6 / .8 * 127 = 95.25
    scale = packed[0, :4].copy().view("<f4")[0]
    assert scale == pytest.approx(1 / np.hypot(95, 127), rel=1e-6)  # so that the length is 1 again
    assert unpack(packed, "int8")[0] == pytest.approx([95 * scale, -127 * scale, 0], rel=1e-6)


def test_float32_keeps_its_bits():
    vectors = unit(1, 5, 33)
    assert unpack(pack(vectors, "float32"), "float32").tobytes() == vectors.tobytes()


def test_float16_rounds_as_numpy_does():
    vectors = unit(2, 5, 33)
    assert (unpack(pack(vectors, "float16"), "float16") == vectors.astype(np.float16)).all()


@pytest.mark.parametrize(
    ("precision", "bytes_"), [("float32", 1536), ("float16", 768), ("int8", 388)]
)
def test_width(precision, bytes_):
    assert width(384, precision) == bytes_ == pack(unit(0, 2, 384), precision).shape[1]


@pytest.mark.parametrize(("precision", "error"), [("float32", 1e-6), ("float16", 5e-4)])
def test_cosines_are_near_the_truth(precision, error):
    assert worst(precision) < error


def test_cosines_of_int8_are_off_by_less_than_five_thousandths():
    assert 1e-5 < worst("int8") < 0.005


def worst(precision):
    left, right = unit(3, 500, 384), unit(4, 200, 384).astype(np.float64)
    stored = unpack(pack(left, precision), precision).astype(np.float64)
    return np.abs(stored @ right.T - left.astype(np.float64) @ right.T).max()


@given(MATRICES, st.sampled_from(PRECISIONS))
def test_a_row_is_packed_alike_alone_and_among_others(vectors, precision):
    packed = pack(vectors, precision)
    for row in range(len(vectors)):
        assert (pack(vectors[row : row + 1], precision)[0] == packed[row]).all()


@given(MATRICES, st.sampled_from(PRECISIONS))
def test_what_is_unpacked_has_length_one_or_none(vectors, precision):
    lengths = np.linalg.norm(unpack(pack(vectors, precision), precision).astype(np.float64), axis=1)
    zero = ~vectors.any(axis=1)
    assert (lengths[zero] == 0).all()
    assert lengths[~zero] == pytest.approx(np.ones((~zero).sum()), abs=2e-3)


@given(st.integers(0, 1000), st.sampled_from(PRECISIONS))
def test_dots_have_the_same_bits_whichever_rows_are_asked_for(seed, precision):
    packed = pack(unit(seed, 50, 65), precision)
    vector = unit(seed + 1, 1, 65)[0].astype(np.float64)
    whole = dots(packed, precision, vector)
    chosen = np.random.default_rng(seed).permutation(50)[:7]
    assert (dots(packed[chosen], precision, vector) == whole[chosen]).all()
    assert dots(packed[:1], precision, vector)[0] == whole[0]


def test_vectors_of_another_length_are_brought_to_one():
    assert unpack(pack(np.array([[3, 4]], np.float32), "float32"), "float32")[0] == pytest.approx(
        [0.6, 0.8]
    )


def test_tiny_and_huge_vectors():
    vectors = np.array([[1e-30, 0], [3e38, 3e38]], np.float32)
    for precision in PRECISIONS:
        lengths = np.linalg.norm(unpack(pack(vectors, precision), precision), axis=1)
        assert lengths == pytest.approx([1, 1], abs=2e-3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_no_numbers_are_refused(bad):
    with pytest.raises(InputError, match="NaN or infinite") as caught:
        pack(np.array([[1, 0], [bad, 0]], np.float32), "int8")
    assert caught.value.where == "vectors, row 1"


def test_an_unknown_precision_is_refused():
    with pytest.raises(InputError, match=r"float32.*float16.*int8"):
        pack(unit(0, 1, 2), "int4")


def test_bytes_of_another_precision_are_refused():
    with pytest.raises(InputError, match="do not match precision float16"):
        unpack(np.zeros((2, 7), np.uint8), "float16")


def test_a_single_vector_is_no_matrix():
    with pytest.raises(InputError, match="one row"):
        pack(np.ones(3, np.float32), "int8")
