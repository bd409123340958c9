"""What is on tapes becomes answers and times; what is not there is said to be missing."""

from types import SimpleNamespace

import numpy as np
import pytest

from assay.benchmarks.runs.collect import collect
from assay.benchmarks.runs.measure import measurements_of
from assay.benchmarks.work.execute import Trial
from assay.benchmarks.work.tapes import by_query, pack_answer
from assay.benchmarks.work.whole_search import facts_of
from assay.records import Configuration, Judgment, Query, RecordedAnswer, Reference, UnitState
from assay.records.run_settings import RunSettings

QUERIES = (Query("q1", "one"), Query("q2", "two"))
ANSWER = pack_answer(["a"], np.array([1.0]))


def tape(*rows):
    return by_query(rows)


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
    assert measured.failed == {"q2": "not asked"}


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
    collection = SimpleNamespace(queries=QUERIES, name="")
    trial = Trial(Configuration(name="c"), collection, search="s")
    work = SimpleNamespace(
        of=lambda _run: [trial],
        benchmark="b",
        settings=RunSettings(parallel=2),
        ledger=SimpleNamespace(states=lambda _id: {one.key: one for one in states}),
    )
    found = collect(work, "c")
    snapshot(found.done.error)
    assert set(found.measured.failed) == {"q1", "q2"}
    assert not found.measured.found
    assert found.measured.processes == 2


def test_a_search_that_was_gone_on_with_tells_the_seconds_of_all_of_it(stand_in):
    judged = Query("q1", "one", judgments=(Judgment(Reference(path="a"), 1),))
    kept = SimpleNamespace(
        rows=lambda: [
            RecordedAnswer("q1", 0, ANSWER, {"total": 3000.0, "waits": 1000.0}),
            RecordedAnswer("q1", 1, None, {"total": 2000.0}),
        ]
    )
    built = stand_in({})
    built.concurrency = 2
    whole = facts_of(built, [judged], kept, seconds=9.0, whole=True)
    rest = facts_of(built, [judged], kept, seconds=0.001, whole=False)
    assert whole["seconds"] == 9.0
    assert rest["seconds"] == 3.0  # (3 + 1 + 2) s, two at a time
