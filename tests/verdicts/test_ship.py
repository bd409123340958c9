import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.records import Broken, Comparison, Interval, ToJudge
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
    assert verdict.change == "Only other queries, or a guardrail or budget that breaks."


def test_worse_does_not_ship():
    verdict = ship(comparison=comparison(**WORSE))
    assert verdict.outcome == "dont_ship"
    assert verdict.change == (
        "A gain would: these queries find one from 0.0300 on, and it shows -0.0300."
    )
    alike = comparison(**WORSE, smallest_detectable=0.0)
    assert ship(comparison=alike).change == "A gain would, and there is none."


def test_significantly_worse_with_an_interval_that_reaches_0_is_not_shipped():
    worse = comparison(ci=(-0.05, 0.001), difference=-0.02, p_corrected=0.04)
    assert ship(comparison=worse).outcome == "needs_queries"


SLOW = Broken("p95 is 90 ms, the budget 50 ms.", "a p95 of at most 50 ms")
LOSES = Broken("the category hard loses 0.1", "a loss of at most 0.02")


def test_a_broken_guardrail_beats_a_gain_and_is_named():
    verdict = ship(comparison=comparison(**BETTER), broken=[SLOW])
    assert verdict.outcome == "dont_ship"
    assert verdict.reason.startswith("p95 is 90 ms, the budget 50 ms; ndcg@10 +0.0300")
    assert verdict.change == "It would ship with a p95 of at most 50 ms."


@pytest.mark.parametrize(
    ("figures", "then"),
    [
        (BETTER, "It would ship with a p95 of at most 50 ms and a loss of at most 0.02."),
        (WORSE, "it would still not ship, being worse."),
        ({}, "it would be undecided. More queries of this spread would find a difference of"),
        (PRECISE, "it would be undecided. A gain would: these queries find one from 0.0050 on"),
    ],
)
def test_a_broken_guardrail_says_what_would_be_without_it(figures, then):
    verdict = ship(comparison=comparison(**figures), broken=[SLOW, LOSES])
    assert (verdict.outcome, verdict.queries_needed) == ("dont_ship", None)
    assert then in verdict.change


@pytest.mark.parametrize(
    ("holes", "outcome"),
    [(None, "ship"), ((0.001, 0.06), "ship"), ((-0.001, 0.06), "hold"), ((0.0, 0.06), "hold")],
)
def test_a_gain_ships_only_if_every_grading_keeps_its_sign(holes, outcome):
    verdict = ship(comparison=comparison(**BETTER, **PRECISE, holes=holes))
    assert verdict.outcome == outcome
    assert ("Judging" in verdict.change) == (outcome == "hold")


def test_a_gain_in_doubt_names_the_documents_to_judge():
    named = [ToJudge(f"q{at}", f"d{at}", 0.5) for at in range(5)]
    holed = comparison(**BETTER, **PRECISE, holes=(-0.001, 0.06))
    verdict = ship(comparison=holed, to_judge=named)
    assert verdict.change == (
        "Judging the unjudged documents settles it (over every grading -0.0010 to +0.0600), "
        "first d0 for q0, d1 for q1, d2 for q2."
    )


def test_a_gain_says_what_could_undo_it():
    sure = ship(comparison=comparison(**BETTER, holes=(0.001, 0.06)))
    assert sure.change.startswith("No grading of the unjudged documents (+0.0010 to +0.0600)")
    open_ = ship(comparison=comparison(**BETTER, unbounded=True))
    assert "is not known" in open_.change
    assert "is not known for ndcg@10" in open_.reason
    full = ship(comparison=comparison(**BETTER, holes=(0.03, 0.03)))  # nothing is unjudged
    assert full.change.startswith("Only other queries")


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
    assert verdict.change == (
        "1,234 more queries of this spread would find a difference of 0.0100, the margin; "
        "these find one from 0.0300 on."
    )
    assert "1 more query of" in ship(comparison=comparison(), queries_needed=1).change


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


LESS = ["p95 3.00 ms against 9.00 ms"]


@pytest.mark.parametrize(
    ("ship_if", "cheaper", "outcome"),
    [
        ("noninferior", LESS, "ship"),
        ("noninferior", (), "hold"),
        ("better", LESS, "hold"),
        ("better", (), "hold"),
    ],
)
def test_noninferior_and_cheaper_ships_only_on_request(ship_if, cheaper, outcome):
    verdict = ship(comparison=comparison(**CHEAP), ship_if=ship_if, cheaper=cheaper)
    assert verdict.outcome == outcome
    if outcome == "ship":
        said = "It is cheaper (p95 3.00 ms against 9.00 ms) and loses less than 0.0100: ndcg@10"
        assert verdict.reason.startswith(said)
        assert "`ship_if: better` would leave it undecided" in verdict.change


