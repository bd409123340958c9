"""Bodies that are too large, too slow, endless, of another type, or bombs."""

import asyncio
import gzip
import json
import time

import pytest
from tests.server.security.routes import protected_client

from assay.server.problem import ProblemAnswers
from assay.server.security import body_check
from assay.server.security.body_check import BodyCheck, BodyLimits
from assay.server.security.lingering_close import LingeringClose, LingerLimits

JSON = {"Content-Type": "application/json"}
REPORT = "/test/report"
SMALL = BodyLimits(json_bytes=1000, upload_bytes=5000, json_depth=8, large_json=(REPORT,))


@pytest.fixture
def editor(service, make_secured, tokens):
    return make_secured(service, limits=SMALL).as_(tokens["editor"])


def pieces(size, piece=100, first=b""):
    """A body whose length nobody declares."""
    for number in range(size // piece):
        yield (b"" if number else first).ljust(piece)


def test_bodies_up_to_the_limit_arrive_whole(editor):
    assert editor.post("/test/json", content=b"1" + b" " * 999, headers=JSON).status_code == 200
    answer = editor.post("/test/upload", files={"file": ("a", b"x" * 4000)})
    assert answer.json() == {"bytes": 4000}


def test_reports_may_be_as_large_as_uploads(editor, tokens):
    viewer = editor.as_(tokens["viewer"])
    for content in (b"1" + b" " * 4999, b"1" + b" " * 99, pieces(5000, first=b"1")):
        assert viewer.post(REPORT, content=content, headers=JSON).status_code == 200
    for content in (b"1" + b" " * 5000, pieces(5100, first=b"1")):
        answer = viewer.post(REPORT, content=content, headers=JSON)
        assert answer.status_code == 413
        assert answer.json()["detail"] == "the body is larger than 5 KB"


def test_only_paths_that_take_reports_take_large_json():
    assert BodyLimits().large_json == ("/api/v1/comparisons", "/api/v1/gate")


def test_a_report_of_several_megabytes_is_compared(service, tokens):
    """A client that sends two reports gets the answer of the route, rather than 413."""
    with protected_client(service) as client:
        client.as_(tokens["viewer"])
        report = {"report": {"padding": "x" * 2_000_000}}
        for path, body in (
            ("comparisons", {"baseline": report, "candidates": [report]}),
            ("gate", {"baseline": report, "current": report}),
        ):
            answer = client.post(f"/api/v1/{path}", json=body)
            assert answer.status_code == 422, answer.text[:500]
        refused = client.post("/api/v1/plans", json={"name": "x" * 2_000_000})
        assert refused.status_code == 413


def test_large_json_is_held_in_memory_for_few_requests_at_once(editor, monkeypatch):
    monkeypatch.setattr(body_check, "MOST_LARGE", 0)
    assert editor.post(REPORT, content=b"1" * 9, headers=JSON).status_code == 200
    for content in (b"1" + b" " * 2000, pieces(100)):  # the second may become large
        refused = editor.post(REPORT, content=content, headers=JSON)
        assert (refused.status_code, refused.headers["retry-after"]) == (503, "5")
    monkeypatch.setattr(body_check, "MOST_LARGE", 1)
    for _ in range(3):  # a place is given back, also after an error
        assert editor.post(REPORT, content=b"1" + b" " * 2000, headers=JSON).status_code == 200
        assert editor.post(REPORT, content=b"x" + b" " * 2000, headers=JSON).status_code == 400


def test_a_declared_body_that_is_too_large_is_refused(editor, refusals):
    answer = editor.post("/test/json", content=b"1" + b" " * 1000, headers=JSON)
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")
    assert answer.json()["detail"] == "the body is larger than 1 KB"
    answer = editor.post("/test/upload", files={"file": ("a", b"x" * 6000)})
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")
    assert len(refusals()) == 2


def test_a_body_that_is_too_large_is_told_its_limit_and_what_to_do(service, tokens):
    """The limit is the one that is documented: what a form needs beside its file is not in it."""
    with protected_client(service) as client:
        client.as_(tokens["editor"])
        form = {"file": ("large.json", b"x" * 10_600_000)}
        upload = client.post("/api/v1/datasets", files=form).json()
        assert upload["detail"] == "the upload is larger than 10 MB"
        assert all(one in upload["hint"] for one in ("--upload-limit", "/api/v1/corpora"))
        small = client.post("/api/v1/plans", json={"name": "x" * 1_000_000}).json()
        assert small["detail"] == "the body is larger than 1 MB"
        assert "several requests" in small["hint"]
        report = client.post("/api/v1/gate", json={"name": "x" * 10_600_000}).json()
        assert report["detail"] == "the body is larger than 10 MB"
        assert "--upload-limit" in report["hint"]


def run_body_check(limits, left, *, kind=b"application/json", linger=None):
    """Send messages to the middleware alone; what follows them never comes."""
    sent, linger = [], linger or LingerLimits(total_s=0.1, idle_s=0.05)

    async def reading(scope, receive, send):
        while (await receive()).get("more_body"):
            pass

    async def receive():
        await asyncio.sleep(0 if left else 3600)
        return left.pop(0)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/"}
    scope["headers"] = [(b"content-type", kind), (b"transfer-encoding", b"chunked")]
    app = LingeringClose(ProblemAnswers(BodyCheck(reading, limits=limits)), limits=linger)
    asyncio.run(asyncio.wait_for(app(scope, receive, send), 60))
    return sent[0]["status"], dict(sent[0]["headers"]).get(b"connection")


class Endless(list):
    """Pieces of a body that has no end; counts how many were taken."""

    def __init__(self, piece, pause_s=0.0):
        super().__init__([1])
        self.piece, self.pause_s, self.taken = piece, pause_s, 0

    def pop(self, _):
        time.sleep(self.pause_s)
        self.taken += 1
        return {"type": "http.request", "body": self.piece, "more_body": True}


@pytest.mark.parametrize("kind", [b"application/json", b"multipart/form-data; boundary=x"])
def test_an_endless_body_is_refused_while_it_arrives(kind):
    body = Endless(b" " * 100)
    assert run_body_check(SMALL, body, kind=kind, linger=LingerLimits(size=2000)) == (413, b"close")
    limit = SMALL.json_bytes if b"json" in kind else SMALL.upload_bytes
    assert body.taken == limit // 100 + 1 + 2000 // 100  # what follows the answer is bounded, too


@pytest.mark.parametrize("kind", [b"application/json", b"multipart/form-data; boundary=x"])
def test_a_body_that_does_not_go_on_is_refused(kind):
    first = {"type": "http.request", "body": b"[", "more_body": True}
    found = run_body_check(BodyLimits(idle_s=0.05), [first], kind=kind)
    assert found == (408, b"close")


@pytest.mark.parametrize("kind", [b"application/json", b"multipart/form-data; boundary=x"])
def test_a_body_that_drips_is_refused_in_the_end(kind):
    limits = BodyLimits(json_s=0.1, upload_s=0.1)
    assert run_body_check(limits, Endless(b" ", pause_s=0.001), kind=kind) == (408, b"close")


def nested(depth, start="[", end="]"):
    return start * depth + end * depth


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (nested(9), "nested more than 8 levels"),
        ("[" * 900, "nested more than 8 levels"),
        ('{"a":' * 9 + "1" + "}" * 9, "nested more than 8 levels"),
        ('"' + "[" * 8, "not valid JSON"),
        ('{"a": 1, "a": 2}', 'duplicate key "a"'),
        ('{"a": {"b": 1, "\\u0062": 2}}', 'duplicate key "b"'),
        ("[NaN]", "NaN"),
        ("[-Infinity]", "Infinity"),
        ("[1e999]", "too large"),
        ("9" * 900 + "x", "not valid JSON"),
        ('["\\ud800"]', "surrogate"),
        (b'["\xff"]', "not UTF-8"),
        ('["a"]'.encode("utf-16"), "not UTF-8"),
        ("", "not valid JSON"),
        ("{", "not valid JSON"),
    ],
)
def test_json_bombs_and_what_two_programs_read_differently_are_refused(editor, body, problem):
    content = body if isinstance(body, bytes) else body.encode()

    def chunked():
        yield content

    answer = editor.post("/test/json", content=chunked(), headers=JSON)
    assert answer.status_code == 400
    assert problem in answer.json()["detail"]


