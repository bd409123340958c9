import threading
from http import HTTPStatus

import pytest
from tests.server.routes.small_benchmark import PATHS, make_mapping, request_for, run_benchmark

BENCHMARKS = "/api/v1/benchmarks"
RUNS = {"plain": "pending", "stemless": "pending"}


@pytest.fixture
def mapping(service):
    return make_mapping(service)


def create(client, mapping, **body):
    answer = client.post(BENCHMARKS, json=request_for(mapping, **body))
    assert answer.status_code == HTTPStatus.CREATED, answer.text
    return answer.json()


def test_a_benchmark_from_its_request_to_its_results(client, service, mapping, wait_for_job):
    made = create(client, mapping, description="which one?")
    assert (made["state"], made["runs"], made["author"]) == ("pending", RUNS, "Ada")
    assert made["definition"]["description"] == "which one?"
    assert [one["mapping"] for one in made["definition"]["mappings"]] == [mapping]
    assert [one["name"] for one in made["definition"]["runs"]] == [*RUNS]
    place = f"{BENCHMARKS}/{made['id']}"
    assert client.get(f"{place}/report").status_code == HTTPStatus.CONFLICT
    assert client.post(f"{place}/start").json()["state"] == "running"
    wait_for_job(made["id"])
    ended = client.get(place).json()
    assert (ended["state"], ended["reported"]) == ("completed", True)
    assert set(ended["runs"].values()) == {"completed"}
    runs = client.get(f"{place}/runs").json()["items"]
    assert [(one["name"], one["done"], one["total"]) for one in runs] == [
        ("plain", len(PATHS), len(PATHS)),
        ("stemless", len(PATHS), len(PATHS)),
    ]
    assert runs[1]["configuration"]["language"] == "none"
    scores = {one["name"]: one["scores"] for one in client.get(f"{place}/results").json()["runs"]}
    assert scores["plain"]["ndcg@10"] == 1.0


