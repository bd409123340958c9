import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks.measuring import measure, stage

from assay.benchmarks.runs.measure import Measurements, latency, measurements_of
from assay.benchmarks.work.tapes import pack_answer
from assay.errors import InputError
from assay.records import Query, RecordedAnswer

QUERIES = [Query("q1", "one"), Query("q2", "two"), Query("q3", "three")]
ANSWERS = {"one": [("a", 2.0), ("b", 1.0)], "two": [], "three": [("c", 1.0)]}


def test_each_query_counts_by_the_median_of_its_times(stand_in, clock):
    # Nine searches after the warm-up: q1 takes 1, 9, 2 ms, q2 20, 20, 20, and q3 3, 4, 500.
    times = [1, 20, 3, 9, 20, 4, 2, 20, 500]
    built = stand_in({}, answers=ANSWERS, clock=clock, takes_ms=lambda at: times[at - 1])

    measured = measure(built, QUERIES, warm_up=0, clock=clock)

    assert measured.milliseconds.tolist() == [2, 20, 4]
    assert measured.stages["lexical"].tolist() == [0.5, 5, 1]
    assert list(measured.stages) == ["lexical", "cut"]
    figures = latency(measured)
    assert figures["mean"] == pytest.approx(26 / 3)
    assert figures["p50"] == 4
    assert figures["p95"] == pytest.approx(4 + 0.9 * 16)  # place 1.9 of 0, 1, 2
    assert figures["p99"] == pytest.approx(4 + 0.98 * 16)
    assert figures["stages"]["cut"]["p50"] == 2
    assert (figures["samples"], figures["repeats"]) == (3, 3)
    assert "3 samples" in figures["note"]


def test_a_query_is_asked_again_only_after_all_others(stand_in, clock):
    built = stand_in({}, answers=ANSWERS, clock=clock)
    measure(built, QUERIES, warm_up=2, repeats=2, clock=clock)
    asked = [text for text, _ in built.asked]
    assert asked == ["one", "two", "one", "two", "three", "one", "two", "three"]


def test_the_warm_up_is_not_measured(stand_in, clock):
    built = stand_in({}, answers=ANSWERS, clock=clock, takes_ms=lambda at: 1000 if at < 4 else 1)
    assert latency(measure(built, QUERIES, clock=clock))["p99"] == 1


def test_answers_are_kept_as_they_came_even_empty_ones(stand_in, clock):
    measured = measure(stand_in({}, answers=ANSWERS, clock=clock), QUERIES, clock=clock)
    assert [names for names, _ in measured.found.values()] == [["a", "b"], [], ["c"]]
    assert measured.failed == {}
    assert measured.notes == ()


@pytest.mark.parametrize(
    "wrong",
    [
        RuntimeError("the index is gone"),
        InputError("no such model", hint="install it"),
        [("a", 1.0), ("b", 2.0)],
        [("a", float("nan"))],
        [("a", 1.0), ("a", 1.0)],
    ],
    ids=["error", "refusal", "rising", "nan", "twice"],
)
def test_a_query_that_fails_is_an_error_and_its_time_no_latency(stand_in, clock, snapshot, wrong):
    times = {"one": 1, "two": 900, "three": 3}
    built = stand_in({}, answers=ANSWERS | {"two": wrong}, clock=clock)
    built.takes_ms = lambda at: times[built.asked[at - 1][0]]

    measured = measure(built, QUERIES, clock=clock)

    assert list(measured.failed) == ["q2"]
    snapshot(measured.failed["q2"])
    assert list(measured.found) == ["q1", "q3"]
    assert latency(measured)["samples"] == 2
    assert latency(measured)["p99"] < 4


def test_a_query_that_fails_once_in_a_while_has_failed(stand_in, clock):
    built = stand_in({}, answers=ANSWERS, clock=clock)

    def sometimes(at):
        if at == 5:  # the second time that the second query is asked
            raise TimeoutError
        return 1

    built.takes_ms = sometimes
    measured = measure(built, QUERIES, warm_up=0, clock=clock)
    assert measured.failed == {"q2": "TimeoutError: "}
    assert list(measured.found) == ["q1", "q3"]


