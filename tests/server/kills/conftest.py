"""Services whose processes are killed."""

import pytest
from tests.server.kills.kill_work import KillWork


@pytest.fixture
def work(tmp_path):
    """A workspace on SQLite, with data of its own."""
    return KillWork(tmp_path)
