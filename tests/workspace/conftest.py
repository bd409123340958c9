"""Places in memory, since these tests wait for many commits, and what is put there."""

import os
import tempfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from assay.records.work import RecordedAnswer, Unit
from assay.workspace.blobs import Blobs
from assay.workspace.builds import Builds
from assay.workspace.disk import folder_locks
from assay.workspace.index.index_store import open_store
from assay.workspace.ledger.ledger import open_ledger, worker_name

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


@pytest.fixture
def place():
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture
def store(place):
    return open_store(place / "index", settings="a")


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_place(request, place):
    """Where a ledger can be made: a file, and a real PostgreSQL."""
    if request.param == "sqlite":
        return str(place / "ledger.sqlite")
    return request.getfixturevalue("empty_database")


NOISE = np.random.default_rng(7)


class Filling:
    """Puts something of a known size and time into each place of a workspace."""

    @staticmethod
    def build(workspace, key, size, used):
        builds = Builds(workspace.builds)
        with builds.making(key) as folder:
            (folder / "index").write_bytes(bytes(size))
        builds.close()
        os.utime(workspace.builds / key / folder_locks.MARK, (used, used))

    @staticmethod
    def tape(workspace, key, size, used, *, state="completed"):
        with closing(open_ledger(workspace.ledger, clock=lambda: used)) as found:
            begun = found.begin(identity=key, name="b", about={}, runs=["one"], resume=False)
            found.prepare(begun.id, [Unit(key, "stage", key, total=1)], uses={"one": [key]})
            claim = found.claim(begun.id, worker_name())
            found.record(claim, [RecordedAnswer("q", value=NOISE.bytes(size))])
            if state == "completed":
                found.complete(claim)
                found.finish(begun.id, state, report=b"a report")
        return begun.id

    @staticmethod
    def unit(workspace, key):
        """Note work of which nothing is recorded, as of a build or of what was never begun."""
        with closing(open_ledger(workspace.ledger)) as found:
            begun = found.begin(identity=key, name="b", about={}, runs=[], resume=False)
            found.prepare(begun.id, [Unit(key, "build", key)])
            found.finish(begun.id, "cancelled")

    @staticmethod
    def memory(path, rows, each=1000):
        with closing(Blobs(path)) as memory:
            for number in range(rows):
                memory.put(f"{number:064}", NOISE.bytes(each))

    @staticmethod
    def index(workspace, name):
        with open_store(workspace.indexes / name, settings="a").update() as update:
            (update.lexical / "segment").write_bytes(bytes(100))


@pytest.fixture(scope="session")
def put():
    return Filling


@pytest.fixture
def open_to_others():
    """Let other users read a folder, which is its owner's alone by default."""

    def opened(folder):
        for each in (folder, *folder.rglob("*")):
            each.chmod(0o755 if each.is_dir() else 0o644)

    return opened
