"""What decides beside the figures reaches the verdict; equal runs never ship."""

import numpy as np
import pytest

from assay.benchmarks.comparisons.compare_runs import compare_runs
from assay.metrics import parse_all
from assay.records import BrokenLimit, Judgments, Rankings, encode

QUERIES = tuple(f"q{at}" for at in range(40))
PLACES = ("d0", "d1", "d2", "d3")


def judgments(known=PLACES):
    grades = np.tile([3 if name == "d0" else 0 for name in known], len(QUERIES))
    ends = np.arange(len(QUERIES) + 1) * len(known)
    return Judgments(QUERIES, ends, encode(known * len(QUERIES)), grades, 3)


def ranked(name, ranks):
    """Put the relevant document at the given rank of each query, 1 to 4."""
    rows = [[d for d in PLACES if d != "d0"] for _ in ranks]
    for row, rank in zip(rows, ranks, strict=True):
        row.insert(rank - 1, "d0")
    ends = np.arange(len(QUERIES) + 1) * len(PLACES)
    flat = encode(document for row in rows for document in row)
    return Rankings(name, QUERIES, ends, flat, np.tile([4.0, 3, 2, 1], len(QUERIES)), "order")


BASE = ranked("base", [2] * 40)
BETTER = ranked("better", [1, 2] * 20)
WORSE = ranked("worse", [3, 2] * 20)
SAME = ranked("same", [2] * 40)
NEAR = ranked("near", [3, 1, 1, 3, *[2] * 36])


def verdicts(*runs, known=PLACES, **options):
    found = compare_runs(judgments(known), runs, parse_all("mrr"), ties="order", **options)
    return {one.run: one.verdict for one in found.candidates}


def test_by_hand(snapshot):
    told = verdicts(BASE, BETTER, WORSE, SAME)
    assert {name: one.outcome for name, one in told.items()} == {
        "better": "ship",
        "worse": "dont_ship",
        "same": "hold",
    }
    assert [one.rule for one in told.values()] == ["better", "worse", "no_gain"]
    assert '"base"' in told["same"].reason
    assert "7.2%" in told["same"].change
    snapshot(line for one in told.values() for line in (one.reason, one.change))


@pytest.mark.parametrize("count", [1, 4, 15])
def test_identical_runs_never_ship(count):
    told = verdicts(BASE, *(ranked(f"c{at}", [2] * 40) for at in range(count)))
    assert {one.outcome for one in told.values()} == {"hold"}


def test_what_is_broken_is_not_shipped_and_says_what_would_keep_it():
    lost = BrokenLimit("it is slow", "a p95 of at most 5 ms")
    told = verdicts(BASE, BETTER, SAME, broken={"better": [lost]})
    assert (told["better"].outcome, told["same"].outcome) == ("dont_ship", "hold")
    assert lost.keep in told["better"].change


def test_noninferior_and_cheaper_ships_on_request_only():
    cheap = {"same": ["less"], "worse": ["less"]}
    assert verdicts(BASE, SAME, cheaper=cheap)["same"].outcome == "hold"
    told = verdicts(BASE, SAME, WORSE, NEAR, cheaper=cheap, ship_if="noninferior")
    assert {name: one.outcome for name, one in told.items()} == {
        "same": "ship",
        "worse": "dont_ship",
        "near": "hold",  # nothing says that it is cheaper
    }


def test_noninferiority_is_corrected_for_the_number_of_candidates():
    # Alone its one-sided p is just below .05; beside others that is no evidence.
    options = {"ship_if": "noninferior", "cheaper": {"near": ["less"]}, "margin": 0.044}
    alone = verdicts(BASE, NEAR, **options)["near"]
    others = [ranked(f"c{at}", [1 + (at + k) % 4 for k in range(40)]) for at in range(4)]
    beside = verdicts(BASE, NEAR, *others, **options)["near"]
    assert (alone.rule, beside.rule) == ("noninferior", "no_gain")


def test_alpha_and_margin_decide():
    few = ranked("few", [1, 1, 1, 1, 1, 3, *[2] * 34])
    assert verdicts(BASE, few, alpha=0.5)["few"].outcome == "ship"
    assert verdicts(BASE, few, alpha=0.01)["few"].outcome == "needs_queries"
    assert verdicts(BASE, few, alpha=0.01, margin=0.9)["few"].outcome == "hold"


