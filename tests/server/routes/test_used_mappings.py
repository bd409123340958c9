"""Mappings that benchmarks use: deleted meanwhile, before, and brought back."""

import pytest
from tests.server.routes.small_benchmark import make_mapping, request_for
from tests.server.routes.stored import problem_of

from assay.workflows.service import create_benchmark

BENCHMARKS, MAPPINGS = "/api/v1/benchmarks", "/api/v1/mappings"


@pytest.fixture
def mapping(service):
    return make_mapping(service)


def test_a_mapping_that_is_deleted_while_its_benchmark_is_created(
    client, service, mapping, monkeypatch
):
    """The benchmark is refused, and nothing is left of it."""
    describe = create_benchmark.about_benchmark

    def deleted_first(*given, **named):
        assert client.delete(f"{MAPPINGS}/{mapping}").status_code == 200
        return describe(*given, **named)

    monkeypatch.setattr(create_benchmark, "about_benchmark", deleted_first)
    answer = client.post(BENCHMARKS, json=request_for(mapping))
    assert mapping in problem_of(answer, 404)["detail"]
    assert client.get(BENCHMARKS).json()["items"] == []
    assert service.store.audit.page(kind="benchmark").items == ()
    monkeypatch.undo()
    assert client.post(f"{MAPPINGS}/{mapping}/undelete").status_code == 200
    assert client.post(BENCHMARKS, json=request_for(mapping)).status_code == 201
    problem_of(client.delete(f"{MAPPINGS}/{mapping}"), 409)


def test_a_mapping_of_a_deleted_benchmark_can_be_deleted(client, mapping):
    made = client.post(BENCHMARKS, json=request_for(mapping)).json()["id"]
    assert made in problem_of(client.delete(f"{MAPPINGS}/{mapping}"), 409)["hint"]
    assert client.delete(f"{BENCHMARKS}/{made}").status_code == 200
    assert client.delete(f"{MAPPINGS}/{mapping}").status_code == 200
    told = problem_of(client.post(f"{BENCHMARKS}/{made}/undelete"), 409)
    assert mapping in told["hint"]
    assert client.post(f"{MAPPINGS}/{mapping}/undelete").status_code == 200
    assert client.post(f"{BENCHMARKS}/{made}/undelete").json()["deleted"] is False


def test_a_benchmark_does_not_come_back_without_the_data_behind_its_mapping(client, mapping):
    about = client.get(f"{MAPPINGS}/{mapping}").json()
    made = client.post(BENCHMARKS, json=request_for(mapping)).json()["id"]
    data = [f"/api/v1/datasets/{about['dataset']}", f"/api/v1/corpora/{about['corpus']}"]
    for path in data:
        problem_of(client.delete(path), 409)
    for path in (f"{BENCHMARKS}/{made}", f"{MAPPINGS}/{mapping}", *data):
        assert client.delete(path).status_code == 200, path
    for path in data:
        problem_of(client.post(f"{BENCHMARKS}/{made}/undelete"), 409)
        problem_of(client.post(f"{MAPPINGS}/{mapping}/undelete"), 404)
        assert client.post(f"{path}/undelete").status_code == 200, path
    problem_of(client.post(f"{BENCHMARKS}/{made}/undelete"), 409)
    for path in (f"{MAPPINGS}/{mapping}", f"{BENCHMARKS}/{made}"):
        assert client.post(f"{path}/undelete").status_code == 200, path
