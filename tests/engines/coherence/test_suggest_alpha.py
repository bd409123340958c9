"""What feedback suggests, by hand and against another correlation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.engines.coherence.suggest_alpha import median_alpha, suggest_alpha, suggestions


def line(count, slope=1.0):
    return [(float(at), slope * at) for at in range(count)]


def test_nothing_is_suggested_before_there_are_enough():
    assert suggest_alpha([]) is None
    assert suggest_alpha(line(14)) is None
    assert suggest_alpha(line(15)) == 0.3  # r = 1
    assert suggest_alpha(line(3), least=3) == 0.3


def test_what_falls_with_feedback_has_the_least_say():
    assert suggest_alpha(line(20, slope=-2.0)) == 0.02  # .1 - .2 is below the least
    assert suggest_alpha([(fall, 1.0) for fall, _ in line(20)]) == 0.1  # r = 0: nothing changes
    assert suggest_alpha([(0.5, word) for _, word in line(20)]) == 0.1


def test_a_correlation_by_hand():
    # (0, 0), (0, 1), (1, 0), (1, 1), (1, 1): means .6 and .6, sums of squares 1.2 and 1.2, of
    # products 3 * (.4 * .4) ... = .36 - .24 - .24 + .16 + .16 = .2; r = .2 / 1.2.
    events = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (1.0, 1.0)]
    assert suggest_alpha(events, least=5) == pytest.approx(0.1 + 0.2 / 6)


def test_only_the_last_events_count():
    events = line(200, slope=-1.0) + line(200)
    assert suggest_alpha(events) == 0.3
    assert suggest_alpha(events[:200]) == 0.02
    assert suggest_alpha(line(30, slope=-1.0) + line(20), window=20) == 0.3
    assert suggest_alpha(line(50), window=10) is None  # never enough in such a window


def test_suggestions_run_along_and_have_a_median():
    events = line(20) + [(0.0, 100.0)] * 5
    made = list(suggestions(events))
    assert len(made) == 25 - 14
    assert made == [suggest_alpha(events[:end]) for end in range(15, 26)]
    assert median_alpha(events) == sorted(made)[5]
    assert median_alpha(line(14)) is None


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(-1, 1)), min_size=15, max_size=40))
def test_a_suggestion_is_always_within_its_limits(events):
    suggested = suggest_alpha([(fall, float(word)) for fall, word in events])
    assert 0.02 <= suggested <= 0.3
    falls, words = np.array(events, float).T
    if falls.std() > 1e-3 and words.std() > 0:
        r = np.corrcoef(falls, words)[0, 1]
        assert suggested == pytest.approx(max(0.1 + 0.2 * r, 0.02), abs=1e-6)
