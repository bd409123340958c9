"""What a gate says besides its checks: too few queries to fail, and reports of other tools."""

from dataclasses import replace

import pytest
from tests.benchmarks.gates.made import report, run, side, timed
from tests.benchmarks.gates.test_gate import gate

from assay.benchmarks.gates.gate import run_gate
from assay.benchmarks.gates.presets import GateChecks
from assay.errors import InputError


def too_few(found):
    return [note for note in found.notes if "too few" in note]


def dropped(queries, runs=1, **options):
    """Let every query of every run fall to nothing."""
    old, new = (
        report(*(run(f"r{at}", scores=[score] * queries) for at in range(runs)))
        for score in (1.0, 0.0)
    )
    return gate(old, new, allow="ndcg@10:5%", **options)


@pytest.mark.parametrize(("runs", "fewest"), [(1, 8), (2, 9), (12, 12)])
def test_too_few_queries_to_fail_are_said_and_one_more_fails(runs, fewest):
    few, enough = dropped(fewest - 1, runs), dropped(fewest, runs)
    assert (few.outcome, enough.outcome) == ("inconclusive", "fail")
    (note,) = too_few(few)
    assert f"at least {fewest}" in note
    assert too_few(enough) == []


def test_a_bare_gate_needs_no_number_of_queries():
    found = dropped(3, bare=True)
    assert (found.outcome, too_few(found)) == ("fail", [])


def with_layout(name, notes=(), **about):
    return report(run(scores=[0.5] * 10), benchmark={"layout": name}, notes=notes, **about)


def test_another_tool_is_said_once_it_is_on_one_side_only():
    ours, theirs = report(run(scores=[0.5] * 10)), with_layout("Akashic", ("k is assumed",))
    mixed = gate(theirs, ours, allow="ndcg@10:5%").notes
    alike = gate(theirs, theirs, allow="ndcg@10:5%").notes
    assert any("report of Akashic" in note for note in mixed)
    assert any("k is assumed" in note for note in mixed)
    assert not any("report of Akashic" in note for note in alike)


def test_failed_queries_are_not_known_to_be_none_where_nobody_counted():
    checks = GateChecks.read(max="errors:0")
    assert run_gate(None, side(with_layout("sia-code")), checks).outcome == "pass"
    with pytest.raises(InputError, match="errors was not measured"):
        run_gate(None, side(with_layout("Exocortex")), checks)


@pytest.mark.parametrize(("bare", "outcome"), [(False, "inconclusive"), (True, "fail")])
def test_an_uplift_of_means_alone_proves_nothing(bare, outcome):
    runs = [
        replace(run(name, scores=[s] * 10), per_query={}) for name, s in (("a", 0.5), ("b", 0.4))
    ]
    one = report(*runs, benchmark={"baseline": "a"})
    (found,) = gate(None, one, min="uplift:3%", bare=bare).results
    assert (found.outcome, found.current) == (outcome, pytest.approx(-0.2))


def test_times_of_queries_stand_in_for_an_interval_that_a_report_lacks():
    def slowed(times):
        one = timed(run(scores=[0.5] * 100), p95=times[50], queries=times)
        return report(replace(one, latency_ms={**one.latency_ms, "intervals": {}}))

    fast, slow = [10.0 + at / 100 for at in range(100)], [30.0 + at / 100 for at in range(100)]
    (found,) = gate(slowed(fast), slowed(slow), allow="latency_p50_ms:25%").results
    assert found.outcome == "fail"
    assert found.interval.low > 1.25 * found.baseline_interval.high
