"""Tokens: missing, wrong, revoked, expired, of a lesser role; the start link and its cookie."""

import hmac
from time import time

import pytest
from starlette.testclient import WebSocketDenialResponse

from assay.server.security.access import COOKIE
from assay.server.security.known_tokens import KnownTokens
from assay.server.security.sign_in import FAILURES

WHO = "/test/who"


def wrong(token):
    return token[:-1] + ("A" if token[-1] != "A" else "B")


def test_a_token_in_the_header_gives_access(secured, tokens):
    answer = secured.as_(tokens["viewer"]).get(WHO)
    assert answer.json() == {"name": "the viewer", "role": "viewer"}


@pytest.mark.parametrize(
    "header",
    [
        None,
        "Bearer",
        "Bearer ",
        "Basic dXNlcjpwYXNz",
        "Bearer x",
        "Bearer " + "a" * 5000,
        "Bearer assay_0123456789ab_" + "A" * 43,
        "Bearer assay_0123456789ab_" + "A" * 42 + "'",
        "assay_0123456789ab_" + "A" * 43,
    ],
)
def test_without_a_valid_token_nothing_is_reached(secured, refusals, header):
    answer = secured.get(WHO, headers={"Authorization": header} if header else {})
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "urn:assay:problem:access"
    assert len(refusals()) == 1


def test_a_secret_that_is_wrong_by_one_character_is_refused(secured, tokens):
    assert secured.as_(wrong(tokens["admin"])).get(WHO).status_code == 401


def test_two_tokens_are_refused_together(secured, tokens):
    both = [("Authorization", f"Bearer {tokens[role]}") for role in ("viewer", "admin")]
    assert secured.get(WHO, headers=both).status_code == 401


def test_secrets_are_compared_in_constant_time(secured, tokens, monkeypatch):
    compared = []

    def compare(one, other):
        compared.append((bytes(one), bytes(other)))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert secured.as_(tokens["viewer"]).get(WHO).status_code == 200
    assert secured.as_(wrong(tokens["viewer"])).get(WHO).status_code == 401
    assert secured.as_("assay_ffffffffffff_" + "A" * 43).get(WHO).status_code == 401
    assert [one == other for one, other in compared] == [True, False, False]
    assert all(len(one) == 32 for one, _ in compared)


def test_a_revoked_token_gives_no_access(secured, service, tokens):
    number = tokens["viewer"].split("_")[1]
    service.store.tokens.revoke(number, author="test")
    answer = secured.as_(tokens["viewer"]).get(WHO)
    assert (answer.status_code, answer.json()["detail"]) == (401, "the token was revoked")


def test_an_expired_token_gives_no_access(make_service, make_secured):
    now = [time()]
    service = make_service(clock=lambda: now[0])
    made = service.store.tokens.create("short", "admin", expires=now[0] + 60, author="test")
    now[0] += 61
    assert make_secured(service).as_(made.plain).get(WHO).status_code == 401


def test_a_revoked_token_is_known_for_a_second_at_most(service, tokens):
    now = [0.0]
    known = KnownTokens(service.store.tokens, clock=lambda: now[0])
    known.check(tokens["viewer"])
    service.store.tokens.revoke(tokens["viewer"].split("_")[1], author="test")
    now[0] = 0.9
    assert known.fresh(tokens["viewer"]) is not None
    now[0] = 1.0
    assert known.fresh(tokens["viewer"]) is None


def test_a_lesser_role_is_forbidden(secured, tokens, refusals):
    secured.as_(tokens["viewer"])
    assert secured.post("/test/json", json={}).status_code == 403
    assert secured.delete("/test/all").status_code == 403
    assert secured.as_(tokens["editor"]).post("/test/json", json={}).status_code == 200
    assert secured.delete("/test/all").status_code == 403
    assert secured.as_(tokens["admin"]).delete("/test/all").status_code == 200
    assert [line.rpartition(" role ")[2] for line in refusals()] == ["viewer", "viewer", "editor"]


