"""Workers as real processes: restarted, limited, cancelled, drained, and never left behind."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest

from assay.workflows.jobs import supervisor as supervisor_module
from assay.workflows.jobs._worker_link import WorkerLink
from assay.workflows.jobs.supervisor import Supervisor
from assay.workspace.backups.backup import backup
from assay.workspace.backups.restore import restore

pytestmark = pytest.mark.service
SLOW, STUBBORN = "slow_system:slow", "stubborn_system:search"
MB = 1024 * 1024
SOON_S = 30.0  # on a machine that others use, too; what is waited for takes a second or so


@contextmanager
def supervised(work, **options):
    """Run a supervisor, and look that nothing is left of it."""
    log = []
    supervisor = Supervisor(work.place, tell=log.append, **options)
    supervisor.log = log
    supervisor.start()
    try:
        yield supervisor
    finally:
        pids = supervisor.pids()
        supervisor.stop()
    assert not any(is_there(pid) for pid in pids)


@contextmanager
def worker_command(work, *options):
    """Run `assay worker --serve`."""
    words = [sys.executable, "-m", "assay", "worker", "--serve", *options]
    process = subprocess.Popen(words, env=work.environment(), stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=SOON_S)


def is_there(pid):
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def gone(pids):
    """Wait until processes are gone."""
    until = time.monotonic() + SOON_S
    while any(is_there(pid) for pid in pids):
        assert time.monotonic() < until, "they are still there"
        time.sleep(0.02)
    return True


def rows(ledger, id_):
    """Count what is recorded of a benchmark."""
    return sum(state.done for state in ledger.states(id_).values())


def working(work, id_, more_than=0):
    """Wait until a benchmark is worked on, and return the worker's process."""
    work.wait_until(lambda ledger: has_begun(ledger, id_) and rows(ledger, id_) >= more_than)
    with work.ledger() as ledger:
        name = ledger.ask(f"SELECT name FROM workers WHERE benchmark = '{id_}'")[0]
    return int(name.split("/")[1])


def has_begun(ledger, id_):
    return any(one.state == "running" for one in ledger.states(id_).values())


def test_workers_do_one_benchmark_after_another(work):
    with supervised(work, processes=2) as supervisor:
        ids = [
            work.create(f"b{number}", settings={"untimed": True, "seed": number})
            for number in range(3)
        ]
        assert [one.state for one in work.wait_for(ids)] == ["completed"] * 3
        assert len(supervisor.pids()) == 2
        told = {f"completed: b{number} ({one})" for number, one in enumerate(ids)}
        work.wait_until(lambda _: told <= {*supervisor.log})


def test_a_worker_that_is_killed_is_restarted_and_its_work_continued(work):
    with supervised(work) as supervisor:
        id_ = work.create_slow(function=SLOW, settings={"untimed": True})
        pid = working(work, id_)
        os.kill(pid, signal.SIGKILL)
        assert work.wait_for([id_])[0].state == "completed"
        assert pid not in supervisor.pids()
    assert f"worker {pid} ended unexpectedly (signal 9)" in supervisor.log


def test_workers_are_started_again_whatever_went_wrong(work, monkeypatch):
    problems = [RuntimeError("can't start new thread"), OSError("no more processes")]

    def broken(*given, **options):
        if problems:
            raise problems.pop()
        return WorkerLink(*given, **options)

    monkeypatch.setattr(supervisor_module, "WorkerLink", broken)
    with supervised(work) as supervisor:
        assert work.wait_for([work.create()])[0].state == "completed"
    assert not problems
    assert "workers: can't start new thread" in supervisor.log


def test_a_problem_that_lasts_is_told_once_in_a_while(work, monkeypatch):
    """As while the database is away, which is noticed ten times a second."""
    failures = []

    def away(*_):
        failures.append(None)
        raise OSError("the database is away" if len(failures) < 20 else "it answers nonsense")

    monkeypatch.setattr(supervisor_module, "LOOK_S", 0.001)
    monkeypatch.setattr(Supervisor, "_look_at", away)
    with supervised(work) as supervisor:
        work.wait_until(lambda _: len(failures) > 60)
        assert supervisor.log == ["workers: the database is away", "workers: it answers nonsense"]
        monkeypatch.setattr(supervisor_module, "REPEAT_S", 0.0)
        work.wait_until(lambda _: len(supervisor.log) > 10)
        assert set(supervisor.log[2:]) == {"workers: it answers nonsense"}


def test_each_worker_has_its_problems_told(work, monkeypatch):
    monkeypatch.setattr(supervisor_module, "WorkerLink", broken := RecordedFailure())
    with supervised(work, processes=2) as supervisor:
        work.wait_until(lambda _: broken.count > 4)
    assert supervisor.log == ["workers: no more processes"] * 2


class RecordedFailure:
    """Starts no worker, and counts how often it was asked."""

    count = 0

    def __call__(self, *_, **__):
        self.count += 1
        raise OSError("no more processes")


@pytest.mark.parametrize(
    ("function", "told"),
    [("deadly", "signal 9"), ("leaving", "exit code 0"), ("interrupting", "exit code 1")],
)
def test_a_job_that_workers_die_of_fails_and_the_next_one_is_done(work, function, told):
    with supervised(work):
        deadly = work.create_slow(
            function, function=f"slow_system:{function}", settings={"untimed": True}
        )
        (ended,) = work.wait_for([deadly])
        assert ended.state == "failed"
        assert f"3 worker processes ended unexpectedly ({told})" in ended.error
        listed = f"SELECT count(*) FROM workers WHERE benchmark = '{deadly}'"
        work.wait_until(lambda ledger: ledger.ask(listed)[0] == 0)
        assert work.wait_for([work.create()])[0].state == "completed"


