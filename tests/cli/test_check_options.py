"""Verdicts become exit codes only on request: --check for any candidate, --check-all for all."""

import pytest

from assay.cli.check_options import exit_code
from assay.records import Verdict


@pytest.mark.parametrize(
    ("outcomes", "any_", "all_"),
    [
        (["ship"], 0, 0),
        (["ship", "hold"], 0, 3),
        (["ship", "dont_ship"], 0, 1),
        (["hold", "dont_ship"], 3, 1),
        (["needs_queries"], 3, 3),
        (["dont_ship", "dont_ship"], 1, 1),
        ([], 3, 3),
    ],
)
def test_outcomes_become_exit_codes(outcomes, any_, all_):
    verdicts = [Verdict(outcome, "") for outcome in outcomes]
    assert exit_code(verdicts, check=True, check_all=False) == any_
    assert exit_code(verdicts, check=False, check_all=True) == all_
    assert exit_code(verdicts, check=False, check_all=False) is None
