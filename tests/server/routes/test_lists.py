import pytest

from assay.workflows.list_members import KINDS, list_members


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_listed_as_by_the_command(client, kind):
    answer = client.role("viewer").get(f"/api/v1/lists/{kind}")
    found = {one["name"]: one["summary"] for one in answer.json()["items"]}
    assert found == list_members(kind)
    assert found


def test_an_unknown_kind_is_refused_with_those_that_there_are(client):
    answer = client.get("/api/v1/lists/metric")
    assert answer.status_code == 422
    assert "'suites'" in answer.json()["detail"]
