"""Costs and figures of structure: which evidence decides, and what must not fail a gate."""

from dataclasses import replace

import pytest
from tests.benchmarks.gates.made import report, run, timed
from tests.benchmarks.gates.test_gate import gate

from assay.records import Distribution, Interval, Method, Structure, Uplift

SCORES = [0.5] * 30


def built(seconds, *, busy=False, **indexing):
    """Make a report of a run that was built three times, about equally fast."""
    values = [seconds, seconds * 1.01, seconds * 0.99]
    one = timed(run(scores=SCORES), queries=[10] * 30, busy=busy)
    figures = {"index_seconds": {"values": values}}
    told = {"seconds": seconds, "files_per_second": 100 / seconds, **indexing}
    return report(replace(one, indexing=told, repeats={"figures": figures}))


def outcome(before, after, **checks):
    return gate(before, after, **checks).outcome


def test_a_slower_build_fails_unless_one_of_the_two_left_something_out():
    checks = {"allow": "index_seconds:25%"}
    assert outcome(built(2), built(20), **checks) == "fail"
    for old, new in (({"seconds_complete": False}, {}), ({}, {"seconds_complete": False})):
        assert outcome(built(2, **old), built(20, **new), **checks) == "inconclusive"


@pytest.mark.parametrize("about", [{"busy": True}, {"elsewhere": True}])
def test_a_build_on_a_busy_machine_fails_nothing(about):
    found = gate(built(2), built(20, **about), allow="index_seconds:25%")
    assert (found.outcome, "busy" in found.results[0].reason) == ("inconclusive", True)


def test_times_of_other_queries_fail_nothing_also_if_the_environment_does_not_matter():
    old = report(timed(run(scores=SCORES), p95=10.0, ends=(9.0, 11.0)))
    new = report(timed(run(scores=[*SCORES, 0.5]), p95=90.0, ends=(80.0, 99.0)))
    (found,) = gate(old, new, allow="latency_p95_ms:25%", strict_env=True).results
    assert (found.outcome, "other queries" in found.reason) == ("inconclusive", True)


def structured(*, layout=None):
    """Make a report of 100 queries: 10 fallbacks, 20 easy gates, an uplift of 5% to 7%."""
    gain = Uplift(100, 0.5, 0.53, 0.03, Interval(0.025, 0.035), 0.06, 0.001, 60, 10, 30)
    method = Method("coherence", {"ndcg@10": 0.53}, {}, {"ndcg@10": gain}, redundancy=0.5)
    counts = (50, 30, 10, 7, 3)  # of values from 0 to 1, 1 to 2, ...
    bound = Distribution(100, 0, 1.3, 0.0, 5.0, {"p95": 3.7}, (0, 1, 2, 3, 4, 5), counts)
    structure = Structure(
        *("ndcg@10", 100, 100, (method,), {}, {}, {"forced": 0}),
        rates={"fallback": 0.1, "easy": 0.2, "low_impact": 0.0},
        parts={},
        distributions={"condition_bound": bound},
        redundancy=None,
        diversified=0,
        relations={},
        suggested_alpha=None,
        targets={},
        verdict="",
    )
    about = {"benchmark": {"layout": layout}} if layout else {}
    return report(replace(run(scores=SCORES), structure=structure), **about)


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ({"max": "fallback_rate:5%"}, "inconclusive"),  # 10 of 100 where 5 are allowed: p = .028
        ({"max": "fallback_rate:1%"}, "fail"),
        ({"max": "fallback_rate:10%"}, "pass"),
        ({"min": "easy_gate_rate:30%"}, "inconclusive"),  # 20 of 100 where 30 are asked for: .016
        ({"min": "easy_gate_rate:50%"}, "fail"),
        ({"min": "easy_gate_rate:20%"}, "pass"),
        ({"min": "uplift:3%"}, "pass"),
        ({"min": "uplift:10%"}, "fail"),
        ({"max": "uplift:1%"}, "fail"),
        ({"max": "uplift:10%"}, "pass"),
        ({"max": "redundancy:0.4"}, "fail"),
        ({"max": "condition_bound_p95:4"}, "pass"),
        ({"max": "condition_bound_p95:3"}, "inconclusive"),  # its interval begins in that bin
        ({"max": "condition_bound_p95:1.5"}, "fail"),
    ],
)
def test_limits_of_structure(check, told):
    assert gate(None, structured(), **check).outcome == told


def test_what_another_tool_averaged_is_no_evidence():
    found = gate(None, structured(layout="ConsciousDB"), max="redundancy:0.4")
    assert found.outcome == "inconclusive"


def test_the_queries_that_lost_most_come_first():
    after = [0.5, 0.1, 0.4, 0.0, *[0.5] * 26]
    (found,) = gate(
        report(run(scores=SCORES)), report(run(scores=after)), allow="ndcg@10:0"
    ).results
    assert [one.query for one in found.changes] == ["q3", "q1", "q2"]


def test_predicted_difficulty_makes_groups_where_the_dataset_has_none():
    facts = {f"q{at}": {"predicted": at / 30} for at in range(30)}
    after = [0.5 if at >= 10 else 0.0 for at in range(30)]
    old, new = (report(run(scores=s), queries=facts) for s in (SCORES, after))
    checks = ["ndcg@10/difficulty=easy:0", "ndcg@10/difficulty=hard:0"]
    found = gate(old, new, allow=checks)
    assert [(one.queries, one.outcome) for one in found.results] == [(10, "fail"), (10, "pass")]
