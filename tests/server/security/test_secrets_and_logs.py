"""A real service that is attacked with known secrets: none of them is written down anywhere."""

import json
import re
import socket
from urllib.parse import urlsplit

import pytest
from tests.server.process import running_service

pytestmark = [pytest.mark.service, pytest.mark.timeout(300)]

PASSWORD = "hunter2-correct-horse"
COLOR = "\x1b[31m"
FORGED = "2026-01-01T00:00:00Z WARNING FORGED"
EVENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [A-Z]+ \S")


@pytest.fixture(scope="module", params=["text", "json"])
def attacked(request, tmp_path_factory):
    """A service after all attacks, its log, its secrets, and how many requests it answered."""
    workspace = tmp_path_factory.mktemp("attacked") / "w"
    options = ["--workers", "0", *(["--log-json"] if request.param == "json" else [])]
    with running_service(workspace, *options) as service:
        secrets, count = send_attacks(service)
        audit = service.ask("GET", "/api/v1/audit?limit=200")[2]
        assert service.stop() == 0
        rest = service.process.stdout.read()
    return {
        "format": request.param,
        "log": "".join(service.log),
        "out": rest,
        "audit": json.dumps(audit),
        "secrets": secrets,
        "count": count + 1,
        "files": {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()},
    }


def send_attacks(service):
    """Send every secret wherever one may be sent; return the secrets, and the requests sent."""

    def create(name):
        body = {"name": name, "role": "viewer"}
        return service.ask("POST", "/api/v1/tokens", body)[2]

    good, revoked, linked = (create(name) for name in ("good", "revoked", "linked"))
    service.ask("DELETE", f"/api/v1/tokens/{revoked['entry']['id']}")
    unknown = "assay_0123456789ab_" + "Zz9" * 14 + "Z"
    secrets = [service.token, good["token"], revoked["token"], linked["token"], unknown]
    count = 4
    for token in secrets:
        for headers in (
            {"Authorization": f"Bearer {token}"},
            {"Authorization": "", "Cookie": f"assay_token={token}"},
            {"Authorization": f"Basic {token}"},
            {"Authorization": f"{token}"},
            {"Origin": f"http://{token}.example", "Referer": f"http://a/?token={token}"},
            {"Host": f"{token}.example"},
            {"If-Match": token, "Idempotency-Key": token, "X-Request-Id": token},
            {"Content-Type": token},
        ):
            service.ask("POST", "/api/v1/search", {"query": token}, headers=headers)
            service.ask("GET", f"/api/v1/datasets/{token}", headers=headers)
            count += 2
        for path in (
            f"/?token={token}",
            f"/{token}",
            f"/api/v1/datasets?cursor={token}&token=x",
            f"/api/v1/datasets?contains={token}&limit={token}",
            f"/x%3Ftoken={token}",
        ):
            service.ask("GET", path, headers={"Authorization": ""})
            service.ask("DELETE", path)
            count += 2
    return [*secrets, PASSWORD], count + send_addresses(service) + send_injections(service)


def send_addresses(service):
    """Send addresses with a password, none of which is allowed."""
    count = 0
    for address in (
        f"http://user:{PASSWORD}@127.0.0.1:9200/x",
        f"https://user:{PASSWORD}@evil.example/" + "x" * 200,
        f"postgresql://user:{PASSWORD}@127.0.0.1/name",
        f"http://{PASSWORD}@127.0.0.1/",
    ):
        for settings in (
            {"system": {"kind": "http", "url": address}},
            {"system": {"kind": "qdrant", "url": address}},
            {"system": {"kind": "pgvector", "url": address}},
            {"system": {"kind": "run_file", "path": address}},
            {"system": {"kind": "callable", "function": address}},
            {"model": f"openai:{address}"},
            {"stop_words": address},
            {"chunker": address},
            {address: address},
        ):
            body = {"mappings": ["a"], "configurations": [{"name": "x", **settings}]}
            service.ask("POST", "/api/v1/plans", body)
            service.ask("POST", "/api/v1/search", {"query": "", "configuration": settings})
            count += 2
        for where in ({"path": address}, {"path": f"git:{address}@HEAD"}, {address: address}):
            service.ask("POST", "/api/v1/corpora", {"name": "a", "where": where})
            count += 1
        service.upload("/api/v1/datasets", address.encode(), name=address)
        count += 1
    return count


def send_injections(service):
    """Send what would begin a line of its own, or control a terminal, wherever that can be."""
    raw = f"\r\n{FORGED}\n{COLOR}\x9b31m\u2028{FORGED}"
    encoded = "".join(f"%{byte:02X}" for byte in raw.encode())
    for path in (f"/{encoded}", f"/api/v1/datasets/{encoded}", f"/api/v1/lists/{encoded}"):
        service.ask("GET", path)
    service.ask("POST", "/api/v1/tokens", {"name": raw, "role": raw})
    service.ask("POST", "/api/v1/plans", {"mappings": [raw], raw: raw})
    made = service.ask("POST", "/api/v1/tokens", {"name": f"x{raw}", "role": "viewer"})[2]
    count = 6
    if "token" in made:
        service.ask("GET", "/nowhere", headers={"Authorization": f"Bearer {made['token']}"})
        count += 1
    place = urlsplit(service.base)
    for head in (  # what is no HTTP at all has no request, and one line at most
        f"GET / HTTP/1.1\r\nHost: a\r\nX: {COLOR}{FORGED}\r\n\r\n",
        f"GET /{COLOR} HTTP/1.1\r\nHost: a\r\n\r\n",
        f"{FORGED}\n{FORGED}\r\n\r\n",
    ):
        with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
            connection.sendall(head.encode())
            connection.recv(100_000)
    return count


def test_no_secret_is_written_down(attacked):
    """Neither to the log, the output, the audit log, nor to any file of the workspace."""
    assert attacked["out"] == ""
    for secret in attacked["secrets"]:
        for one in {secret, secret.rpartition("_")[2]}:
            assert one not in attacked["log"]
            assert one not in attacked["audit"]
            for path, content in attacked["files"].items():
                assert one.encode() not in content, path


def test_every_refusal_is_logged(attacked):
    assert attacked["log"].count("refused ") > 200


def test_nothing_that_is_sent_begins_a_line_or_controls_a_terminal(attacked):
    assert "\x1b" not in attacked["log"]
    assert "\x9b" not in attacked["log"]
    lines = attacked["log"].splitlines()
    assert not [line for line in lines if line.startswith(FORGED)]
    if attacked["format"] == "text":
        assert not [line for line in lines if not EVENT.match(line) and line[:4] != "    "]


def test_each_request_is_one_line_that_parses(attacked):
    if attacked["format"] == "text":
        return
    entries = [json.loads(line) for line in attacked["log"].splitlines()]
    requests = [one for one in entries if "method" in one]
    assert len(requests) >= attacked["count"]
    assert len({one["id"] for one in requests}) == len(requests)
    for one in requests:
        assert {"time", "path", "status", "ms", "client"} <= one.keys()
        assert one["path"].isascii()
