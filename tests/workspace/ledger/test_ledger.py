"""The contract of the ledger, the same on SQLite and on a real PostgreSQL."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from assay.errors import CancelledError, FencedError, InputError
from assay.records.work import Claim, RecordedAnswer, StartedBenchmark, Unit, UnitState
from assay.workspace.ledger.ledger import open_ledger, worker_name

WORK = Path(__file__).with_name("ledger_work.py")
ELSEWHERE = "elsewhere-0/1/1"  # a worker of which nothing is known here


def begun(book, *, runs=("a", "b"), identity="i", resume=False):
    return book.begin(identity=identity, name="name", about={}, runs=runs, resume=resume).id


def one(book, *, total=2, needs=()):
    """A benchmark with one unit, claimed."""
    benchmark = begun(book)
    book.prepare(benchmark, [Unit("u", "stage", "lexical", needs, total)])
    return benchmark, book.claim(benchmark, "w")


def rows(*names, nth=0):
    return [RecordedAnswer(name, nth, f"answer to {name}".encode()) for name in names]


def counts(book, benchmark):
    return {key: (state.state, state.done) for key, state in book.states(benchmark).items()}


def test_by_hand(book, clock):
    """Two runs share an index; one ranks by words, the other needs the first one's ranking."""
    started = book.begin(
        identity="i", name="märchen", about={"file": "b.yaml"}, runs=["bm25", "rerank"], resume=True
    )
    assert started == StartedBenchmark(started.id, resumed=False, state="pending")
    units = [
        Unit("i1", "build", "index"),
        Unit("s1", "stage", "lexical", ("i1",), 2),
        Unit("s2", "stage", "rerank", ("i1", "s1"), 1),
    ]
    book.prepare(started.id, units, uses={"bm25": ["i1", "s1"], "rerank": ["i1", "s1", "s2"]})
    assert counts(book, started.id) == dict.fromkeys(["i1", "s1", "s2"], ("pending", 0))

    build = book.claim(started.id, "w")
    assert build == Claim(units[0], "w", 1)
    assert book.claim(started.id, "w") is None  # all else needs the index
    clock.now = 1010.0
    book.complete(build, {"seconds": 0.1 + 0.2, "documents": 3})

    stage = book.claim(started.id, "w")
    assert stage == Claim(units[1], "w", 1)
    row = RecordedAnswer("ü 1", 0, b"\x00\xff" * 500, {"lexical": 0.1 + 0.2, "total": 5e-324})
    book.record(stage, [row, RecordedAnswer("q2", error="timeout")])
    book.complete(stage)
    last = book.claim(started.id, "w")
    assert last == Claim(units[2], "w", 1)
    book.fail(last, "no memory")

    assert book.states(started.id) == {
        "i1": UnitState(
            "i1", "completed", facts={"seconds": 0.1 + 0.2, "documents": 3}, finished=1010.0
        ),
        "s1": UnitState("s1", "completed", 2, 2, finished=1010.0),
        "s2": UnitState("s2", "failed", 0, 1, error="no memory"),
    }
    assert list(book.rows("s1")) == [row, RecordedAnswer("q2", error="timeout")]
    assert book.asked("s1") == {("ü 1", 0), ("q2", 0)}
    clock.now = 1020.0
    book.finish(started.id, "completed", report=b'{"report": 1}')
    (listed,) = book.benchmarks()
    assert (listed.id, listed.name, listed.identity) == (started.id, "märchen", "i")
    assert (listed.state, listed.created, listed.finished) == ("completed", 1000.0, 1020.0)
    assert list(listed.runs.items()) == [("bm25", "completed"), ("rerank", "failed")]
    assert (listed.about, listed.reported, listed.total) == ({"file": "b.yaml"}, True, 3)
    assert book.report(started.id) == book.report(started.id[:5]) == b'{"report": 1}'


def test_units_are_claimed_in_their_order_and_by_kind(book):
    benchmark = begun(book)
    kinds = ["stage", "build", "stage", "build"]
    names = ["z", "b", "y", "a"]
    units = [Unit(name, kind, name) for name, kind in zip(names, kinds, strict=True)]
    book.prepare(benchmark, units)
    assert book.claim(benchmark, "w", kinds=["build", "study"]).unit.key == "b"
    assert [book.claim(benchmark, "w").unit.key for _ in range(3)] == ["z", "y", "a"]
    assert book.claim(benchmark, "w") is None


