"""The life of a benchmark of a service: created, started once, cancelled, resumed, removed."""

import sqlite3
import threading
from contextlib import closing

import pytest

from assay.errors import CancelledError, ConflictError, InputError, NotFoundError, StaleError
from assay.records.work import RecordedAnswer, Unit
from assay.workspace.ledger._service import LEASE_S
from assay.workspace.ledger.ledger import last_unit, open_ledger, worker_name

FAR = "elsewhere-0/1/1"  # a worker of which nothing is known here
THREADS = 8
ENDED = ["completed", "failed", "cancelled", "interrupted"]


def created(book, name="b", **more):
    about = {"about": {"name": name}, "runs": ["a", "b"], "job": {"version": 1}, "author": "ada"}
    return book.create(name=name, **about | more)[0]


def started(book, name="b", **more):
    benchmark = created(book, name, **more)
    book.start(benchmark)
    return benchmark


def ended(book, state, **more):
    """A benchmark in a state in which nobody works on it any more."""
    benchmark = started(book, **more)
    book.finish(benchmark, state, error="no such thing" if state == "failed" else "")
    return benchmark


def at_once(act):
    """Call it in many threads at the same moment; return what it returned or raised."""
    barrier, found = threading.Barrier(THREADS), []

    def call(number):
        barrier.wait(60)
        try:
            found.append(act(number))
        except ConflictError as error:
            found.append(error)

    threads = [threading.Thread(target=call, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == THREADS
    return found


def test_what_was_created_waits_until_it_is_started(book, clock):
    benchmark = created(book, "Märchen", parallel=3)
    status = book.find(benchmark)
    assert (status.name, status.state, status.author) == ("Märchen", "pending", "ada")
    assert (status.created, status.started, status.finished) == (1000.0, None, None)
    assert (status.parallel, status.runs) == (3, {"a": "pending", "b": "pending"})
    assert (status.revision, status.reported, status.deleted) == (1, False, False)
    assert (book.take_job(FAR), book.open_jobs(), book.progress()) == (None, [], {})
    clock.now = 1010.0
    begun = book.start(benchmark)
    assert (begun.state, begun.started, begun.revision) == ("running", 1010.0, 2)
    assert book.take_job(FAR).id == benchmark


def test_created_again_it_is_the_same(book):
    first = book.create(**request("one", "i"), id_="abc")
    again = book.create(**request("other name", "i"), id_="abc")
    assert (first, again) == (("abc", True), ("abc", False))
    assert (book.find("abc").name, book.find("abc").revision) == ("one", 1)
    with pytest.raises(ConflictError, match="Idempotency-Key") as caught:
        book.create(**request("one", "j"), id_="abc")
    assert caught.value.hint
    assert len(book.page().items) == 1


def request(name, identity):
    told = {"name": name, "identity": identity, "about": {}, "runs": ["a"], "job": {}}
    return {**told, "author": "ada"}


def test_one_of_many_creates_it(book):
    found = at_once(lambda _: book.create(**request("one", "i"), id_="abc"))
    assert sorted(found) == [("abc", False)] * (THREADS - 1) + [("abc", True)]
    assert book.find("abc").runs == {"a": "pending"}


def test_one_of_many_starts_it(book):
    benchmark = created(book)
    found = at_once(lambda _: book.start(benchmark).state)
    refused = [one for one in found if isinstance(one, ConflictError)]
    assert (len(refused), found.count("running")) == (THREADS - 1, 1)
    assert all("is already running and cannot be started again" in str(one) for one in refused)
    assert book.find(benchmark).revision == 2


def test_a_start_that_is_sent_again_changes_nothing(book):
    benchmark = created(book)
    assert at_once(lambda _: book.start(benchmark, key="k").revision) == [2] * THREADS
    for key in ("", "other"):
        with pytest.raises(ConflictError, match="already running"):
            book.start(benchmark, key=key)
    book.finish(benchmark, "completed")
    assert book.start(benchmark, key="k").state == "completed"


@pytest.mark.parametrize("state", ENDED)
def test_what_has_ended_is_not_started_again(book, state):
    benchmark = ended(book, state)
    with pytest.raises(ConflictError, match=f"is {state} and cannot be started again") as caught:
        book.start(benchmark)
    assert (caught.value.where, bool(caught.value.hint)) == (benchmark, True)
    assert book.find(benchmark).state == state


def test_what_is_no_benchmark_is_unknown(book):
    job = created(book, kind="index")
    removed = created(book)
    book.delete(removed)
    for act in (book.start, book.find, book.find_runs):
        for id_ in (job, "nothing", "", "\0"):
            with pytest.raises(NotFoundError, match="unknown benchmark") as caught:
                act(id_)
            assert caught.value.hint
    for act in (book.start, book.request_cancel, book.resume, book.retry, book.delete):
        for id_ in (removed, "\0", "\ud800"):
            with pytest.raises(NotFoundError):
                act(id_)
    assert book.is_cancelled("\0")
    with pytest.raises(InputError, match="unknown benchmark id"):
        book.job("\0")


@pytest.mark.parametrize("make", [created, started], ids=["pending", "running"])
def test_without_workers_it_is_cancelled_at_once(book, clock, make):
    benchmark = make(book)
    clock.now = 1010.0
    book.request_cancel(benchmark)
    status = book.find(benchmark)
    assert (status.state, status.finished, status.cancelling) == ("cancelled", 1010.0, False)
    assert set(status.runs.values()) == {"cancelled"}
    with pytest.raises(ConflictError, match="is cancelled and cannot be cancelled"):
        book.request_cancel(benchmark)
    assert book.take_job(FAR) is None


def test_with_workers_it_is_cancelled_once_they_have_stopped(book):
    benchmark = started(book)
    book.prepare(benchmark, [Unit("u", "stage", "lexical", (), 2)], uses={"a": ["u"]})
    book.take_job(FAR)
    claim = book.claim(benchmark, FAR)
    book.request_cancel(benchmark)
    book.request_cancel(benchmark)  # patience: the same again
    status = book.find(benchmark)
    assert (status.state, status.cancelling) == ("running", True)
    assert book.is_cancelled(benchmark)
    with pytest.raises(CancelledError):
        book.record(claim, [RecordedAnswer("q", 0, b"kept")])
    book.release(claim)
    book.confirm_cancel(benchmark)
    assert (book.find(benchmark).state, book.find(benchmark).cancelling) == ("cancelled", False)
    assert [row.value for row in book.rows("u")] == [b"kept"]
    book.confirm_cancel("nothing")  # purged meanwhile: nobody is told of an error


def test_a_late_worker_does_not_cancel_what_was_resumed(book):
    """Two workers were told to stop; the second says so when it was resumed already."""
    benchmark = started(book)
    book.take_job(FAR)
    book.request_cancel(benchmark)
    book.confirm_cancel(benchmark)
    book.resume(benchmark)
    book.confirm_cancel(benchmark)
    assert (book.find(benchmark).state, book.is_cancelled(benchmark)) == ("running", False)


def test_whose_worker_is_gone_is_cancelled_by_the_next_that_looks(book, clock):
    benchmark = started(book)
    book.take_job(FAR)
    book.request_cancel(benchmark)
    assert book.take_job("elsewhere-0/2/2") is None
    assert book.find(benchmark).state == "running"
    clock.now += LEASE_S + 1
    assert book.take_job("elsewhere-0/2/2") is None
    assert book.find(benchmark).state == "cancelled"


@pytest.mark.parametrize("state", ["cancelled", "failed", "interrupted"])
def test_resume_goes_on(book, clock, state):
    benchmark = ended(book, state)
    clock.now += 10
    book.resume(benchmark)
    status = book.find(benchmark)
    assert (status.state, status.finished, status.error) == ("running", None, "")
    assert (status.started, set(status.runs.values())) == (1000.0, {"pending"})
    assert book.take_job(FAR).id == benchmark


def test_what_was_cancelled_before_its_start_is_resumed(book, clock):
    benchmark = created(book)
    book.request_cancel(benchmark)
    clock.now += 10
    book.resume(benchmark)
    assert (book.find(benchmark).state, book.find(benchmark).started) == ("running", 1010.0)


def test_only_what_has_stopped_is_resumed(book):
    for benchmark, state in ((created(book), "pending"), (started(book), "running")):
        with pytest.raises(ConflictError, match=r"the benchmark is .*cannot be resumed") as caught:
            book.resume(benchmark)
        assert ("start it" in caught.value.hint) is (state == "pending")
        assert book.find(benchmark).state == state
    with pytest.raises(ConflictError, match="is completed and cannot be resumed") as caught:
        book.resume(ended(book, "completed"))
    assert "retried" in caught.value.hint


def worked(book):
    """A completed benchmark of two runs: one query of the second failed."""
    benchmark = started(book)
    units = [Unit(key, "stage", key, (), 2) for key in ("well", "badly")]
    book.prepare(benchmark, units, uses={"a": ["well"], "b": ["badly"]})
    for error in ("", "no answer"):
        claim = book.claim(benchmark, worker_name())
        second = RecordedAnswer("q2", 0, None if error else b"2", error=error)
        book.record(claim, [RecordedAnswer("q1", 0, b"1"), second])
        book.complete(claim)
    book.prepare(benchmark, [Unit(last_unit("report", benchmark), "report", "report")])
    book.finish(benchmark, "completed", report=b"{}", claim=book.claim(benchmark, worker_name()))
    return benchmark


def test_retry_does_again_only_what_failed(book):
    benchmark = worked(book)
    assert book.find(benchmark).runs == {"a": "completed", "b": "completed"}
    assert book.retry(benchmark) == 1
    status = book.find(benchmark)
    assert (status.state, status.runs) == ("running", {"a": "completed", "b": "pending"})
    states = {key: one.state for key, one in book.states(benchmark).items()}
    report = last_unit("report", benchmark)
    assert states == {"well": "completed", "badly": "pending", report: "pending"}
    assert [row.query for row in book.rows("badly")] == ["q1"]
    assert [row.query for row in book.rows("well")] == ["q1", "q2"]
    with pytest.raises(ConflictError, match="cannot be retried"):
        book.retry(benchmark)


def test_where_nothing_failed_it_stays_completed(book):
    benchmark = ended(book, "completed")
    before = book.find(benchmark)
    assert (book.retry(benchmark), book.find(benchmark)) == (0, before)


def test_retry_of_what_has_failed_goes_on_with_it(book):
    """Its data could not be opened, for example: no unit has failed."""
    benchmark = started(book)
    book.fail_job(benchmark, "the corpus is gone")
    status = book.find(benchmark)
    assert (status.state, status.error) == ("failed", "the corpus is gone")
    assert (book.retry(benchmark), book.find(benchmark).state) == (0, "running")
    with pytest.raises(ConflictError, match="is pending and cannot be retried") as caught:
        book.retry(created(book))
    assert caught.value.hint == "start it"


@pytest.mark.parametrize("state", ENDED)
def test_a_failure_after_the_end_changes_nothing(book, state):
    benchmark = ended(book, state)
    before = book.find(benchmark)
    book.fail_job(benchmark, "too late")
    assert book.find(benchmark) == before


def test_deleted_and_brought_back(book, clock):
    benchmark = ended(book, "completed")
    clock.now = 1050.0
    book.delete(benchmark)
    assert book.find(benchmark).deleted
    assert ids(book.page()) == []
    assert ids(book.page(deleted=True)) == [benchmark]
    assert book.benchmarks() == []
    book.undelete(benchmark)
    assert not book.find(benchmark).deleted
    assert ids(book.page()) == [benchmark]
    with pytest.raises(NotFoundError, match="the benchmark is not deleted"):
        book.undelete(benchmark)


def test_what_is_running_is_not_deleted(book):
    benchmark = started(book)
    with pytest.raises(ConflictError, match="is already running and cannot be deleted") as caught:
        book.delete(benchmark)
    assert "cancel" in caught.value.hint
    waiting = created(book)
    book.delete(waiting)
    with pytest.raises(NotFoundError):
        book.start(waiting)
    book.undelete(waiting)
    assert book.start(waiting).state == "running"


def ids(page):
    return [one.id for one in page.items]


def shared(book, *, record):
    """Two benchmarks with a stage in common, and one of its own each."""
    made = []
    for own in ("one", "two"):
        benchmark = started(book, own)
        needs = [Unit("both", "stage", "both", (), 1), Unit(own, "stage", own, ("both",), 1)]
        book.prepare(benchmark, needs, uses={"a": ["both", own]})
        while record and (claim := book.claim(benchmark, worker_name())):
            book.record(claim, [RecordedAnswer("q", 0, b"found")])
            book.complete(claim)
        book.prepare(benchmark, [Unit(last_unit("report", benchmark), "report", "report")])
        book.finish(benchmark, "completed" if record else "cancelled")
        made.append(benchmark)
    return made


@pytest.mark.parametrize("record", [True, False], ids=["recorded", "nothing recorded"])
def test_a_purge_leaves_what_others_share(book, clock, record):
    one, two = shared(book, record=record)
    clock.now = 2000.0
    book.delete(one)
    assert book.purge_benchmarks(2000.0) == 0  # not before that moment
    assert book.purge_benchmarks(2001.0) == 1
    assert book.purge_benchmarks(2001.0) == 0
    with pytest.raises(NotFoundError):
        book.find(one)
    assert set(book.states(two)) == {"both", "two", last_unit("report", two)}
    assert [row.value for row in book.rows("both")] == ([b"found"] if record else [])
    assert book.ask("SELECT count(*), max(benchmark) FROM steps") == (3, two)
    units = "SELECT count(*), count(CASE WHEN key = 'one' THEN 1 END) FROM units"
    assert book.ask(units) == (3, 0)
    for table in ("runs", "uses", "steps"):
        assert book.ask(f"SELECT max(benchmark) = min(benchmark) FROM {table}")[0]
    assert book.ask("SELECT count(*) FROM needs") == (1,)
    book.delete(two)
    assert book.purge_benchmarks(2001.0) == 1
    left = ("benchmarks", "runs", "units", "needs", "steps", "uses", "recorded", "tapes")
    assert [book.ask(f"SELECT count(*) FROM {table}") for table in left] == [(0,)] * len(left)


def test_many_are_purged_in_parts(book, clock):
    for number in range(103):
        book.delete(created(book, f"{number}"))
    clock.now += 1
    assert [book.purge_benchmarks(clock.now) for _ in range(3)] == [100, 3, 0]


def test_the_first_that_settles_counts(book):
    benchmark = started(book, about={"by": "request"})
    mine = {"version": 1, "contents": ["c1"]}
    assert book.settle(benchmark, job=mine, about={"decision": "d1"}) == mine
    other = {"version": 1, "contents": ["c2"]}
    assert book.settle(benchmark, job=other, about={"decision": "d2"}) == mine
    assert book.job(benchmark).content == mine
    assert book.benchmarks()[0].about == {"by": "request", "decision": "d1"}


def test_of_many_that_settle_one_counts_for_all(book):
    benchmark = started(book)
    found = at_once(lambda n: book.settle(benchmark, job={"contents": [n]}, about={})["contents"])
    assert len({tuple(one) for one in found}) == 1


def test_what_was_removed_is_to_stop(book):
    assert book.is_cancelled("nothing")
    assert not book.is_cancelled(started(book))


def test_the_plan_of_each_list_uses_an_index(place):
    """At 10,000 benchmarks a list looks at what it shows, and sorts nothing."""
    from assay.workspace.ledger import _progress

    open_ledger(place / "l.sqlite").close()
    columns = "(id, kind, identity, name, folded, about, salt, state, cancel, worker, created, seen"
    row = "VALUES (?, ?, 'i', ?, ?, '{}', '', ?, 0, '', 1, 1, ?, 'ada', 1, '')"
    insert = f"INSERT INTO benchmarks {columns}, finished, author, parallel, lane, machine) {row}"
    insert = insert.replace("1, '')", "1, '', '')")
    kinds = ["benchmark"] * 9 + ["index"]
    states = ["completed", "failed", "cancelled"]
    rows = [
        (f"{n:012}", kinds[n % 10], f"N{n}", f"n{n}", states[n % 3], float(n))
        for n in range(10_000)
    ]
    with closing(sqlite3.connect(place / "l.sqlite")) as connection:
        connection.executemany(insert, rows)
        for analysed in (False, True):
            if analysed:
                connection.execute("ANALYZE")
            for statement in statements(_progress):
                plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
                bad = [one for one in plan if "SCAN benchmarks" in one and "INDEX" not in one]
                assert not bad, (statement, plan)
                assert not any("TEMP B-TREE" in one for one in plan), (statement, plan)


def statements(module):
    page = module._PAGE
    for deleted in ("NULL", "NOT NULL"):
        for state in ("", "AND state = 'running'"):
            for named in ("", "AND folded LIKE '%n99%' ESCAPE '!'"):
                text = page.format(deleted=deleted, state=state, named=named)
                yield text.replace(":before", "9999").replace(":page", "51")
    yield module._OPEN
    yield module._ENDED.replace(":time", "9990.0")
    for some in ("", "AND kind = 'index'", "AND kind = 'index' AND state = 'failed'"):
        yield f"{module._JOB} {some} AND number < 9999 ORDER BY number DESC LIMIT 51"


@pytest.mark.parametrize(
    ("state", "change"),
    [
        ("pending", "start"),
        ("running", "request_cancel"),
        ("cancelled", "resume"),
        ("failed", "retry"),
        ("completed", "delete"),
    ],
)
def test_who_saw_an_older_state_changes_nothing(book, state, change):
    make = {"pending": created, "running": started}.get(state, lambda one: ended(one, state))
    benchmark = make(book)
    before = book.find(benchmark)
    with pytest.raises(StaleError, match="has changed"):
        getattr(book, change)(benchmark, revision=before.revision - 1)
    assert book.find(benchmark) == before
    getattr(book, change)(benchmark, revision=before.revision)
    assert book.find(benchmark).revision > before.revision


def test_of_many_that_saw_the_same_state_one_changes_it(book):
    benchmark = ended(book, "cancelled")
    revision = book.find(benchmark).revision

    def resume(_number):
        try:
            book.resume(benchmark, revision=revision)
        except StaleError as error:
            return error
        return None

    assert at_once(resume).count(None) == 1