@pytest.mark.parametrize("found", [PRECISE, {}])
def test_what_is_undecided_says_that_the_setting_would_ship_it(found):
    figures = CHEAP | {"smallest_detectable": 0.03} | found
    verdict = ship(comparison=comparison(**figures), cheaper=LESS)
    assert "`ship_if: noninferior` would ship it" in verdict.change
    assert "noninferior" not in ship(comparison=comparison(**figures)).change


def test_noninferior_needs_the_lower_end_and_the_holes_above_the_margin():
    by = {"ship_if": "noninferior", "cheaper": LESS}
    wide = comparison(**CHEAP | {"ci": (-0.011, 0.012)})
    assert ship(comparison=wide, **by).outcome == "hold"
    holed = ship(comparison=comparison(**CHEAP, holes=(-0.02, 0.02)), **by)
    assert holed.outcome == "hold"
    assert holed.change.startswith("Judging the unjudged documents settles it")


def test_a_corrected_test_of_noninferiority_goes_before_the_interval():
    by = {"ship_if": "noninferior", "cheaper": LESS}
    assert ship(comparison=comparison(**CHEAP), noninferior=False, **by).outcome == "hold"
    wide = comparison(**CHEAP | {"ci": (-0.011, 0.012)})
    assert ship(comparison=wide, noninferior=True, **by).outcome == "ship"


def test_a_gain_that_is_in_doubt_may_still_be_as_good_and_cheaper():
    # No grading loses more than the margin, though one undoes the gain.
    doubtful = comparison(**BETTER, **PRECISE, holes=(-0.005, 0.06))
    assert ship(comparison=doubtful, cheaper=LESS).outcome == "hold"
    assert ship(comparison=doubtful, cheaper=LESS, ship_if="noninferior").outcome == "ship"


def test_what_is_worse_is_not_shipped_for_being_cheap():
    worse = comparison(ci=(-0.008, -0.001), difference=-0.004, **PRECISE)
    assert ship(comparison=worse, cheaper=LESS, ship_if="noninferior").outcome == "dont_ship"


def test_an_unknown_rule_is_refused():
    with pytest.raises(UsageError, match="no rule to ship by"):
        ship(comparison=comparison(), ship_if="cheapest")


def test_one_query_and_a_baseline_of_0_still_give_sentences():
    one = comparison(
        queries=1, ci=(-math.inf, math.inf), p_corrected=1.0, smallest_detectable=math.inf
    )
    verdict = ship(comparison=one)
    assert verdict.outcome == "needs_queries"
    assert "no interval from a single query" in verdict.reason
    assert "these find none reliably" in verdict.change
    assert "set one" in ship(comparison=comparison(baseline=0.0)).change


def test_nothing_differs():
    same = comparison(
        difference=0.0, ci=(0.0, 0.0), p_corrected=1.0, smallest_detectable=0.0, wins=0, losses=0
    )
    verdict = ship(comparison=same)
    assert (verdict.outcome, verdict.change) == ("hold", "Nothing: every query scores alike.")
    assert ship(comparison=replace(same, holes=(0.0, 0.0))).change == verdict.change


def test_nothing_differs_yet_but_unjudged_documents_may():
    same = comparison(
        difference=0.0, ci=(0.0, 0.0), p_corrected=1.0, smallest_detectable=0.0, wins=0, losses=0
    )
    first = ToJudge("q1", "d1", 0.3)
    verdict = ship(comparison=replace(same, holes=(-0.1, 0.3)), to_judge=[first])
    assert (verdict.outcome, verdict.change) == (
        "hold",
        "Judging the unjudged documents might (over every grading -0.1000 to +0.3000), "
        "first d1 for q1: every query scores alike.",
    )
    assert ship(comparison=replace(same, unbounded=True)).change == (
        "Judging the unjudged documents might: how far they move ndcg@10 is not known."
    )


@pytest.mark.parametrize("changes", [WORSE, {"ci": (-0.5, 0.5)}, BETTER | {"cheap": True}])
@pytest.mark.parametrize(("least", "possible"), [(0.5, True), (0.51, False), (1.087, False)])
def test_no_sentence_asks_for_a_gain_that_cannot_be(changes, least, possible):
    options = {"ship_if": "noninferior", "cheaper": ["x"], "noninferior": True}
    cheap = "cheap" in changes
    figures = {key: value for key, value in changes.items() if key != "cheap"}
    one = comparison(
        **figures | {"smallest_detectable": least} | ({"p_corrected": 1.0} if cheap else {})
    )
    change = ship(comparison=one, **(options if cheap else {})).change
    assert (f"from {least:.4f} on" in change, "too few to show any gain" in change) == (
        possible,
        not possible,
    )
    beyond = ship(comparison=replace(one, baseline=3.0), **(options if cheap else {})).change
    assert "too few" not in beyond


