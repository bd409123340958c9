"""Who did what: each change by a route leaves one entry, with its id and who made it."""

import pytest
from tests.server.security.routes import ASKING, ROLES, operations, protected_client
from tests.server.seeds import FORM, add_pending_job, make_seeds

from assay.workflows.jobs.perform import perform

KINDS = {"corpora": "corpus"}  # else what a path begins with, without its last letter
WITHIN = {"record_judgments": "judgment"}  # whose entries have a kind of their own
READING = ("validate_dataset", "read_documents")  # change nothing, though they are POST
ID = "0123456789ab"


class LocalService:
    """A service in this process as seeds want it; its jobs are done while they wait."""

    def __init__(self, client, service):
        self._client, self._service = client, service

    def ask(self, method, path, body=None):
        answer = self._client.request(method, path, json=body)
        return answer.status_code, answer.headers, answer.json()

    def upload(self, path, content, *, fields=None, method="POST"):
        files = {"file": ("data.json", content)}
        answer = self._client.request(method, path, files=files, data=fields or {})
        return answer.status_code, answer.headers, answer.json()

    def wait_for(self, path, is_done, **_):
        while job := self._service.ledger.take_job("here"):
            perform(job, self._service.place)
            self._service.ledger.drop_job("here", job.id)
        answer = self.ask("GET", path)[2]
        assert is_done(answer), answer
        return answer


def changing(app):
    """All operations that change something, by their names."""
    found = {one.about["operationId"]: one for one in operations(app) if one.is_unsafe}
    asking = {name for name, one in found.items() if one.path.removeprefix("/api/v1") in ASKING}
    return {name: one for name, one in found.items() if name not in {*asking, *READING}}


def send(local, operation, about):
    """Send an operation with its seed, and return the id of what it changed."""
    path, body = (
        operation.address(**{k: str(v) for k, v in about["path"].items()}),
        about.get("body"),
    )
    if about.get("media") == FORM:
        content = body["file"].encode()
        fields = {key: value for key, value in body.items() if key != "file"}
        status, _, answer = local.upload(
            path, content, fields=fields, method=operation.method.upper()
        )
    else:
        status, _, answer = local.ask(operation.method.upper(), path, body)
    assert status in (200, 201, 202), (str(operation), answer)
    return next(iter(about["path"].values()), None) or answer.get("entry", answer)["id"]


def kind_of(name, operation):
    first = operation.path.split("/")[3]
    return WITHIN.get(name) or KINDS.get(first, first.removesuffix("s"))


def entries_after(service, number):
    return [one for one in service.store.audit.page(limit=1000).items if one.number > number]


@pytest.mark.timeout(300)
def test_each_change_leaves_one_entry(make_service, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    service = make_service(rate=1_000_000, allow=(f"corpus={folder}",))
    token = service.store.tokens.create("Grace", "admin", author="test")
    with protected_client(service) as client:
        local = LocalService(client.as_(token.plain), service)
        seeds = add_pending_job(local, make_seeds(local, folder))
        seeds["change_dataset"]["body"].pop("description")  # it would be a change of its own
        replaced = seeds["replace_dataset"]["body"]
        replaced["file"] = replaced["file"].replace("how does", "why does")  # else nothing changes
        left = changing(client.app)
        assert len(left) > 25
        for name, operation in left.items():
            last = service.store.audit.page(limit=1).items[0].number
            thing = send(local, operation, seeds[name])
            kind = kind_of(name, operation)
            told = [
                one
                for one in entries_after(service, last)
                if (one.kind, one.object) == (kind, thing)
            ]
            assert [one.author for one in told] == ["Grace"], (name, kind, thing, told)
            listed = client.get("/api/v1/audit", params={"kind": kind, "object": thing})
            assert listed.json()["items"][0]["act"] == told[0].act
        assert not service.store.audit.page(kind="request").items


def test_who_only_asks_leaves_no_entry(make_service, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    service = make_service(rate=1_000_000, allow=(f"corpus={folder}",))
    create = service.store.tokens.create
    admin, viewer = (create(one, one, author="test").plain for one in ("admin", "viewer"))
    with protected_client(service) as client:
        local = LocalService(client.as_(admin), service)
        seeds = make_seeds(local, folder)
        assert local.ask("POST", "/api/v1/search", seeds["search_corpus"]["body"])[0] == 200
        last = service.store.audit.page(limit=1).items[0].number
        client.as_(viewer)
        for name in ("plan_benchmark", "compare_stored", "check_gate", "search_corpus"):
            (operation,) = (
                one for one in operations(client.app) if one.about["operationId"] == name
            )
            assert local.ask("POST", operation.path, seeds[name]["body"])[0] == 200, name
        assert entries_after(service, last) == []


def test_refused_changes_leave_no_entry_of_a_change(make_service):
    service = make_service(rate=1_000_000)
    token = service.store.tokens.create(ROLES[0], ROLES[0], author="test")
    with protected_client(service) as client:
        client.as_(token.plain)
        last = service.store.audit.page(limit=1).items[0].number
        for operation in changing(client.app).values():
            answer = client.request(
                operation.method.upper(), operation.address(), **operation.arguments()
            )
            assert answer.status_code == 403, str(operation)
        assert entries_after(service, last) == []
        assert client.as_(None).post(f"/api/v1/benchmarks/{ID}/start").status_code == 401
        assert [one.kind for one in entries_after(service, last)] == ["sign_in"]


def test_what_changes_nothing_has_no_further_entry(client, service):
    """A start that is sent again, and a cancellation that was asked for before."""
    made, _ = service.ledger.create(name="b", about={}, runs=["r"], job={}, author="Ada")
    path = f"/api/v1/benchmarks/{made}"
    for _ in range(2):
        answer = client.post(f"{path}/start", headers={"Idempotency-Key": "k"})
        assert answer.status_code == 202
    service.ledger.attend(made, "worker", "machine")
    for _ in range(2):
        assert client.post(f"{path}/cancel").status_code == 202
    told = service.store.audit.page(kind="benchmark", thing=made).items
    assert [(one.act, one.before) for one in told] == [
        ("benchmark.cancel", {"state": "running"}),
        ("benchmark.start", {"state": "pending"}),
        ("benchmark.create", {}),
    ]
