"""What is said of the best of several candidates."""

import re
from types import SimpleNamespace

import pytest

from assay.reports.comparisons.verdicts import _winner


@pytest.mark.parametrize(
    ("observed", "expected", "numbers"),
    [
        (0.02, 0.02, ["+0.020"]),
        (0.02, 0.01, ["+0.020", "+0.010"]),
        (0.02, None, ["+0.020"]),
        (0.0, 0.0, []),
        (-0.0266, -0.0266, ["-0.027"]),
        (-0.0266, -0.03, ["-0.027"]),
    ],
)
def test_only_a_gain_is_corrected(observed, expected, numbers, snapshot):
    best = SimpleNamespace(
        primary="ndcg@10", best_set=("a", "b"), best="b", observed_gain=observed,
        corrected_gain=expected,
    )  # fmt: skip
    text = " ".join(_winner(best, 100).split())
    snapshot(text)
    assert re.findall(r"[+-]\d\.\d+", text) == numbers
    best.corrected_gain = None
    told = " ".join(_winner(best, 100).split()) != text
    assert told == (len(numbers) == 2)
