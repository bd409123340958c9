"""A place for indexes in memory: these tests wait for many commits, and disks are slow."""

import tempfile
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
