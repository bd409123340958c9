import math
import random
import struct
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assay.columns.blocks.block import PAD, Block
from assay.columns.blocks.numbers import numbers

digits = st.text("0123456789", min_size=1, max_size=25)
signs = st.sampled_from(["", "", "", "-", "+"])
exponents = st.one_of(
    st.just(""),
    st.tuples(st.sampled_from("eE"), signs, st.integers(0, 330)).map(
        lambda e: f"{e[0]}{e[1]}{e[2]}"
    ),
)
fixed = st.builds("{}{}.{}{}".format, signs, digits, digits, exponents)
bare_point = st.builds("{}{}.{}".format, signs, digits, exponents)
no_lead = st.builds("{}.{}{}".format, signs, digits, exponents)
whole = st.builds("{}{}{}".format, signs, digits, exponents)
finite = st.floats(allow_nan=False, allow_infinity=False)
printed = [finite.map(form.format) for form in ("{!r}", "{:.6f}", "{:.17g}")]
decimals = st.one_of(fixed, bare_point, no_lead, whole, *printed)
near_the_edge = st.integers(2**53 - 40, 2**53 + 40).flatmap(
    lambda n: st.integers(1, 15).map(lambda at: f"{str(n)[:-at]}.{str(n)[-at:]}")
)


def read(texts):
    """Read the texts as the fields of one block."""
    coded = [text.encode() for text in texts]
    lengths = np.array([len(text) for text in coded], np.int64)
    ends = PAD + np.cumsum(lengths + 1) - 1
    data = np.frombuffer(b"\n" * PAD + b" ".join(coded) + b"\n" * (PAD + 1), np.uint8)
    return numbers(Block(data, 1, "file"), ends - lengths, ends)


def bits(values):
    return [struct.pack("<d", value) for value in values]


def test_by_hand():
    texts = ["1", "-1", "+1", "0.5", ".5", "5.", "-0", "1e3", "1.25e-2", "0012.500", "123456789.5"]
    expected = [1, -1, 1, 0.5, 0.5, 5, -0.0, 1000, 0.0125, 12.5, 123456789.5]
    assert bits(read(texts)) == bits(expected)


@given(st.lists(st.one_of(decimals, near_the_edge), min_size=1, max_size=40))
@example(["10000000000000001.5"])  # 17 digits before the point: one more than two words hold
@example(["9007199254740993", "9007199254740992.5", "900719925474099.3"])
@example(["0." + "0" * 30 + "1", "1" * 25, "0.1", "5e-324", "1.7976931348623157e308"])
def test_every_decimal_is_read_as_float_reads_it(texts):
    texts = [text for text in texts if math.isfinite(float(text))]
    assert bits(read(texts)) == bits(map(float, texts))


@given(st.lists(finite, min_size=30, max_size=60))
def test_more_layouts_than_are_looked_for(values):
    """Every number of decimals from 0 to 29 in one block: the rest is read one by one."""
    texts = [f"{value % 1e6:.{at % 30}f}" for at, value in enumerate(values)]
    assert bits(read(texts)) == bits(map(float, texts))


@given(st.integers(0, 17), st.lists(finite, min_size=1, max_size=30))
def test_one_layout(places, values):
    texts = [f"{value % 1e4:.{places}f}" for value in values]
    assert bits(read(texts)) == bits(map(float, texts))


NO_NUMBERS = [
    "",
    "-",
    "+",
    ".",
    "-.",
    "+-1",
    "--1",
    "1_000",
    "0x10",
    "1,5",
    "abc",
    "1.2.3",
    "1e",
    "e5",
]
NO_NUMBERS += ["nan", "NaN", "inf", "-inf", "Infinity", "1e999", "½", "١", "1.5x", "x1.5", "1 .5"]
NO_NUMBERS += ["x0000000000000001.5", "1/", "1:", "12345678/", ":2345678", "1.234567:", "1\x002"]


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_finite_number_is_marked(text):
    read_alone = read([text])
    between = read(["1.5", text, "2.5"])
    assert not np.isfinite(read_alone[0])
    assert not np.isfinite(between[1])
    assert between[[0, 2]].tolist() == [1.5, 2.5]


@pytest.mark.parametrize("text", [*NO_NUMBERS, "9" * 400 + "x", "0." + "0" * 5000 + "x"])
def test_what_is_refused_spoils_nothing_in_a_block_of_long_numbers(text):
    """Numbers of 17 digits go through ``float`` together; one that is refused must stand alone."""
    good = [repr(n / 7) for n in range(1, 40)]
    for more in ("+2.5e-3", "0." + "3" * 100):
        values = read([*good[:20], text, *good[20:], more])
        assert not np.isfinite(values[20])
        assert bits(np.delete(values, 20)) == bits(map(float, [*good, more]))


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20))
def test_any_printable_text_is_read_or_refused_as_float_does(text):
    try:
        expected = math.nan if "_" in text else float(text)
    except ValueError:
        expected = math.nan
    (value,) = read([text])
    assert math.isfinite(value) == math.isfinite(expected)
    assert not math.isfinite(expected) or bits([value]) == bits([expected])


def test_no_field_gives_no_number():
    assert read([]).tolist() == []


def _halfway(number, digits):
    """Write the middle between two neighbouring numbers, cut to so many digits."""
    middle = (Decimal(number) + Decimal(math.nextafter(number, math.inf))) / 2
    return f"{middle:f}"[: digits + 1 + (number < 1)]


def test_numbers_near_the_middle_between_two_others_are_rounded_to_the_right_one():
    draw = random.Random(4)
    values = [draw.uniform(0.1, 1) * 10 ** draw.randrange(6) for _ in range(3000)]
    texts = [_halfway(value, digits) for value in values for digits in (16, 17, 18)]

    assert bits(read(texts)) == bits(map(float, texts))


@pytest.mark.parametrize("form", ["{!r}", "{:.17f}", "{:.15f}", "{:.18f}"])
def test_many_numbers_of_sixteen_to_eighteen_digits(form):
    draw = random.Random(form)
    texts = [form.format(draw.random() * 10 ** draw.randrange(-3, 4)) for _ in range(20_000)]

    assert bits(read(texts)) == bits(map(float, texts))


def test_exact_middles_go_to_the_even_neighbour():
    texts = [f"{2**53 + 1}.0", f"{2**53 + 3}.00", f"{2**54 + 2}.0", f"{2**55 + 4}"]

    assert bits(read(texts)) == bits(map(float, texts))
