"""Nothing escapes a gate: lost documents, removed queries, removed runs."""

from dataclasses import replace

import pytest
from tests.benchmarks.gates.made import report, run
from tests.benchmarks.gates.test_gate import gate

SCORES = [0.8] * 20


def facts(*, digest="same", judged=("d",)):
    return {"digest": digest, "judged": dict.fromkeys(judged, 1)}


def all_facts(**about):
    return {f"q{at}": facts(**about) for at in range(20)}


def test_a_query_whose_document_left_the_corpus_is_compared_and_fails():
    old = report(run(scores=SCORES), queries=all_facts())
    lost = all_facts() | {f"q{at}": facts(judged=()) for at in range(10)}
    new = report(run(scores=[0.0] * 10 + SCORES[:10]), queries=lost, truth={"missing": 10})
    old = replace(old, truth={"missing": 0})
    found = gate(old, new, allow="ndcg@10:5%")
    assert (found.outcome, found.queries, found.baseline_queries) == ("fail", 20, 20)
    assert any("10 judgments of documents that are not in the corpus" in n for n in found.notes)


def test_other_judgments_in_the_dataset_are_another_query():
    old = report(run(scores=SCORES), queries=all_facts())
    new = report(run(scores=SCORES), queries=all_facts() | {"q0": facts(digest="other")})
    found = gate(old, new, allow="ndcg@10:10%")
    assert (found.outcome, found.queries, found.baseline_queries) == ("pass", 19, 20)


@pytest.mark.parametrize(("kept", "outcome"), [(20, "pass"), (19, "pass"), (18, "inconclusive")])
def test_removed_queries_pass_only_if_they_cannot_hide_a_loss(kept, outcome):
    """With one of twenty at 0 the mean is 5% lower, which is allowed; with two it is 10%."""
    old, new = report(run(scores=SCORES)), report(run(scores=SCORES[:kept]))
    (found,) = gate(old, new, allow="ndcg@10:5%").results
    assert found.outcome == outcome
    assert gate(old, new, allow="ndcg@10:5%", bare=True).outcome == "pass"
    if outcome != "pass":
        assert "2 of 20 queries" in found.reason
        assert found.queries_needed is None  # more queries do not bring these two back


def test_removed_queries_where_lower_is_better_count_as_the_largest_value():
    name = "rbp_residual(p=0.8)"
    old, new = (report(run(metric=name, scores=[0.2] * count)) for count in (20, 19))
    (found,) = gate(old, new, allow=f"{name}:0.03").results
    assert found.outcome == "inconclusive"  # one of twenty at 1 raises the mean by .04
    assert gate(old, new, allow=f"{name}:0.05").outcome == "pass"


def test_a_run_that_is_gone_is_not_passed():
    old = report(run("a", scores=SCORES), run("b", scores=SCORES))
    new = report(run("a", scores=SCORES))
    found = gate(old, new, allow="ndcg@10:5%", min="ndcg@10:0.1")
    assert [(one.run, one.outcome) for one in found.results] == [
        ("a", "pass"),
        ("a", "pass"),
        ("b", "inconclusive"),
        ("b", "inconclusive"),
    ]
    assert (found.exit_code(), found.exit_code(strict=True)) == (0, 3)
    assert gate(new, old, allow="ndcg@10:5%").outcome == "pass"  # a new run is no loss
