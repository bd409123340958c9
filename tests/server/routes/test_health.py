from http import HTTPStatus

from tests.server.routes.small_benchmark import make_mapping, request_for

import assay
from assay.workflows.service import vitals


def test_the_process_answers_without_a_token(client):
    answer = client.role(None).get("/health/live")
    assert (answer.status_code, answer.json()) == (HTTPStatus.OK, {"status": "ok"})
    assert client.get("/api/v1/health").status_code == HTTPStatus.UNAUTHORIZED


def test_how_the_service_is(client, service):
    made = client.post("/api/v1/benchmarks", json=request_for(make_mapping(service))).json()
    found = client.role("viewer").get("/api/v1/health").json()
    assert (found["status"], found["version"]) == ("ok", assay.__version__)
    assert (found["database"], found["workers"], found["problems"]) == ("SQLite", 0, [])
    assert found["benchmarks"]["pending"] == 1
    assert found["disk_free_bytes"] > 0
    service.ledger.start(made["id"])
    service.ledger.take_job("a worker", "here")
    found = client.get("/api/v1/health").json()
    assert (found["workers"], found["benchmarks"]["running"], found["waiting_s"]) == (1, 1, 0.0)


def test_what_somebody_should_look_at(client, service, monkeypatch):
    made = client.post("/api/v1/benchmarks", json=request_for(make_mapping(service))).json()
    service.ledger.start(made["id"])
    monkeypatch.setattr(vitals, "LONG_S", 0.0)
    monkeypatch.setattr(vitals, "LITTLE_BYTES", 10**18)
    found = client.get("/api/v1/health").json()
    assert found["status"] == "warning"
    assert [one.split()[0] for one in found["problems"]] == ["work", "only"]
