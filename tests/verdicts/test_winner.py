from dataclasses import replace

import pytest

from assay.records import Candidate, Comparisons, Run, Verdict
from assay.verdicts.winner import winner

RUNS = [
    Run(name, name, {}, scores={"mrr": score}, latency_ms={"p50": p50})
    for name, score, p50 in (("words", 0.5, 5.0), ("hybrid", 0.6, 50.0), ("dense", 0.58, 20.0))
]


def comparisons(best="hybrid", best_set=("hybrid", "dense"), gain=0.1, left=0.08, refused=()):
    outcomes = {name: "dont_ship" if name in refused else "ship" for name in ("hybrid", "dense")}
    candidates = [Candidate(name, {}, Verdict(o, ""), {}, ()) for name, o in outcomes.items()]
    return Comparisons(
        "words", "mrr", 30, tuple(candidates), (), tuple(best_set), best, gain, left, ()
    )


def test_by_hand():
    assert winner(comparisons(), RUNS) == {
        "best": "hybrid",
        "best_set": ["hybrid", "dense"],
        "observed_gain": 0.1,
        "corrected_gain": 0.08,
        "pick": "dense",
        "sentence": (
            '"hybrid" scores best, +0.1000 mrr over "words", of which +0.0800 is left without the '
            'luck of being the best. "dense" cannot be told from "hybrid"; "dense" is the cheapest '
            "of these."
        ),
    }


@pytest.mark.parametrize(
    ("changes", "best", "pick", "said"),
    [
        ({"best_set": ("hybrid",)}, "hybrid", "hybrid", '"hybrid" is told from all others.'),
        ({"left": None}, "hybrid", "dense", "what of it is luck is not known."),
        ({"left": -0.01}, "hybrid", "dense", "; nothing of it is left without the luck of being"),
        (
            {"left": 0.1},
            "hybrid",
            "dense",
            '"hybrid" scores best, +0.1000 mrr over "words". "dense"',
        ),
        (
            {"refused": ("dense",)},
            "hybrid",
            "hybrid",
            '"dense" is refused; none that is not refused is cheaper than',
        ),
        ({"refused": ("dense", "hybrid")}, "hybrid", None, '"hybrid" and "dense" are refused.'),
        (
            {"gain": -0.02, "best": "dense", "best_set": ("words", "dense")},
            "words",
            "words",
            'No candidate gains on mrr: "dense" loses least, -0.0200. "dense" cannot be told from',
        ),
        ({"gain": 0.0, "best_set": ("words",)}, "words", "words", '"hybrid" comes nearest.'),
    ],
)
def test_in_words(changes, best, pick, said):
    scores = {"words": 0.9} if best == "words" else {}
    runs = [replace(r, scores={"mrr": scores.get(r.name, r.scores["mrr"])}) for r in RUNS]
    told = winner(comparisons(**changes), runs)
    assert (told["best"], told["pick"]) == (best, pick)
    assert said in told["sentence"]


def test_nothing_is_claimed_of_runs_that_a_race_stopped():
    raced = replace(comparisons(best_set=("hybrid",)), settings={"stopped": 1})
    stopped = Run("best", "best", {}, scores={"mrr": 0.9}, latency_ms={"p50": 1}, status="beaten")
    told = winner(raced, [*RUNS, stopped])
    assert told["pick"] == "hybrid"
    assert told["sentence"].startswith(
        '"hybrid" scores best of those that were not stopped, +0.1000'
    )
    assert told["sentence"].endswith('"hybrid" is told from all others that were not stopped.')
    none = winner(replace(raced, observed_gain=-0.1), [*RUNS, stopped])["sentence"]
    assert none.startswith("No candidate that was not stopped gains on mrr")


def test_a_baseline_that_breaks_a_budget_is_no_pick():
    broken = replace(RUNS[0], budgets={"errors": {"state": "broken"}})
    compared = comparisons(best_set=("words", "hybrid", "dense"))
    assert winner(compared, RUNS)["pick"] == "words"
    assert winner(compared, [broken, *RUNS[1:]])["pick"] == "dense"


def test_at_most_five_names_are_told_and_none_may_ship_that_waits():
    names = [f"run {at}" for at in range(8)]
    told = winner(comparisons(best_set=("hybrid", *names)), RUNS)["sentence"]
    assert (
        '"run 0", "run 1", "run 2", "run 3", "run 4" and 3 more cannot be told from "hybrid"'
        in told
    )
    assert "may ship" not in told


def test_what_is_left_without_a_cost_is_not_picked():
    runs = [replace(one, latency_ms={}) for one in RUNS]
    told = winner(comparisons(refused=("dense",)), runs)
    assert told["pick"] is None
    assert told["sentence"].endswith('"dense" is refused; what is left has no known cost.')
