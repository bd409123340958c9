"""TLS by certificate files: what a browser gets, and what is said of files that cannot be used."""

import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
from urllib.parse import urlsplit

import pytest
import trustme
from tests.server.process import running_service

pytestmark = [pytest.mark.service, pytest.mark.timeout(180)]

WAIT_S = 60


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A certificate of this machine with its key, another key, and a key with a passphrase."""
    folder = tmp_path_factory.mktemp("tls")
    authority = trustme.CA()
    made = authority.issue_cert("127.0.0.1", "localhost")
    made.private_key_pem.write_to_path(folder / "key.pem")
    for at, part in enumerate(made.cert_chain_pems):
        part.write_to_path(folder / "certificate.pem", append=at > 0)
    authority.cert_pem.write_to_path(folder / "authority.pem")
    authority.issue_cert("localhost").private_key_pem.write_to_path(folder / "other.pem")
    (folder / "broken.pem").write_text("no certificate\n")
    (folder / "empty.pem").write_text("")
    return folder


@pytest.fixture(scope="module")
def service(files, tmp_path_factory):
    workspace = tmp_path_factory.mktemp("secure") / "w"
    pair = ("--certificate", files / "certificate.pem", "--key", files / "key.pem")
    with running_service(workspace, "--workers", "0", *pair) as running:
        yield running


def ask(service, files, path, **headers):
    context = ssl.create_default_context(cafile=files / "authority.pem")
    place = urlsplit(service.base)
    connection = http.client.HTTPSConnection(
        place.hostname, place.port, timeout=WAIT_S, context=context
    )
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer, content


def test_the_service_is_reached_by_https(service, files):
    assert service.base.startswith("https://")
    answer, content = ask(service, files, "/", Authorization=f"Bearer {service.token}")
    assert answer.status == 200
    assert json.loads(content)
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=")


def test_the_cookie_is_never_sent_without_encryption(service, files):
    answer, _ = ask(service, files, f"/?token={service.token}")
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    parts = {part.strip().lower() for part in answer.headers["Set-Cookie"].split(";")[1:]}
    assert {"secure", "httponly", "samesite=strict", "path=/"} <= parts
    assert not any(part.startswith("domain") for part in parts)
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    assert ask(service, files, "/", Cookie=cookie)[0].status == 200


def test_plain_http_gets_nothing(service):
    place = urlsplit(service.base)
    with socket.create_connection((place.hostname, place.port), timeout=WAIT_S) as connection:
        connection.sendall(f"GET / HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        assert not connection.recv(1000).startswith(b"HTTP/1.1 2")


def serve(workspace, *options):
    """Start a service that is expected not to run: its exit code, and what it says."""
    words = [sys.executable, "-m", "assay", "serve", "--port", "0", "--workspace", str(workspace)]
    done = subprocess.run(
        [*words, *map(str, options)], capture_output=True, text=True, check=False, timeout=WAIT_S
    )
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("certificate", "key", "code", "told"),
    [
        ("certificate.pem", None, 2, "--key"),
        (None, "key.pem", 2, "--certificate"),
        ("missing.pem", "key.pem", 2, "missing.pem"),
        ("certificate.pem", "missing.pem", 2, "missing.pem"),
        ("certificate.pem", "other.pem", 2, "other.pem"),
        ("broken.pem", "key.pem", 2, "broken.pem"),
        ("certificate.pem", "empty.pem", 2, "empty.pem"),
        ("key.pem", "certificate.pem", 2, "key.pem"),
    ],
)
def test_files_that_cannot_be_used_are_told_in_one_message(
    files, tmp_path, certificate, key, code, told
):
    given = {"--certificate": certificate, "--key": key}
    options = [one for name, file in given.items() if file for one in (name, files / file)]
    found, said = serve(tmp_path / "w", *options)
    assert found == code, said
    assert told in said
    assert "hint: " in said
    assert not (tmp_path / "w").exists()  # nothing is made before


def test_other_machines_need_a_token_first(tmp_path):
    code, said = serve(tmp_path / "w", "--host", "0.0.0.0")
    assert code == 2
    assert "0.0.0.0 can be reached from other machines" in said
    assert "hint: create one first: assay token create" in said


def test_a_token_of_this_machine_alone_opens_no_door_to_others(tmp_path):
    """A start link's token is no reason to listen for others; one of an administrator is."""
    with running_service(tmp_path / "w", "--workers", "0") as first:
        assert first.ask("GET", "/")[0] == 200
    assert serve(tmp_path / "w", "--host", "0.0.0.0")[0] == 2
    made = subprocess.run(
        [
            *(sys.executable, "-m", "assay", "token", "create", "ada", "--role", "viewer"),
            *("--workspace", str(tmp_path / "w")),
        ],
        capture_output=True,
        check=False,
        timeout=WAIT_S,
        env=dict(os.environ),
    )
    assert made.returncode == 0, made.stderr
    words = [sys.executable, "-m", "assay", "serve", "--port", "0", "--host", "0.0.0.0"]
    process = subprocess.Popen(
        [*words, "--workers", "0", "--workspace", str(tmp_path / "w")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline()
        assert line.startswith("http://0.0.0.0:")
        assert "token" not in line
    finally:
        process.terminate()
        _, said = process.communicate(timeout=WAIT_S)
    assert "unencrypted" in said
