"""Pages of benchmarks and jobs, and how far each is."""

import json

import pytest
from tests.workspace.ledger.test_lifecycle import created, ids, started

from assay.errors import InputError, NotFoundError
from assay.records.service import RunProgress
from assay.records.work import RecordedAnswer, Unit
from assay.workspace.ledger.ledger import last_unit, worker_name

FAR = "elsewhere-0/1/1"


def pages(book, **more):
    """Read a whole list, page by page."""
    cursor, found = "", []
    while True:
        page = book.page(cursor=cursor, **more)
        found.append([one.name for one in page.items])
        if not page.next:
            return found
        cursor = page.next


def test_pages_are_the_newest_first(book):
    for number in range(7):
        created(book, f"n{number}")
    assert pages(book, limit=3) == [["n6", "n5", "n4"], ["n3", "n2", "n1"], ["n0"]]
    assert pages(book, limit=7) == [[f"n{number}" for number in reversed(range(7))]]


def test_new_ones_shift_no_page(book):
    for number in range(4):
        created(book, f"n{number}")
    page = book.page(limit=2)
    removed = page.items[-1].id
    created(book, "new")
    book.delete(removed)  # whose number the cursor has
    rest = book.page(limit=2, cursor=page.next)
    assert ([one.name for one in rest.items], rest.next) == (["n1", "n0"], "")


NAMES = ["50% more", "5000 more", "a_b", "aXb", "Straße", "STRASSE!", "İstanbul", "ÉCOLE", "back\\"]


@pytest.mark.parametrize(
    ("contains", "found"),
    [
        ("50%", ["50% more"]),
        ("%", ["50% more"]),
        ("a_b", ["a_b"]),
        ("!", ["STRASSE!"]),
        ("strasse", ["Straße", "STRASSE!"]),
        ("STRAßE", ["Straße", "STRASSE!"]),
        ("école", ["ÉCOLE"]),
        ("İSTAN", ["İstanbul"]),
        ("\\", ["back\\"]),
        ("'; --", []),
        ("\0", []),
        ("\ud800", []),
        ("", NAMES),
    ],
)
def test_a_text_is_found_anywhere_in_a_name(book, contains, found):
    for name in NAMES:
        created(book, name)
    listed = pages(book, limit=4, contains=contains)
    assert sorted(name for page in listed for name in page) == sorted(found)


def test_a_page_of_a_state(book):
    for name in ("one", "two", "three"):
        started(book, name)
    created(book, "waiting")
    book.finish(book.page(contains="two").items[0].id, "completed")
    assert pages(book, state="running") == [["three", "one"]]
    assert pages(book, state="completed", contains="o") == [["two"]]
    assert pages(book, state="no state") == [[]]
    created(book, kind="index")
    assert pages(book, state="pending") == [["waiting"]]


@pytest.mark.parametrize("wrong", ["x", "é", "YmVuY2htYXJrczo=", "am9iczo1", "\0"])
def test_a_cursor_of_another_list_is_refused(book, wrong):
    """The fourth is one of jobs."""
    with pytest.raises(InputError, match="not a cursor") as caught:
        book.page(cursor=wrong)
    assert caught.value.where == "cursor"
    for limit in (0, -1, 1001, True, 2.0):
        with pytest.raises(InputError, match="limit"):
            book.page(limit=limit)


def test_progress_counts_the_queries_of_runs(book):
    benchmark = started(book, "one")
    units = [
        Unit("index", "build", "index"),
        Unit("words", "stage", "words", ("index",), 4),
        Unit("again", "stage", "again", ("words",), 4),
    ]
    uses = {"a": ["index", "words"], "b": ["index", "words", "again"]}
    book.prepare(benchmark, units, uses=uses)
    waiting = created(book, "waiting")
    assert [*book.progress()] == [benchmark]
    assert book.progress([waiting])[waiting].state == "pending"
    assert book.progress(["nothing", "\0"]) == {}
    book.complete(book.claim(benchmark, FAR))
    claim = book.claim(benchmark, FAR)
    book.record(claim, [RecordedAnswer("q1", 0, b"1"), RecordedAnswer("q2", 0, b"2")])
    found = book.progress()[benchmark]
    assert (found.done, found.total, found.stage) == (1, 3, "words")
    assert found.runs == (
        RunProgress("a", "running", 2, 4),
        RunProgress("b", "running", 1, 4),
    )
    assert book.find_runs(benchmark) == found.runs
    assert (book.find(benchmark).done, book.find(benchmark).total) == (1, 3)


def test_a_completed_benchmark_is_all_done(book):
    """Also if its stage outputs were forgotten since."""
    benchmark = started(book, "one")
    book.prepare(benchmark, [Unit("words", "stage", "words", (), 2)], uses={"a": ["words"]})
    claim = book.claim(benchmark, worker_name())
    book.record(claim, [RecordedAnswer("q", 0, b"1")])
    book.complete(claim)
    book.finish(benchmark, "completed")
    book.forget(["words"])
    found = book.progress([benchmark])[benchmark]
    assert (found.state, found.done, found.total) == ("completed", 1, 1)
    assert book.progress() == {}


def test_what_ended_lately(book, clock):
    one, two = started(book, "one"), started(book, "two")
    book.finish(one, "completed")
    clock.now += 10
    book.finish(two, "failed", error="no")
    assert book.ended_within(5) == [two]
    assert sorted(book.ended_within(11)) == sorted([one, two])
    book.resume(two)
    assert book.ended_within(11) == [one]


def test_jobs_and_what_they_came_to(book, clock):
    kinds = ["index", "resolve", "index"]
    made = [created(book, f"{n}", kind=kind, runs=[]) for n, kind in enumerate(kinds)]
    benchmark = started(book, "a benchmark")
    assert ids(book.jobs()) == made[::-1]
    page = book.jobs(limit=2)
    assert (ids(page), ids(book.jobs(limit=2, cursor=page.next))) == (made[:0:-1], made[:1])
    assert ids(book.jobs(kind="index")) == [made[2], made[0]]
    claim = book.claim(made[0], FAR)
    assert claim.unit.key == last_unit("index", made[0])
    clock.now += 3
    report = json.dumps({"added": 3}).encode()
    book.finish(made[0], "completed", report=report, claim=claim)
    done = book.job_status(made[0])
    assert (done.state, done.finished, done.result) == ("completed", 1003.0, {"added": 3})
    assert ids(book.jobs(kind="index", state="completed")) == [made[0]]
    book.fail_job(made[1], "the folder is gone")
    assert book.job_status(made[1]).error == "the folder is gone"
    assert book.job_status(made[2]).result == {}
    for unknown in (benchmark, "nothing", "\0"):
        with pytest.raises(NotFoundError, match="unknown job"):
            book.job_status(unknown)
    with pytest.raises(InputError, match="not a cursor"):
        book.jobs(cursor=book.page(limit=1).next or "x")
