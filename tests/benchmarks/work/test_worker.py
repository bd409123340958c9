"""A worker does what is free, keeps what it recorded, and ends for good reasons only."""

from contextlib import closing
from dataclasses import replace

import pytest

from assay.benchmarks.work.worker import LedgerTape, Worker
from assay.errors import CancelledError, FencedError, InputError
from assay.records import Recorded, Unit
from assay.workspace.ledger.ledger import ledger

A, B, C = Unit("a", "stage", "first", total=1), Unit("b", "stage", "second", ("a",)), "stage"


@pytest.fixture
def book(tmp_path):
    with closing(ledger(tmp_path / "ledger.sqlite")) as opened:
        yield opened


def begun(book, *units):
    found = book.begin(identity="i", name="n", about={}, runs=["r"], resume=False)
    book.prepare(found.id, units, uses={"r": [unit.key for unit in units]})
    return Worker(book, found.id, "me")


def states(worker):
    return {key: one.state for key, one in worker.ledger.states(worker.benchmark).items()}


def test_work_is_done_in_the_order_of_what_it_needs(book):
    worker, done = begun(book, A, B), []

    def job(claim):
        done.append(claim.unit.key)
        return {"by": claim.worker}

    worker.through({"a": job, "b": job}, kinds=[C])
    assert done == ["a", "b"]
    assert book.states(worker.benchmark)["b"].facts == {"by": "me"}


def test_who_is_confined_leaves_alone_what_is_not_its_job(book):
    worker = replace(begun(book, Unit("c", C, "a later block"), A), confined=True)
    worker.through({"a": lambda _: {}}, kinds=[C])
    assert states(worker) == {"c": "pending", "a": "completed"}
    worker.through({}, kinds=[C])
    assert states(worker)["c"] == "pending"


def test_what_failed_is_retried_among_some_pieces_only(book):
    worker = begun(book, A, Unit("c", C, "third"))

    def wrong(_claim):
        raise InputError("cannot be")

    worker.through({"a": wrong, "c": wrong}, kinds=[C])
    assert book.retry_failed(worker.benchmark, kinds=[C], among=["c"]) == 1
    assert states(worker) == {"a": "failed", "c": "pending"}


def test_an_error_ends_one_piece_and_what_needs_it_waits_in_vain(book):
    worker = begun(book, A, B, Unit("c", C, "third"))

    def wrong(_claim):
        raise InputError("cannot be", where="here", hint="mend it")

    worker.through({"a": wrong, "b": wrong, "c": lambda _: {}}, kinds=[C])
    assert states(worker) == {"a": "failed", "b": "pending", "c": "completed"}
    assert book.states(worker.benchmark)["a"].error == "here: cannot be\n  hint: mend it"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, RuntimeError])
def test_whatever_ends_the_worker_leaves_its_work_to_others(error, book):
    worker = begun(book, A)

    def ends(claim):
        LedgerTape(book, claim).record([Recorded("q1", 0, b"kept")])
        raise error

    with pytest.raises(error):
        worker.through({"a": ends}, kinds=[C])
    assert states(worker) == {"a": "pending"}
    assert [row.value for row in book.rows("a")] == [b"kept"]


def test_a_cancelled_benchmark_ends_the_worker_and_keeps_its_rows(book):
    worker = begun(book, A)

    def cancelled(claim):
        book.cancel(worker.benchmark)
        LedgerTape(book, claim).record([Recorded("q1", 0, b"kept")])
        raise AssertionError("it went on")

    with pytest.raises(CancelledError):
        worker.through({"a": cancelled}, kinds=[C])
    assert states(worker) == {"a": "pending"}
    assert len([*book.rows("a")]) == 1


def test_who_was_taken_for_dead_stores_nothing_more(book):
    worker = begun(book, A)

    def taken_over(claim):
        book.release(claim)
        other = book.claim(worker.benchmark, "other")
        book.record(other, [Recorded("q1", 0, b"theirs")])
        with pytest.raises(FencedError):
            LedgerTape(book, claim).record([Recorded("q2", 0, b"mine")])
        book.complete(other, {"by": "other"})
        raise FencedError("gone")

    worker.through({"a": taken_over}, kinds=[C])
    assert [row.value for row in book.rows("a")] == [b"theirs"]
    assert book.states(worker.benchmark)["a"].facts == {"by": "other"}


def test_a_ledger_that_takes_nothing_more_ends_the_worker_and_fails_nothing(book):
    worker = begun(book, A)

    class Full:
        """A ledger on a disk that is full, for as long as rows are written."""

        def __getattr__(self, name):
            return getattr(book, name)

        def record(self, _claim, _rows):
            raise InputError("the disk is full", where="ledger.sqlite", hint="make room")

    full = Worker(Full(), worker.benchmark, "me")

    def job(claim):
        LedgerTape(full.ledger, claim).record([Recorded("q1")])
        return {}

    with pytest.raises(InputError, match="the disk is full"):
        full.through({"a": job}, kinds=[C])
    assert states(worker) == {"a": "pending"}


def test_work_of_another_version_is_told_and_left(book):
    worker = begun(book, A)
    with pytest.raises(InputError, match="another version") as caught:
        worker.through({"z": lambda _: {}}, kinds=[C])
    assert caught.value.hint == "run it again without --resume"
    assert states(worker) == {"a": "pending"}


def test_what_others_work_on_is_waited_for(book, monkeypatch):
    worker = begun(book, A, B)
    other = book.claim(worker.benchmark, "other")
    naps = []

    def nap(_seconds):
        naps.append(states(worker)["a"])
        if len(naps) == 5:
            book.complete(other)

    monkeypatch.setattr("assay.benchmarks.work.worker.time.sleep", nap)
    done = []
    worker.through(
        {"a": done.append, "b": lambda claim: done.append(claim.unit.key) or {}}, kinds=[C]
    )
    assert naps == ["running"] * 5
    assert done == ["b"]