def test_all_failed_leaves_no_latency(stand_in, clock):
    built = stand_in({}, answers=dict.fromkeys(ANSWERS, ValueError("x")), clock=clock)
    measured = measure(built, QUERIES, clock=clock)
    assert len(measured.failed) == 3
    assert latency(measured) == {}


def test_an_interrupt_is_no_failure_of_a_query(stand_in, clock):
    built = stand_in({}, clock=clock)

    def stop(_):
        raise KeyboardInterrupt

    built.takes_ms = stop
    with pytest.raises(KeyboardInterrupt):
        measure(built, QUERIES, clock=clock)


def test_a_search_that_answers_differently_each_time_is_told(stand_in, clock, snapshot):
    built = stand_in({}, answers=ANSWERS, clock=clock)

    def change(at):
        built.answers["one"] = [("a", float(at))]
        return 1

    built.takes_ms = change
    measured = measure(built, QUERIES, clock=clock)
    snapshot(measured.notes)


def test_documents_that_do_not_count_are_left_out(stand_in, clock):
    built = stand_in({}, answers=ANSWERS, clock=clock)
    asked = [Query("q1", "one", extra={"exclude": ["a"]}), Query("q2", "one", extra={"exclude": 5})]
    measured = measure(built, asked, clock=clock)
    assert [names for names, _ in measured.found.values()] == [["b"], ["a", "b"]]


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=300))
def test_percentiles_agree_with_numpy(times):
    values = np.array(times)
    found = {str(at): ([], np.empty(0)) for at in range(len(values))}
    figures = latency(Measurements(found, values, {}, timed=tuple(found)))
    for name, share in (("p50", 50), ("p95", 95), ("p99", 99)):
        assert figures[name] == pytest.approx(np.percentile(values, share), abs=1e-9)
    assert ("note" in figures) == (len(times) < 100)
    low, high = figures["intervals"].pop("mean")
    assert (low is None) == (high is None) == (len(times) == 1)
    assert low is None or low <= figures["mean"] + 1e-6 <= high + 2e-6
    for name, (low, high) in figures["intervals"].items():
        assert low is None or low <= figures[name] + 1e-9 or name == "p99"
        known = [end for end in (low, high) if end is not None]
        assert known == sorted(known)
        assert set(known) <= set(times)


@pytest.mark.parametrize("count", [1, 5, 10, 30])
def test_an_end_that_so_few_queries_cannot_have_is_null(count):
    found = {str(at): ([], np.empty(0)) for at in range(count)}
    ends = latency(Measurements(found, np.arange(1.0, count + 1), {}, timed=tuple(found)))[
        "intervals"
    ]
    assert ends["p95"][1] is ends["p99"][1] is None
    assert (ends["p50"] == [None, None]) == (count < 6)


class Waiting:
    """No engine: each search fails first, as its clock tells, and then answers in 5 ms."""

    timed, concurrency = True, 1

    def __init__(self, clock, waits):
        self.clock, self.waits = clock, iter(waits)

    def found(self, query, *, exclude=()):
        waited = next(self.waits)
        self.clock.now += int((waited + 5) * 1e6)
        return ["a"], np.array([1.0]), {"search": 5.0, "waits": waited}


def test_failed_attempts_and_their_waits_are_no_latency(clock, snapshot):
    built = Waiting(clock, [0, 900, 0, 0, 40, 0, 0, 0, 0])
    measured = measure(built, QUERIES, warm_up=0, clock=clock)
    assert measured.milliseconds.tolist() == [5, 5, 5]
    assert list(measured.stages) == ["search"]
    snapshot(measured.notes)


def test_recorded_answers_are_asked_once_and_have_no_latency(stand_in, clock):
    built = stand_in({}, answers=ANSWERS, clock=clock)
    built.timed = False
    measured = measure(built, QUERIES, clock=clock)
    assert len(built.asked) == 3
    assert latency(measured) == {}
    assert list(measured.found) == ["q1", "q2", "q3"]


