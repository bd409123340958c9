"""Progress over the WebSocket and by requests: real ledgers, and two services on one store."""

import json
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect
from tests.server.conftest import MEMORY
from tests.server.progress.sources import News, Source

from assay.records.work import RecordedAnswer, Unit
from assay.server.progress import hub as hubs
from assay.server.progress import subscribe
from assay.server.progress.hub import ProgressHub
from assay.server.routes import progress
from assay.server.security.access import Person
from assay.workspace.locate import Workspace

PATH = "/api/v1/progress"
PATIENCE_S = 30


@pytest.fixture(autouse=True)
def _keeps_time(request, monkeypatch):
    """Fail with a message, rather than wait, where a message never comes.

    The hub looks at the ledger only when it has news of a change.
    """
    request.node.add_marker(pytest.mark.timeout(120))
    monkeypatch.setattr(hubs, "_SAFETY_S", 3600.0)


def begin(ledger, name="n", queries=20):
    """Start a benchmark of one run with one stage, and claim the stage as a worker does."""
    id_, _ = ledger.create(name=name, about={}, runs=["a"], job={}, author="Ada")
    ledger.start(id_)
    ledger.prepare(
        id_, [Unit(f"{id_}-s", "stage", "search", total=queries)], uses={"a": [f"{id_}-s"]}
    )
    return id_, ledger.claim(id_, "a worker")


def answer(ledger, claim, *numbers):
    ledger.record(claim, [RecordedAnswer(f"q{number}", value=b"found") for number in numbers])


def end(ledger, id_, claim):
    ledger.complete(claim)
    ledger.finish(id_, "completed", report=b"a report")


@contextmanager
def watching(client, path=PATH):
    with client.websocket_connect(path) as socket:
        yield lambda: json.loads(socket.receive_text())


def states(message):
    told = message["benchmarks"] if message["type"] == "snapshot" else [message["benchmark"]]
    return {each["id"]: (each["state"], sum(run["done"] for run in each["runs"])) for each in told}


def follow_to_end(receive, id_):
    """Receive until a benchmark has ended, and return all its states."""
    seen = []
    while not seen or seen[-1][0] in ("pending", "running"):
        seen += [states(message)[id_] for message in [receive()] if id_ in states(message)]
    return seen


def test_a_snapshot_comes_within_seconds_also_when_nothing_runs(client):
    began = time.monotonic()
    with watching(client) as receive:
        assert receive() | {"version": 0, "at": 0} == {
            "type": "snapshot", "version": 0, "at": 0, "benchmarks": [],
        }  # fmt: skip
    assert time.monotonic() - began < 5


def test_a_benchmark_is_followed_to_its_end(client, service):
    id_, claim = begin(service.ledger)
    with watching(client) as receive:
        assert states(receive()) == {id_: ("running", 0)}
        answer(service.ledger, claim, *range(7))
        assert states(receive()) == {id_: ("running", 7)}
        answer(service.ledger, claim, *range(7, 20))
        end(service.ledger, id_, claim)
        assert follow_to_end(receive, id_)[-1] == ("completed", 20)


def test_jobs_such_as_resolving_are_followed_too(client, service):
    with watching(client) as receive:
        receive()
        id_, _ = service.ledger.create(
            name="r", about={}, runs=[], job={}, author="Ada", kind="resolve"
        )
        told = receive()["benchmark"]
        assert (told["id"], told["kind"], told["state"]) == (id_, "resolve", "pending")
        service.ledger.fail_job(id_, "no such corpus")
        told = receive()["benchmark"]
        assert (told["state"], told["error"]) == ("failed", "no such corpus")


def test_only_what_was_asked_for_and_also_what_is_not_started(client, service):
    waiting, _ = service.ledger.create(name="w", about={}, runs=["a"], job={}, author="Ada")
    begin(service.ledger)
    with watching(client, f"{PATH}?benchmark={waiting}&benchmark=unknown") as receive:
        assert states(receive()) == {waiting: ("pending", 0)}
        service.ledger.start(waiting)
        assert states(receive()) == {waiting: ("running", 0)}
        service.ledger.request_cancel(waiting)
        assert follow_to_end(receive, waiting)[-1][0] == "cancelled"


