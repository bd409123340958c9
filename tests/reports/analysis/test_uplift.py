"""The run that gains the most is said to do so by chance, unless a corrected p shows it."""

import pytest

from assay.records import Candidate, Comparison, Comparisons, Interval, Report, Run, Verdict
from assay.reports.analysis.uplift import uplift

GAINED = {"absolute": 0.1, "ci": [0.02, 0.18], "relative": 0.25, "relative_ci": [0.05, 0.5]}


def report(p_corrected=None):
    runs = tuple(Run(name, name, {}, scores={"ndcg@10": 0.5}) for name in ("words", "both"))
    ends = Interval(0.02, 0.18)
    compared = None
    if p_corrected is not None:
        found = Comparison(
            *("ndcg@10", 9, 0.4, 0.5, ends, ends, 0.1, ends, 0.01, p_corrected),
            *(1.0, 5, 2, 2, 0.02),
        )
        one = Candidate("both", {"ndcg@10": found}, Verdict("hold", "Why."), {}, ())
        compared = Comparisons(
            *("words", "ndcg@10", 9, (one,), (), ("both",), "both", 0.1, 0.05, ()),
            settings={"alpha": 0.05},
        )
    told = {"both": {"baseline": "words", "metrics": {"ndcg@10": GAINED}}}
    about = {"name": "b", "primary": "ndcg@10", "metrics": ["ndcg@10"]}
    return Report(about, {}, {}, {}, runs, comparisons=compared, analysis={"uplift": told})


@pytest.mark.parametrize(("p", "chance"), [(0.2, True), (0.01, False), (None, False)])
def test_the_corrected_decision_is_told(p, chance, snapshot):
    said = uplift(report(p)).caption
    snapshot(said)
    assert (said != uplift(report()).caption) is chance


def test_a_note_of_few_queries_follows(monkeypatch):
    monkeypatch.setitem(GAINED, "note", "fewer than 20 queries: its range may be too narrow")
    said = f"F{GAINED['note'][1:]}."
    assert uplift(report()).caption.endswith(f" {said}")
    monkeypatch.setitem(GAINED, "absolute", -0.1)
    assert uplift(report()).caption.endswith(f" {said}")
