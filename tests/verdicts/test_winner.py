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


def test_by_hand(snapshot):
    told = winner(comparisons(), RUNS, pick="dense")
    snapshot(told.pop("sentence"))
    assert told == {
        "best": "hybrid",
        "best_set": ["hybrid", "dense"],
        "observed_gain": 0.1,
        "corrected_gain": 0.08,
        "pick": "dense",
    }


@pytest.mark.parametrize(
    ("changes", "best", "figure"),
    [
        ({"best_set": ("hybrid",)}, "hybrid", "+0.080"),
        ({"left": None}, "hybrid", "+0.100"),
        ({"left": -0.01}, "hybrid", "(0.000 after"),
        ({"left": 0.1}, "hybrid", "+0.100"),
        ({"refused": ("dense",)}, "hybrid", "+0.080"),
        ({"gain": -0.02, "best": "dense", "best_set": ("words", "dense")}, "words", "(-0.020)"),
        ({"gain": 0.0, "best_set": ("words",)}, "words", '"hybrid"'),
    ],
)
def test_in_words(snapshot, changes, best, figure):
    told = winner(comparisons(**changes), RUNS)
    assert told["best"] == best
    assert figure in told["sentence"]
    snapshot(told["sentence"])


def test_nothing_is_claimed_of_runs_that_a_race_stopped(snapshot):
    raced = replace(comparisons(best_set=("hybrid",)), settings={"stopped": 1})
    stopped = Run("best", "best", {}, scores={"mrr": 0.9}, latency_ms={"p50": 1}, status="beaten")
    told = winner(raced, [*RUNS, stopped])
    none = winner(replace(raced, observed_gain=-0.1), [*RUNS, stopped])
    assert told["best"] == "hybrid"
    snapshot([told["sentence"], none["sentence"]])


def test_at_most_five_names_are_told():
    names = [f"run {at}" for at in range(8)]
    told = winner(comparisons(best_set=("hybrid", *names)), RUNS)["sentence"]
    assert [name for name in names if f'"{name}"' in told] == names[:5]
    assert "3 more" in told