def test_a_body_with_more_values_than_allowed_is_refused_before_it_is_checked(
    service, make_secured, tokens
):
    limits = BodyLimits(json_values=100, large_json=(REPORT,))
    client = make_secured(service, limits=limits).as_(tokens["editor"])
    for path, body, status in (
        ("/test/json", [1] * 100, 200),
        ("/test/json", [1] * 101, 422),
        ("/test/json", {str(at): "" for at in range(101)}, 422),
        ("/test/json", ['commas, in "text",' * 500], 200),
        (REPORT, [1] * 101, 200),
    ):
        answer = client.post(path, json=body)
        assert answer.status_code == status, answer.text
    answer = client.post("/test/json", json=[1] * 101)
    assert answer.json()["detail"] == "the body has more than 100 values"


@pytest.mark.parametrize(
    "body", [nested(8), '["[[[[[[[[[[[[", "\\"[[[[[[[[[[[["]', '"\\ud83d\\ude00"']
)
def test_json_that_only_looks_like_a_bomb_arrives(editor, body):
    assert editor.post("/test/json", content=body.encode(), headers=JSON).status_code == 200


@pytest.mark.parametrize(
    "body", ["[" * 999_000, '"' + '\\"' * 499_000, '{"a":' * 190_000, "9" * 999_000]
)
def test_the_largest_bomb_is_refused_quickly(service, make_secured, tokens, body):
    client = make_secured(service).as_(tokens["editor"])
    began = time.process_time()
    assert client.post("/test/json", content=body.encode(), headers=JSON).status_code == 400
    assert time.process_time() - began < 5  # it takes a tenth of a second


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "application/yaml"},
        {"Content-Type": "application/jsonx"},
        {**JSON, "Content-Encoding": "gzip"},
    ],
)
def test_other_types_are_refused(editor, refusals, headers):
    content = gzip.compress(json.dumps({}).encode())
    answer = editor.post("/test/json", content=content, headers=headers)
    assert answer.status_code == 415
    assert len(refusals()) == 1