def test_a_unit_of_another_benchmark_is_not_claimed(book):
    first, second = begun(book), begun(book)
    book.prepare(first, [Unit("a", "build", "a")])
    book.prepare(second, [Unit("b", "build", "b")])
    assert book.claim(second, "w").unit.key == "b"
    assert book.claim(second, "w") is None
    assert book.claim("nobody", "w") is None


def test_a_shared_unit_is_done_once(book):
    first, second = begun(book), begun(book)
    for benchmark in (first, second):
        book.prepare(benchmark, [Unit("shared", "stage", "s", (), 1)])
    claim = book.claim(first, "w")
    assert book.claim(second, "v") is None
    book.record(claim, rows("q"))
    book.complete(claim, {"n": 1})
    assert book.claim(second, "v") is None
    assert book.states(second) == book.states(first)
    assert book.states(second)["shared"].state == "completed"


def test_a_row_is_stored_once(book):
    _, claim = one(book, total=3)
    book.record(claim, rows("a", "b"))
    other = [
        RecordedAnswer("b", 0, b"another answer"),
        *rows("c"),
        RecordedAnswer("c", 0, b"later"),
        *rows("a", nth=1),
    ]
    book.record(claim, other)
    assert list(book.rows("u")) == [*rows("a", "b", "c"), *rows("a", nth=1)]
    assert book.states(claim_of(book))["u"].done == 4


def claim_of(book):
    return book.benchmarks()[0].id


def test_rows_come_by_round_and_as_recorded(book):
    _, claim = one(book)
    names = [f"q{number}" for number in range(450, 0, -1)]  # more than two pages
    book.record(claim, [*rows(*names[:300], nth=1), *rows(*names[:300], nth=0)])
    book.record(claim, [*rows(*names[300:], nth=0), *rows(*names[300:], nth=1)])
    found = [(row.round, row.query) for row in book.rows("u")]
    assert found == [(nth, name) for nth in (0, 1) for name in names]
    assert list(book.rows("unknown")) == []
    assert book.asked("unknown") == set()


def test_a_reader_may_stop_or_read_on_while_others_write(book):
    _, claim = one(book)
    book.record(claim, rows(*(f"q{number:03}" for number in range(300))))
    reading = book.rows("u")
    assert next(reading).query == "q000"
    book.record(claim, rows("later"))
    assert [row.query for row in reading][-1] == "later"
    book.rows("u").close()


