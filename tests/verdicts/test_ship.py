import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.records import Broken, Comparison, Interval, ToJudge
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
SLOW = Broken("p95 is 90 ms, the budget 50 ms.", "a p95 of at most 50 ms")
LOSES = Broken("the category hard loses 0.1", "a loss of at most 0.02", "category")
FAILS = Broken("more queries failed", "no more failed queries", "errors")
LESS = ["p95 3.00 ms against 9.00 ms"]


def decided(one=None, **options):
    verdict = ship(comparison=one or comparison(), **options)
    return verdict.outcome, verdict.rule


def test_better_ships_and_says_the_figures():
    verdict = ship(comparison=comparison(**BETTER), more=3)
    assert (verdict.outcome, verdict.rule) == ("ship", "better")
    assert verdict.reason == (
        "Significantly better: ndcg@10 +0.0300 (95 % interval +0.0100 to +0.0500, "
        "corrected p 0.004, 100 queries)."
    )
    assert (verdict.queries_needed, verdict.queries_to_show) == (None, None)
    assert verdict.change == "Only other queries, or a broken guardrail or budget."


def test_a_gain_below_the_margin_ships_and_says_so():
    small = comparison(difference=0.009, p_corrected=0.01)  # 2 % of .5 is .01
    verdict = ship(comparison=small)
    assert (verdict.outcome, verdict.rule) == ("ship", "better")
    assert verdict.reason.startswith("Significantly better, by less than the margin: ndcg@10")
    large = replace(small, difference=0.01)
    assert "less than the margin" not in ship(comparison=large).reason


def test_worse_does_not_ship():
    verdict = ship(comparison=comparison(**WORSE))
    assert (verdict.outcome, verdict.rule) == ("dont_ship", "worse")
    assert verdict.reason.startswith("Significantly worse: ndcg@10 -0.0300")


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
    assert ship(comparison=few).change == "1 more query with judgments, at least."


@pytest.mark.parametrize(
    ("broken", "rule"),
    [([SLOW], "budget"), ([FAILS, LOSES], "category"), ([FAILS, LOSES, SLOW], "budget")],
)
def test_what_is_broken_beats_a_gain_and_names_the_first_rule(broken, rule):
    verdict = ship(comparison=comparison(**BETTER), broken=broken)
    assert (verdict.outcome, verdict.rule) == ("dont_ship", rule)
    assert all(one.what.rstrip(".").lower() in verdict.reason.lower() for one in broken)


@pytest.mark.parametrize(
    ("figures", "then"),
    [
        (BETTER, "It would ship with a p95 of at most 50 ms and a loss of at most 0.02."),
        (WORSE, "it would still not ship, because it is significantly worse."),
        ({}, "it would be undecided. If the true gain is +0.0200, 7 more queries would show it"),
    ],
)
def test_a_broken_guardrail_says_what_would_be_without_it(figures, then):
    verdict = ship(comparison=comparison(**figures), broken=[SLOW, LOSES], more=7)
    assert (verdict.outcome, verdict.queries_needed) == ("dont_ship", None)
    assert then in verdict.change


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
        assert "Judging" in verdict.change


def test_a_difference_in_doubt_names_the_documents_to_judge():
    named = [ToJudge(f"q{at}", f"d{at}", 0.5) for at in range(5)]
    holed = comparison(**BETTER, holes=(-0.001, 0.06))
    assert ship(comparison=holed, to_judge=named).change == (
        "Judging the unjudged documents settles it (over every grading -0.0010 to +0.0600), "
        "first d0 for q0, d1 for q1, d2 for q2."
    )


@pytest.mark.parametrize("figures", [BETTER, WORSE])
def test_a_metric_without_bounds_skips_the_rule_and_says_so(figures):
    verdict = ship(comparison=comparison(**figures, unbounded=True))
    assert verdict.rule in ("better", "worse")
    assert "how far unjudged documents could move ndcg@10 is not known" in verdict.reason


@pytest.mark.parametrize("options", [{}, {"ship_if": "noninferior"}])
def test_a_budget_that_was_not_measured_holds_what_would_ship(options):
    said = ["latency_p95_ms was measured on a busy machine"]
    verdict = ship(comparison=comparison(**BETTER), unknown=said, **options)
    assert (verdict.outcome, verdict.rule) == ("hold", "unknown_cost")
    assert verdict.reason.startswith("It would ship, but latency_p95_ms was measured on a busy")
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
    told = "`ship_if: noninferior` would ship it" in verdict.change
    assert told == (ship_if == "better")


def test_what_is_worse_is_not_shipped_for_being_cheap():
    options = {"cheaper": LESS, "ship_if": "noninferior", "noninferior": True}
    assert decided(comparison(**WORSE), **options) == ("dont_ship", "worse")


