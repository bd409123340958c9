"""Pages of other sites, and names of others that lead to this machine."""

import pytest
from starlette.testclient import WebSocketDenialResponse

from assay.server.security.host_check import allowed_hosts
from assay.server.settings import ServeSettings

POST = "/test/json"
OWN = "http://127.0.0.1:8787"
FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "https://127.0.0.1:8787"},
    {"Origin": "http://127.0.0.1:8788"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://127.0.0.1:8787.evil.example"},
    {"Origin": "http://127.0.0.1:8787@evil.example"},
    {"Origin": "http://127.0.0.1:8787/"},
    {"Origin": "http://[::1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": "same-origin, cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": OWN},
]


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_change_from_another_site_is_refused(secured, tokens, refusals, headers):
    answer = secured.as_(tokens["admin"]).post(POST, json={}, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["type"] == "urn:assay:problem:cross-origin"
    assert len(refusals()) == 1


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_websocket_from_another_site_is_refused(secured, tokens, refusals, headers):
    secured.as_(tokens["admin"])
    with (
        pytest.raises(WebSocketDenialResponse) as caught,
        secured.websocket_connect("/test/socket", headers=headers),
    ):
        pass
    assert caught.value.status_code == 403
    assert len(refusals()) == 1


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": OWN}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}],
)
def test_pages_of_the_service_and_other_programs_may_change(secured, tokens, headers):
    secured.as_(tokens["admin"])
    assert secured.post(POST, json={}, headers=headers).status_code == 200
    with secured.websocket_connect("/test/socket", headers=headers) as socket:
        assert socket.receive_text() == "the admin"


def test_behind_a_proxy_pages_come_by_https(make_service, make_secured):
    service = make_service(proxy=True, hosts=("assay.example.org",))
    token = service.store.tokens.create("a", "editor", author="test").plain
    client = make_secured(service).as_(token)

    def post(origin):
        headers = {"Host": "assay.example.org", "Origin": origin}
        return client.post(POST, json={}, headers=headers).status_code

    assert post("https://assay.example.org") == 200
    assert post("https://assay.example.org:443") == 200
    assert post("http://assay.example.org") == 403


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8787",
        "127.0.0.1",
        "127.0.0.1:8788",
        "127.0.0.1:8787.evil.example",
        "127.0.0.1:8787@evil.example",
        "127.0.0.1:99999",
        "localhost.evil.example:8787",
        "localhost.:8787",
        "[::1]:8787]",
        "0.0.0.0:8787",
        "",
    ],
)
def test_requests_for_another_host_are_refused(secured, tokens, refusals, host):
    secured.as_(tokens["admin"])
    answer = secured.get("/test/who", headers={"Host": host})
    assert answer.status_code == 421
    with (
        pytest.raises(WebSocketDenialResponse) as caught,
        secured.websocket_connect("/test/socket", headers={"Host": host}),
    ):
        pass
    assert caught.value.status_code == 421
    assert len(refusals()) == 2


@pytest.mark.parametrize("host", ["localhost:8787", "LOCALHOST:8787", "[::1]:8787"])
def test_names_of_this_machine_are_allowed(secured, tokens, host):
    answer = secured.as_(tokens["viewer"]).get("/test/who", headers={"Host": host})
    assert answer.status_code == 200


def test_two_hosts_are_refused(secured, tokens):
    headers = [("Host", "localhost:8787"), ("Host", "evil.example")]
    assert secured.as_(tokens["viewer"]).get("/test/who", headers=headers).status_code == 421


def test_further_names_are_those_of_the_administrator(tmp_path):
    settings = ServeSettings(tmp_path, host="::", hosts=("Search.example.org", "a.example:8443"))
    found = allowed_hosts(settings, 9000)
    assert {("search.example.org", port) for port in (80, 443, 9000)} <= found
    assert ("a.example", 8443) in found
    assert ("a.example", 443) not in found
    assert not any(name == "[::]" for name, _ in found)


def test_preflights_are_not_answered(secured):
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}
    answer = secured.options(POST, headers=headers)
    assert answer.status_code == 401
    assert not any(name.startswith("access-control") for name in answer.headers)
