"""Which job a worker joins: the oldest that has room, one at a time in a lane."""

import threading

import pytest
from tests.workspace.ledger.test_lifecycle import created, started

from assay.errors import ConflictError
from assay.workspace.ledger._service import LEASE_S
from assay.workspace.ledger.ledger import worker_name


def worker(number):
    return f"elsewhere-0/{number}/1"


def took(book, number, **more):
    job = book.take_job(worker(number), **more)
    return job and job.name


def test_the_oldest_with_room_is_joined(book):
    for name, parallel in (("one", 1), ("two", 2), ("many", 0)):
        started(book, name, parallel=parallel)
    assert [took(book, number) for number in range(5)] == ["one", "two", "two", "many", "many"]


def test_who_leaves_makes_room(book):
    benchmark = started(book, "one")
    assert (took(book, 1), took(book, 2)) == ("one", None)
    book.drop_job(worker(1), "another")
    assert took(book, 2) is None
    book.drop_job(worker(1), benchmark)
    assert took(book, 2) == "one"


def test_a_worker_without_signs_of_life_makes_room(book, clock):
    benchmark = started(book, "one")
    took(book, 1)
    clock.now += LEASE_S - 1
    assert took(book, 2) is None
    book.attend(benchmark, worker(1), "")
    clock.now += LEASE_S - 1
    assert took(book, 2) is None
    clock.now += 2
    assert took(book, 2) == "one"


def test_a_dead_process_of_this_machine_makes_room_at_once(book):
    started(book, "one")
    host, process, start = worker_name().split("/")
    assert book.take_job(f"{host}/{process}/{int(start) + 1}").name == "one"
    assert took(book, 2) == "one"


def test_the_same_worker_joins_again(book):
    """Whoever asks has no job any more, whatever was noted of it."""
    started(book, "one")
    assert (took(book, 1), took(book, 1)) == ("one", "one")


def test_what_is_to_be_skipped_is_left_to_others(book):
    first, second = started(book, "one"), started(book, "two")
    assert took(book, 1, skip=[first]) == "two"
    assert took(book, 2, skip=[first, second]) is None
    assert took(book, 2) == "one"


def test_one_at_a_time_in_a_lane(book):
    for name, lane in (("one", "docs code"), ("two", "code"), ("three", "wiki")):
        started(book, name, lane=lane)
    assert [took(book, number) for number in range(4)] == ["one", "three", None, None]
    book.drop_job(worker(0), book.page().items[-1].id)
    book.finish(book.page().items[-1].id, "completed")
    assert took(book, 4) == "two"


def test_what_may_be_shared_waits_for_no_lane(book):
    started(book, "one", lane="docs")
    started(book, "two", lane="docs", parallel=2)
    assert [took(book, number) for number in range(4)] == ["one", "two", "two", None]


def test_what_waits_for_a_lane_is_not_overtaken_for_ever(book):
    """Younger benchmarks of one lane or the other could keep one that needs both from its turn."""
    first = started(book, "first", lane="docs")
    started(book, "both", lane="docs code")
    started(book, "younger", lane="code")
    assert [took(book, number) for number in range(2)] == ["first", None]
    book.finish(first, "completed")
    book.drop_job(worker(0), first)
    assert [took(book, number) for number in range(2)] == ["both", None]


def test_a_job_has_one_worker_and_needs_no_start(book):
    id_, _ = book.create(
        name="docs", about={}, runs=[], job={"corpus": "c"}, author="ada", kind="index", parallel=0
    )
    job = book.take_job(worker(1))
    assert (job.id, job.kind, job.content) == (id_, "index", {"corpus": "c"})
    assert took(book, 2) is None
    claim = book.claim(id_, worker(1))
    assert (claim.unit.kind, book.job_status(id_).state) == ("index", "running")


def test_a_cancelled_or_deleted_job_is_given_to_nobody(book):
    cancelled, deleted = created(book, kind="index"), created(book, kind="index")
    book.request_cancel(cancelled)
    book.delete(deleted)
    assert took(book, 1) is None


@pytest.mark.parametrize("parallel", [1, 3])
def test_of_many_at_once_no_more_than_there_is_room_for(book, parallel):
    started(book, "one", parallel=parallel)
    barrier, found = threading.Barrier(8), []

    def call(number):
        barrier.wait(60)
        found.append(took(book, number))

    threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(map(str, found)) == ["None"] * (8 - parallel) + ["one"] * parallel


def test_a_job_of_a_start_is_refused_like_any_other(book):
    benchmark = started(book, "one")
    took(book, 1)
    with pytest.raises(ConflictError):
        book.start(benchmark)
    assert took(book, 2) is None
