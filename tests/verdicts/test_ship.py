import math

import pytest

from assay.records import Comparison, Interval
from assay.verdicts.ship import ship


def comparison(**changes):
    low, high = changes.pop("ci", (-0.01, 0.03))
    fields = {
        "metric": "ndcg@10",
        "queries": 100,
        "baseline": 0.5,
        "candidate": 0.51,
        "baseline_interval": Interval(0.4, 0.6),
        "candidate_interval": Interval(0.41, 0.61),
        "difference": 0.01,
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
PRECISE = {"smallest_detectable": 0.005}


def test_better_ships_and_says_the_figures():
    verdict = ship(comparison=comparison(**BETTER))
    assert verdict.outcome == "ship"
    assert verdict.reason == (
        "It is better: ndcg@10 +0.0300 (95 % interval +0.0100 to +0.0500, "
        "corrected p 0.004, 100 queries)."
    )
    assert verdict.queries_needed is None


def test_worse_does_not_ship():
    assert ship(comparison=comparison(**WORSE)).outcome == "dont_ship"


def test_significantly_worse_with_an_interval_that_reaches_0_is_not_shipped():
    worse = comparison(ci=(-0.05, 0.001), difference=-0.02, p_corrected=0.04)
    assert ship(comparison=worse).outcome == "needs_queries"


def test_a_broken_guardrail_beats_a_gain_and_is_named():
    verdict = ship(comparison=comparison(**BETTER), broken=["p95 is 90 ms, the budget 50 ms."])
    assert verdict.outcome == "dont_ship"
    assert verdict.reason.startswith("p95 is 90 ms, the budget 50 ms; ndcg@10 +0.0300")


@pytest.mark.parametrize(
    ("holes", "outcome"),
    [(None, "ship"), ((0.001, 0.06), "ship"), ((-0.001, 0.06), "hold"), ((0.0, 0.06), "hold")],
)
def test_a_gain_ships_only_if_every_grading_keeps_its_sign(holes, outcome):
    verdict = ship(comparison=comparison(**BETTER, **PRECISE, holes=holes))
    assert verdict.outcome == outcome
    assert ("judging" in verdict.reason) == (outcome == "hold")


def test_corrected_p_decides_not_the_raw_one():
    raw_only = comparison(**BETTER | {"p": 0.004, "p_corrected": 0.08})
    assert ship(comparison=raw_only).outcome == "needs_queries"
    assert ship(comparison=raw_only, alpha=0.1).outcome == "ship"


@pytest.mark.parametrize(("p", "outcome"), [(0.0499, "ship"), (0.05, "needs_queries")])
def test_p_must_be_below_alpha(p, outcome):
    assert ship(comparison=comparison(**BETTER | {"p_corrected": p})).outcome == outcome


def test_undecided_asks_for_queries_while_the_margin_cannot_be_found():
    verdict = ship(comparison=comparison(), queries_needed=1234)
    assert (verdict.outcome, verdict.queries_needed) == ("needs_queries", 1234)
    assert "1,234 more queries would find one of 0.0100, the margin" in verdict.reason


@pytest.mark.parametrize(
    ("detectable", "margin", "outcome"),
    [
        (0.0101, None, "needs_queries"),  # 2 % of .5 is .01
        (0.0099, None, "hold"),
        (0.0199, 0.02, "hold"),
        (0.0201, 0.02, "needs_queries"),
    ],
)
def test_the_margin_is_2_percent_of_the_baseline_unless_set(detectable, margin, outcome):
    verdict = ship(comparison=comparison(smallest_detectable=detectable), margin=margin)
    assert verdict.outcome == outcome


def test_hold_counts_no_queries():
    verdict = ship(comparison=comparison(**PRECISE), queries_needed=7)
    assert (verdict.outcome, verdict.queries_needed) == ("hold", None)


CHEAP = {"ci": (-0.005, 0.008), "difference": 0.001, **PRECISE}


@pytest.mark.parametrize(
    ("ship_if", "cheaper", "outcome"),
    [
        ("noninferior", True, "ship"),
        ("noninferior", False, "hold"),
        ("better", True, "hold"),
        ("better", False, "hold"),
    ],
)
def test_noninferior_and_cheaper_ships_only_on_request(ship_if, cheaper, outcome):
    verdict = ship(comparison=comparison(**CHEAP), ship_if=ship_if, cheaper=cheaper)
    assert verdict.outcome == outcome


def test_a_hold_says_that_the_setting_would_ship_it():
    assert "ship_if: noninferior" in ship(comparison=comparison(**CHEAP), cheaper=True).reason


def test_noninferior_needs_the_lower_end_and_the_holes_above_the_margin():
    wide = comparison(**CHEAP | {"ci": (-0.011, 0.012)})
    assert ship(comparison=wide, ship_if="noninferior", cheaper=True).outcome == "hold"
    holed = comparison(**CHEAP, holes=(-0.02, 0.02))
    assert ship(comparison=holed, ship_if="noninferior", cheaper=True).outcome == "hold"


def test_one_query_and_a_baseline_of_0_still_give_sentences():
    one = comparison(
        queries=1, ci=(-math.inf, math.inf), p_corrected=1.0, smallest_detectable=math.inf
    )
    verdict = ship(comparison=one)
    assert verdict.outcome == "needs_queries"
    assert "no interval from a single query" in verdict.reason
    assert "set one" in ship(comparison=comparison(baseline=0.0)).reason


def test_nothing_differs():
    same = comparison(difference=0.0, ci=(0.0, 0.0), p_corrected=1.0, smallest_detectable=0.0)
    assert ship(comparison=same).outcome == "hold"