def test_each_start_but_the_first_is_refused(client, mapping):
    made = create(client, mapping)
    place = f"{BENCHMARKS}/{made['id']}/start"
    states = []

    def start():
        states.append(client.post(place).status_code)

    threads = [threading.Thread(target=start) for _ in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert sorted(states) == [HTTPStatus.ACCEPTED] + [HTTPStatus.CONFLICT] * 5


def test_a_start_that_is_sent_again_with_its_key_changes_nothing(client, mapping):
    place = f"{BENCHMARKS}/{create(client, mapping)['id']}/start"
    first = client.post(place, headers={"Idempotency-Key": "one"})
    again = client.post(place, headers={"Idempotency-Key": "one"})
    assert (first.status_code, again.status_code) == (HTTPStatus.ACCEPTED, HTTPStatus.ACCEPTED)
    assert again.json() == first.json()
    other = client.post(place, headers={"Idempotency-Key": "two"})
    assert other.status_code == HTTPStatus.CONFLICT


def test_each_change_can_be_bound_to_the_state_that_was_read(client, mapping):
    place = f"{BENCHMARKS}/{create(client, mapping)['id']}"
    acts = (("start", 202), ("cancel", 202), ("resume", 202), ("cancel", 202), ("retry", 202))
    for act, status in acts:
        seen = client.get(place).headers["etag"]
        assert client.post(f"{place}/{act}", headers={"If-Match": '"r99"'}).status_code == 412, act
        assert client.get(place).headers["etag"] == seen
        assert client.post(f"{place}/{act}", headers={"If-Match": seen}).status_code == status, act
        assert client.post(f"{place}/{act}", headers={"If-Match": seen}).status_code == 412, act


def test_the_same_key_is_the_same_benchmark(client, mapping):
    key = {"Idempotency-Key": "once"}
    first = client.post(BENCHMARKS, json=request_for(mapping), headers=key)
    again = client.post(BENCHMARKS, json=request_for(mapping), headers=key)
    assert again.json() == first.json()
    assert first.headers["location"] == f"{BENCHMARKS}/{first.json()['id']}"
    assert len(client.get(BENCHMARKS).json()["items"]) == 1
    other = client.post(BENCHMARKS, json=request_for(mapping, name="other"), headers=key)
    assert (other.status_code, other.json()["type"]) == (409, "urn:assay:problem:conflict")
    someone = client.role("editor", "Grace").post(
        BENCHMARKS, json=request_for(mapping), headers=key
    )
    assert someone.json()["id"] != first.json()["id"]
    client.role("admin").delete(f"{BENCHMARKS}/{first.json()['id']}")
    gone = client.post(BENCHMARKS, json=request_for(mapping), headers=key)
    assert gone.status_code == HTTPStatus.CONFLICT
    assert "deleted" in gone.json()["detail"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"configurations": [{"serch": "lexical"}]}, "serch"),
        ({"configurations": [{"search": "nothing"}]}, "nothing"),
        ({"configurations": [{"search": "lexical", "top_k": 5}], "metrics": ["ndcg@10"]}, "top_k"),
        ({"configurations": [{"model": "/etc"}]}, "not allowed"),
        (
            {"configurations": [{"system": {"kind": "callable", "function": "os:system"}}]},
            "os:system",
        ),
        (
            {"configurations": [{"system": {"kind": "run_file", "path": "/etc/passwd"}}]},
            "/etc/passwd",
        ),
        (
            {"configurations": [{"system": {"kind": "http", "url": "http://169.254.169.254/"}}]},
            "169.254.169.254",
        ),
        ({"configurations": [{"name": "${HOME}"}]}, "variables"),
        ({"suite": "everything", "configurations": None}, "everything"),
        ({"mappings": ["unknown"]}, "unknown"),
        ({"mappings": []}, "mappings"),
        ({"mappings": None}, "mappings"),
        ({"configurations": []}, "configurations"),
        ({"configurations": [{"search": "lexical"}] * 1001}, "configurations"),
        ({"metrics": ["nonsense@10"]}, "nonsense"),
        ({"baseline": "nobody"}, "nobody"),
        ({"settings": {"sed": 1}}, "sed"),
        ({"settings": {"repeats": 101}}, "repeats"),
        ({"settings": {"untimed": True, "live": True}}, "untimed"),
        ({"parallel": 0}, "parallel"),
        ({"parallel": True}, "parallel"),
        ({"corpus": "/etc"}, "corpus"),
    ],
)
def test_what_cannot_be_run_is_refused_and_nothing_is_noted(client, service, mapping, change, told):
    body = {key: one for key, one in request_for(mapping, **change).items() if one is not None}
    for path in (BENCHMARKS, "/api/v1/plans"):
        answer = client.post(path, json=body)
        expected = 404 if change.get("mappings") == ["unknown"] else 422
        assert answer.status_code == expected, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert told in answer.text
    assert client.get(BENCHMARKS).json() == {"items": [], "next": None}
    service.store.mappings.delete(mapping, revision=None, author="Ada")  # nothing uses it


def test_all_problems_of_a_request_are_answered_at_once(client, mapping):
    wrong = [{"search": "nothing", "chunk_size": -1}, {"search": "lexical", "top_k": 0}]
    found = client.post(BENCHMARKS, json=request_for(mapping, configurations=wrong)).json()
    told = " ".join(one["where"] + one["problem"] for one in found["problems"])
    assert all(name in told for name in ("search", "chunk_size", "top_k")), found


REFUSED = [
    {"name": "a", "serch": "lexical", "rrf_k": -3},
    {"name": "b", "model": "statc", "search": "dense"},
]
WRONG = {
    "configurations": REFUSED,
    "matrix": {"chunk_size": [128, 256]},
    "metrics": ["ngcd@10"],
    "baseline": "nobody",
    "budgets": {"latency": 5},
    "settings": {"untimed": True, "live": True},
    "mappings": ["unknown"],
}


