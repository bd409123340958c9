import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.records import BrokenLimit, Comparison, Interval, ToJudge
from assay.text.figures import interval_text
from assay.verdicts.ship import ship


def comparison(**changes):
    low, high = changes.pop("ci", (-0.01, 0.05))
    fields = {
        "metric": "ndcg@10",
        "queries": 100,
        "baseline": 0.5,
        "candidate": 0.52,
        "baseline_interval": Interval(0.4, 0.6),
        "candidate_interval": Interval(0.41, 0.61),
        "difference": 0.02,
        "interval": Interval(low, high),
        "p": 0.3,
        "p_corrected": 0.6,
        "standardised": 0.1,
        "wins": 30,
        "ties": 50,
        "losses": 20,
        "smallest_detectable": 0.03,
    }
    return Comparison(**fields | changes)


BETTER = {"ci": (0.01, 0.05), "difference": 0.03, "p_corrected": 0.004}
WORSE = {"ci": (-0.05, -0.01), "difference": -0.03, "p_corrected": 0.004}
SLOW = BrokenLimit("p95 is 90 ms, the budget 50 ms.", "a p95 of at most 50 ms")
LOSES = BrokenLimit("the category hard loses 0.1", "a loss of at most 0.02", "category")
FAILS = BrokenLimit("more queries failed", "no more failed queries", "errors")
LESS = ["p95 3.00 ms against 9.00 ms"]


def decided(one=None, **options):
    verdict = ship(comparison=one or comparison(), **options)
    return verdict.outcome, verdict.rule


def sentences(verdict):
    return [verdict.reason, verdict.change]


@pytest.mark.parametrize(
    ("figures", "decision"),
    [
        (BETTER, ("ship", "better")),
        ({"difference": 0.01, "p_corrected": 0.01}, ("ship", "better")),  # 2 % of .5, the margin
        ({"difference": 0.009, "p_corrected": 0.01}, ("ship", "better")),  # less, and it says so
        (WORSE, ("dont_ship", "worse")),
    ],
)
def test_what_is_significant_is_decided_and_says_the_figures(snapshot, figures, decision):
    verdict = ship(comparison=comparison(**figures), more=3)
    assert (verdict.outcome, verdict.rule) == decision
    assert (verdict.queries_needed, verdict.queries_to_show) == (None, None)
    assert f"ndcg@10 {figures['difference']:+.3f}" in verdict.reason
    snapshot(sentences(verdict))


@pytest.mark.parametrize("interval", [(-0.05, -0.01), (-0.05, 0.01), (0.01, 0.05)])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_interval_decides_nothing(interval, sign):
    # Two queries that both lost .5 have an interval below 0, and a p of .5.
    for p in (0.0499, 0.05):
        one = comparison(ci=interval, difference=0.03 * sign, p_corrected=p)
        outcome, rule = decided(one, more=7)
        if p < 0.05:
            assert (outcome, rule) == (("ship", "better") if sign > 0 else ("dont_ship", "worse"))
        else:
            assert rule == ("needs_queries" if sign > 0 else "no_gain")


def test_corrected_p_decides_not_the_raw_one():
    raw_only = comparison(**BETTER | {"p": 0.004, "p_corrected": 0.08})
    assert decided(raw_only, more=5) == ("needs_queries", "needs_queries")
    assert decided(raw_only, more=5, alpha=0.1) == ("ship", "better")


@pytest.mark.parametrize("figures", [BETTER, WORSE, {}])
def test_fewer_than_10_queries_decide_nothing_but_what_is_broken(figures):
    few = comparison(**figures, queries=9)
    assert decided(few, more=5) == ("hold", "too_few")
    assert decided(few, broken=[SLOW]) == ("dont_ship", "budget")
    assert decided(comparison(**figures, queries=10), more=5)[1] != "too_few"
    assert ship(comparison=few).change.startswith("At least 1 more query ")


@pytest.mark.parametrize(
    ("broken", "rule"),
    [([SLOW], "budget"), ([FAILS, LOSES], "category"), ([FAILS, LOSES, SLOW], "budget")],
)
def test_what_is_broken_beats_a_gain_and_names_the_first_rule(broken, rule):
    verdict = ship(comparison=comparison(**BETTER), broken=broken)
    assert (verdict.outcome, verdict.rule) == ("dont_ship", rule)
    assert all(one.what.rstrip(".").lower() in verdict.reason.lower() for one in broken)


@pytest.mark.parametrize("figures", [BETTER, WORSE, {}], ids=["better", "worse", "undecided"])
def test_a_broken_guardrail_says_what_would_be_without_it(snapshot, figures):
    verdict = ship(comparison=comparison(**figures), broken=[SLOW, LOSES], more=7)
    assert (verdict.outcome, verdict.queries_needed) == ("dont_ship", None)
    assert SLOW.keep in verdict.change
    assert LOSES.keep in verdict.change
    assert ("7 more queries" in verdict.change) == (not figures)
    snapshot(sentences(verdict))


