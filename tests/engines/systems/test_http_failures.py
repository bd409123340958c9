"""Servers that are busy, slow, broken, gone or hostile; and keys that nobody may see."""

import gzip
import json
import socket
import ssl
import threading
import time
import tracemalloc
import zlib
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

from assay.engines.systems.http import http
from assay.errors import InputError

CERTIFICATE = Path(__file__).parent / "localhost.pem"
SECRET = "k3y+/with=odd letters"
BODY = {"q": "{query}", "size": "{top}"}
GOOD = {"hits": [{"id": "a", "score": 1}]}
WHOLE = json.dumps(GOOD).encode()


def reply(body=WHOLE, *, head=b"HTTP/1.1 200 OK", more=b""):
    return head + b"\r\nContent-Length: %d\r\n%s\r\n" % (len(body), more) + body


def read_request(connection):
    """Read one request to its end."""
    got = b""
    while b"\r\n\r\n" not in got:
        piece = connection.recv(65536)
        if not piece:
            return b""
        got += piece
    head, _, body = got.partition(b"\r\n\r\n")
    size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or 0)
    while len(body) < size:
        body += connection.recv(65536)
    return got


# --- busy servers


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_busy_server_is_asked_again_and_the_wait_is_no_latency(
    serve, ask, answer_of, at_once, status
):
    tries = []

    def answer(_):
        tries.append(1)
        if len(tries) % 3:
            time.sleep(0.03)
            return answer_of({"error": "busy"}, status=status)
        return GOOD

    url, asked = serve(answer)
    left = []
    for time_ in (1, 2, 3):  # the quickest, on a machine that may stand still for a moment
        start = time.perf_counter()
        replied = ask(url, retries=2)
        left.append((time.perf_counter() - start) * 1e3 - replied.waited_ms)
        assert replied.documents == ["a"]
        assert (replied.attempts, len(asked)) == (3, 3 * time_)
        assert replied.waited_ms >= 2 * 30 + 20 + 40  # two failed attempts and two pauses
    assert min(left) < 2 * 30 + 20 + 40  # what is left is one quick answer


def test_a_server_that_stays_busy_is_told_of(serve, refusal, answer_of, at_once, snapshot):
    url, asked = serve(lambda _: answer_of({"error": "over\n limit"}, status=429))
    error = refusal(url, retries=2)
    assert "over\\n limit" in error.problem
    snapshot([error.problem, error.hint])
    assert error.where == url
    assert len(asked) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 410, 413, 415, 422, 501])
def test_a_refusal_is_final(serve, refusal, answer_of, status):
    url, asked = serve(lambda _: answer_of({"error": "no"}, status=status))
    error = refusal(url, retries=5)
    assert f"status {status}: " in error.problem
    assert len(asked) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirections_are_not_followed(serve, refusal, answer_of, status):
    other, elsewhere = serve(lambda _: GOOD)
    url, _ = serve(lambda _: answer_of({}, status=status, headers={"Location": f"{other}/x"}))
    error = refusal(url, retries=5)
    assert f"redirect to {other}/x" in error.problem
    assert not elsewhere


def test_the_pause_that_a_server_asks_for_is_kept(serve, query, answer_of):
    slept = []
    left = [answer_of({}, status=503, headers={"Retry-After": "7"}), answer_of({}, status=503)]
    url, _ = serve(lambda _: left.pop(0) if left else GOOD)
    system = http(url=url, request=BODY, retries=3)
    system._attempts.connections.closed.wait = slept.append
    assert system.search(query(), 5).attempts == 3
    system.close()
    assert slept == [7.0, 0.5]


# --- connections


def test_connections_are_kept_and_a_closed_one_is_replaced_silently(wire, query):
    asked = []

    def act(connection):  # answers twice, and hangs up
        for _ in range(2):
            if not read_request(connection):
                return
            asked.append(connection.getpeername()[1])
            connection.sendall(reply())

    system = http(url=wire(act), request=BODY, retries=0, timeout_s=30)
    for _ in range(4):
        replied = system.search(query(), 5)
        assert (replied.documents, replied.attempts) == (["a"], 1)
        time.sleep(0.02)  # lets the server hang up
    system.close()
    assert len(asked) == 4
    assert len(set(asked)) == 2


