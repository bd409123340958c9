"""What an answer says to browsers, and what logs say of a request: never a secret."""

import json
import logging

import pytest

from assay.server.security.access import COOKIE
from assay.server.security.request_log import REFUSED


def test_each_answer_has_the_security_headers(secured, tokens):
    secured.as_(tokens["viewer"])
    answers = [secured.get(path) for path in ("/test/who", "/nothing", "/openapi.json")]
    answers += [secured.post("/test/json", json={}), secured.as_(None).get("/test/who")]
    answers += [secured.as_(tokens["viewer"]).get("/test/bug")]
    assert [one.status_code for one in answers] == [200, 404, 200, 403, 401, 500]
    for answer in answers:
        headers = answer.headers
        policy = headers["content-security-policy"]
        assert policy == "default-src 'none'; frame-ancestors 'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert len(headers["x-request-id"]) == 32
        assert "strict-transport-security" not in headers


def test_an_unexpected_error_tells_only_its_number(secured, tokens, caplog):
    answer = secured.as_(tokens["viewer"]).get("/test/bug")
    assert answer.status_code == 500
    assert answer.json()["error_id"] == answer.headers["x-request-id"]
    assert "RuntimeError" not in answer.text
    assert answer.json()["error_id"] in caplog.text
    assert "sssss" not in caplog.text


def test_each_request_is_one_line_of_json_if_wanted(make_service, make_secured, caplog):
    caplog.set_level(logging.INFO, "assay.server.requests")
    service = make_service(log_json=True)
    made = service.store.tokens.create("Ada\n", "viewer", author="test")
    client = make_secured(service).as_(made.plain)
    client.get("/test/who?q=private")
    client.get("/a b\n{}".replace(" ", "%20").replace("\n", "%0A"))
    client.as_(None).get("/test/who")
    texts = [one.getMessage() for one in caplog.records if one.name.endswith("requests")]
    assert not any("\n" in text for text in texts)
    first, second, third = map(json.loads, texts)
    assert (first["method"], first["path"], first["status"]) == ("GET", "/test/who", 200)
    assert (first["token"], first["client"]) == (made.entry.id, "testclient")
    assert first["ms"] >= 0
    assert second["path"] == "/a%20b%0A%7B%7D"
    assert (third["status"], third["reason"]) == (401, "the token is missing")
    assert "token" not in third
    assert "private" not in caplog.text


def test_nobody_can_fill_the_log(secured, refusals):
    for _ in range(REFUSED + 20):
        secured.get("/test/who", headers={"Host": "evil.example"})
    assert len(refusals()) == REFUSED


@pytest.mark.parametrize("log_json", [False, True])
def test_no_secret_is_in_any_log(make_service, make_secured, caplog, capfd, log_json):
    caplog.set_level(logging.DEBUG)
    for name in ("httpx", "httpx2"):  # the client of these tests, which logs what it sends
        caplog.set_level(logging.WARNING, name)
    service = make_service(log_json=log_json)
    made = [service.store.tokens.create(f"t{n}", "admin", author="test") for n in range(3)]
    good, revoked, linked = (one.plain for one in made)
    service.store.tokens.revoke(made[1].entry.id, author="test")
    client = make_secured(service)
    unknown = "assay_0123456789ab_" + "Z" * 43

    for token in (good, revoked, unknown, "hunter2hunter2"):
        client.as_(token)
        client.get("/test/who")
        client.post("/test/json", json={"password": token})
        client.get(f"/test/{token}")
        client.delete(f"/api/v1/tokens/{token}")
        client.get("/test/bug")
        client.post("/test/json", json={}, headers={"Origin": f"http://{token[:40]}.example"})
        client.get("/test/who", headers={"Host": f"{token}.example"})
        client.get("/test/who", headers={"X-Other": token, "Referer": f"http://a/?token={token}"})
        client.as_(None).get("/test/who", params={"token": token})
        client.post("/test/json", params={"token": token}, json={})
        client.cookies.clear()
    answer = client.get("/", params={"token": linked})
    client.cookies.set(COOKIE, linked)
    client.get("/test/who")

    written = capfd.readouterr()
    kept = repr(service.store.audit.page(limit=1000).items)
    places = {"log": caplog.text, "out": written.out, "err": written.err, "audit": kept}
    places |= {
        "logged values": repr([one.args for one in caplog.records if one.name[:5] == "assay"])
    }
    places["location"] = answer.headers["location"]
    assert "refused" in caplog.text
    # What is no token at all may be in a path, which is logged: there nobody expects a secret.
    for name, text in places.items():
        for token in (good, revoked, linked, unknown):
            assert token not in text, name
            assert token.rpartition("_")[2] not in text, name
            assert token[-43:] not in text, name