def test_several_queries_are_asked_at_once(stand_in):
    """Each answer waits for two others: one at a time would never end."""
    together = threading.Barrier(3, timeout=60)

    class Together:
        timed, concurrency = True, 3

        def found(self, query, *, exclude=()):
            together.wait()
            return [query.text], np.array([1.0]), {"search": 1.0}

    measured = measure(Together(), QUERIES, warm_up=0, repeats=2)
    assert {key: names for key, (names, _) in measured.found.items()} == {
        "q1": ["one"],
        "q2": ["two"],
        "q3": ["three"],
    }
    figures = latency(measured)
    assert figures["concurrency"] == 3
    assert figures["queries_per_second"] > 0
    assert measured.failed == {}
    (note,) = measured.notes
    assert " 3 " in note


def test_a_query_that_failed_is_not_asked_again(stand_in, clock):
    built = stand_in({}, answers=ANSWERS | {"two": ValueError("down")}, clock=clock)
    measured = measure(built, QUERIES, warm_up=0, repeats=3, clock=clock)
    asked = [text for text, *_ in built.asked]
    assert asked == ["one", "two", "three", "one", "three", "one", "three"]
    assert measured.failed == {"q2": "ValueError: down"}


@pytest.mark.parametrize("at_once", [1, 2])
def test_where_the_first_five_fail_alike_no_more_are_asked(stand_in, clock, snapshot, at_once):
    many = [Query(f"q{at:02}", str(at)) for at in range(40)]
    answers = {str(at): InputError(f"it answers 500: {at}") for at in range(40)}
    slow = (lambda _: time.sleep(0.02) or 1.0) if at_once > 1 else 1.0
    built = stand_in({}, answers=answers, clock=clock, takes_ms=slow)
    built.concurrency = at_once
    measured = measure(built, many, clock=clock)
    assert 6 <= len(built.asked) <= 6 + 10 * (at_once - 1)  # one to warm up, and those under way
    assert measured.found == {}
    assert list(measured.failed) == [query.key for query in many]
    assert any("500" in why for why in measured.failed.values())
    snapshot([measured.failed["q39"], *measured.notes])


@pytest.mark.parametrize("case", ["one answers", "another kind", "later"])
def test_other_failures_are_asked_to_the_end(stand_in, clock, case):
    many = [Query(f"q{at:02}", str(at)) for at in range(12)]
    answers = {str(at): InputError(f"it answers 500: {at}") for at in range(12)}
    answers |= {"one answers": {"4": []}, "another kind": {"4": ValueError()}, "later": {"0": []}}[
        case
    ]
    built = stand_in({}, answers=answers, clock=clock)
    measured = measure(built, many, warm_up=0, repeats=1, clock=clock)
    assert len(built.asked) == 12
    assert len(measured.failed) == (12 if case == "another kind" else 11)


def test_what_a_search_raises_cannot_command_the_terminal(stand_in, clock):
    raised = [ValueError("\x1b[2Jgone"), InputError("\x1b]0;owned\x07")]
    answers = ANSWERS | {"one": raised[0], "two": raised[1]}
    measured = measure(stand_in({}, answers=answers, clock=clock), QUERIES, clock=clock)
    assert len(measured.failed) == 2
    assert all(why.isprintable() for why in measured.failed.values())


