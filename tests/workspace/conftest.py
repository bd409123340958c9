"""A place for indexes in memory: these tests wait for many commits, and disks are slow."""

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from assay.workspace.index_store import open_store

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None


@pytest.fixture
def place():
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture
def store(place):
    return open_store(place / "index", settings="a")


@pytest.fixture
def nobody():
    """Act as a user without rights: the superuser may read and write anywhere."""

    @contextmanager
    def acting():
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)

    return acting
