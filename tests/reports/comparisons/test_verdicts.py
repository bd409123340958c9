"""What is said of the best of several candidates."""

from types import SimpleNamespace

import pytest

from assay.reports.comparisons.verdicts import _winner


@pytest.mark.parametrize(
    ("observed", "expected", "said"),
    [
        (
            0.02,
            0.02,
            '"b" gains +0.0200 as measured, and no luck of the best of several is in that.',
        ),
        (0.02, 0.01, '"b" gains +0.0200 as measured; +0.0100 is to be expected, since the best'),
        (0.02, None, '"b" gains +0.0200.'),
        (0.0, 0.0, '"b" gains nothing.'),
        (-0.0266, -0.0266, 'No candidate gains; "b" loses least, -0.0266.'),
        (-0.0266, -0.03, 'No candidate gains; "b" loses least, -0.0266.'),
    ],
)
def test_only_a_gain_can_be_lucky(observed, expected, said):
    best = SimpleNamespace(
        primary="ndcg@10", best_set=("a", "b"), best="b", observed_gain=observed,
        corrected_gain=expected,
    )  # fmt: skip
    text = " ".join(_winner(best, 100).split())
    assert said in text
    assert ("luck" in text) == (observed > 0 and expected is not None)