INTERRUPTED = """
import os, threading
from assay.records import Query
from tests.benchmarks.measuring import measure, stage

class Slow:
    timed, concurrency = True, 4
    def found(self, query, *, exclude=()):
        os.write(1, b"asked\\n")  # whole, whoever else writes
        threading.Event().wait(60)

try:
    measure(Slow(), [Query(key=str(at), text="x") for at in range(20)], warm_up=0)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_an_interrupt_waits_for_no_answer():
    ordinary = partial(signal.signal, signal.SIGINT, signal.default_int_handler)
    command = [sys.executable, "-c", INTERRUPTED]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=ordinary) as run:
        try:
            assert [run.stdout.readline() for _ in range(4)] == ["asked\n"] * 4
            start = time.perf_counter()
            run.send_signal(signal.SIGINT)
            rest, _ = run.communicate(timeout=90)
            assert time.perf_counter() - start < 50  # an answer takes 60 s
        finally:
            run.kill()
    assert rest == "interrupted\n"
    assert run.returncode == 0


def test_what_a_whole_search_takes_longer_than_its_stages_is_a_part_of_its_own(snapshot):
    """By hand: stages take 3, 4 and 5 ms; whole searches of the first two 5 and 7."""
    answer = pack_answer(["a"], np.array([1.0]))

    def tape(times, name, value=answer, rounds=2):
        rows = [
            RecordedAnswer(key, number, None if number else value, {name: time, "total": time})
            for key, time in times.items()
            for number in range(rounds)
        ]
        return stage(rows)

    one, two = (
        tape({"q1": 1, "q2": 1, "q3": 1}, "lexical"),
        tape({"q1": 2, "q2": 3, "q3": 4}, "cut"),
    )
    whole = tape({"q1": 5, "q2": 7}, "lexical", rounds=3)
    measured = measurements_of(QUERIES, [one, two], whole=whole.found)
    assert measured.milliseconds.tolist() == [5.5, 6.5, 7.5]  # 2.5: the middle of 2 and 3
    assert measured.stages["between"].tolist() == [2.5] * 3
    assert measured.repeats == 2
    assert measured.notes == ()
    assert measurements_of(QUERIES, [one, two], whole=tape({"q1": 1}, "x").found).stages.keys() == {
        "lexical",
        "cut",
    }
    other = tape({"q1": 5}, "lexical", value=pack_answer(["b"], np.array([1.0])))
    snapshot(measurements_of(QUERIES, [one, two], whole=other.found).notes)


def test_cpu_time_is_no_stage_and_tells_how_many_cores_a_search_keeps_busy():
    value = pack_answer(["d"], np.array([1.0]))
    rows = [RecordedAnswer("q", 0, value, {"lexical": 4.0, "cpu": 6.0, "total": 4.0})]
    measured = measurements_of([Query("q", "text")], [stage(rows)])

    assert measured.cores == 1.5
    assert latency(measured)["cpu"] == {"mean": 6.0, "cores": 1.5}
    assert set(latency(measured)["stages"]) == {"lexical"}


@pytest.mark.parametrize(
    ("cpu", "together", "busy"),
    [(3.9, False, True), (4.0, False, False), (5.0, True, True), (None, False, False)],
)
def test_times_are_those_of_a_busy_machine_where_searches_had_to_wait(cpu, together, busy):
    value, times = pack_answer(["d"], np.array([1.0])), {"lexical": 5.0, "total": 5.0}
    rows = [RecordedAnswer("q", 0, value, times | ({} if cpu is None else {"cpu": cpu}))]
    measured = measurements_of([Query("q", "text")], [stage(rows)])
    assert latency(replace(measured, together=together))["busy"] is busy
    asked_elsewhere = latency(replace(measured, together=together), elsewhere=True)
    assert asked_elsewhere["busy"] is together  # it waits for a server


@pytest.mark.parametrize(("cpu", "busy"), [((2.0, 4.0), False), ((2.0, 1.9), True)])
def test_stages_that_had_to_wait_make_times_busy_though_whole_searches_did_not(cpu, busy):
    """Stages of 1 and 4 ms; the second core that the first keeps busy makes up for no wait."""
    value = pack_answer(["d"], np.array([1.0]))
    stages = [
        stage([RecordedAnswer("q", 0, value, {"total": took, "cpu": worked})])
        for took, worked in zip((1.0, 4.0), cpu, strict=True)
    ]
    whole = stage([RecordedAnswer("q", 0, value, {"total": 5.0, "cpu": 5.0})]).found
    told = latency(measurements_of([Query("q", "text")], stages, whole=whole))
    assert told["cpu"]["cores"] == 1.0
    assert told["busy"] is busy


def test_where_cpu_time_was_not_taken_none_is_told():
    value = pack_answer(["d"], np.array([1.0]))
    rows = [RecordedAnswer("q", 0, value, {"lexical": 4.0, "total": 4.0})]

    assert "cpu" not in latency(measurements_of([Query("q", "text")], [stage(rows)]))