def test_problems_of_every_part_of_a_request_are_listed_together(client, mapping):
    for path in (BENCHMARKS, "/api/v1/plans"):
        answer = client.post(path, json=request_for(mapping, **WRONG))
        assert answer.status_code == 422
        found = answer.json()["problems"]
        told = "\n".join(f"{one['where']}: {one['problem']}" for one in found)
        parts = ("serch", "statc", "rrf_k", "ngcd@10", "nobody", "latency", "untimed", "unknown")
        assert all(name in told for name in parts), told
        assert len(found) == len(parts), told


@pytest.mark.parametrize(
    "change",
    [
        {"configurations": REFUSED[1:], "matrix": {"rrf_k": [30, 60]}, "baseline": "b"},
        {"configurations": [{"name": "${A}"}, {"name": "b", "search": "lexical"}]},
        {"configurations": [{"name": "plain"}], "matrix": {"model": ["statc"]}},
        {"configurations": None, "config_matrix": {"embedding_models": ["${A}"]}},
    ],
)
def test_what_is_refused_makes_nothing_else_wrong(client, mapping, change):
    body = {key: one for key, one in request_for(mapping, **change).items() if one is not None}
    found = client.post(BENCHMARKS, json=body).json()["problems"]
    assert len(found) == 1, found
    assert "statc" in found[0]["problem"] or "variables" in found[0]["problem"]


def test_a_plan_says_which_cells_come_to_the_same(client, mapping):
    matrix = {"search": ["lexical", "dense"], "model": ["static"], "language": ["english", "none"]}
    told = client.post(
        "/api/v1/plans",
        json=request_for(mapping, configurations=None, baseline=None, matrix=matrix)
        | {"configurations": None, "baseline": None},
    )
    found = told.json()
    assert (found["cells"], found["merged"], len(found["runs"])) == (4, 1, 3), found
    assert sum(len(one["aliases"]) for one in found["runs"]) == 1
    assert client.get(BENCHMARKS).json()["items"] == []


def test_the_matrix_of_semantik_has_sixteen_runs(client, mapping):
    matrix = {
        "primary_k": 10,
        "k_values_for_metrics": [5, 10, 20],
        "top_k_values": [100, 200],
        "search_modes": ["dense", "hybrid"],
        "use_reranker": [False, True],
        "rrf_k_values": [60],
        "score_thresholds": [None, 0.5],
    }
    body = {"mapping_id": mapping, "config_matrix": matrix}
    found = client.post("/api/v1/plans", json=body)
    assert found.status_code == HTTPStatus.OK, found.text
    assert found.json()["cells"] == 16
    small = {**matrix, "top_k_values": [10]}
    refused = client.post("/api/v1/plans", json={**body, "config_matrix": small})
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "top_k" in refused.text


def test_cancel_before_a_worker_is_there_and_resume(client, mapping, wait_for_job):
    made = create(client, mapping)
    place = f"{BENCHMARKS}/{made['id']}"
    assert client.post(f"{place}/resume").status_code == HTTPStatus.CONFLICT
    assert client.post(f"{place}/cancel").json()["state"] == "cancelled"
    assert client.post(f"{place}/cancel").status_code == HTTPStatus.CONFLICT
    assert client.post(f"{place}/start").status_code == HTTPStatus.CONFLICT
    assert client.post(f"{place}/resume").json()["state"] == "running"
    assert client.post(f"{place}/cancel").json()["state"] == "cancelled"
    client.post(f"{place}/resume")
    assert wait_for_job(made["id"]).state == "completed"
    assert client.post(f"{place}/resume").status_code == HTTPStatus.CONFLICT


def test_cancel_while_a_worker_is_there_waits_for_it(client, service, mapping):
    made = create(client, mapping)
    place = f"{BENCHMARKS}/{made['id']}"
    client.post(f"{place}/start")
    assert service.ledger.take_job("a worker", "here").id == made["id"]
    told = client.post(f"{place}/cancel").json()
    assert (told["state"], told["cancelling"]) == ("running", True)
    assert client.delete(place).status_code == HTTPStatus.CONFLICT


