"""What the OpenAPI document says that is the same for all operations."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest

from assay.server.app import make_app


@pytest.fixture
def document(client):
    return client.get("/openapi.json").json()


def operations(document):
    return {
        one["operationId"]: (path, method, one)
        for path, methods in document["paths"].items()
        for method, one in methods.items()
    }


def test_each_operation_names_its_role_except_the_public_one(document):
    for name, (_, _, one) in operations(document).items():
        roles = {*chain(*(scopes for each in one.get("security", []) for scopes in each.values()))}
        assert roles <= {"viewer", "editor", "admin"}
        assert len(roles) == (name != "live")


def test_problems_are_named_where_they_can_be_answered(document):
    found = {name: set(one["responses"]) for name, (*_, one) in operations(document).items()}
    assert found["live"] == {"200", "400", "421", "500"}
    assert found["list_datasets"] == {"200", "400", "401", "421", "422", "429", "500", "503"}
    assert {"403"} <= found["list_tokens"]  # for administrators
    assert {"404", "409", "412", "413", "415", "422", "507"} <= found["delete_dataset"]
    assert "412" not in found["undelete_dataset"]
    assert {"409"} <= found["get_report"]
    assert "409" not in found["get_dataset"]
    for status in ("401", "429"):
        (answer,) = {str(one["responses"].get(status)) for *_, one in operations(document).values()
                     if "security" in one}  # fmt: skip
        assert "application/problem+json" in answer
        assert "headers" in answer


def test_links_lead_from_what_was_created_to_all_that_can_be_done_with_it(document):
    found = operations(document)
    linked = set()
    for path, _, one in found.values():
        for status, answer in one["responses"].items():
            for link in answer.get("links", {}).values():
                assert status in ("201", "202")
                target, _, about = found[link["operationId"]]
                assert {*link.get("parameters", {})} <= {
                    each["name"] for each in about["parameters"]
                }
                linked.add(link["operationId"])
                assert path != target
    with_id = {
        name for name, (path, _, one) in found.items()
        if path.count("{") == 1 and "{kind}" not in path
        and sum(each["required"] for each in one["parameters"]) == 1
    }  # fmt: skip
    assert with_id <= linked


def test_every_operation_parameter_and_tag_is_described(document):
    tags = {one["name"] for one in document["tags"]}
    for name, (*_, one) in operations(document).items():
        assert {*one["tags"]} <= tags, name
        assert one["summary"], name
        assert one["description"], name
        for each in one.get("parameters", []):
            assert each.get("description") or each["schema"].get("description"), (name, each)
        for status, answer in one["responses"].items():
            assert answer["description"] not in ("", "Successful Response"), (name, status)


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/v1/tokens/x", "DELETE, GET"),
        ("/api/v1/datasets", "GET, POST"),
        ("/api/v1/datasets/validate", "POST"),
        ("/health/live", "GET"),
    ],
)
def test_a_wrong_method_is_told_all_methods_of_the_path(client, path, allowed):
    answer = client.request("PUT", path)
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


def test_the_document_is_never_made_in_the_event_loop(client, monkeypatch):
    build, calls = client.app.openapi, []

    def openapi():
        with pytest.raises(RuntimeError, match="no running event loop"):
            asyncio.get_running_loop()
        calls.append(threading.current_thread())
        return build()

    monkeypatch.setattr(client.app, "openapi", openapi)
    assert client.get("/openapi.json").status_code == 200
    assert client.put("/health/live").status_code == 405
    assert len(calls) == 2


def test_threads_that_need_the_document_at_once_get_the_complete_one(service):
    app = make_app(service)
    with ThreadPoolExecutor(4) as threads:
        found = [one.result() for one in [threads.submit(app.openapi) for _ in range(4)]]
    assert all(one is found[0] for one in found)
    assert found[0]["components"]["schemas"]["Problem"]
    assert found[0] == app.openapi()


def test_a_path_is_as_it_is_documented(client):
    assert client.get("/api/v1/datasets/", follow_redirects=False).status_code == 404