def test_whoever_reconnects_has_missed_nothing(client, service):
    id_, claim = begin(service.ledger)
    other, its = begin(service.ledger, "other")
    with watching(client) as receive:
        version = receive()["version"]
    answer(service.ledger, claim, *range(20))
    end(service.ledger, id_, claim)
    answer(service.ledger, its, *range(3))
    with watching(client, f"{PATH}?after={version}") as receive:
        message = receive()
        assert message["version"] > version
        assert states(message) == {id_: ("completed", 20), other: ("running", 3)}


def test_a_look_back_has_what_ended_while_the_connection_was_gone(make_client, make_service):
    now = [time.time() - 600.0]
    service = make_service(clock=lambda: now[0])
    id_, claim = begin(service.ledger)
    end(service.ledger, id_, claim)
    now[0] += 600.0
    client = make_client(service)
    with watching(client) as receive:
        assert states(receive()) == {}
    with watching(client, f"{PATH}?after={int((time.time() - 600) * 1000)}") as receive:
        assert id_ in states(receive())


def place_of(kind, request):
    folder = Path(request.getfixturevalue("folder"))
    url = request.getfixturevalue("empty_database") if kind == "postgresql" else ""
    return Workspace(folder, url)


@pytest.fixture
def folder():
    with tempfile.TemporaryDirectory(dir=MEMORY) as made:
        yield made


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def test_services_on_one_store_show_the_same(kind, request, make_service, make_client):
    place = place_of(kind, request)
    services = [make_service(place=place) for _ in range(2)]
    ledger = make_service(place=place).ledger  # of a worker
    with watching(make_client(services[0])) as one, watching(make_client(services[1])) as two:
        assert one()["benchmarks"] == two()["benchmarks"] == []
        id_, claim = begin(ledger)
        worked = threading.Thread(target=work, args=(ledger, id_, claim))
        worked.start()
        for receive in (one, two):
            seen = follow_to_end(receive, id_)
            assert seen[-1] == ("completed", 20)
            counts = [done for _, done in seen]
            assert counts == sorted(counts)
        worked.join()


def work(ledger, id_, claim):
    for number in range(20):
        answer(ledger, claim, number)
        time.sleep(0.02)
    end(ledger, id_, claim)


@pytest.fixture
def sign_in(monkeypatch):
    """Let connections be those of a token of the store, which is checked often."""
    monkeypatch.setattr(subscribe, "RECHECK_S", 0.05)

    def as_owner_of(token):
        monkeypatch.setattr(progress, "person_of", lambda _: Person("Ada", "viewer", token))

    return as_owner_of


def test_a_revoked_token_closes_the_connection(client, service, sign_in):
    token = service.store.tokens.create("Ada", "viewer", author="a test").entry.id
    sign_in(token)
    with client.websocket_connect(PATH) as socket:
        assert socket.receive_json()["type"] == "snapshot"
        time.sleep(0.2)
        service.store.tokens.revoke(token, author="a test")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 4401


def test_a_token_that_expires_closes_the_connection(client, service, sign_in):
    expires = time.time() + 3.0
    made = service.store.tokens.create("Ada", "viewer", expires=expires, author="a test")
    sign_in(made.entry.id)
    with client.websocket_connect(PATH) as socket:
        assert socket.receive_json()["type"] == "snapshot"
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert time.time() >= expires
    assert closed.value.code == 4401


def test_without_a_token_nothing_is_accepted(client):
    client.role(None)
    with pytest.raises(WebSocketDenialResponse) as denied, client.websocket_connect(PATH):
        pass
    assert denied.value.status_code == 401
    assert client.get(PATH).status_code == 401


LONG = f"benchmark={'x' * 5_000}"
MISTAKES = ["after=-1", "after=x", "after=1.5", "after=nan", f"after={2**60}", LONG, "benchmark="]


@pytest.mark.parametrize("query", MISTAKES)
def test_parameters_that_make_no_sense_are_refused(client, query):
    with (
        pytest.raises(WebSocketDenialResponse) as denied,
        client.websocket_connect(f"{PATH}?{query}"),
    ):
        pass
    assert denied.value.status_code == 422
    told = denied.value.json()
    assert query.partition("=")[0] in told["where"]
    assert told["detail"]


