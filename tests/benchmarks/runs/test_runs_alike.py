import numpy as np
import pytest

from assay.benchmarks.runs.notes import equal_runs, remembered, tied_runs
from assay.records import Rankings
from assay.records.names import encode


def rankings(name, answers, tied=0, times=1.0):
    documents = [one for found in answers.values() for one in found]
    offsets = np.cumsum([0, *map(len, answers.values())])
    scores = np.arange(len(documents), 0, -1) * times
    return Rankings(name, tuple(answers), offsets, encode(documents), scores, "order", tied)


SAME = {"q1": ["a", "b"], "q2": ["é"]}


def test_runs_that_answer_alike_are_told_once(snapshot):
    runs = [
        rankings("both", SAME),
        rankings("words", SAME | {"q2": ["e"]}),
        rankings("chunks 128", SAME, times=7.0),
        rankings("chunks 384", SAME),
    ]
    (once,) = equal_runs(runs)
    assert [*equal_runs(runs[:2])] == []
    two = [*equal_runs([*runs, rankings("more words", SAME | {"q2": ["e"]})])]
    assert two[0] == once
    assert ['"words"' in said for said in two] == ['"more words"' in said for said in two]
    snapshot(two)


@pytest.mark.parametrize(
    "other",
    [
        {"q1": ["b", "a"], "q2": ["é"]},
        {"q1": ["a"], "q2": ["b", "é"]},
        {"q1": ["a", "b"], "q3": ["é"]},
        {"q1": ["a", "b"], "q2": ["é", "c"]},
        {"q1": ["a", "b"]},
    ],
)
def test_another_order_cut_query_or_depth_is_not_alike(other):
    assert [*equal_runs([rankings("one", SAME), rankings("two", other)])] == []


def test_silence_is_no_answer_to_be_alike_in():
    silent = {"q1": [], "q2": []}
    assert [*equal_runs([rankings("one", silent), rankings("two", silent)])] == []
    assert [*equal_runs([])] == []


def test_many_twins_are_counted():
    (said,) = equal_runs([rankings(f"run {at}", SAME) for at in range(9)])
    assert [at for at in range(9) if f'"run {at}"' in said] == [0, 1, 2, 3, 4]
    assert "4 more" in said


def test_ties_of_all_runs_are_one_note(snapshot):
    runs = [rankings(f"run {at}", SAME, tied=at * 1000) for at in range(6)]
    (many,) = tied_runs(runs)
    (one,) = tied_runs(runs[:2])
    assert [*tied_runs(runs[:1])] == []
    snapshot([many, one])


def test_remembered_vectors_are_counted_of_all_and_few_runs_are_named(snapshot):
    one = {"chunks": 355, "remembered_vectors": 8, "remembered_seconds": 0.42}
    none = {"chunks": 355, "remembered_vectors": 0, "remembered_seconds": 0.0}
    (said,) = remembered({"words": none, "both 256": one})
    untimed = {f"run {at}": one | {"seconds_complete": False} for at in range(15)}
    told = [*remembered(untimed)]
    assert len(told) == 2
    assert all("12 more" in each and "run 3" not in each for each in told)
    assert [*remembered({"words": none, "elsewhere": {}})] == []
    snapshot([said, *told, *remembered({"x": {"remembered_seconds": 2.0}})])