def test_a_body_that_nobody_reads_ends_the_connection(editor):
    def endless():
        yield b"x"

    answer = editor.request("GET", "/test/who", content=endless())
    assert (answer.status_code, answer.headers["connection"]) == (200, "close")


def aliases(depth=9, width=9):
    """YAML that is small and has 9 to the power of 9 entries once its aliases are followed."""
    inner = ["x", *(f"*a{level}" for level in range(depth - 1))]
    lines = [f"a{at}: &a{at} [{', '.join([one] * width)}]" for at, one in enumerate(inner)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "content",
    [
        aliases(),
        "a: &a [*a]",
        "a: &a {b: 1}\nc: {<<: *a}",
        "[" * 100_000,
        "- " * 100_000 + "x",
        "a: !!python/object/apply:os.system ['true']",
    ],
    ids=["aliases", "itself", "merge", "brackets", "lists", "objects"],
)
@pytest.mark.parametrize("path", ["/api/v1/datasets", "/api/v1/datasets/validate"])
def test_yaml_bombs_are_refused_as_they_are_read(service, tokens, path, content):
    with protected_client(service) as client:
        client.as_(tokens["editor"])
        answer = client.post(path, files={"file": ("data.yaml", content.encode())})
        if path.endswith("validate") and answer.status_code == 200:
            assert answer.json()["valid"] is False
        else:
            assert answer.status_code == 422, answer.text[:500]
        assert client.get("/api/v1/datasets").json()["items"] == []