def test_a_gain_that_is_not_significant_asks_for_queries():
    verdict = ship(comparison=comparison(), more=110, for_margin=281_866)
    assert (verdict.outcome, verdict.rule) == ("needs_queries", "needs_queries")
    assert (verdict.queries_needed, verdict.queries_to_show) == (110, 110)
    assert verdict.queries_for_margin == 281_866
    assert verdict.change == (
        "If the true gain is +0.0200, 110 more queries would show it four times out of five. "
        "A gain as small as the margin (0.0100) takes more queries than is practical."
    )
    assert "1 more query would" in ship(comparison=comparison(), more=1).change


@pytest.mark.parametrize(("more", "rule"), [(900, "needs_queries"), (901, "too_many_queries")])
def test_queries_are_asked_for_only_as_far_as_they_can_be_added(more, rule):
    verdict = ship(comparison=comparison(), more=more, for_margin=5_000)
    assert verdict.rule == rule
    assert verdict.queries_needed == (900 if rule == "needs_queries" else None)
    assert verdict.queries_to_show == verdict.queries_needed
    assert verdict.queries_for_margin == 5_000


def test_a_number_that_nobody_can_use_is_not_told():
    verdict = ship(comparison=comparison(), more=10_000)
    assert "would take more queries than is practical" in verdict.reason
    assert "10,000" not in verdict.reason + verdict.change


@pytest.mark.parametrize(
    ("gain", "rule", "said"),
    [
        (0.01, "needs_queries", "Not significant"),
        (0.0099, "no_gain", "The observed gain is +0.0099 after winner's-curse correction"),
        (-0.3, "no_gain", "The observed gain is -0.3000 after winner's-curse correction"),
    ],
)
def test_the_gain_after_the_correction_must_reach_the_margin(gain, rule, said):
    verdict = ship(comparison=comparison(), gain=gain, more=5)
    assert verdict.rule == rule
    assert verdict.reason.startswith(said)


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (0.0099, "No gain of at least the margin (0.0100) was observed"),
        (0.0, "No gain was observed"),
        (-0.2, "No gain was observed"),
    ],
)
def test_no_gain_holds(difference, said):
    verdict = ship(comparison=comparison(difference=difference), more=5)
    assert (verdict.outcome, verdict.rule) == ("hold", "no_gain")
    assert verdict.reason.startswith(said)
    assert verdict.queries_needed is None


@pytest.mark.parametrize(("baseline", "margin"), [(0.5, 0.01), (0.0, 0.01), (0.1, 0.002)])
def test_the_margin_is_2_percent_of_the_baseline_and_absolute_where_that_is_0(baseline, margin):
    at, below = (comparison(baseline=baseline, difference=d) for d in (margin, margin - 1e-6))
    assert (decided(at, more=5)[1], decided(below, more=5)[1]) == ("needs_queries", "no_gain")


TIED = {"difference": 0.0, "ci": (0.0, 0.0), "p_corrected": 1.0, "wins": 0, "losses": 0}


def test_where_all_queries_tie_it_says_what_may_still_differ():
    same = comparison(**TIED)
    verdict = ship(comparison=same)
    assert (verdict.outcome, verdict.rule) == ("hold", "no_gain")
    assert verdict.reason.startswith("Every query scores the same: ")
    share = 1 - 0.05 ** (1 / 100)  # .0295
    told = f"Other queries might: up to {share:.1%} of all queries may still differ."
    assert verdict.change == told
    first = ToJudge("q1", "d1", 0.3)
    holed = ship(comparison=replace(same, holes=(-0.1, 0.3)), to_judge=[first]).change
    assert holed.endswith("(over every grading -0.1000 to +0.3000), first d1 for q1.")
    assert "is not known" in ship(comparison=replace(same, unbounded=True)).change


def test_identical_rankings_are_named():
    verdict = ship(comparison=comparison(**TIED), same_as='"bm25", the baseline')
    assert verdict.reason.startswith('Its rankings are identical to those of "bm25", the baseline:')


def test_an_unknown_rule_is_refused():
    with pytest.raises(UsageError, match='unknown value "cheapest" of ship_if'):
        ship(comparison=comparison(), ship_if="cheapest")


def test_one_query_still_gives_a_sentence():
    one = comparison(
        queries=1, ci=(-math.inf, math.inf), p_corrected=1.0, smallest_detectable=math.inf
    )
    verdict = ship(comparison=one)
    assert verdict.rule == "too_few"
    assert "no interval from a single query" in verdict.reason
    assert verdict.change == "9 more queries with judgments, at least."


@pytest.mark.parametrize("least", [0.5, 0.51, math.inf])
def test_no_sentence_asks_for_a_gain_that_cannot_be(least):
    change = ship(comparison=comparison(**WORSE, smallest_detectable=least)).change
    assert ("even that of a perfect score" in change) == (least > 0.5)
    beyond = comparison(**WORSE, smallest_detectable=0.51, baseline=3.0)
    assert "perfect" not in ship(comparison=beyond).change


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
    assert "less than the margin" not in ship(comparison=shown).reason