def test_retry_does_nothing_where_nothing_failed(client, mapping, wait_for_job):
    done = run_benchmark(client, wait_for_job, mapping)
    told = client.post(f"{BENCHMARKS}/{done}/retry").json()
    assert (told["retried"], told["benchmark"]["state"]) == (0, "completed")


def test_a_partial_mapping_runs_and_what_is_missing_counts_as_missed(client, service, wait_for_job):
    mapping = make_mapping(service, missing=True)
    done = run_benchmark(client, wait_for_job, mapping)
    (first, _) = client.get(f"{BENCHMARKS}/{done}/results").json()["runs"]
    assert first["scores"]["recall@10"] == pytest.approx(5 / 6)


def test_a_deleted_benchmark_is_gone_until_it_is_brought_back(client, service, mapping):
    made = create(client, mapping)
    place = f"{BENCHMARKS}/{made['id']}"
    assert client.delete(place, headers={"If-Match": '"r9"'}).status_code == 412
    assert client.delete(place).json()["deleted"] is True
    for path in ("", "/runs", "/report", "/results", "/queries?run=plain"):
        assert client.get(f"{place}{path}").status_code == HTTPStatus.NOT_FOUND, path
    for act in ("start", "cancel", "resume", "retry"):
        assert client.post(f"{place}/{act}").status_code == HTTPStatus.NOT_FOUND, act
    assert client.get(BENCHMARKS).json()["items"] == []
    (listed,) = client.get(BENCHMARKS, params={"deleted": True}).json()["items"]
    assert listed["id"] == made["id"]
    assert client.post(f"{place}/undelete").json()["deleted"] is False
    assert client.post(f"{place}/undelete").status_code == HTTPStatus.NOT_FOUND
    found = client.get(place)
    assert found.headers["etag"].startswith(f'"r{found.json()["revision"]}-')


def test_pages_have_each_benchmark_once_while_others_are_added(client, mapping):
    ids = [create(client, mapping, name=f"no {at}")["id"] for at in range(5)]
    seen, cursor = [], ""
    while True:
        page = client.get(BENCHMARKS, params={"limit": 2, "cursor": cursor}).json()
        seen += [one["id"] for one in page["items"]]
        create(client, mapping, name="later")
        if not (cursor := page["next"]):
            break
    assert seen == ids[::-1]
    found = client.get(BENCHMARKS, params={"contains": "NO 3"}).json()["items"]
    assert [one["name"] for one in found] == ["no 3"]
    client.post(f"{BENCHMARKS}/{ids[0]}/start")
    found = client.get(BENCHMARKS, params={"state": "running"}).json()["items"]
    assert [one["id"] for one in found] == [ids[0]]
    for wrong in ({"limit": 0}, {"cursor": "x"}, {"state": "asleep"}):
        assert client.get(BENCHMARKS, params=wrong).status_code == 422, wrong


def test_viewers_read_and_check_but_change_nothing(client, mapping):
    made = create(client, mapping)
    client.role("viewer")
    place = f"{BENCHMARKS}/{made['id']}"
    assert client.get(place).status_code == HTTPStatus.OK
    assert client.post("/api/v1/plans", json=request_for(mapping)).status_code == HTTPStatus.OK
    assert client.post(BENCHMARKS, json=request_for(mapping)).status_code == HTTPStatus.FORBIDDEN
    for act in ("start", "cancel", "resume", "retry", "undelete"):
        assert client.post(f"{place}/{act}").status_code == HTTPStatus.FORBIDDEN, act
    assert client.delete(place).status_code == HTTPStatus.FORBIDDEN
    client.role(None)
    assert client.get(place).status_code == HTTPStatus.UNAUTHORIZED