ENDS = st.floats(-0.2, 0.2)


@given(ENDS, ENDS, st.floats(0, 1), st.floats(0, 0.1), st.booleans(), st.booleans())
def test_the_rules_come_in_their_order(one, other, p, detectable, holed, cheap):
    low, high = sorted((one, other))
    middle = (low + high) / 2
    case = comparison(
        difference=middle,
        ci=(low, high),
        p_corrected=p,
        smallest_detectable=detectable,
        holes=(low, high) if holed else None,
    )
    verdict = ship(comparison=case, cheaper=LESS if cheap else (), ship_if="noninferior")
    gained = p < 0.05 and middle > 0 and (not holed or low > 0)
    as_good = cheap and low > -0.01
    if high < 0:
        expected = "dont_ship"
    elif gained or as_good:
        expected = "ship"
    elif p < 0.05 and middle > 0:
        expected = "hold"  # only judging helps
    else:
        expected = "needs_queries" if detectable > 0.01 else "hold"
    assert verdict.outcome == expected
    assert verdict.change.endswith(".")
    assert verdict.reason.endswith(".")
    assert ship(comparison=case, broken=[SLOW]).outcome == "dont_ship"


@pytest.mark.parametrize(
    ("figures", "candidates", "said"),
    [
        ({"p": 0.02, "p_corrected": 0.06}, 3, "A gain is not shown after correction for 3 cand"),
        ({"p": 0.06, "p_corrected": 0.18}, 3, "the randomisation test does not reject"),
        ({"p": 0.06, "p_corrected": 0.06}, 1, "A gain is not shown: its 95 % interval lies above"),
    ],
)
def test_an_interval_above_0_without_a_verdict_says_what_is_missing(figures, candidates, said):
    case = comparison(**BETTER | figures)
    verdict = ship(comparison=case, candidates=candidates)
    assert verdict.outcome == "needs_queries"
    assert said in verdict.reason
    assert "No difference" not in verdict.reason


def test_a_loss_names_the_interval_that_refuses_it():
    shown = ship(comparison=comparison(**WORSE)).reason
    assert shown.startswith("It is worse, its 95 % interval lies below 0: ndcg@10 -0.0300")
    unsure = ship(comparison=comparison(**WORSE | {"p_corrected": 0.13})).reason
    assert "lies below 0 (for a loss that is enough, whatever the corrected p): " in unsure


def test_a_loss_by_p_alone_is_not_called_no_difference():
    likely = comparison(ci=(-0.05, 0.001), difference=-0.02, p_corrected=0.04)
    reason = ship(comparison=likely).reason
    assert reason.startswith("A loss is likely, but its 95 % interval reaches 0: ndcg@10 -0.0200")


def test_the_queries_for_the_gain_that_is_seen_stand_before_those_for_the_margin():
    large = comparison(baseline=0.4, difference=0.34, ci=(-0.1, 0.8), smallest_detectable=0.57)
    verdict = ship(comparison=large, margin=0.01, queries_needed=11_805, to_show=14)
    assert verdict.queries_needed == 11_805  # the headline is the margin's
    assert verdict.queries_to_show == 14
    assert verdict.change == (
        "14 more queries would show a gain as large as the one seen. 11,805 more queries of this "
        "spread would find a difference of 0.0100, the margin; these find one from 0.5700 on."
    )
    small = ship(comparison=comparison(difference=0.0044), queries_needed=13, to_show=90)
    said = "The gain seen is less than the margin; 90 more queries would show it. 13 more queries"
    assert small.change.startswith(said)
    loss = comparison(difference=-0.01, ci=(-0.03, 0.01))
    assert "seen" not in ship(comparison=loss, queries_needed=13, to_show=90).change


def test_a_gain_of_every_query_alike_waits_for_queries_and_not_for_a_gain():
    # Five queries that all gain 1: no spread, but 2^-4 is the smallest p that flips can give.
    alike = comparison(
        queries=5, difference=1.0, ci=(1.0, 1.0), p=0.0625, p_corrected=0.0625, wins=5, losses=0
    )
    alike = replace(alike, smallest_detectable=0.0)
    verdict = ship(comparison=alike, to_show=1)
    assert verdict.outcome == "hold"
    assert verdict.change == "1 more query would show a gain as large as the one seen."