@pytest.mark.parametrize(
    ("figures", "holes", "rule"),
    [
        (BETTER, None, "better"),
        (BETTER, (0.001, 0.06), "better"),
        (BETTER, (-0.001, 0.06), "judge"),
        (BETTER, (0.0, 0.06), "judge"),
        (WORSE, (-0.06, -0.001), "worse"),
        (WORSE, (-0.06, 0.001), "judge"),
        (WORSE, None, "worse"),
        ({}, (-0.1, 0.1), "needs_queries"),  # nothing is shown that a grading could turn
    ],
)
def test_a_difference_that_a_grading_turns_waits_for_judgments(figures, holes, rule):
    verdict = ship(comparison=comparison(**figures, holes=holes), more=4)
    assert verdict.rule == rule
    if rule == "judge":
        assert verdict.outcome == "hold"
        assert interval_text(*holes) in verdict.change


def test_a_difference_in_doubt_names_the_documents_to_judge(snapshot):
    named = [ToJudge(f"q{at}", f"d{at}", 0.5) for at in range(5)]
    holed = comparison(**BETTER, holes=(-0.001, 0.06))
    change = ship(comparison=holed, to_judge=named).change
    assert [at for at in range(5) if f"d{at}" in change] == [0, 1, 2]
    snapshot(change)


@pytest.mark.parametrize("figures", [BETTER, WORSE], ids=["better", "worse"])
def test_a_metric_without_bounds_skips_the_rule_and_says_so(snapshot, figures):
    verdict = ship(comparison=comparison(**figures, unbounded=True))
    assert verdict.rule == ("better" if figures is BETTER else "worse")
    assert verdict.reason != ship(comparison=comparison(**figures)).reason
    snapshot(verdict.reason)


@pytest.mark.parametrize("options", [{}, {"ship_if": "noninferior"}])
def test_a_budget_that_was_not_measured_holds_what_would_ship(options):
    said = ["latency_p95_ms was measured on a busy machine"]
    verdict = ship(comparison=comparison(**BETTER), unknown=said, **options)
    assert (verdict.outcome, verdict.rule) == ("hold", "unknown_cost")
    assert said[0] in verdict.reason
    assert decided(comparison(**WORSE), unknown=said) == ("dont_ship", "worse")
    assert decided(unknown=said, more=3) == ("needs_queries", "needs_queries")
    cheap = {"cheaper": LESS, "noninferior": True, "ship_if": "noninferior"}
    assert decided(unknown=said, **cheap) == ("hold", "unknown_cost")


@pytest.mark.parametrize(
    ("ship_if", "cheaper", "noninferior", "rule"),
    [
        ("noninferior", LESS, True, "noninferior"),
        ("noninferior", LESS, False, "no_gain"),
        ("noninferior", (), True, "no_gain"),
        ("better", LESS, True, "no_gain"),
    ],
)
def test_noninferior_and_cheaper_ships_only_on_request(ship_if, cheaper, noninferior, rule):
    one = comparison(difference=0.001)
    verdict = ship(comparison=one, ship_if=ship_if, cheaper=cheaper, noninferior=noninferior)
    assert verdict.rule == rule
    assert verdict.outcome == ("ship" if rule == "noninferior" else "hold")
    assert ("`ship_if: noninferior`" in verdict.change) == (ship_if == "better")


def test_what_is_worse_is_not_shipped_for_being_cheap():
    options = {"cheaper": LESS, "ship_if": "noninferior", "noninferior": True}
    assert decided(comparison(**WORSE), **options) == ("dont_ship", "worse")


def test_a_gain_that_is_not_significant_asks_for_queries(snapshot):
    verdict = ship(comparison=comparison(), more=110, for_margin=281_866)
    assert (verdict.outcome, verdict.rule) == ("needs_queries", "needs_queries")
    assert (verdict.queries_needed, verdict.queries_to_show) == (110, 110)
    assert verdict.queries_for_margin == 281_866
    assert "281,866" not in verdict.reason + verdict.change
    snapshot(sentences(verdict))
    assert "1 more query " in ship(comparison=comparison(), more=1).change


@pytest.mark.parametrize(("more", "rule"), [(900, "needs_queries"), (901, "too_many_queries")])
def test_queries_are_asked_for_only_as_far_as_they_can_be_added(more, rule):
    verdict = ship(comparison=comparison(), more=more, for_margin=5_000)
    assert verdict.rule == rule
    assert verdict.queries_needed == (900 if rule == "needs_queries" else None)
    assert verdict.queries_to_show == verdict.queries_needed
    assert verdict.queries_for_margin == 5_000


def test_a_number_that_nobody_can_use_is_not_told(snapshot):
    verdict = ship(comparison=comparison(), more=10_000)
    assert "10,000" not in verdict.reason + verdict.change
    snapshot(sentences(verdict))


@pytest.mark.parametrize(
    ("gain", "rule"), [(0.01, "needs_queries"), (0.0099, "no_gain"), (-0.3, "no_gain")]
)
def test_the_gain_after_the_correction_must_reach_the_margin(snapshot, gain, rule):
    verdict = ship(comparison=comparison(), gain=gain, more=5)
    assert verdict.rule == rule
    digits = 4 if gain == 0.0099 else 3  # as many as it takes to be seen below the margin
    assert (f"{gain:+.{digits}f}" in verdict.reason) == (gain == 0.0099)
    assert ("is left after" in verdict.reason) == (gain < 0)
    snapshot(sentences(verdict))


