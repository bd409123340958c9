"""A run of a benchmark whose every query failed, and a benchmark that uses nothing from before."""

import pytest
from tests.server.routes.small_benchmark import PATHS, make_mapping, run_benchmark

MODULE = "def search(query, k):\n    raise ValueError(query)\n"  # each query has its own error
FAILING = {"name": "failing", "system": {"kind": "callable", "function": "failing_one:search"}}
RUNS = [{"name": "plain", "search": "lexical"}, FAILING]
PLACE = "/api/v1/benchmarks"


@pytest.fixture
def settings(tmp_path, monkeypatch):
    (tmp_path / "failing_one.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return {"allow": ("callable=failing_one:search",)}


@pytest.fixture
def mapping(service):
    return make_mapping(service)


def states(client, id_):
    """Return the states of the runs: of the benchmark, of its runs, and of its results."""
    results = client.get(f"{PLACE}/{id_}/results").json()["runs"]
    runs = client.get(f"{PLACE}/{id_}/runs").json()["items"]
    return (
        client.get(f"{PLACE}/{id_}").json()["runs"],
        {one["name"]: one["state"] for one in runs},
        {one["name"]: one["status"] for one in results},
    )


def test_a_run_without_any_answer_is_failed_wherever_it_is_shown(client, mapping, wait_for_job):
    id_ = run_benchmark(client, wait_for_job, mapping, configurations=RUNS)
    assert client.get(f"{PLACE}/{id_}").json()["state"] == "completed"
    expected = {"plain": "completed", "failing": "failed"}
    assert states(client, id_) == (expected, expected, expected)


def test_a_retry_lets_it_go_on(client, mapping, wait_for_job):
    id_ = run_benchmark(client, wait_for_job, mapping, configurations=RUNS)
    assert client.post(f"{PLACE}/{id_}/retry").json()["retried"] == len(PATHS)
    assert client.get(f"{PLACE}/{id_}").json()["runs"]["failing"] == "pending"
    wait_for_job(id_)
    assert states(client, id_)[0] == {"plain": "completed", "failing": "failed"}


def earlier(client, id_):
    notes = client.get(f"{PLACE}/{id_}/results").json()["notes"]
    return [one for one in notes if "recorded earlier" in one]


def test_a_fresh_benchmark_uses_nothing_that_was_recorded(client, mapping, wait_for_job):
    def ended(**settings):
        return run_benchmark(client, wait_for_job, mapping, settings={"untimed": True, **settings})

    first, second, fresh = ended(), ended(), ended(fresh=True)
    assert earlier(client, first) == []
    assert "settings.fresh" in earlier(client, second)[0]
    assert earlier(client, fresh) == []
    told = [client.get(f"{PLACE}/{one}").json()["definition"] for one in (second, fresh)]
    assert [one["settings"]["fresh"] for one in told] == [False, True]


def test_nothing_but_true_or_false_is_fresh(client, mapping):
    body = {"mappings": [mapping], "suite": "lexical", "settings": {"fresh": "yes"}}
    answer = client.post(PLACE, json=body)
    assert answer.status_code == 422
    assert "fresh" in answer.text
