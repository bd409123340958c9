"""Items that make progress: 304 while they are as they were, and changes bound to their tags."""

import pytest
from tests.server.routes.small_benchmark import make_mapping, request_for

from assay.errors import StaleError
from assay.server.etag import if_match, revision_tag


@pytest.fixture
def benchmark(client, service):
    made = client.post("/api/v1/benchmarks", json=request_for(make_mapping(service)))
    assert made.status_code == 201, made.text
    return f"/api/v1/benchmarks/{made.json()['id']}"


@pytest.fixture
def mapping(service):
    return f"/api/v1/mappings/{make_mapping(service)}"


def tag_of(client, place):
    """Return the tag of an item; who sends it is answered 304."""
    answer = client.get(place)
    tag = answer.headers["etag"]
    assert answer.status_code == 200, answer.text
    same = client.get(place, headers={"If-None-Match": f'"other", {tag}'})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    return tag


def changed_since(client, place, tag):
    """Ask with a tag that was true before, and return the answer of today."""
    answer = client.get(place, headers={"If-None-Match": tag})
    assert answer.status_code == 200
    assert answer.headers["etag"] != tag
    return answer.json()


def test_progress_of_a_benchmark_is_never_hidden_by_a_tag(client, service, benchmark, wait_for_job):
    tag = tag_of(client, benchmark)
    assert client.post(f"{benchmark}/start").status_code == 202
    assert changed_since(client, benchmark, tag)["state"] == "running"
    tag = tag_of(client, benchmark)
    revision = client.get(benchmark).json()["revision"]
    begun = service.ledger.take_job("a worker", "here")
    assert begun is not None
    wait_for_job(begun.id)
    found = changed_since(client, benchmark, tag)
    assert found["state"] == "completed"
    assert found["revision"] > revision
    tag_of(client, benchmark)


def test_units_that_are_done_change_the_tag_but_not_the_revision(client, service, benchmark):
    from assay.records.work import Unit

    id_ = benchmark.rpartition("/")[2]
    client.post(f"{benchmark}/start")
    tag, revision = tag_of(client, benchmark), service.ledger.find(id_).revision
    service.ledger.prepare(
        id_, [Unit(f"{id_}-s", "stage", "search", total=2)], uses={"plain": [f"{id_}-s"]}
    )
    assert service.ledger.find(id_).revision == revision
    assert changed_since(client, benchmark, tag)["total"] == 1
    tag = tag_of(client, benchmark)
    service.ledger.complete(service.ledger.claim(id_, "a worker"))
    assert changed_since(client, benchmark, tag)["done"] == 1
    assert service.ledger.find(id_).revision == revision


def test_the_job_of_a_mapping_is_never_hidden_by_a_tag(client, service, mapping, wait_for_job):
    tag = tag_of(client, mapping)
    job = client.post(f"{mapping}/resolve").json()["id"]
    assert changed_since(client, mapping, tag)["job"]["state"] == "pending"
    tag = tag_of(client, mapping)
    service.ledger.fail_job(job, "no such corpus")
    assert changed_since(client, mapping, tag)["job"]["state"] == "failed"
    wait_for_job(client.post(f"{mapping}/resolve").json()["id"])
    assert changed_since(client, mapping, tag)["state"] == "resolved"


def test_a_change_is_bound_to_the_revision_of_a_tag_alone(client, mapping):
    tag = client.get(mapping).headers["etag"]
    client.post(f"{mapping}/resolve")  # its job is no change by somebody else
    assert client.get(mapping).headers["etag"] != tag
    assert client.delete(mapping, headers={"If-Match": tag}).status_code == 200
    client.post(f"{mapping}/undelete")
    assert client.delete(mapping, headers={"If-Match": tag}).status_code == 412


def test_a_benchmark_is_deleted_with_its_tag_of_now(client, benchmark):
    old = client.get(benchmark).headers["etag"]
    new = client.post(f"{benchmark}/cancel").headers["etag"]
    assert client.delete(benchmark, headers={"If-Match": old}).status_code == 412
    assert client.delete(benchmark, headers={"If-Match": new}).status_code == 200


@pytest.mark.parametrize("path", ["benchmarks/{benchmark}", "mappings/{mapping}"])
def test_the_document_names_304(client, path):
    answers = client.get("/openapi.json").json()["paths"][f"/api/v1/{path}"]["get"]["responses"]
    assert {"ETag"} <= answers["304"]["headers"].keys()
    assert answers["200"]["content"]["application/json"]["schema"]


class Request:
    """A request with the header If-Match alone."""

    def __init__(self, *values):
        self.headers = self
        self.values = values

    def getlist(self, _):
        return self.values


def test_both_kinds_of_tags_are_read():
    assert if_match(Request(revision_tag(3))) == if_match(Request(revision_tag(3, "a"))) == 3
    for wrong in ('"r3-"', '"r3-x"', '"r3-0123456789abcdeg"', '"r03"', "r3"):
        with pytest.raises(StaleError):
            if_match(Request(wrong))
