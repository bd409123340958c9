"""Services whose processes are killed."""

import pytest
from tests.server.kills.kill_work import KillWork


@pytest.fixture
def work(tmp_path):
    """A workspace on SQLite, with data of its own."""
    return KillWork(tmp_path)


@pytest.fixture(params=["sqlite", "postgresql"])
def any_work(request, tmp_path):
    """A workspace on either database."""
    url = request.getfixturevalue("empty_database") if request.param == "postgresql" else ""
    return KillWork(tmp_path, url)