VALUES = {
    "none": None,
    "empty": b"",
    "zero": b"\x00",
    "one": b"\x01x",
    "noise": random.Random(1).randbytes(3000),
    "long": b"a" * 2**20,
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_values_come_back_as_they_were(book, value):
    _, claim = one(book)
    book.record(claim, [RecordedAnswer("q", 0, value)])
    (row,) = book.rows("u")
    assert row.value == value
    assert book.tapes()[0].bytes < 5000  # what can be pressed is


def test_messages_of_any_kind_are_kept(book):
    _, claim = one(book)
    book.record(claim, [RecordedAnswer("q\r\n'; --", error="a\0b \ud800 ü")])
    (row,) = book.rows("u")
    assert (row.query, row.error) == ("q\r\n'; --", "a\\x00b \\ud800 ü")
    book.fail(claim, "\0")
    assert book.states(claim_of(book))["u"].error == "\\x00"


def test_who_lost_a_unit_stores_nothing_more(book, clock):
    benchmark, old = one(book)
    book.record(old, rows("a"))
    clock.now += 31
    new = book.claim(benchmark, "v")
    assert (new.fence, new.worker) == (old.fence + 1, "v")
    for act in (
        lambda: book.record(old, rows("stale")),
        lambda: book.renew(old),
        lambda: book.complete(old, {"stale": 1}),
        lambda: book.fail(old, "stale"),
    ):
        with pytest.raises(FencedError, match="lexical"):
            act()
    book.release(old)  # nothing to let go of
    assert list(book.rows("u")) == rows("a")
    state = book.states(benchmark)["u"]
    assert (state.state, state.facts, state.error, state.done) == ("running", {}, "", 1)
    book.record(new, rows("b"))
    book.complete(new)
    with pytest.raises(FencedError):
        book.record(new, rows("after the end"))
    assert list(book.rows("u")) == rows("a", "b")


def test_a_lease_lasts_until_it_is_over(book, clock):
    benchmark = begun(book)
    book.prepare(benchmark, [Unit("u", "build", "u")])
    claim = book.claim(benchmark, ELSEWHERE, lease_s=10.0)
    clock.now += 9.9
    assert book.claim(benchmark, "v") is None
    book.renew(claim)
    clock.now += 9.9
    assert book.claim(benchmark, "v") is None
    book.record(claim, rows("a"))
    clock.now += 9.9
    assert book.claim(benchmark, "v") is None
    clock.now += 0.2
    assert book.claim(benchmark, "v").fence == claim.fence + 1


def test_a_dead_process_of_this_machine_keeps_nothing(book):
    benchmark = begun(book)
    book.prepare(benchmark, [Unit("u", "build", "u")])
    told = subprocess.run(
        [sys.executable, "-c", "from assay.workspace.ledger.ledger import *; print(worker_name())"],
        capture_output=True,
        text=True,
        check=True,
    )
    dead = told.stdout.strip()
    assert dead.split("/")[0] == worker_name().split("/")[0]
    assert book.claim(benchmark, dead).fence == 1
    claim = book.claim(benchmark, worker_name())
    assert claim.fence == 2
    assert book.claim(benchmark, "v") is None  # this process lives


def test_what_is_released_is_gone_on_with(book):
    benchmark, claim = one(book)
    book.record(claim, rows("a"))
    book.release(claim)
    assert counts(book, benchmark) == {"u": ("pending", 1)}
    again = book.claim(benchmark, "w")
    assert (again.fence, list(book.rows("u"))) == (2, rows("a"))
    with pytest.raises(FencedError):
        book.record(claim, rows("b"))


def test_cancel_keeps_what_was_recorded(book):
    benchmark, claim = one(book)
    book.cancel(benchmark)
    with pytest.raises(CancelledError, match="--resume"):
        book.record(claim, rows("a"))
    with pytest.raises(CancelledError):
        book.renew(claim)
    assert list(book.rows("u")) == rows("a")
    book.release(claim)
    with pytest.raises(CancelledError):
        book.claim(benchmark, "w")
    book.finish(benchmark, "cancelled")
    assert book.benchmarks()[0].state == "cancelled"
    resumed = book.begin(identity="i", name="n", about={}, runs=["a"], resume=True)
    assert resumed == StartedBenchmark(benchmark, resumed=True, state="cancelled")
    book.renew(book.claim(benchmark, "w"))


def test_interrupted_stays_so_and_is_resumed(book):
    """The workers that an interrupt stops report that they were cancelled."""
    benchmark, claim = one(book)
    book.cancel(benchmark)
    book.finish(benchmark, "interrupted")
    book.release(claim)
    book.finish(benchmark, "cancelled")
    (listed,) = book.benchmarks()
    assert (listed.state, listed.interrupted) == ("interrupted", True)
    assert listed.finished is not None
    assert set(listed.runs.values()) == {"pending"}
    assert begun(book, resume=True) == benchmark
    (listed,) = book.benchmarks()
    assert (listed.state, listed.interrupted) == ("running", False)


def test_cancel_stops_nobody_else(book):
    first, second = begun(book), begun(book)
    for benchmark in (first, second):
        book.prepare(benchmark, [Unit("shared", "stage", "s", (), 1)])
    claim = book.claim(first, "w")
    book.cancel(second)
    book.record(claim, rows("a"))


def test_resume_finds_the_newest_that_is_not_completed(book):
    old, other = begun(book), begun(book, identity="other")
    new = begun(book)
    assert len({old, other, new}) == 3
    assert begun(book, resume=True) == new
    book.finish(new, "failed")
    assert begun(book, resume=True) == new
    book.finish(new, "completed")
    assert begun(book, resume=True) == old
    book.finish(old, "completed")
    assert begun(book, resume=True) not in {old, other, new}
    assert begun(book, identity="other", resume=True) == other
    assert [listed.id for listed in book.benchmarks()[1:]] == [new, other, old]


def test_what_is_gone_on_with_is_called_as_it_is_now(book):
    old = book.begin(identity="i", name="old", about={"dataset": "a"}, runs=["r"], resume=False)
    new = book.begin(identity="i", name="new", about={"dataset": "b"}, runs=["r"], resume=True)
    (listed,) = book.benchmarks()
    assert (new.id, listed.name, listed.about) == (old.id, "new", {"dataset": "b"})


def test_runs_are_there_from_the_start_and_start_with_their_units(book):
    benchmark = begun(book, runs=["b", "a", "c", "b", "e"])
    units = [Unit(key, "stage", key, (), 0) for key in "xyz"]
    uses = {"a": ["x"], "b": ["x", "y"], "c": ["z"], "e": ["x", "z"]}
    book.prepare(benchmark, units, uses=uses)

    def states():
        (listed,) = book.benchmarks()
        assert list(listed.runs)[:4] == ["b", "a", "c", "e"]
        return list(listed.runs.values())

    assert states() == ["pending"] * 4
    book.complete(book.claim(benchmark, "w"))
    assert states() == ["running", "running", "pending", "running"]
    book.fail(book.claim(benchmark, "w"), "no")
    book.finish(benchmark, "cancelled")
    assert states() == ["failed", "completed", "cancelled", "cancelled"]
    assert begun(book, runs=["b", "a", "c", "e", "new"], resume=True) == benchmark
    assert states() == ["pending", "completed", "pending", "pending", "pending"]
    assert (book.benchmarks()[0].done, book.benchmarks()[0].total) == (1, 3)


def test_preparing_twice_changes_nothing(book, clock):
    benchmark, claim = one(book, total=1)
    book.record(claim, rows("a"))
    book.complete(claim, {"n": 1})
    before = book.states(benchmark)
    clock.now += 5
    book.prepare(benchmark, [Unit("u", "stage", "lexical", (), 1)], uses={"a": ["u"]})
    assert book.states(benchmark) == before
    book.prepare(benchmark, [], uses={})
    assert book.claim(benchmark, "w") is None
    (tape,) = book.tapes()
    assert (tape.key, tape.rows, tape.created, tape.used) == ("u", 1, 1000, 1005)


def test_units_over_other_queries_record_on_the_same_tape(book):
    benchmark = begun(book)
    some, all_ = Unit("some", "stage", "s", (), 1, "t"), Unit("all", "stage", "s", (), 2, "t")
    book.prepare(benchmark, [some, all_])
    one, two = book.claim(benchmark, "w"), book.claim(benchmark, "v")
    assert (one.unit, two.unit) == (some, all_)
    book.record(one, rows("a"))
    book.record(two, [RecordedAnswer("a", 0, b"another"), *rows("b")])  # the first counts
    assert list(book.rows("t")) == rows("a", "b")
    assert counts(book, benchmark) == {"some": ("running", 1), "all": ("running", 1)}
    book.complete(one)
    book.complete(two)
    (tape,) = book.tapes()
    assert (tape.key, tape.rows) == ("t", 2)
    book.reopen(["all"])
    assert set(counts(book, benchmark).values()) == {("pending", 0)}  # both have lost their rows
    assert not book.asked("t")


def test_rows_beside_are_stored_with_the_others_or_not_at_all(book, clock):
    benchmark, old = one(book)
    book.record(old, rows("a"), beside={"times": [RecordedAnswer("a", 0, None, {"total": 1.5})]})
    assert [row.times for row in book.rows("times")] == [{"total": 1.5}]
    clock.now += 31
    assert book.claim(benchmark, "v")
    with pytest.raises(FencedError):
        book.record(old, rows("b"), beside={"times": [RecordedAnswer("b")]})
    assert book.asked("u") == book.asked("times") == {("a", 0)}


def test_failed_rows_of_some_queries_are_dropped(book):
    benchmark, claim = one(book)
    book.record(claim, [RecordedAnswer("a", error="no"), RecordedAnswer("b", error="no")])
    book.complete(claim)
    assert book.retry_failed(benchmark, queries=["b", "c"]) == 1
    assert book.asked("u") == {("a", 0)}
    assert book.retry_failed(benchmark, queries=[]) == 0


def test_busy_times_that_another_benchmark_at_work_uses_are_kept(book, clock):
    first, units = begun(book), [Unit("u", "time", "u", (), 1)]
    book.prepare(first, units)
    book.attend(first, worker_name(), "m")
    claim = book.claim(first, worker_name())
    book.record(claim, rows("a"))
    book.complete(claim, {"busy": True})
    clock.now += 1
    second = begun(book)
    book.prepare(second, units, renew=["time"])
    assert counts(book, second) == {"u": ("completed", 1)}
    book.finish(first, "completed")
    book.prepare(second, units, renew=["time"])
    assert counts(book, second) == {"u": ("completed", 1)}  # it is not new any more
    book.prepare(second, units, renew=["time"], renew_all=True)
    assert counts(book, second) == {"u": ("pending", 0)}


def test_all_that_a_worker_needs_is_found_by_the_id(book, clock):
    job = {"settings": {"seed": 3}, "paths": ["ü"]}
    begun_ = book.begin(
        identity="i", name="märchen", about={}, runs=["a"], resume=True, fresh=True, job=job,
        if_new={"notes": ["new"]}, machine="m"
    )  # fmt: skip
    stored = book.job(begun_.id[:8])
    assert stored.content == {**job, "notes": ["new"]}
    assert (stored.id, stored.kind, stored.name) == (begun_.id, "benchmark", "märchen")
    assert (stored.state, stored.salt, stored.created) == ("running", begun_.id, 1000.0)
    again = book.begin(
        identity="i", name="n", about={}, runs=["a"], resume=True, job=job,
        if_new={"notes": ["new"]}
    )  # fmt: skip
    assert (again.id, again.salt) == (begun_.id, begun_.id)
    assert book.job(begun_.id).content == job
    book.finish(begun_.id, "failed", error="there: no\n  hint: do")
    assert book.job(begun_.id).error == "there: no\n  hint: do"
    with pytest.raises(InputError):
        book.job("nothing")


def test_times_are_taken_over_from_a_machine_that_nobody_is_left_of(book, clock):
    benchmark = book.begin(
        identity="i", name="n", about={}, runs=["a"], resume=False, machine="theirs"
    ).id
    book.attend(benchmark, ELSEWHERE, "theirs", {"cores": 2})
    unit = Unit("t", "time", "t", (), 1)
    book.prepare(benchmark, [Unit("s", "stage", "s"), unit], uses={"a": ["s", "t"]})
    assert book.timing_machine(benchmark, "mine") == "theirs"
    assert book.timing_machine(benchmark, "theirs") == "theirs"
    clock.now += 29
    assert book.timing_machine(benchmark, "mine") == "theirs"
    book.attend(benchmark, ELSEWHERE, "theirs")
    clock.now += 29
    assert book.timing_machine(benchmark, "mine") == "theirs"
    clock.now += 2
    assert book.timing_machine(benchmark, "mine") == "mine"
    assert [*book.states(benchmark)] == ["s"]  # what they should have timed is not wanted any more
    book.attend(benchmark, worker_name(), "mine")
    assert book.timing_machine(benchmark, "theirs") == "mine"  # this process lives
    assert book.machines() == {"theirs": {"cores": 2}}


def test_who_sums_up_ends_the_benchmark_and_its_own_unit(book, clock):
    benchmark = begun(book)
    book.prepare(benchmark, [Unit("r", "report", "report")])
    old = book.claim(benchmark, "w")
    clock.now += 31
    new = book.claim(benchmark, "v")
    with pytest.raises(FencedError):
        book.finish(benchmark, "completed", report=b"stale", claim=old)
    assert book.report(benchmark) is None
    assert book.job(benchmark).state == "running"
    book.finish(benchmark, "completed", report=b"right", claim=new)
    assert book.report(benchmark) == b"right"
    assert counts(book, benchmark) == {"r": ("completed", 0)}
    assert book.job(benchmark).state == "completed"


def test_notes_are_added_to_what_is_known(book):
    benchmark, claim = one(book)
    book.complete(claim, {"notes": ["a"], "n": 1})
    book.annotate("u", ["b", "c"])
    book.annotate("unknown", ["x"])
    assert book.states(benchmark)["u"].facts == {"notes": ["a", "b", "c"], "n": 1}


def test_a_claim_tells_how_many_others_work_on_the_machine(book):
    benchmark = begun(book)
    book.prepare(benchmark, [Unit(key, "build", key) for key in "abcd"])
    host, _, _ = worker_name().partition("/")
    assert book.claim(benchmark, worker_name()).others == 0
    book.claim(benchmark, ELSEWHERE)
    assert book.claim(benchmark, f"{worker_name()}/thread").others == 0  # the same process
    assert book.claim(benchmark, f"{host}/1/1").others == 1


@pytest.mark.parametrize("at", ["postgresql"], indirect=True)  # who shares a file shares a clock
def test_workers_whose_clocks_are_hours_apart_lose_and_take_nothing(at):
    hour = 3600.0
    clocks = (lambda: time.time() - hour, time.time, lambda: time.time() + hour)
    books = [open_ledger(at, clock=clock) for clock in clocks]
    try:
        benchmark = begun(books[0])
        units = [Unit(f"u{n}", "stage", "u", (), 2) for n in range(30)]
        books[0].prepare(benchmark, units)
        held = [book.claim(benchmark, f"elsewhere-{at}/1/1") for at, book in enumerate(books)]
        assert len({claim.unit.key for claim in held}) == 3
        for _ in range(9):
            for at_, book in enumerate(books):
                claim = book.claim(benchmark, f"elsewhere-{at_}/1/1")
                book.record(claim, rows("a", "b"))
                book.complete(claim)
        assert all(book.claim(benchmark, "late-0/1/1") is None for book in books)
        for claim, book in zip(held, books, strict=True):  # nobody took what others hold
            book.record(claim, rows("a", "b"))
            book.complete(claim)
        assert set(counts(books[1], benchmark).values()) == {("completed", 2)}
    finally:
        for book in books:
            book.close()


def test_units_of_a_later_preparation_come_after(book):
    benchmark = begun(book)
    later = Unit("a", "stage", "a", ("b", "b"))
    book.prepare(benchmark, [Unit("b", "build", "b")])
    book.prepare(benchmark, [later, Unit("b", "build", "b"), later])
    assert list(book.states(benchmark)) == ["b", "a"]


def test_a_need_that_nobody_prepared_is_refused(book):
    benchmark = begun(book)
    with pytest.raises(ValueError, match="nowhere"):
        book.prepare(benchmark, [Unit("a", "stage", "a", ("nowhere",))])
    assert book.states(benchmark) == {}


def test_a_failed_need_holds_back_what_needs_it(book):
    benchmark = begun(book)
    book.prepare(benchmark, [Unit("b", "build", "b"), Unit("s", "stage", "s", ("b",))])
    book.fail(book.claim(benchmark, "w"), "no")
    assert book.claim(benchmark, "w") is None


def test_failed_queries_are_asked_again_also_in_what_follows(book):
    benchmark = begun(book)
    units = [
        Unit("i", "build", "i"),
        Unit("s", "stage", "s", ("i",), 3),
        Unit("t", "stage", "t", ("s",), 3),
        Unit("other", "stage", "o", ("i",), 1),
        Unit("broken", "build", "x"),
    ]
    book.prepare(benchmark, units)
    wrong = [*rows("a", "b"), RecordedAnswer("c", error="timeout")]
    for recorded in ([], wrong, wrong, rows("a")):
        claim = book.claim(benchmark, "w")
        book.record(claim, recorded)
        book.complete(claim)
    book.fail(book.claim(benchmark, "w"), "no")
    assert book.retry_failed(benchmark) == 3  # c in s, c in t, and the unit that failed
    assert counts(book, benchmark) == {
        "i": ("completed", 0),
        "s": ("pending", 2),
        "t": ("pending", 2),
        "other": ("completed", 1),
        "broken": ("pending", 0),
    }
    assert book.states(benchmark)["broken"].error == ""
    assert book.asked("s") == {("a", 0), ("b", 0)}
    assert [book.claim(benchmark, "w").unit.key for _ in range(2)] == ["s", "broken"]
    assert book.retry_failed(benchmark) == 0
    sizes = {tape.key: tape.bytes for tape in book.tapes()}
    assert sizes["s"] == sizes["t"] == 2 * sizes["other"] > 0


def test_what_others_made_of_failed_queries_is_made_again(book):
    first, second = begun(book), begun(book)
    shared, mine = Unit("s", "stage", "s", (), 2), Unit("t", "stage", "t", ("s",), 2)
    book.prepare(first, [shared])
    book.prepare(second, [shared, mine])
    for _ in range(2):
        claim = book.claim(second, "w")
        book.record(claim, [*rows("a"), RecordedAnswer("b", error="timeout")])
        book.complete(claim)
    assert book.retry_failed(first) == 2
    assert counts(book, second) == {"s": ("pending", 1), "t": ("pending", 1)}


def test_only_some_kinds_are_retried(book):
    benchmark = begun(book)
    book.prepare(benchmark, [Unit("b", "build", "b"), Unit("s", "stage", "s")])
    for _ in range(2):
        book.fail(book.claim(benchmark, "w"), "no")
    assert book.retry_failed(benchmark, kinds=["build", "study"]) == 1
    assert counts(book, benchmark) == {"b": ("pending", 0), "s": ("failed", 0)}
    assert book.retry_failed(benchmark) == 1


def test_what_is_worked_on_is_not_retried_meanwhile(book):
    benchmark, claim = one(book)
    book.record(claim, [RecordedAnswer("a", error="timeout")])
    assert book.retry_failed(benchmark) == 0
    book.record(claim, rows("b"))
    book.complete(claim)
    assert counts(book, benchmark) == {"u": ("completed", 2)}
    assert book.retry_failed(benchmark) == 1


def test_reopened_units_start_again(book):
    benchmark, claim = one(book)
    book.record(claim, rows("a"))
    book.reopen(["u"])  # somebody works on it
    assert counts(book, benchmark) == {"u": ("running", 1)}
    book.complete(claim)
    book.reopen(["u", "unknown"])
    assert counts(book, benchmark) == {"u": ("pending", 0)}
    assert book.asked("u") == set()


def test_forgetting_takes_rows_along_but_nothing_in_use(book):
    benchmark = begun(book)
    book.prepare(benchmark, [Unit(key, "stage", key, (), 1) for key in "abc"])
    claims = [book.claim(benchmark, worker_name()) for _ in "abc"]
    for claim in claims:
        book.record(claim, rows("q"))
    sizes = {tape.key: tape.bytes for tape in book.tapes()}
    for claim in claims[:2]:
        book.complete(claim)
    assert book.forget("abc") == 0  # the benchmark is going on
    book.finish(benchmark, "cancelled")
    assert book.forget(["a", "c", "unknown"]) == sizes["a"]  # c is being worked on
    assert [tape.key for tape in book.tapes()] == ["b", "c"]
    assert list(book.rows("a")) == []
    assert list(book.rows("c")) == rows("q")
    listed = book.benchmarks()[0]
    assert (listed.done, listed.total) == (1, 3)
    book.prepare(benchmark, [Unit("a", "stage", "a", (), 1)])
    assert book.claim(benchmark, "w").unit.key == "a"
    assert book.asked("a") == set()


def test_a_completed_benchmark_stays_complete_without_its_tapes(book):
    benchmark, claim = one(book)
    book.complete(claim)
    book.finish(benchmark, "completed", report=b"r" * 1000)
    assert book.forget(["u"]) == 0  # it has no rows
    listed = book.benchmarks()[0]
    assert (listed.done, listed.total, listed.state) == (1, 1, "completed")
    assert book.report(benchmark) == b"r" * 1000


def test_units_of_a_benchmark_elsewhere_are_forgotten_after_an_hour(book, clock):
    benchmark = begun(book)
    book.prepare(benchmark, [Unit("u", "stage", "u", (), 1)])
    claim = book.claim(benchmark, ELSEWHERE)
    book.record(claim, rows("q"))
    book.complete(claim)
    assert book.forget(["u"]) == 0
    clock.now += 3601
    assert book.forget(["u"]) > 0


def test_a_dead_process_of_this_machine_protects_nothing(book, clock):
    host, pid, begin = worker_name().split("/")
    for worker, is_kept in ((f"{host}/{pid}/{begin}0", False), (worker_name(), True)):
        benchmark = begun(book)
        book.prepare(benchmark, [Unit(worker, "stage", "u", (), 1)])
        claim = book.claim(benchmark, worker)
        book.record(claim, rows("q"))
        clock.now += 7200  # what is known of a process counts more than the time
        assert (book.forget([worker]) == 0) is is_kept


def test_a_report_is_found_by_the_beginning_of_its_id(book, snapshot):
    with pytest.raises(InputError, match="assay run FILE"):
        book.report("abc")
    ids = [begun(book) for _ in range(17)]  # two of them begin with the same letter
    first = Counter(each[0] for each in ids).most_common(1)[0][0]
    with pytest.raises(InputError, match="ambiguous id"):
        book.report(first)
    with pytest.raises(InputError) as caught:
        book.report(ids[3][:-1] + "_")
    snapshot(caught.value.problem)
    assert ids[3] in caught.value.hint
    with pytest.raises(InputError):
        book.report("")
    assert book.report(ids[0]) is None


def test_no_rows_are_a_renewal_and_an_empty_ledger_is_empty(book):
    assert book.benchmarks() == book.tapes() == []
    assert book.forget([]) == book.retry_failed("nobody") == 0
    assert book.states("nobody") == {}
    _, claim = one(book)
    book.record(claim, [])
    assert list(book.rows("u")) == []


def test_many_units_and_a_huge_batch(book):
    benchmark = begun(book)
    keys = [f"u{number}" for number in range(1200)]
    units = [Unit(key, "stage", key, tuple(keys[:at][-1:])) for at, key in enumerate(keys)]
    book.prepare(benchmark, units, uses={"a": keys})
    claim = book.claim(benchmark, "w")
    book.record(claim, rows(*map(str, range(3000))))
    book.record(claim, rows(*map(str, range(3001))))
    assert book.states(benchmark)["u0"].done == 3001
    book.release(claim)
    book.finish(benchmark, "cancelled")
    assert book.forget(keys) > 0
    assert book.tapes() == []


def test_threads_share_a_ledger(at):
    with closing(open_ledger(at)) as book:
        benchmark = begun(book)
        book.prepare(benchmark, [Unit(f"u{n}", "stage", "u", (), 2) for n in range(40)])
        seen = []

        def work(name):
            while (claim := book.claim(benchmark, f"{worker_name()}/{name}")) is not None:
                seen.append(claim.unit.key)
                book.record(claim, rows("a"))
                assert list(book.rows(claim.unit.key)) == rows("a")
                book.record(claim, rows("a", "b"))
                book.complete(claim)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert sorted(seen) == sorted(f"u{n}" for n in range(40))
        assert set(counts(book, benchmark).values()) == {("completed", 2)}


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, str(WORK), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, "")
    return out


