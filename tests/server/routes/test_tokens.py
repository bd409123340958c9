import pytest
from tests.server.routes.stored import all_items, problem_of

from assay.errors import AccessError

BASE = "/api/v1/tokens"


def create(client, name="ci", role="editor", **more):
    return client.post(BASE, json={"name": name, "role": role, **more})


def test_are_shown_once_and_work(client, service):
    answer = create(client, days=1)
    assert answer.status_code == 201
    plain, entry = answer.json()["token"], answer.json()["entry"]
    assert service.store.tokens.check(plain).name == "ci"
    assert 86_000 < entry["expires"] - entry["created"] < 86_500
    for later in (client.get(BASE), client.get(answer.headers["location"])):
        assert plain not in later.text
        assert entry["id"] in later.text
    assert plain not in client.get("/api/v1/audit").text


def test_are_revoked_for_good(client, service):
    made = create(client).json()
    assert client.delete(f"{BASE}/{made['entry']['id']}").json()["revoked"]
    with pytest.raises(AccessError, match="revoked"):
        service.store.tokens.check(made["token"])
    problem_of(client.delete(f"{BASE}/000000000000"), 404)


def test_are_paged(client):
    for number in range(5):
        create(client, f"t{number}")
    names = [one["name"] for one in all_items(client, BASE, limit=2)]
    assert names == ["t4", "t3", "t2", "t1", "t0"]


@pytest.mark.parametrize(
    "wrong",
    [{"role": "root"}, {"name": ""}, {"days": 0}, {"days": "1"}, {"days": 1e9}, {"x": 1}],
)
def test_that_are_wrong_are_refused(client, wrong):
    problem_of(client.post(BASE, json={"name": "ci", "role": "viewer", **wrong}), 422)


def test_of_a_taken_name_are_refused(client):
    create(client)
    problem_of(create(client), 409)


@pytest.mark.parametrize("role", ["viewer", "editor", None])
def test_and_the_audit_log_are_for_administrators(client, role):
    client.role(role)
    status = 403 if role else 401
    problem_of(client.get(BASE), status)
    problem_of(create(client, role="admin"), status)
    problem_of(client.get("/api/v1/audit"), status)


def test_the_audit_log_tells_who_did_what(client):
    client.role("admin", "Grace")
    entry = create(client).json()["entry"]
    client.role("admin")
    client.delete(f"{BASE}/{entry['id']}")
    found = all_items(client, "/api/v1/audit", limit=1, kind="token")
    assert [(one["author"], one["act"]) for one in found] == [
        ("Ada", "token.revoke"),
        ("Grace", "token.create"),
    ]
    assert all_items(client, "/api/v1/audit", author="Grace", object=entry["id"]) == [found[1]]
