"""A workspace of a service, on SQLite or PostgreSQL, and data for it."""

import pytest
from tests.workflows.jobs.service_work import ServiceWork, write_data


@pytest.fixture(scope="session")
def service_data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("service-data")
    write_data(folder)
    return folder


@pytest.fixture
def work(service_data, tmp_path, monkeypatch):
    """A workspace with a resolved mapping; processes that are started find slow systems."""
    made = ServiceWork(service_data, tmp_path / "w")
    monkeypatch.setenv("PYTHONPATH", made.modules)
    return made