def test_when_the_service_stops_connections_are_closed(client):
    with client.websocket_connect(PATH) as socket:
        socket.receive_json()
        client.app.state.progress.stop()
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
        assert closed.value.code == 1001
    with client.websocket_connect(PATH) as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_json()
    assert closed.value.code == 1013
    answered = client.get(PATH)
    assert (answered.status_code, answered.headers["retry-after"]) == (503, "5")


@pytest.fixture
def failing(client, monkeypatch):
    """A source of progress that cannot be read until its ``failures`` are 0."""
    monkeypatch.setattr(subscribe, "FIRST_S", 0.3)
    monkeypatch.setattr(hubs, "_RETRY_S", 0.05)
    source = Source(time.monotonic)
    source.failures = 10**9
    client.app.state.progress.stop()
    client.app.state.progress = ProgressHub(source, News())
    yield source
    client.app.state.progress.stop()


def test_a_request_does_not_wait_for_a_database_that_cannot_be_read(client, failing):
    for headers in ({}, {"If-None-Match": '"a tag"'}):
        began = time.monotonic()
        refused = client.get(PATH, params={"wait": 20}, headers=headers)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
        assert "cannot be read" in refused.json()["detail"]
        assert time.monotonic() - began < 10
    failing.failures = 0
    time.sleep(0.2)
    assert client.get(PATH).status_code == 200


def test_a_connection_does_not_wait_for_a_database_that_cannot_be_read(client, failing):
    with client.websocket_connect(PATH) as socket, pytest.raises(WebSocketDisconnect) as closed:
        socket.receive_json()
    assert closed.value.code == 1013
    assert failing.reads


def test_what_a_viewer_sends_is_ignored_but_not_for_ever(client):
    with client.websocket_connect(PATH) as socket:
        socket.receive_json()
        for number in range(1_000):
            socket.send_text(f"message {number}")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_json()
    assert closed.value.code == 1008


def test_a_request_gets_the_state_and_304_while_nothing_changes(client, service):
    id_, claim = begin(service.ledger)
    first = client.get(PATH)
    assert (first.status_code, states(first.json())) == (200, {id_: ("running", 0)})
    same = client.get(PATH, headers={"If-None-Match": first.headers["etag"]})
    assert (same.status_code, same.content) == (304, b"")
    assert same.headers["etag"] == first.headers["etag"]
    answer(service.ledger, claim, 1, 2)
    other = client.get(PATH, headers={"If-None-Match": first.headers["etag"]})
    assert (other.status_code, states(other.json())) == (200, {id_: ("running", 2)})


def test_a_request_waits_for_the_next_change(client, service):
    id_, claim = begin(service.ledger)
    tag = client.get(PATH, params={"benchmark": id_}).headers["etag"]
    timer = threading.Timer(0.5, answer, (service.ledger, claim, *range(6)))
    timer.start()
    began = time.monotonic()
    waited = client.get(PATH, params={"benchmark": id_, "wait": 20}, headers={"If-None-Match": tag})
    assert states(waited.json()) == {id_: ("running", 6)}
    assert 0.4 < time.monotonic() - began < 15
    timer.join()


def test_a_request_waits_no_longer_than_it_asked(client):
    tag = client.get(PATH).headers["etag"]
    began = time.monotonic()
    same = client.get(PATH, params={"wait": 0.3}, headers={"If-None-Match": f"W/{tag}"})
    assert same.status_code == 304
    assert time.monotonic() - began >= 0.3
    assert client.get(PATH, params={"wait": 26}).status_code == 422
    assert client.get(PATH, params={"wait": 20}).status_code == 200  # no tag: nothing to wait for


def test_the_document_describes_the_messages(client):
    found = client.get("/openapi.json").json()
    operation = found["paths"][PATH]["get"]
    assert [one["title"] for one in operation["x-websocket-messages"]] == [
        "ProgressMessage", "PingMessage",
    ]  # fmt: skip
    for place in json.dumps(operation["x-websocket-messages"]).split("#/components/schemas/")[1:]:
        assert place.partition('"')[0] in found["components"]["schemas"]
