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


def test_runs_that_answer_alike_are_told_once():
    runs = [
        rankings("both", SAME),
        rankings("words", SAME | {"q2": ["e"]}),
        rankings("chunks 128", SAME, times=7.0),
        rankings("chunks 384", SAME),
    ]
    assert [*equal_runs(runs)] == [
        '"both", "chunks 128" and "chunks 384" answer alike: the same documents in the same order '
        "for every query, so that they score the same"
    ]
    assert [*equal_runs(runs[:2])] == []
    two = [*runs, rankings("more words", SAME | {"q2": ["e"]})]
    assert [said.partition(" answer")[0] for said in equal_runs(two)] == [
        '"both", "chunks 128" and "chunks 384"',
        '"words" and "more words"',
    ]


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
    assert said.startswith('"run 0", "run 1", "run 2", "run 3", "run 4" and 4 more answer alike')


def test_ties_of_all_runs_are_one_note():
    runs = [rankings(f"run {at}", SAME, tied=at * 1000) for at in range(6)]
    assert [*tied_runs(runs)] == [
        "ties keep the order of the search; score saved runs with --ties order: "
        '"run 1" 1,000, "run 2" 2,000, "run 3" 3,000 and 2 more'
    ]
    assert [*tied_runs(runs[:2])] == [
        '"run 1": 1,000 ties keep the order of the search; score its saved run with --ties order'
    ]
    assert [*tied_runs(runs[:1])] == []


def test_remembered_vectors_are_counted_of_all_and_few_runs_are_named():
    one = {"chunks": 355, "remembered_vectors": 8, "remembered_seconds": 0.42}
    none = {"chunks": 355, "remembered_vectors": 0, "remembered_seconds": 0.0}
    assert [*remembered({"words": none, "both 256": one})] == [
        "vectors were remembered, and count with the time that they took then: "
        '"both 256" (8 of 355, 0.4 s)'
    ]
    untimed = {f"run {at}": one | {"seconds_complete": False} for at in range(15)}
    told = [*remembered(untimed)]
    assert len(told) == 2
    assert all(said.endswith("and 12 more") and "run 3" not in said for said in told)
    assert [*remembered({"words": none, "elsewhere": {}})] == []
    assert '"x" (2.0 s)' in next(remembered({"x": {"remembered_seconds": 2.0}}))