def test_a_kept_connection_that_breaks_late_is_no_latency(wire, query):
    """The second request of a connection waits, and is not answered: the next one asks again."""

    def act(connection):
        read_request(connection)
        connection.sendall(reply())
        if read_request(connection):
            time.sleep(0.3)

    assert min(_left_after_a_late_break(wire(act), query) for _ in range(3)) < 200


def _left_after_a_late_break(url, query):
    """Return the milliseconds that are not called waiting."""
    system = http(url=url, request=BODY, retries=0, timeout_s=30)
    assert system.search(query(), 5).waited_ms == 0
    start = time.perf_counter()
    replied = system.search(query(), 5)
    spent = (time.perf_counter() - start) * 1e3
    system.close()
    assert 290 < replied.waited_ms <= spent
    return spent - replied.waited_ms


@pytest.mark.parametrize("busy", [True, False], ids=["pauses", "reads"])
def test_closing_wakes_up_who_waits(serve, query, answer_of, busy):
    came = threading.Event()
    over = threading.Event()

    def answer(_):
        came.set()
        if not busy:
            over.wait(120)
        return answer_of({}, status=503, headers={"Retry-After": "120"})

    url, _ = serve(answer)
    system = http(url=url, request=BODY, retries=3, timeout_s=120)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(system.search, query(), 5)
        assert came.wait(60)
        time.sleep(0.1)
        start = time.perf_counter()
        system.close()
        with pytest.raises(InputError):
            asked.result(60)
        assert time.perf_counter() - start < 25  # it would wait for 30 s or more
    over.set()
    assert not system._attempts.connections._idle


def test_no_connection_is_kept_after_closing(serve, query):
    url, _ = serve(lambda _: system.close() or GOOD)
    system = http(url=url, request=BODY, retries=0)
    with suppress(InputError):  # it may have come already
        system.search(query(), 5)
    system._attempts.connections.reach()
    assert not system._attempts.connections._idle


def test_a_server_that_closes_each_time_is_fine(serve, query, answer_of):
    url, asked = serve(lambda _: answer_of(GOOD, headers={"Connection": "close"}))
    system = http(url=url, request=BODY, retries=0)
    assert [system.search(query(), 5).documents for _ in range(3)] == [["a"]] * 3
    system.close()
    assert len({one.port for one in asked}) == 3


def test_threads_get_their_own_answers(serve, query):
    busy, most = [], []

    def answer(asked):
        busy.append(1)
        most.append(len(busy))
        time.sleep(0.01)
        busy.pop()
        return {"hits": [{"id": asked.body["q"]}]}

    url, asked = serve(answer)
    system = http(url=url, request=BODY, concurrency=8)
    assert system.concurrency == 8
    with ThreadPoolExecutor(8) as pool:
        texts = [f"text {at}" for at in range(64)]
        found = pool.map(lambda text: system.search(query(text), 5).documents, texts)
        assert [one for (one,) in found] == texts
    system.close()
    assert max(most) > 1
    assert len({one.port for one in asked}) <= 8  # kept open, one for each thread


@pytest.mark.parametrize(
    "act",
    [
        lambda connection: connection.close(),
        lambda connection: connection.recv(10) and connection.close(),
        lambda connection: (read_request(connection), connection.sendall(b"HTTP/1.1 200 OK\r\n")),
        lambda connection: (read_request(connection), connection.sendall(reply()[:-3])),
        lambda connection: (read_request(connection), connection.sendall(b"what?\r\n\r\n")),
        lambda connection: (
            read_request(connection),
            connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
        ),
        lambda connection: (
            read_request(connection),
            connection.sendall(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n"),
        ),
    ],
    ids=[
        "closes",
        "hangs up",
        "half a head",
        "half a body",
        "no HTTP",
        "half a chunk",
        "long head",
    ],
)
def test_a_connection_that_breaks_off_is_tried_again_then_told_of(wire, refusal, at_once, act):
    count = []
    error = refusal(wire(lambda connection: (count.append(1), act(connection))), retries=1)
    assert "connection was lost" in error.problem
    assert error.problem.endswith(" after 2 attempts")
    assert len(count) == 2


def test_half_a_body_is_never_taken_for_an_answer(wire, ask, at_once):
    bodies = [reply()[:-1], reply()]

    def act(connection):
        read_request(connection)
        connection.sendall(bodies.pop(0))

    assert ask(wire(act), retries=1).attempts == 2


def test_a_body_without_a_length_ends_with_the_connection(wire, ask):
    def act(connection):
        read_request(connection)
        connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + WHOLE)

    assert ask(wire(act)).documents == ["a"]


