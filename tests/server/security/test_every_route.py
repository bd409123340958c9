"""Every route of the OpenAPI document: reached by nobody without a right to it."""

import re
import time

import pytest
from starlette.testclient import WebSocketDenialResponse
from tests.server.security.routes import BASE, ROLES, operations, protected_client

from assay.server.progress import subscribe
from assay.server.security import request_log, sign_in
from assay.server.security.install import BodyLimits

MANY = 100_000  # nothing of this file is about rates
SOCKET = "/api/v1/progress"
FOREIGN = (
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:9999"},
)
HOSTS = ("evil.example", "evil.example:8787", "169.254.169.254", "127.0.0.1.evil.example:8787")


@pytest.fixture
def protected(make_service, monkeypatch):
    """The whole application, which refuses as often as it is asked."""
    for module, name in ((sign_in, "FAILURES"), (sign_in, "NOTED"), (request_log, "REFUSED")):
        monkeypatch.setattr(module, name, MANY)
    service = make_service(rate=MANY)
    with protected_client(service) as client:
        client.service = service
        yield client


@pytest.fixture
def every(protected):
    found = operations(protected.app)
    assert len(found) > 60
    return found


@pytest.fixture
def tokens(protected):
    create = protected.service.store.tokens.create
    return {role: create(f"the {role}", role, author="test").plain for role in ROLES}


@pytest.fixture
def ask(protected):
    """Send an operation as it should be, with other headers."""

    def asked(operation, token=None, **headers):
        sent = {"Authorization": f"Bearer {token}"} if token else {}
        return protected.request(
            operation.method,
            operation.address(),
            headers={**sent, **headers},
            **operation.arguments(),
        )

    return asked


def refused(answer, operation, *statuses):
    """Whether an answer is a refusal as it is documented."""
    assert answer.status_code in statuses, (str(operation), answer.text)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == answer.status_code
    assert answer.json()["detail"]
    assert str(answer.status_code) in operation.about["responses"], str(operation)


def logged(refusals, wanted):
    """Whether each refusal is one line, of its method and its path."""
    told = [re.match(r"refused [0-9a-f]{32}: ([A-Z]+ \S+) from ", line) for line in refusals()]
    assert [one[1] for one in told] == wanted


def test_no_change_is_made_for_another_site(every, ask, tokens, refusals, protected):
    wanted = []
    for operation in every:
        for headers in FOREIGN if operation.is_unsafe else ():
            refused(ask(operation, tokens["admin"], **headers), operation, 403)
            wanted.append(f"{operation.method.upper()} {operation.address()}")
    assert len(wanted) > 30 * len(FOREIGN)
    logged(refusals, wanted)
    assert not protected.service.store.audit.page(kind="request").items


def test_nothing_is_answered_for_another_host(every, ask, tokens, refusals):
    wanted = []
    for operation in every:
        for host in HOSTS:
            refused(ask(operation, tokens["admin"], Host=host), operation, 421)
            wanted.append(f"{operation.method.upper()} {operation.address()}")
    logged(refusals, wanted)


def test_nothing_is_answered_without_a_valid_token(every, ask, tokens, refusals, protected):
    """A token that is missing, wrong, of another layout, revoked or expired."""
    store = protected.service.store.tokens
    revoked = store.create("revoked", "admin", author="test")
    store.revoke(revoked.entry.id, author="test")
    soon = time.time() + 0.05
    expired = store.create("expired", "admin", expires=soon, author="test")
    while time.time() <= soon + 0.01:
        time.sleep(0.01)
    wrong = tokens["admin"][:-1] + ("A" if tokens["admin"][-1] != "A" else "B")
    count = 0
    for operation in every:
        if operation.role is None:
            assert ask(operation).status_code == 200
            continue
        for token in (None, wrong, "hunter2", revoked.plain, expired.plain):
            answer = ask(operation, token)
            refused(answer, operation, 401)
            assert answer.headers["www-authenticate"] == "Bearer"
            count += 1
    assert len(refusals()) == count
    noted = protected.service.store.audit.page(kind="sign_in", limit=1).items
    assert noted[0].act == "sign_in.refused"
    reasons = {line.rpartition(": 401 ")[2] for line in refusals()}
    assert reasons == {
        *("the token is missing", "unknown token", "the token was revoked"),
        "the token has expired",
    }


def test_each_route_requires_its_role(every, ask, tokens, refusals):
    """A viewer does not edit, and an editor does not administrate; higher roles get further."""
    wanted = []
    for operation in every:
        if operation.role is None:
            continue
        least = ROLES.index(operation.role)
        for at, role in enumerate(ROLES):
            answer = ask(operation, tokens[role])
            if at < least:
                refused(answer, operation, 403)
                assert operation.role in answer.json()["detail"]
                wanted.append(str(operation))
            else:
                assert answer.status_code not in (401, 403), (str(operation), answer.text)
    told = [line for line in refusals() if ": 403 " in line]
    assert len(told) == len(wanted)