@pytest.mark.parametrize("difference", [0.0099, 0.0, -0.2])
def test_no_gain_holds(snapshot, difference):
    verdict = ship(comparison=comparison(difference=difference), more=5)
    assert (verdict.outcome, verdict.rule) == ("hold", "no_gain")
    assert verdict.queries_needed is None
    snapshot(sentences(verdict))


@pytest.mark.parametrize(("baseline", "margin"), [(0.5, 0.01), (0.0, 0.01), (0.1, 0.002)])
def test_the_margin_is_2_percent_of_the_baseline_and_absolute_where_that_is_0(baseline, margin):
    at, below = (comparison(baseline=baseline, difference=d) for d in (margin, margin - 1e-6))
    assert (decided(at, more=5)[1], decided(below, more=5)[1]) == ("needs_queries", "no_gain")


TIED = {"difference": 0.0, "ci": (0.0, 0.0), "p_corrected": 1.0, "wins": 0, "losses": 0}


def test_where_all_queries_tie_it_says_what_may_still_differ(snapshot):
    same = comparison(**TIED)
    verdict = ship(comparison=same)
    assert (verdict.outcome, verdict.rule) == ("hold", "no_gain")
    share = 1 - 0.05 ** (1 / 100)  # .0295
    assert f"{share:.1%}" in verdict.change
    first = ToJudge("q1", "d1", 0.3)
    holed = ship(comparison=replace(same, holes=(-0.1, 0.3)), to_judge=[first])
    unbounded = ship(comparison=replace(same, unbounded=True))
    snapshot([one for each in (verdict, holed, unbounded) for one in sentences(each)])


def test_identical_rankings_are_named(snapshot):
    verdict = ship(comparison=comparison(**TIED), same_as='"bm25", the baseline')
    assert '"bm25"' in verdict.reason
    snapshot(verdict.reason)


def test_an_unknown_rule_is_refused(snapshot):
    with pytest.raises(UsageError, match="cheapest") as caught:
        ship(comparison=comparison(), ship_if="cheapest")
    snapshot(caught.value)


def test_one_query_still_gives_a_sentence(snapshot):
    one = comparison(
        queries=1, ci=(-math.inf, math.inf), p_corrected=1.0, smallest_detectable=math.inf
    )
    verdict = ship(comparison=one)
    assert verdict.rule == "too_few"
    assert "inf" not in verdict.reason + verdict.change
    assert verdict.change.startswith("At least 9 more queries ")
    snapshot(sentences(verdict))


@pytest.mark.parametrize("least", [0.5, 0.51, math.inf])
def test_no_sentence_asks_for_a_gain_that_cannot_be(snapshot, least):
    change = ship(comparison=comparison(**WORSE, smallest_detectable=least)).change
    assert (f"{least:.3f}" in change) == (least <= 0.5)
    beyond = comparison(**WORSE, smallest_detectable=0.51, baseline=3.0)
    assert "0.510" in ship(comparison=beyond).change
    snapshot(change)


@given(
    st.floats(-0.2, 0.2),
    st.floats(0, 1),
    st.none() | st.tuples(st.floats(-0.3, 0), st.floats(0, 0.3)),
    st.booleans(),
    st.booleans(),
    st.integers(5, 40),
    st.none() | st.integers(1, 400),
)
def test_the_rules_come_in_their_order(gain, p, holes, cheap, unknown, queries, more):
    one = comparison(difference=gain, p_corrected=p, holes=holes, queries=queries)
    verdict = ship(
        comparison=one,
        cheaper=LESS if cheap else (),
        noninferior=cheap,
        ship_if="noninferior",
        unknown=["x was not measured"] if unknown else (),
        more=more,
    )
    shown = p < 0.05 and gain != 0
    if queries < 10:
        expected = "too_few"
    elif p < 0.05 and holes and (holes[0] <= 0 if gain > 0 else holes[1] >= 0):
        expected = "judge"
    elif shown and gain < 0:
        expected = "worse"
    elif shown or cheap:
        expected = "unknown_cost" if unknown else "better" if shown else "noninferior"
    elif gain < 0.01:
        expected = "no_gain"
    else:
        expected = "needs_queries" if more and more <= 9 * queries else "too_many_queries"
    assert verdict.rule == expected
    assert verdict.change.endswith(".")
    assert verdict.reason.endswith(".")
    assert ship(comparison=one, broken=[SLOW]).rule == "budget"


def test_rounding_does_not_take_a_gain_below_the_margin():
    gain, baseline = 0.009999999999999998, 0.5000000000000001  # +.1 on 2 of 20 queries
    one = comparison(baseline=baseline, difference=gain, queries=20)
    assert decided(one, gain=gain, more=50) == ("needs_queries", "needs_queries")
    shown = comparison(baseline=baseline, difference=gain, p_corrected=0.01)
    exact = replace(shown, baseline=0.5, difference=0.01)  # exactly the margin
    assert ship(comparison=shown).reason == ship(comparison=exact).reason
