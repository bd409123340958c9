"""How a figure is read: beyond one line it is watched, beyond the next it is bad."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records import Health, HealthFinding, Reading

RISING = Reading(watch=0.4, bad=0.6, meaning="", reason="")
FALLING = Reading(watch=20, bad=10, meaning="", reason="")


@pytest.mark.parametrize(
    ("reading", "value", "state"),
    [
        (RISING, 0.4, "good"),
        (RISING, 0.41, "watch"),
        (RISING, 0.6, "watch"),
        (RISING, 0.61, "bad"),
        (FALLING, 20, "good"),
        (FALLING, 19.9, "watch"),
        (FALLING, 10, "watch"),
        (FALLING, 9.9, "bad"),
    ],
)
def test_a_value_on_the_line_is_still_on_the_better_side(reading, value, state):
    assert reading.state(value) == state


numbers = st.floats(-1e6, 1e6)


@given(numbers, numbers, numbers, numbers)
def test_a_worse_value_never_reads_better(watch, bad, one, other):
    reading = Reading(watch=watch, bad=bad, meaning="", reason="")
    order = ["good", "watch", "bad"]
    worse, better = (max, min) if reading.rising else (min, max)
    assert order.index(reading.state(worse(one, other))) >= order.index(
        reading.state(better(one, other))
    )


def test_only_what_is_bad_must_be_mended():
    findings = [HealthFinding("s", "n", 1, state, "") for state in ("bad", "watch", "bad", "good")]
    assert Health("c", {}, tuple(findings)).bad == 2
    assert Health("c", {}, ()).bad == 0
