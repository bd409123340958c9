from http import HTTPStatus

import pytest
from tests.server.routes.small_benchmark import make_mapping, run_benchmark

PATH = "/api/v1/gate"


@pytest.fixture
def done(client, service, wait_for_job):
    return run_benchmark(client, wait_for_job, make_mapping(service))


def test_nothing_became_worse(client, done):
    side = {"benchmark": done}
    found = client.post(PATH, json={"current": side, "baseline": side, "allow": ["ndcg@10:5%"]})
    assert found.status_code == HTTPStatus.OK, found.text
    assert found.json()["outcome"] == "pass"
    assert {one["run"] for one in found.json()["checks"]} == {"plain", "stemless"}


def test_a_limit_fails_without_a_baseline(client, done):
    body = {"current": {"benchmark": done, "run": "plain"}, "min": {"precision@10": 0.9}}
    found = client.post(PATH, json={**body, "bare": True}).json()
    assert found["outcome"] == "fail", found
    assert found["checks"][0]["current"] < 0.9
    assert found["baseline"] is None


def test_two_runs_of_one_benchmark(client, done):
    sides = {
        "baseline": {"benchmark": done, "run": "plain"},
        "current": {"benchmark": done, "run": "stemless"},
    }
    found = client.post(PATH, json={**sides, "allow": ["ndcg@10:5%"]})
    assert found.json()["outcome"] in ("pass", "inconclusive"), found.text


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        ({"current": {"benchmark": "nobody"}}, 404, "nobody"),
        ({"current": {"benchmark": "/etc/passwd"}}, 404, "passwd"),
        ({"allow": ["nonsense:5%"]}, 422, "nonsense"),
        ({"allow": {"ndcg@10": "much"}}, 422, "much"),
        ({"preset": ["nonsense"]}, 422, "nonsense"),
        ({"qrels": "/etc/passwd"}, 422, "qrels"),
        ({"baseline": None}, 422, "baseline"),
    ],
)
def test_what_cannot_be_checked_is_refused(client, done, change, status, told):
    side = {"benchmark": done}
    body = {"current": side, "baseline": side, "allow": ["ndcg@10:5%"], **change}
    body = {key: one for key, one in body.items() if one is not None}
    answer = client.post(PATH, json=body)
    assert (answer.status_code, told in answer.text) == (status, True), answer.text
