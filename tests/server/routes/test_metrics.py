from http import HTTPStatus

from prometheus_client.parser import text_string_to_metric_families
from tests.server.routes.small_benchmark import make_mapping, request_for


def read(client):
    answer = client.get("/metrics")
    assert answer.status_code == HTTPStatus.OK, answer.text
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_are_counted_by_the_template_of_their_route(client):
    for path in ("/api/v1/benchmarks/one", "/api/v1/benchmarks/two", "/etc/passwd"):
        client.get(path)
    found = read(client)
    labels = (("method", "GET"), ("route", "/api/v1/benchmarks/{benchmark}"), ("status", "404"))
    assert found["assay_requests_total", *labels] == 2
    assert found["assay_request_seconds_count", *labels[:2]] == 2
    other = (("method", "GET"), ("route", "other"), ("status", "404"))
    assert found["assay_requests_total", *other] == 1
    assert not any("passwd" in str(key) or "'one'" in str(key) for key in found)


def test_what_is_open_is_told_at_each_reading(client, service):
    made = client.post("/api/v1/benchmarks", json=request_for(make_mapping(service))).json()
    assert read(client)["assay_benchmarks", ("state", "pending")] == 1
    service.ledger.start(made["id"])
    found = read(client)
    assert found["assay_benchmarks", ("state", "pending")] == 0
    assert found["assay_benchmarks", ("state", "running")] == 1
    assert found["assay_waiting_seconds",] >= 0
    assert found["assay_workers",] == 0
    assert found["process_resident_memory_bytes",] > 0


def test_only_those_with_a_token_read_them(client):
    assert client.role(None).get("/metrics").status_code == HTTPStatus.UNAUTHORIZED
    assert client.role("viewer").get("/metrics").status_code == HTTPStatus.OK