def test_a_body_of_a_page_is_not_taken(every, ask, tokens, protected):
    """What a form of another site can send without asking: text, and an encoded form."""
    for operation in every:
        kind, _ = operation.body
        for sent in ("text/plain", "application/x-www-form-urlencoded") if kind else ():
            answer = protected.request(
                operation.method,
                operation.address(),
                content=b"{}",
                headers={"Authorization": f"Bearer {tokens['admin']}", "Content-Type": sent},
            )
            refused(answer, operation, 415)


def test_the_cookie_gives_no_more_than_the_header(every, tokens, protected):
    """A page of this machine on another port is the same site: only its origin tells."""
    protected.cookies.set("assay_token", tokens["admin"])
    for operation in every:
        if operation.is_unsafe:
            answer = protected.request(
                operation.method,
                operation.address(),
                headers={"Origin": "http://127.0.0.1:9999"},
                **operation.arguments(),
            )
            refused(answer, operation, 403)


def test_private_answers_are_kept_by_no_cache(every, ask, tokens):
    for operation in every:
        if operation.role is not None:
            answer = ask(operation, tokens["admin"])
            assert answer.headers["cache-control"] in ("no-store", "no-cache"), str(operation)
            assert answer.headers["x-content-type-options"] == "nosniff"
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy


def test_no_route_is_outside_of_the_document(protected, every):
    """What is not documented is not tested here either."""
    found = {
        (method.lower(), route.path)
        for route in protected.app.routes
        for method in getattr(route, "methods", None) or ()
        if method != "HEAD"
    }
    known = {(one.method, one.path) for one in every}
    assert found - known <= {("get", "/openapi.json")}
    assert protected.get("/openapi.json").status_code == 401
    assert protected.get("/docs").status_code == 401


@pytest.mark.parametrize("headers", [*FOREIGN, *({"Host": host} for host in HOSTS)])
def test_the_websocket_is_not_opened_for_others(protected, tokens, refusals, headers):
    sent = {"Authorization": f"Bearer {tokens['admin']}", **headers}
    with pytest.raises(WebSocketDenialResponse) as caught:
        protected.websocket_connect(SOCKET, headers=sent).__enter__()
    assert caught.value.status_code == (421 if "Host" in headers else 403)
    assert len(refusals()) == 1


@pytest.mark.parametrize("token", [None, "wrong", "revoked"])
def test_the_websocket_needs_a_valid_token(protected, tokens, refusals, token):
    known = {"wrong": tokens["viewer"][:-2] + "__", "revoked": tokens["viewer"]}
    if token == "revoked":
        protected.service.store.tokens.revoke(tokens["viewer"].split("_")[1], author="test")
    headers = {"Authorization": f"Bearer {known[token]}"} if token else {}
    with pytest.raises(WebSocketDenialResponse) as caught:
        protected.websocket_connect(SOCKET, headers=headers).__enter__()
    assert caught.value.status_code == 401
    assert len(refusals()) == 1


def test_the_token_of_an_address_opens_no_websocket(protected, tokens):
    with pytest.raises(WebSocketDenialResponse) as caught:
        protected.websocket_connect(f"{SOCKET}?token={tokens['viewer']}").__enter__()
    assert caught.value.status_code == 401


def test_a_websocket_ends_when_its_token_is_revoked(protected, tokens, refusals, monkeypatch):
    monkeypatch.setattr(subscribe, "RECHECK_S", 0.05)
    headers = {"Authorization": f"Bearer {tokens['viewer']}", "Origin": BASE}
    with protected.websocket_connect(SOCKET, headers=headers) as socket:
        assert socket.receive_json()["type"] == "snapshot"
        protected.service.store.tokens.revoke(tokens["viewer"].split("_")[1], author="test")
        message = socket.receive()
    assert (message["type"], message["code"]) == ("websocket.close", subscribe.REVOKED)
    assert "4401" in refusals()[-1]


def test_requests_above_the_rate_are_refused(make_service):
    service = make_service(rate=2)
    token = service.store.tokens.create("a", "viewer", author="test").plain
    with protected_client(service, limits=BodyLimits()) as client:
        client.headers["Authorization"] = f"Bearer {token}"
        found = [client.get("/api/v1/datasets") for _ in range(3)]
    assert [one.status_code for one in found] == [200, 200, 429]
    assert int(found[-1].headers["retry-after"]) >= 1
    assert found[-1].headers["content-type"] == "application/problem+json"
