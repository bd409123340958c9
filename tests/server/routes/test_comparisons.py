from http import HTTPStatus

import pytest
from tests.server.routes.small_benchmark import PATHS, make_mapping, run_benchmark

PATH = "/api/v1/comparisons"


@pytest.fixture
def done(client, service, wait_for_job):
    return run_benchmark(client, wait_for_job, make_mapping(service))


def ask(client, baseline, *candidates, **more):
    body = {"baseline": baseline, "candidates": [*candidates], "flips": 100, **more}
    return client.post(PATH, json=body)


def test_two_runs_of_one_benchmark(client, done):
    answer = ask(
        client, {"benchmark": done, "run": "plain"}, {"benchmark": done, "run": "stemless"}
    )
    assert answer.status_code == HTTPStatus.OK, answer.text
    found = answer.json()
    assert found["queries"] == len(PATHS)
    assert found["candidates"][0]["verdict"]["outcome"]
    assert found["baseline"].endswith(":plain")


def test_two_benchmarks_run_by_run(client, service, wait_for_job):
    mapping = make_mapping(service)
    first, second = (run_benchmark(client, wait_for_job, mapping, name=one) for one in "ab")
    found = ask(client, {"benchmark": first}, {"benchmark": second}).json()
    assert {one["run"] for one in found["candidates"]} == {"plain", "stemless"}


def test_a_report_that_was_made_elsewhere(client, done):
    report = client.get(f"/api/v1/benchmarks/{done}/report").json()
    found = ask(client, {"benchmark": done}, {"report": {**report, "id": ""}})
    assert found.status_code == HTTPStatus.OK, found.text


@pytest.mark.parametrize(
    ("side", "status", "told"),
    [
        ({}, 422, "either benchmark or report"),
        ({"benchmark": "nobody"}, 404, "nobody"),
        ({"benchmark": "/etc/passwd"}, 404, "passwd"),
        ({"report": {"x": 1}}, 422, ""),
        ({"report": "/etc/passwd"}, 422, "report"),
        ({"file": "/etc/passwd"}, 422, "file"),
    ],
)
def test_what_is_no_report_is_refused_and_no_file_is_read(client, done, side, status, told):
    answer = ask(client, {"benchmark": done}, side)
    assert (answer.status_code, told in answer.text) == (status, True), answer.text
    assert "root:" not in answer.text


def test_a_run_that_is_not_there(client, done):
    answer = ask(client, {"benchmark": done, "run": "nobody"}, {"benchmark": done, "run": "plain"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "nobody" in answer.text


@pytest.mark.parametrize("wrong", [{"flips": 10**9}, {"alpha": 0}, {"primary": "nonsense"}])
def test_options_have_bounds(client, done, wrong):
    sides = ({"benchmark": done, "run": "plain"}, {"benchmark": done, "run": "stemless"})
    answer = client.post(PATH, json={"baseline": sides[0], "candidates": [sides[1]], **wrong})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, answer.text
