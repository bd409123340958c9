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
    assert winner(comparisons(), RUNS, pick="dense") == {
        "best": "hybrid",
        "best_set": ["hybrid", "dense"],
        "observed_gain": 0.1,
        "corrected_gain": 0.08,
        "pick": "dense",
        "sentence": (
            '"hybrid" scores best, +0.1000 mrr over "words" (+0.0800 after winner\'s-curse '
            'correction). Not significantly different from "hybrid": "dense".'
        ),
    }


@pytest.mark.parametrize(
    ("changes", "best", "said"),
    [
        (
            {"best_set": ("hybrid",)},
            "hybrid",
            'All others are significantly different from "hybrid".',
        ),
        ({"left": None}, "hybrid", "its winner's-curse correction is not known."),
        ({"left": -0.01}, "hybrid", "(+0.0000 after winner's-curse correction)"),
        ({"left": 0.1}, "hybrid", '"hybrid" scores best, +0.1000 mrr over "words". Not'),
        ({"refused": ("dense",)}, "hybrid", 'DON\'T SHIP or over a budget: "dense".'),
        (
            {"gain": -0.02, "best": "dense", "best_set": ("words", "dense")},
            "words",
            'No candidate gains on mrr: "dense" loses least, -0.0200. Not significantly',
        ),
        ({"gain": 0.0, "best_set": ("words",)}, "words", '"hybrid" comes nearest.'),
    ],
)
def test_in_words(changes, best, said):
    told = winner(comparisons(**changes), RUNS)
    assert told["best"] == best
    assert said in told["sentence"]


def test_nothing_is_claimed_of_runs_that_a_race_stopped():
    raced = replace(comparisons(best_set=("hybrid",)), settings={"stopped": 1})
    stopped = Run("best", "best", {}, scores={"mrr": 0.9}, latency_ms={"p50": 1}, status="beaten")
    told = winner(raced, [*RUNS, stopped])
    assert told["sentence"].startswith(
        '"hybrid" scores best of those that were not stopped, +0.1000'
    )
    assert told["sentence"].endswith(
        'All others that were not stopped are significantly different from "hybrid".'
    )
    none = winner(replace(raced, observed_gain=-0.1), [*RUNS, stopped])["sentence"]
    assert none.startswith("No candidate that was not stopped gains on mrr")


def test_at_most_five_names_are_told():
    names = [f"run {at}" for at in range(8)]
    told = winner(comparisons(best_set=("hybrid", *names)), RUNS)["sentence"]
    assert 'from "hybrid": "run 0", "run 1", "run 2", "run 3", "run 4" and 3 more.' in told
