"""Whoever dispatches work is notified of each job, once it is in the database."""

from dataclasses import replace

import pytest
from tests.server.routes.small_benchmark import make_mapping, request_for
from tests.server.routes.stored import upload

from assay.workflows.jobs.dispatch import NoDispatch


class Notified(NoDispatch):
    """Notes the jobs that it is notified of, as another connection finds them in the database."""

    def __init__(self, service):
        self._ledger = service.ledger
        self.jobs = []

    def notify(self, ids):
        self.jobs += [self._ledger.job(one).id for one in ids]


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "a.md").write_text("Apples grow on trees.")
    return tmp_path


@pytest.fixture
def settings(docs):
    return {"allow": (f"corpus={docs}",)}


@pytest.fixture
def dispatch(service):
    return Notified(service)


@pytest.fixture
def client(make_client, service, dispatch):
    return make_client(replace(service, dispatch=dispatch))


def test_every_change_of_a_benchmark_that_workers_should_see_is_notified(client, service, dispatch):
    made = client.post("/api/v1/benchmarks", json=request_for(make_mapping(service))).json()
    assert dispatch.jobs == []  # nothing is to be done until it is started
    acts = ("start", "cancel", "resume", "cancel", "retry")
    for number, act in enumerate(acts, start=1):
        assert client.post(f"/api/v1/benchmarks/{made['id']}/{act}").status_code == 202
        assert dispatch.jobs == [made["id"]] * number


def test_every_job_is_notified(client, dispatch, docs):
    corpus = {"name": "docs", "where": {"path": str(docs)}}
    corpus = client.post("/api/v1/corpora", json=corpus).json()["id"]
    about = {"dataset": upload(client)["id"], "corpus": corpus}
    mapping = client.post("/api/v1/mappings", json=about).json()
    assert dispatch.jobs == [mapping["job"]["id"]]
    again = client.post(f"/api/v1/mappings/{mapping['id']}/resolve").json()
    index = client.post(f"/api/v1/corpora/{corpus}/index", json={"configuration": {}}).json()
    assert dispatch.jobs[-1] == index["id"]
    assert again["id"] in dispatch.jobs
    client.post(f"/api/v1/jobs/{index['id']}/cancel")
    assert dispatch.jobs.count(index["id"]) == 2
