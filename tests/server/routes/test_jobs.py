from tests.server.routes.stored import all_items, dataset_of, problem_of, upload

BASE = "/api/v1/jobs"


def resolve(client, name):
    """Map a dataset onto its own documents, and return the job that resolves it."""
    file = dataset_of(("q", ["a"]), name=name) | {"documents": [{"id": "a", "text": "t"}]}
    made = upload(client, file)
    return client.post("/api/v1/mappings", json={"dataset": made["id"], "corpus": made["id"]})


def test_are_listed_by_kind_and_state(client, wait_for_job):
    jobs = [resolve(client, f"d{number}").json()["job"]["id"] for number in range(3)]
    wait_for_job(jobs[1])
    assert [one["id"] for one in all_items(client, BASE, limit=1)] == jobs[::-1]
    assert [one["id"] for one in all_items(client, BASE, state="completed")] == [jobs[1]]
    assert all_items(client, BASE, kind="index") == []
    problem_of(client.get(BASE, params={"kind": "benchmark"}), 422)


def test_show_what_they_came_to(client, wait_for_job):
    job = resolve(client, "d").json()["job"]
    before = client.get(f"{BASE}/{job['id']}")
    tag = {"If-None-Match": before.headers["etag"]}
    assert client.get(f"{BASE}/{job['id']}", headers=tag).status_code == 304
    wait_for_job(job["id"])
    found = client.get(f"{BASE}/{job['id']}", headers=tag).json()
    assert (found["state"], found["result"]["resolved"]) == ("completed", 1)
    assert found["finished"] >= found["created"]


def test_are_cancelled_once(client):
    job = resolve(client, "d").json()["job"]["id"]
    answer = client.post(f"{BASE}/{job}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (202, "cancelled")
    problem_of(client.post(f"{BASE}/{job}/cancel"), 409)


def test_after_one_was_cancelled_another_resolves_the_mapping(client, wait_for_job):
    mapping = resolve(client, "d").json()
    client.post(f"{BASE}/{mapping['job']['id']}/cancel")
    again = client.post(f"/api/v1/mappings/{mapping['id']}/resolve").json()["id"]
    assert wait_for_job(again).state == "completed"
    assert client.get(f"/api/v1/mappings/{mapping['id']}").json()["state"] == "resolved"


def test_are_no_benchmarks(client, service):
    benchmark, _ = service.ledger.create(name="b", about={}, runs=["r"], job={}, author="Ada")
    problem_of(client.get(f"{BASE}/{benchmark}"), 404)
    problem_of(client.post(f"{BASE}/{benchmark}/cancel"), 404)
    assert service.ledger.find(benchmark).state == "pending"


def test_are_cancelled_by_editors_only(client):
    job = resolve(client, "d").json()["job"]["id"]
    client.role("viewer")
    problem_of(client.post(f"{BASE}/{job}/cancel"), 403)
    assert client.get(f"{BASE}/{job}").json()["state"] == "pending"
