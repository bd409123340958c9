"""A worker of a service does one job after another, whatever becomes of each."""

import pytest

from assay.errors import InputError, UnavailableError
from assay.workflows.jobs import perform, serve_jobs
from assay.workflows.jobs.perform import JobKind
from assay.workflows.jobs.submit import submit
from assay.workspace.ledger.ledger import worker_name

OTHER = "elsewhere/1/1"  # a worker of another machine


@pytest.fixture
def serve(work, monkeypatch):
    """Work until so many jobs have ended, or were left, and return what was told of them."""
    monkeypatch.setattr(serve_jobs, "POLL_S", 0.05)

    def until(number):
        news = []

        def tell(one):
            news.append(one)
            if sum(one.state != "running" for one in news) >= number:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            serve_jobs.serve_jobs(work.place, tell=tell)
        return news

    return until


def broken(work, monkeypatch, error):
    """Submit a job that raises an error."""

    def handler(*_args, **_options):
        raise error

    monkeypatch.setitem(perform.KINDS, "index", JobKind(handler, ()))
    return submit("index", {}, name="broken", workspace=work.place.folder)


def test_a_job_that_fails_is_noted_once_and_the_next_one_is_done(work, serve):
    about = {"path": "/nowhere/queries.json", "author": "ann"}
    wrong = submit("import", about, name="wrong", workspace=work.place.folder)
    right = work.create()
    news = serve(2)
    assert [(one.id, one.state) for one in news] == [
        (wrong, "running"),
        (wrong, "failed"),
        (right, "running"),
        (right, "completed"),
    ]
    assert work.state(right).state == "completed"
    with work.ledger() as ledger:
        assert ledger.job(wrong).state == "failed"
        assert "queries.json" in ledger.job(wrong).error
        assert ledger.take_job("another") is None


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RuntimeError("a bug"), "internal error (RuntimeError: a bug)"),
        (MemoryError(), "not enough memory"),
        (InputError("not so", where="there"), "there: not so"),
    ],
)
def test_whatever_a_job_raises_is_its_error(work, serve, monkeypatch, error, told):
    job = broken(work, monkeypatch, error)
    assert [one.state for one in serve(1)] == ["running", "failed"]
    with work.ledger() as ledger:
        assert ledger.job(job).state == "failed"
        assert ledger.job(job).error.startswith(told)


def test_a_server_that_is_away_fails_no_job(work, serve, monkeypatch):
    job = broken(work, monkeypatch, UnavailableError("the server is away"))
    later = work.create()
    news = serve(2)
    assert [(one.id, one.state) for one in news[1::2]] == [(job, "postponed"), (later, "completed")]
    with work.ledger() as ledger:
        assert ledger.job(job).state != "failed"
        assert ledger.take_job("another").id == job  # the worker has left it


def test_what_fails_after_the_work_was_taken_away_fails_no_job(work, serve, monkeypatch):
    """As by a backup that is restored: the job may be whole in what is there now."""
    id_ = work.create()
    with work.ledger() as ledger:

        def taken_away(job, _place):
            ledger.drop_job(worker_name(), job.id)
            raise KeyError("a run that is gone")

        monkeypatch.setattr(serve_jobs, "perform", taken_away)
        assert [one.state for one in serve(1)] == ["running", "postponed"]
        assert ledger.find(id_).state == "running"
        assert ledger.take_job("another").id == id_


def test_a_benchmark_on_which_others_work_is_left_to_them(work, serve, monkeypatch):
    id_ = work.create(parallel=2)
    monkeypatch.setattr(serve_jobs, "AGAIN_S", 0.3)
    with work.ledger() as ledger:

        def unseen(job, _place):
            raise InputError("the corpus is not here", where=job.name)

        monkeypatch.setattr(serve_jobs, "perform", unseen)
        ledger.attend(id_, OTHER, "m")
        assert [one.state for one in serve(1)] == ["running", "postponed"]
        assert ledger.find(id_).state == "running"
        assert ledger.has_workers(id_)
        ledger.leave(id_, OTHER)
        assert [one.state for one in serve(1)] == ["running", "failed"]
        assert ledger.find(id_).state == "failed"
        assert ledger.find(id_).error == "benchmark: the corpus is not here"


def test_a_cancelled_benchmark_is_over_and_the_next_one_is_done(work, serve):
    first, second = work.create("first"), work.create("second")
    with work.ledger() as ledger:
        ledger.attend(first, OTHER, "m")  # so that it is not over at once
        ledger.request_cancel(first)
        assert ledger.find(first).state == "running"
        ledger.leave(first, OTHER)
    serve(1)
    assert work.state(first).state == "cancelled"
    assert work.state(second).state == "completed"


def test_an_interrupt_releases_what_was_begun(work, monkeypatch):
    id_ = work.create()
    monkeypatch.setattr(serve_jobs, "perform", interrupted)
    with pytest.raises(KeyboardInterrupt):
        serve_jobs.serve_jobs(work.place)
    with work.ledger() as ledger:
        assert not ledger.has_workers(id_)
        assert ledger.take_job("another").id == id_


def interrupted(job, place, **_options):
    from contextlib import closing

    from assay.workspace.ledger.ledger import open_ledger

    with closing(open_ledger(place.database)) as ledger:
        assert ledger.has_workers(job.id)
        assert ledger.take_job(worker_name() + "/2") is None  # it is for one worker
    raise KeyboardInterrupt
