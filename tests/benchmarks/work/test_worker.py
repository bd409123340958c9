"""A worker does what is free, keeps what it recorded, and ends for good reasons only."""

from contextlib import closing

import pytest

from assay.benchmarks.work.worker import LedgerTape, Worker
from assay.errors import CancelledError, FencedError, InputError
from assay.records import RecordedAnswer, Unit
from assay.workspace.ledger.ledger import open_ledger

A, B, C = Unit("a", "stage", "first", total=1), Unit("b", "stage", "second", ("a",)), "stage"


@pytest.fixture
def ledger(tmp_path):
    with closing(open_ledger(tmp_path / "ledger.sqlite")) as opened:
        yield opened


def begun(ledger, *units):
    found = ledger.begin(identity="i", name="n", about={}, runs=["r"], resume=False)
    ledger.prepare(found.id, units, uses={"r": [unit.key for unit in units]})
    return Worker(ledger, found.id, "me")


def states(worker):
    return {key: one.state for key, one in worker.ledger.states(worker.benchmark).items()}


def test_work_is_done_in_the_order_of_what_it_needs(ledger):
    worker, done = begun(ledger, A, B), []

    def job(claim):
        done.append(claim.unit.key)
        return {"by": claim.worker}

    worker.through({"a": job, "b": job}, kinds=[C])
    assert done == ["a", "b"]
    assert ledger.states(worker.benchmark)["b"].facts == {"by": "me"}


def test_who_is_confined_leaves_alone_what_is_not_its_job(ledger):
    worker = begun(ledger, Unit("c", C, "a later block"), A)
    worker.through({"a": lambda _: {}}, kinds=[C], confined=True)
    assert states(worker) == {"c": "pending", "a": "completed"}
    worker.through({}, kinds=[C], confined=True)
    assert states(worker)["c"] == "pending"


def test_what_failed_is_retried_among_some_pieces_only(ledger):
    worker = begun(ledger, A, Unit("c", C, "third"))

    def wrong(_claim):
        raise InputError("cannot be")

    worker.through({"a": wrong, "c": wrong}, kinds=[C])
    assert ledger.retry_failed(worker.benchmark, kinds=[C], among=["c"]) == 1
    assert states(worker) == {"a": "failed", "c": "pending"}


def test_an_error_ends_one_piece_and_what_needs_it_waits_in_vain(ledger):
    worker = begun(ledger, A, B, Unit("c", C, "third"))

    def wrong(_claim):
        raise InputError("cannot be", where="here")

    worker.through({"a": wrong, "b": wrong, "c": lambda _: {}}, kinds=[C])
    assert states(worker) == {"a": "failed", "b": "pending", "c": "completed"}
    assert ledger.states(worker.benchmark)["a"].error == "here: cannot be"


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, RuntimeError])
def test_whatever_ends_the_worker_leaves_its_work_to_others(error, ledger):
    worker = begun(ledger, A)

    def ends(claim):
        LedgerTape(ledger, claim).record([RecordedAnswer("q1", 0, b"kept")])
        raise error

    with pytest.raises(error):
        worker.through({"a": ends}, kinds=[C])
    assert states(worker) == {"a": "pending"}
    assert [row.value for row in ledger.rows("a")] == [b"kept"]


def test_a_cancelled_benchmark_ends_the_worker_and_keeps_its_rows(ledger):
    worker = begun(ledger, A)

    def cancelled(claim):
        ledger.cancel(worker.benchmark)
        LedgerTape(ledger, claim).record([RecordedAnswer("q1", 0, b"kept")])
        raise AssertionError("it went on")

    with pytest.raises(CancelledError):
        worker.through({"a": cancelled}, kinds=[C])
    assert states(worker) == {"a": "pending"}
    assert len([*ledger.rows("a")]) == 1


def test_who_was_taken_for_dead_stores_nothing_more(ledger):
    worker = begun(ledger, A)

    def taken_over(claim):
        ledger.release(claim)
        other = ledger.claim(worker.benchmark, "other")
        ledger.record(other, [RecordedAnswer("q1", 0, b"theirs")])
        with pytest.raises(FencedError):
            LedgerTape(ledger, claim).record([RecordedAnswer("q2", 0, b"mine")])
        ledger.complete(other, {"by": "other"})
        raise FencedError("gone")

    worker.through({"a": taken_over}, kinds=[C])
    assert [row.value for row in ledger.rows("a")] == [b"theirs"]
    assert ledger.states(worker.benchmark)["a"].facts == {"by": "other"}


def test_a_ledger_that_takes_nothing_more_ends_the_worker_and_fails_nothing(ledger):
    worker = begun(ledger, A)

    class Full:
        """A ledger on a disk that is full, for as long as rows are written."""

        def __getattr__(self, name):
            return getattr(ledger, name)

        def record(self, _claim, _rows, **_beside):
            raise InputError("disk full", where="ledger.sqlite", hint="make room")

    full = Worker(Full(), worker.benchmark, "me")

    def job(claim):
        LedgerTape(full.ledger, claim).record([RecordedAnswer("q1")])
        return {}

    with pytest.raises(InputError, match="disk full"):
        full.through({"a": job}, kinds=[C])
    assert states(worker) == {"a": "pending"}


def test_work_of_another_version_is_told_and_left(ledger):
    worker = begun(ledger, A)
    with pytest.raises(InputError, match="another version") as caught:
        worker.through({"z": lambda _: {}}, kinds=[C])
    assert "--resume" in caught.value.hint
    assert states(worker) == {"a": "pending"}


def test_what_others_work_on_is_waited_for(ledger, monkeypatch):
    worker = begun(ledger, A, B)
    other = ledger.claim(worker.benchmark, "other")
    naps = []

    def nap(_seconds):
        naps.append(states(worker)["a"])
        if len(naps) == 5:
            ledger.complete(other)

    monkeypatch.setattr("assay.benchmarks.work.worker.time.sleep", nap)
    done = []
    worker.through(
        {"a": done.append, "b": lambda claim: done.append(claim.unit.key) or {}}, kinds=[C]
    )
    assert naps == ["running"] * 5
    assert done == ["b"]
