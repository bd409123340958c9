import pytest

from assay.records import Report, Run
from assay.reports.analysis.time_to_answer import time_to_answer


@pytest.mark.parametrize("names", ["a", "ab"])
def test_a_run_that_is_left_alone_is_compared_with_no_other(names, snapshot):
    one = {"answered": 0.5, "opened": {"mean": 2.0, "p50": 1, "p95": 3}, "ci": [1.0, 3.0]}
    one |= {"queries": 4, "shared": {"queries": 2, "opened": 1.5}}
    runs = tuple(Run(name=name, fingerprint="", configuration={}) for name in names)
    told = {"time_to_answer": dict.fromkeys(names, one)}
    said = time_to_answer(Report({"name": "n"}, {}, {}, {}, runs, analysis=told)).caption
    snapshot(said)
    assert said.count("2 queries") == 1
    assert "50%" in said
    assert ("all runs" in said) == (len(names) > 1)
