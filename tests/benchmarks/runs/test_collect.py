"""What is on tapes becomes answers and times; what is not there is said to be missing."""

from types import SimpleNamespace

import numpy as np
import pytest
from tests.benchmarks.measuring import stage

from assay.benchmarks.runs.collect import ResultReader
from assay.benchmarks.runs.measure import UNASKED, Recorded, measurements_of
from assay.benchmarks.work.layout import Layout, Plot, Trial, _pieces
from assay.benchmarks.work.tapes import pack_answer
from assay.benchmarks.work.whole_search import seconds_of
from assay.records import Configuration, Query, RecordedAnswer, UnitState
from assay.records.run_settings import RunSettings

QUERIES = (Query("q1", "one"), Query("q2", "two"))
ANSWER = pack_answer(["a"], np.array([1.0]))


def tape(*rows):
    return stage(rows)


def row(query, number, taken, value=None, error=""):
    return RecordedAnswer(query, number, value, {"total": taken, "lexical": taken}, error)


def test_times_are_the_sums_of_the_medians_of_stages():
    # The first stage takes q1 1, 9 and 2 ms, the second 4, 4 and 40: 2 + 4.
    first = tape(row("q1", 0, 1, b""), row("q1", 1, 9), row("q1", 2, 2))
    last = tape(row("q1", 2, 40), row("q1", 0, 4, ANSWER), row("q1", 1, 4))
    measured = measurements_of(QUERIES[:1], [first, last])
    assert measured.milliseconds.tolist() == [6]
    assert measured.stages["lexical"].tolist() == [6]
    assert measured.found["q1"][0] == ["a"]
    assert measured.repeats == 3


def test_the_first_stage_that_failed_says_why():
    first = tape(row("q1", 0, 1, b""), row("q2", 0, 1, error="too long"))
    last = tape(row("q1", 0, 1, ANSWER), row("q2", 0, 1, error="later"))
    measured = measurements_of(QUERIES, [first, last])
    assert measured.failed == {"q2": "too long"}
    assert [*measured.found] == ["q1"]


def test_a_query_that_is_on_no_tape_was_not_asked():
    measured = measurements_of(QUERIES, [tape(row("q1", 0, 1, ANSWER))])
    assert measured.failed == {"q2": UNASKED}


@pytest.mark.parametrize(
    "states",
    [
        [],
        [UnitState("s", "pending")],
        [UnitState("s", "running")],
        [UnitState("s", "failed", error="no\n  hint: do")],
    ],
    ids=["none", "pending", "running", "failed"],
)
def test_what_was_not_finished_is_told_for_each_query(snapshot, states):
    collection = SimpleNamespace(queries=QUERIES, name="", asked="asked")
    trial = Trial(Configuration(name="c"), collection, search="s")
    plot = Plot(RunSettings(untimed=True))
    (piece,) = _pieces(trial, plot)
    layout = Layout(plot, [trial.chosen], [collection], [trial], {("s", "asked"): piece})
    known = dict.fromkeys([piece.found.key], states[0]) if states else {}
    ledger = SimpleNamespace(states=lambda _id: known)
    found = ResultReader(layout, SimpleNamespace(ledger=ledger, benchmark="b")).collect("c")
    snapshot(found.done.error)
    assert set(found.measured.failed) == {"q1", "q2"}
    assert not found.measured.found


def test_what_was_timed_of_some_queries_is_told_of_these():
    """Where another machine found the answers, only some queries are timed here."""
    found = {query.key: [RecordedAnswer(query.key, 0, ANSWER)] for query in QUERIES}
    times = {"q2": [RecordedAnswer("q2", at, None, {"total": 3.0 + at}) for at in range(3)]}
    measured = measurements_of(QUERIES, [Recorded(found, times, elsewhere=True)])
    assert [*measured.found] == ["q1", "q2"]
    assert (measured.timed, measured.milliseconds.tolist()) == (("q2",), [4.0])
    assert measured.notes == ()
    other = {"q2": [RecordedAnswer("q2", 0, b"another", {"total": 3.0})]}
    (note,) = measurements_of(QUERIES, [Recorded(found, other, elsewhere=True)]).notes
    assert note.startswith("1 query ")
    assert note.endswith("e.g. q2")


def test_the_seconds_of_searches_at_once_are_added_up():
    rows = {
        "q1": [
            RecordedAnswer("q1", 0, ANSWER, {"total": 3000.0, "waits": 1000.0}),
            RecordedAnswer("q1", 1, None, {"total": 2000.0}),
        ]
    }
    assert seconds_of(rows, 2) == 3.0  # (3 + 1 + 2) s, two at a time