def test_chunks_are_joined(wire, ask):
    def act(connection):
        read_request(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for at in range(0, len(WHOLE), 5):
            piece = WHOLE[at : at + 5]
            connection.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        connection.sendall(b"0\r\n\r\n")

    assert ask(wire(act)).documents == ["a"]


@pytest.mark.parametrize("part", ["nothing", "head", "body"])
def test_slow_servers_end_at_the_time_limit_however_they_drip(wire, refusal, part):
    def act(connection):
        read_request(connection)
        if part == "body":
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
        for _ in range(30):
            time.sleep(0.02)
            if part != "nothing":
                connection.sendall(b"H" if part == "head" else b" ")

    error = refusal(wire(act), timeout_s=0.2)
    assert "0.2 s" in error.problem
    assert "timeout_s" in error.hint


def test_a_slow_attempt_counts_as_waiting(wire, ask, at_once):
    slow = [True]

    def act(connection):
        read_request(connection)
        if slow:
            slow.pop()
            time.sleep(0.3)
        else:
            connection.sendall(reply())

    replied = ask(wire(act), timeout_s=0.2, retries=1)
    assert replied.attempts == 2
    assert replied.waited_ms >= 200


def test_a_server_that_is_not_there_is_told_at_once(refusal, snapshot):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    start = time.perf_counter()
    error = refusal(f"http://127.0.0.1:{port}/x", retries=9)
    assert time.perf_counter() - start < 60  # nine retries would wait for minutes
    assert "(ConnectionRefusedError" in error.problem
    snapshot(error.hint)


def test_a_name_that_leads_nowhere_is_told_at_once(refusal):
    error = refusal("http://no-such-host.invalid/x", retries=9)
    assert "(gaierror" in error.problem


@pytest.mark.parametrize("host", ["a..b", "x" * 70 + ".invalid", "ü" * 70])
def test_names_that_no_host_can_have(refusal, host):
    assert "cannot be reached" in refusal(f"http://{host}/x", retries=9).problem


def test_reaching_notices_a_stopped_server(serve, query):
    url, _ = serve(lambda _: GOOD)
    there = http(url=url, request=BODY)
    there.reach()
    assert there.search(query(), 3).documents == ["a"]
    there.close()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    gone = http(url=f"http://127.0.0.1:{port}", request=BODY)
    with pytest.raises(InputError, match="cannot be reached"):
        gone.reach()


def test_https_to_a_server_without_it_is_told_at_once(wire, refusal):
    url = wire(lambda connection: connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
    error = refusal(url.replace("http:", "https:"), retries=9)
    assert "no secure connection" in error.problem


@pytest.fixture
def secure(wire):
    """Start a server with TLS and a certificate of its own, which answers and hangs up."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)

    def act(connection):
        with context.wrap_socket(connection, server_side=True) as inner:
            read_request(inner)
            inner.sendall(reply())

    return wire(act).replace("http:", "https:")


def test_a_certificate_that_is_not_trusted_is_refused(secure, refusal):
    error = refusal(secure, retries=9)
    assert "no secure connection" in error.problem
    assert "CERTIFICATE_VERIFY_FAILED" in error.problem
    assert "certificate is trusted" in error.hint


def test_a_certificate_that_the_system_trusts_is_taken(secure, query, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    system = http(url=secure, request=BODY, retries=0, timeout_s=30)
    for _ in range(3):  # each connection is closed after its answer, and replaced silently
        replied = system.search(query(), 5)
        assert (replied.documents, replied.attempts) == (["a"], 1)
        time.sleep(0.02)
    system.close()


def test_no_proxy_is_used(serve, ask, monkeypatch):
    proxy, through = serve(lambda _: GOOD)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, proxy)
    url, asked = serve(lambda _: GOOD)
    ask(url)
    assert asked
    assert not through


# --- sizes and packings


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_packed_answers_are_unpacked(serve, ask, answer_of, pack):
    name = "gzip" if pack is gzip.compress else "deflate"
    url, asked = serve(lambda _: answer_of(pack(WHOLE), headers={"Content-Encoding": name}))
    assert ask(url).documents == ["a"]
    assert asked[0].headers["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    ("body", "name", "fact"),
    [
        (b"not packed", "gzip", "gzip"),
        (b"x", "br", '"br"'),
        (gzip.compress(WHOLE, mtime=0)[:-9], "gzip", "connection was lost"),
    ],
)
def test_wrong_packings_are_refused(serve, refusal, answer_of, body, name, fact):
    url, _ = serve(lambda _: answer_of(body, headers={"Content-Encoding": name}))
    assert fact in refusal(url).problem


@pytest.mark.parametrize("packed", [False, True])
def test_answers_without_end_are_refused(serve, refusal, answer_of, monkeypatch, snapshot, packed):
    monkeypatch.setattr("assay.engines.systems.http.LARGEST", 1 << 20)
    body = b" " * (2 << 20)
    headers = {"Content-Encoding": "gzip"} if packed else {}
    url, _ = serve(lambda _: answer_of(gzip.compress(body) if packed else body, headers=headers))
    error = refusal(url)
    snapshot([error.problem, error.hint])


def test_a_small_answer_cannot_grow_without_end(serve, refusal, answer_of, monkeypatch):
    """A bomb: what it unpacks to is never held."""
    monkeypatch.setattr("assay.engines.systems.http.LARGEST", 1 << 20)
    bomb = gzip.compress(b" " * (64 << 20), mtime=0)
    url, _ = serve(lambda _: answer_of(bomb, headers={"Content-Encoding": "gzip"}))
    tracemalloc.start()
    try:
        refusal(url)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_a_large_answer_is_read_whole(serve, ask):
    many = {"hits": [{"id": f"document {at}", "score": -at} for at in range(100_000)]}
    url, _ = serve(lambda _: many)
    assert len(ask(url).documents) == 100_000


# --- secrets


@pytest.fixture
def keyed(monkeypatch):
    monkeypatch.setenv("SEARCH_KEY", SECRET)
    return {"headers": {"Authorization": "ApiKey ${SEARCH_KEY}"}}


def test_a_key_is_sent_and_never_shown(serve, query, answer_of, keyed):
    """A server that repeats the key in every way cannot make us show it."""
    left = [
        lambda key: answer_of({"error": f"bad key {key}"}, status=401),
        lambda key: answer_of(f"<html>{key}".encode()),
        lambda key: answer_of({key: 1}),
        lambda key: answer_of({}, status=302, headers={"Location": f"http://x/?{key}"}),
        lambda key: answer_of({"hits": [{"id": {key: key}}]}),
        lambda key: answer_of({"hits": [{"id": "a", "score": key}]}),
    ]
    url, asked = serve(lambda one: left.pop(0)(one.headers["Authorization"]))
    system = http(url=url, request=BODY, retries=0, **keyed)
    for _ in range(len(left)):
        with pytest.raises(InputError) as caught:
            system.search(query(), 5)
        error = caught.value
        told = str(error) + error.problem + error.where + error.hint
        assert SECRET not in told
        assert "${SEARCH_KEY}" in told
    system.close()
    assert all(one.headers["Authorization"] == f"ApiKey {SECRET}" for one in asked)
    assert SECRET not in repr(vars(system)["_request"].settings) + system.fingerprint


def test_a_key_behind_the_address_is_hidden_too(serve, query, monkeypatch, answer_of):
    monkeypatch.setenv("SEARCH_KEY", SECRET)
    url, asked = serve(lambda one: answer_of({"error": f"no {one.params}"}, status=400))
    params = {"api_key": "${SEARCH_KEY}", "q": "{query}"}
    system = http(url=f"{url}/?t=${{SEARCH_KEY}}x", params=params)
    with pytest.raises(InputError) as caught:
        system.search(query(), 5)
    system.close()
    assert asked[0].params["api_key"] == [SECRET]
    assert SECRET not in str(caught.value)
    assert caught.value.where.endswith("?t=${SEARCH_KEY}x")


def test_the_fingerprint_is_that_of_the_settings(keyed, monkeypatch):
    def name(**more):
        return http(**{"url": "http://x", "request": BODY, **keyed} | more).fingerprint

    one = name()
    assert one == name() == name(timeout_s=10, retries=3, concurrency=2)
    assert len({one, name(timeout_s=3), name(retries=0)}) == 3  # other queries may fail
    monkeypatch.setenv("SEARCH_KEY", "another key")
    assert one == name()  # of the key only its name counts
    others = [{"url": "http://y"}, {"method": "PUT"}, {"params": {"a": 1}}, {"headers": {}}]
    others += [{"request": {"q": "{query}"}}, {"response": {"hits": "x"}}]
    assert len({one, *(name(**other) for other in others)}) == 1 + len(others)