def test_a_gain_that_judging_could_undo_names_what_to_judge():
    told = verdicts(BASE, BETTER, known=("d0", "d2", "d3"))["better"]  # d1 is unjudged
    assert told.outcome == "hold"
    assert '"d1" for "q0"' in told.change
    assert verdicts(BASE, BETTER, known=("d0",), unjudged="zero")["better"].outcome == "ship"


def test_collections_count_alike():
    # The small collection loses a little of each; the large one gains as much.
    strata = np.r_[np.zeros(32, np.int64), np.ones(8, np.int64)]
    ranks = np.r_[np.ones(32, int), np.full(8, 4)]
    mixed = ranked("mixed", ranks.tolist())
    pooled = compare_runs(judgments(), [BASE, mixed], parse_all("mrr"), ties="order")
    apart = compare_runs(judgments(), [BASE, mixed], parse_all("mrr"), ties="order", strata=strata)
    assert pooled.candidates[0].metrics["mrr"].difference == pytest.approx(
        (32 * 0.5 - 8 * 0.25) / 40
    )
    assert apart.candidates[0].metrics["mrr"].difference == pytest.approx((0.5 - 0.25) / 2)
    assert apart.observed_gain == pytest.approx(0.125)


def test_a_gain_that_the_correction_hides_says_so_and_counts_its_queries():
    some = ranked("some", [1] * 6 + [2] * 34)  # 2^-5 is below .05, and four times that is not
    others = [ranked(f"other {at}", [2] * (39 - at) + [3] + [2] * at) for at in range(3)]
    alone, hidden = verdicts(BASE, some)["some"], verdicts(BASE, some, *others)["some"]
    assert (alone.outcome, hidden.outcome) == ("ship", "needs_queries")
    assert "4 candidates" in hidden.reason
    assert "+0.075" in hidden.change
    assert f" {hidden.queries_needed} more" in hidden.change
    assert hidden.queries_needed == hidden.queries_to_show < hidden.queries_for_margin


def test_identical_rankings_are_one_candidate():
    some = ranked("some", [1] * 6 + [2] * 34)
    again = [ranked(f"again {at}", [1] * 6 + [2] * 34) for at in range(5)]
    found = compare_runs(judgments(), [BASE, SAME, some, *again], parse_all("mrr"), ties="order")
    assert found.settings["candidates"] == 1
    told = {one.run: one.verdict for one in found.candidates}
    assert {one.rule for name, one in told.items() if name != "same"} == {"better"}
    assert found.candidates[1].metrics["mrr"].p_corrected == found.candidates[1].metrics["mrr"].p
    apart = [ranked(f"again {at}", [1] * 6 + [2] * (33 - at) + [3] + [2] * at) for at in range(3)]
    more = compare_runs(judgments(), [BASE, some, *apart], parse_all("mrr"), ties="order")
    assert more.settings["candidates"] == 4


@pytest.mark.parametrize(("count", "flips"), [(1, 10_000), (12, 10_000), (15, 12_000)])
def test_flips_grow_with_the_number_of_candidates(count, flips):
    runs = [ranked(f"c{at}", [1] * (at + 1) + [2] * (39 - at)) for at in range(count)]
    found = compare_runs(judgments(), [BASE, *runs], parse_all("mrr"), ties="order")
    assert (found.settings["candidates"], found.settings["flips"]) == (count, flips)


def test_a_loss_that_judging_could_undo_waits_for_judgments_too():
    told = verdicts(BETTER, BASE, known=("d0", "d2", "d3"))["base"]  # d1 is unjudged
    assert (told.outcome, told.rule) == ("hold", "judge")
    bold = verdicts(BETTER, BASE, known=("d0", "d2", "d3"), unjudged="zero")["base"]
    assert (bold.outcome, bold.rule) == ("dont_ship", "worse")


def test_what_failed_is_corrected_for():
    some = ranked("some", [1] * 6 + [2] * 34)
    found = compare_runs(judgments(), [BASE, some], parse_all("mrr"), ties="order", failed=3)
    assert (
        found.candidates[0].metrics["mrr"].p_corrected == 4 * found.candidates[0].metrics["mrr"].p
    )
