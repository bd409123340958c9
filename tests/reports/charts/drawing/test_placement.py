"""Labels, axes and lines of text: what is placed by hand."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.reports.charts.drawing.placement import placed, spread
from assay.reports.charts.drawing.span import AxisSpan, span
from assay.reports.charts.drawing.widths import wide, wrapped

PLACES = st.floats(0, 1000, allow_nan=False)


def test_labels_of_one_point_take_different_sides():
    found = placed([(50, 50), (50, 50)], [(20, 10), (20, 10)], (100, 100))
    (ax, ay), (bx, by) = found
    assert abs(ax - bx) >= 20 or abs(ay - by) >= 10


def test_a_label_at_the_edge_goes_inwards():
    ((x, _),) = placed([(99, 50)], [(20, 10)], (100, 100))
    assert x + 10 <= 100


def test_sixteen_numbers_around_one_point_are_apart():
    points = [(300.0 + at, 150.0) for at in range(16)]
    found = placed(points, [(14, 13)] * 16, (680, 340))
    for at, one in enumerate(found):
        for other in found[at + 1 :]:
            assert abs(one[0] - other[0]) >= 13.9 or abs(one[1] - other[1]) >= 12.9


@given(st.lists(PLACES, min_size=1, max_size=30))
def test_spread_keeps_order_gap_and_ends(heights):
    found = spread(heights, 12, (0, 1000))
    ordered = sorted(range(len(heights)), key=lambda at: heights[at])
    for one, other in pairwise(ordered):
        assert found[other] - found[one] >= 12 - 1e-6
    assert min(found) >= -1e-6
    assert max(found) <= 1000 + 1e-6


def test_spread_leaves_what_is_apart_where_it_is():
    assert spread([500, 10, 100], 12, (0, 1000)) == [500, 10, 100]


@given(st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=9), st.booleans(), st.booleans())
def test_an_axis_holds_its_values_and_few_ticks(values, log, down):
    axis = span(values, 680, "ms", log=log, down=down)
    assert axis.low <= min(values)
    assert max(values) <= axis.high
    assert 1 <= len(axis.ticks) <= 10
    assert all(axis.low * (1 - 1e-9) <= tick <= axis.high * (1 + 1e-9) for tick in axis.ticks)
    for value in values:
        assert -1e-6 <= axis.at(value) <= 680 + 1e-6
        assert axis.value(axis.at(value)) == pytest.approx(value, rel=1e-6, abs=1e-6)


def test_ratios_are_drawn_where_values_span_them():
    assert span([1, 100], 10, "", log=True).log
    assert not span([1, 2], 10, "", log=True).log
    assert not span([0, 100], 10, "", log=True).log  # 0 has no logarithm
    assert span([0.2, 50], 10, "", log=True).ticks == (0.2, 0.5, 1, 2, 5, 10, 20, 50)
    assert span([0.17, 7.4], 680, "", log=True).ticks == (0.2, 0.5, 1, 2, 5, 7)
    assert span([0.31, 4], 680, "", log=True).ticks == (0.3, 0.5, 1, 2, 4)
    assert span([0.17, 7.4], 200, "", log=True).ticks == (0.2, 0.5, 1, 2, 5)  # there is no room


def test_equal_values_have_an_axis():
    for value in (0.0, 1.0, -3.0, 1e-12, 1e12):
        axis = span([value, value], 100, "")
        assert axis.low < value < axis.high
        assert math.isfinite(axis.at(value))


def test_upwards_is_less_far_from_the_top():
    axis = AxisSpan(0, 1, 100, down=True)
    assert (axis.at(0), axis.at(1)) == (100, 0)


@given(st.text(min_size=1, max_size=200), st.floats(30, 400))
def test_lines_fit_and_lose_nothing_without_saying_so(text, room):
    lines = wrapped(text, room, 11, lines=3)
    assert len(lines) <= 3
    assert all(wide(line, 11) <= room or len(line) <= 1 for line in lines)
    if not any("…" in line for line in lines):
        assert "".join("".join(lines).split()) == "".join(text.split())


def test_words_of_wide_letters_count_double():
    assert wide("検索", 10) > 2 * wide("ab", 10)
    assert wide("e\u0301", 10) == wide("e", 10)