def test_what_a_dead_worker_has_started_ends_with_it(work):
    with supervised(work):
        id_ = work.create_slow(function="slow_system:forking", settings={"untimed": True})
        assert work.wait_for([id_])[0].state == "failed"
        child = int(Path(work.modules, "forked").read_text())
        work.wait_until(lambda _: not psutil.pid_exists(child) or is_zombie(child))


def is_zombie(pid):
    with suppress(psutil.NoSuchProcess):
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    return True


def test_output_without_an_end_is_logged_in_parts(work):
    with supervised(work) as supervisor:
        id_ = work.create_slow(function="slow_system:endless_line", settings={"untimed": True})
        assert work.wait_for([id_])[0].state == "completed"
        work.wait_until(lambda _: any("xxx" in line for line in supervisor.log))
    assert max(map(len, supervisor.log)) < 10_000


def test_a_benchmark_goes_on_where_a_restored_backup_has_it(work, tmp_path):
    """What went wrong because all of it was replaced is no failure of the benchmark."""
    with supervised(work):
        id_ = work.create_slow(function=SLOW, settings={"asks": 10})
        working(work, id_)
        file = backup(work.place.database, tmp_path / "before.sqlite").file
        recorded = "SELECT count(*) FROM recorded"
        before = work.wait_until(lambda ledger: ledger.ask(recorded)[0])
        work.wait_until(lambda ledger: ledger.ask(recorded)[0] > before)
        restore(work.place, file, force=True)
        assert work.wait_for([id_])[0].state == "completed"


@pytest.mark.skipif(sys.platform != "linux", reason="memory is known of Linux only")
def test_a_job_that_needs_too_much_memory_fails_and_the_next_one_is_done(work):
    with supervised(work, memory_limit=400 * MB):
        hungry = work.create_slow(
            "hungry", function="slow_system:hungry", settings={"untimed": True}
        )
        (ended,) = work.wait_for([hungry])
        assert ended.state == "failed"
        assert "exceed the limit of 400 MB per worker" in ended.error
        assert work.wait_for([work.create()])[0].state == "completed"


@pytest.mark.parametrize("function", [SLOW, STUBBORN])
def test_a_cancelled_benchmark_stops_soon(work, function):
    """Also where a search listens to nothing, as a long build does not."""
    with supervised(work) as supervisor:
        id_ = work.create_slow(function=function, settings={"asks": 30})
        working(work, id_)
        with work.ledger() as ledger:
            began = time.monotonic()
            ledger.request_cancel(id_)
            work.wait_for([id_], seconds=10.0)
            took = time.monotonic() - began
        assert work.state(id_).state == "cancelled"
        assert took < 8.0  # a second, where the machine is not busy; a lease has 30
        listed = f"SELECT count(*) FROM workers WHERE benchmark = '{id_}'"
        work.wait_until(lambda ledger: ledger.ask(listed)[0] == 0)
        assert work.wait_for([work.create()])[0].state == "completed"  # others are done next
        assert len(supervisor.pids()) == 1


def test_a_worker_that_is_stopped_releases_its_work(work):
    with worker_command(work) as process:
        id_ = work.create_slow(function=SLOW, settings={"asks": 30})
        pid = working(work, id_, more_than=1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(SOON_S) == 0
        assert gone([pid])
    with work.ledger() as ledger:
        assert ledger.find(id_).state == "running"
        assert not has_begun(ledger, id_)
        assert rows(ledger, id_) > 0
    with worker_command(work):
        assert work.wait_for([id_])[0].state == "completed"


def test_a_second_signal_ends_a_worker_at_once(work):
    with worker_command(work) as process:
        id_ = work.create_slow(function=STUBBORN, settings={"untimed": True})
        pid = working(work, id_)
        work.wait_until(lambda _: work.is_stubborn(pid))
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)  # two signals at the same moment are one
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(5.0) == 130
        assert gone([pid])


def test_workers_end_with_the_process_that_started_them(work):
    with worker_command(work, "--processes", "2") as process:
        id_ = work.create_slow(function=SLOW, settings={"asks": 30})
        working(work, id_)
        pids = [one.pid for one in psutil.Process(process.pid).children(recursive=True)]
        assert len(pids) == 2
        os.kill(process.pid, signal.SIGKILL)
        assert gone(pids)
    with work.ledger() as ledger:
        assert not ledger.has_workers(id_)
        assert not has_begun(ledger, id_)


def test_one_index_is_built_by_one_worker_at_a_time_unless_a_benchmark_is_parallel(work):
    with supervised(work, processes=2):
        one = work.create_slow("one", function=SLOW, settings={"untimed": True})
        two = work.create_slow("two", function=SLOW, settings={"untimed": True, "seed": 1})
        together = set()

        def look(ledger):
            together.update([tuple(ledger.has_workers(each) for each in (one, two))])
            return all(ledger.find(each).finished for each in (one, two))

        work.wait_until(look)
        assert (True, True) not in together
        assert [each.state for each in work.wait_for([one, two])] == ["completed"] * 2
        shared = work.create_slow("shared", function=SLOW, settings={"asks": 20}, parallel=2)
        count = f"SELECT count(*) FROM workers WHERE benchmark = '{shared}'"
        assert work.wait_until(lambda ledger: ledger.ask(count)[0] == 2)