def test_the_start_link_is_swapped_for_a_cookie(secured, tokens):
    answer = secured.get("/test/who", params={"a": "1 2", "token": tokens["viewer"]})
    assert (answer.status_code, answer.headers["location"]) == (303, "/test/who?a=1+2")
    cookie = answer.headers["set-cookie"].lower()
    assert all(one in cookie for one in ("httponly", "samesite=strict", "path=/"))
    assert "secure" not in cookie
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"
    assert secured.get("/test/who").json()["name"] == "the viewer"


def test_the_cookie_is_only_sent_by_https_where_there_is_tls(make_service, make_secured):
    service = make_service(proxy=True, hosts=("assay.example.org",))
    made = service.store.tokens.create("one", "viewer", author="test", expires=time() + 3600)
    answer = make_secured(service).get("/", params={"token": made.plain})
    assert "; secure" in answer.headers["set-cookie"].lower()
    assert "max-age=35" in answer.headers["set-cookie"].lower()
    assert answer.headers["strict-transport-security"].startswith("max-age=")


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "///evil.example/%2e%2e"])
def test_the_start_link_leads_to_no_other_host(secured, tokens, path):
    url = f"http://127.0.0.1:8787{path}?token={tokens['viewer']}"
    answer = secured.get(url)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/")
    assert answer.headers["location"][1:2] not in ("/", "\\")


@pytest.mark.parametrize("query", ["token=x", "token=", "token={0}&token={0}"])
def test_a_wrong_start_link_sets_no_cookie(secured, tokens, query):
    answer = secured.get("/?" + query.format(tokens["viewer"]))
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_a_token_in_the_address_of_a_change_is_not_used(secured, tokens):
    answer = secured.post("/test/json", params={"token": tokens["admin"]}, json={})
    assert answer.status_code == 401


def test_a_websocket_needs_a_token(secured, tokens, refusals):
    with (
        pytest.raises(WebSocketDenialResponse) as caught,
        secured.websocket_connect("/test/socket"),
    ):
        pass
    assert caught.value.status_code == 401
    assert "WEBSOCKET /test/socket" in refusals()[0]
    secured.as_(tokens["viewer"])
    with secured.websocket_connect("/test/socket") as socket:
        assert socket.receive_text() == "the viewer"


def test_a_websocket_takes_the_cookie(secured, tokens):
    secured.cookies.set(COOKIE, tokens["viewer"])
    with secured.websocket_connect("/test/socket") as socket:
        assert socket.receive_text() == "the viewer"


def test_many_failures_are_slowed_down_and_lock_nobody_out(secured, tokens, refusals):
    assert secured.as_(tokens["viewer"]).get(WHO).status_code == 200
    secured.as_(wrong(tokens["admin"]))
    found = [secured.get(WHO).status_code for _ in range(FAILURES + 2)]
    assert found == [401] * FAILURES + [429] * 2
    answer = secured.get(WHO)
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert len(refusals()) == FAILURES + 3
    assert secured.as_(tokens["editor"]).get(WHO).status_code == 429  # it was never seen here
    assert secured.as_(tokens["viewer"]).get(WHO).status_code == 200


def test_a_person_may_send_so_many_requests_a_minute(make_service, make_secured):
    service = make_service(rate=3)
    one, other = (
        service.store.tokens.create(name, "viewer", author="test").plain for name in ("a", "b")
    )
    client = make_secured(service).as_(one)
    assert [client.get(WHO).status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    assert 1 <= int(client.get(WHO).headers["retry-after"]) <= 60
    assert client.as_(other).get(WHO).status_code == 200


def test_failures_to_sign_in_are_in_the_audit_log(secured, service):
    secured.get("/api/v1/x?token=secret")
    (entry,) = service.store.audit.page(kind="sign_in").items
    assert (entry.act, entry.object) == ("sign_in.refused", "testclient")
    assert entry.after == {"reason": "unknown token", "method": "GET", "path": "/api/v1/x"}


def test_changes_are_in_the_audit_log_with_their_author(secured, service, tokens):
    secured.as_(tokens["editor"]).post("/test/json", json={"a": 1})
    secured.delete("/test/all")  # forbidden
    secured.get(WHO)
    (entry,) = service.store.audit.page(kind="request").items
    assert (entry.act, entry.object, entry.author) == ("request.post", "/test/json", "the editor")
    assert entry.after["status"] == 200
