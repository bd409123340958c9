import pytest
from tests.server.routes.stored import problem_of

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


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/api/v1/benchmarks?limt=3", 'did you mean "limit"?'),
        ("/api/v1/datasets?limit=3&contain=x", 'did you mean "contains"?'),
        ("/api/v1/benchmarks/b/runs?x=1", "remove it: there are no parameters here"),
        ("/api/v1/progress?benchmarks=b", 'did you mean "benchmark"?'),
    ],
)
def test_unknown_query_parameters_are_refused(client, path, hint):
    """One that is misspelled would select nothing, and the answer would be that of another list."""
    told = problem_of(client.get(path), 422)
    assert (told["detail"], told["hint"]) == ("unknown query parameter", hint)