def tape_of(key, total):
    text = [f"{key} answers q{n} for the 0th time".encode() for n in range((total + 1) // 2)]
    first = {(f"q{n}", 0, answer) for n, answer in enumerate(text)}
    return first | {(f"q{n}", 1, None) for n in range(total // 2)}


def tape_in(book, key):
    found = [(row.query, row.round, row.value) for row in book.rows(key)]
    assert len(found) == len(set(found))
    return set(found)


def test_two_processes_claim_each_unit_once(at, tmp_path):
    with closing(open_ledger(at)) as book:
        benchmark = begun(book)
        book.prepare(benchmark, [Unit(f"u{n}", "stage", "u", (), 2) for n in range(200)])
        log = tmp_path / "log"
        for process in [start("work", at, benchmark, log, 0.0005, 2) for _ in range(2)]:
            ended(process)
        asked = log.read_text().splitlines()
        assert len(asked) == len(set(asked)) == 400
        states = book.states(benchmark).values()
        assert {(state.state, state.done) for state in states} == {("completed", 2)}
        assert len({json.dumps(state.facts["by"]) for state in states}) == 2  # both had some


def test_two_processes_that_resume_get_the_same_benchmark(at):
    with closing(open_ledger(at)) as book:
        begun(book, identity="other")
        processes = [start("begin", at, "i") for _ in range(3)]
        assert len({ended(process) for process in processes}) == 1
        assert len(book.benchmarks()) == 2


def test_processes_make_the_tables_of_a_server_once(empty_database):
    starts = [start("begin", empty_database, f"i{number}") for number in range(3)]
    told = [ended(process) for process in starts]
    with closing(open_ledger(empty_database)) as book:
        assert sorted(f"{listed.id}\n" for listed in book.benchmarks()) == sorted(told)


def test_a_benchmark_may_begin_and_end_while_others_claim(at):
    """Locks that are taken in different orders would make PostgreSQL give one of them up."""
    with closing(open_ledger(at)) as book:
        runs = [f"r{n}" for n in range(5)]
        benchmark = begun(book, runs=runs)
        units = [Unit(f"u{n}", "stage", "u") for n in range(60)]
        book.prepare(benchmark, units, uses={run: [unit.key for unit in units] for run in runs})
        claimed = []

        def claim():
            while (found := book.claim(benchmark, worker_name())) is not None:
                claimed.append(found.unit.key)

        def turn():
            for _ in range(10):
                book.finish(benchmark, "failed")
                assert begun(book, runs=runs, resume=True) == benchmark
                book.prepare(benchmark, units)

        threads = [threading.Thread(target=act) for act in (claim, claim, turn, turn)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert sorted(claimed) == sorted(unit.key for unit in units)


def test_after_a_kill_another_goes_on_at_once(at, tmp_path):
    with closing(open_ledger(at)) as book:
        benchmark = begun(book)
        units = [Unit("i", "build", "i"), Unit("s", "stage", "s", ("i",), 400)]
        book.prepare(benchmark, units)
        log = tmp_path / "log"
        killed = start("work", at, benchmark, log, 0.002)
        deadline = time.monotonic() + 60
        while len(book.asked("s")) < 50 and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(killed.pid, signal.SIGKILL)
        killed.communicate(timeout=60)
        before = len(book.asked("s"))
        assert 50 <= before < 400
        ended(start("work", at, benchmark, log, 0))  # it waits for nobody's lease
        assert tape_in(book, "s") == tape_of("s", 400)
        assert book.states(benchmark)["s"].done == 400
        asked = Counter(line.rsplit(" ", 1)[0] for line in log.read_text().splitlines())
        again = [query for query, times in asked.items() if times > 1]
        assert len(asked) == 400
        assert len(again) <= 5  # the batch that was not recorded when it was killed
