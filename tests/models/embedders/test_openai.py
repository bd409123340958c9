import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from assay.errors import InputError
from assay.models.embedders.openai import openai
from assay.models.open_embedder import open_embedder
from assay.models.remote import json_client

KEY = "a-key-of-the-tests"


def numbered(vectors):
    return {"data": [{"index": n, "embedding": list(v)} for n, v in enumerate(vectors)]}


def lengths(_, body):
    """Answer each text with (its length, 1): enough to tell texts apart."""
    return 200, numbered([(len(text), 1.0) for text in body["input"]]), {}


@pytest.fixture
def server(stand_in, monkeypatch):
    stand_in.answer = lengths
    monkeypatch.setenv("OPENAI_BASE_URL", f"{stand_in.url}/v1/")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return stand_in


def test_unit_vectors_by_hand(server):
    model = openai("small")
    vectors = model.embed(["abc", "abcd"])
    assert vectors.tolist() == [
        pytest.approx([3 / 10**0.5, 1 / 10**0.5]),
        pytest.approx([4 / 17**0.5, 1 / 17**0.5]),
    ]
    assert (model.name, model.dimension) == ("openai:small", 2)
    assert vectors.dtype == np.float32


def test_what_is_asked(server):
    openai("small", dimensions=2).embed(["abc"])
    path, body, headers = server.seen[-1]
    assert path == "/v1/embeddings"
    assert body == {
        "model": "small",
        "input": ["abc"],
        "dimensions": 2,
        "encoding_format": "float",
    }
    assert headers["Authorization"] == f"Bearer {KEY}"


def test_batches_equal_texts_and_blank_ones(server):
    texts = ["a", "", "bb", "a", " \n", "ccc", "dddd", "eeeee"]
    vectors = openai("small", batch=2).embed(texts)
    assert [len(body["input"]) for _, body, _ in server.seen] == [1, 2, 2, 1]  # one to see the size
    assert (vectors[0] == vectors[3]).all()
    assert not vectors[[1, 4]].any()
    assert vectors[5] == pytest.approx([3 / 10**0.5, 1 / 10**0.5])


def test_answers_in_another_order(server):
    def reversed_order(path, body):
        status, content, headers = lengths(path, body)
        return status, {"data": content["data"][::-1]}, headers

    expected = openai("small").embed(["a", "bbbb", "cc"])
    server.answer = reversed_order
    assert (openai("small").embed(["a", "bbbb", "cc"]) == expected).all()


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(server, status):
    answers = iter([(status, b"busy", {}), (status, b"busy", {"Retry-After": "0"})])
    server.answer = lambda path, body: next(answers, None) or lengths(path, body)
    model = openai("small")
    assert model.embed(["abc"]).any()
    assert len(server.seen) == 4
    assert model.waited_ms > 10  # two attempts, and two pauses of which the shorter is 0.01 s


def test_each_thread_has_waited_what_it_has_waited_itself(server):
    answers = iter([(503, b"busy", {})])
    model = openai("small")
    model.embed(["warm"])
    server.answer = lambda path, body: next(answers, None) or lengths(path, body)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(model.embed, ["abc"]).result(10)
        assert pool.submit(lambda: model.waited_ms).result(10) > 5
    assert model.waited_ms == 0


def test_a_server_that_answers_at_once_lets_nobody_wait(server):
    model = openai("small")
    model.embed(["abc"])
    assert model.waited_ms == 0


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize("before", ["." * 70, " " * 1990, "." * 290, "\x1b[31m"])
def test_no_part_of_a_key_is_shown_and_nothing_commands_the_terminal(server, status, before):
    server.answer = lambda *_: (status, (before + KEY).encode(), {})
    with pytest.raises(InputError) as caught:
        openai("small").embed(["abc"])
    told = caught.value.problem
    assert not [at for at in range(len(KEY) - 4) if KEY[at : at + 5] in told], told
    assert told.isprintable()


def test_a_server_that_stays_busy(server):
    server.answer = lambda *_: (503, b"overloaded", {})
    with pytest.raises(InputError, match="status 503: overloaded"):
        openai("small").embed(["abc"])
    assert len(server.seen) == 5


def test_a_wrong_key_is_said_once_and_not_shown(server):
    server.answer = lambda *_: (401, f"no such key: {KEY}".encode(), {})
    with pytest.raises(InputError, match="401: no such key") as caught:
        openai("small").embed(["abc"])
    assert KEY not in str(caught.value)
    assert caught.value.hint == "check the API key"
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirection_does_not_get_the_key(server, status):
    server.answer = lambda *_: (status, b"", {"Location": f"{server.url}/elsewhere"})
    with pytest.raises(InputError, match=f"status {status}") as caught:
        openai("small").embed(["abc"])
    assert "redirects" in caught.value.hint
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (numbered([]), "0 vectors"),
        (numbered([(1, 2), (3, 4)]), "2 vectors"),
        (numbered([(float("nan"), 1)]), "finite numbers"),
        (numbered([(float("inf"), 1)]), "finite numbers"),
        (numbered([()]), "finite numbers"),
        (numbered([("a", "b")]), "finite numbers"),
        (numbered([(10**400, 1)]), "finite numbers"),
        (numbered([([1], [2])]), "finite numbers"),
        ({"data": [{"index": 1, "embedding": [1, 2]}]}, "number"),
        ({"data": [{"embedding": [1, 2]}]}, "under data"),
        ({"data": [{"index": [], "embedding": [1]}]}, "under data"),
        ({"data": "text"}, "under data"),
        ({}, "under data"),
        ([], "under data"),
        (None, "under data"),
        pytest.param(b"<html>hello</html>", 'JSON: "<html>hello', id="html"),
        pytest.param(b"\xff\xfe\x00", "JSON", id="bytes"),
        pytest.param(b"", "JSON", id="nothing"),
        pytest.param(b"[" * 100_000, "JSON", id="deep"),
    ],
)
def test_answers_that_cannot_be_used(server, content, message, snapshot):
    server.answer = lambda *_: (200, content, {})
    with pytest.raises(InputError, match=message) as caught:
        openai("small").embed(["abc"])
    assert server.url in caught.value.where
    snapshot([caught.value.problem, caught.value.hint])


def test_another_dimension_than_before(server):
    model = openai("small")
    model.embed(["abc"])
    server.answer = lambda *_: (200, numbered([(1, 2, 3)]), {})
    with pytest.raises(InputError, match=r"\b3 .*\b2\b"):
        model.embed(["abcd"])


def test_an_answer_too_large(server, monkeypatch):
    monkeypatch.setattr(json_client, "LARGEST", 1 << 20)
    server.answer = lambda *_: (200, b" " * (2 << 20), {})
    with pytest.raises(InputError, match="1 MB") as caught:
        openai("small").embed(["abc"])
    assert "server" in caught.value.hint


def test_no_answer_in_time(server):
    def slow(path, body):
        time.sleep(1.0)
        return lengths(path, body)

    server.answer = slow
    with pytest.raises(InputError, match=r" 0\.2 s\b"):
        openai("small", timeout_s=0.2).embed(["abc"])
    assert len(server.seen) == 5


def test_an_answer_that_drips_ends_at_the_time_limit(server, monkeypatch):
    class Dripping(server.RequestHandlerClass):
        def end_headers(self):
            super().end_headers()
            for _ in range(50):
                time.sleep(0.02)
                self.wfile.write(b" ")

    server.RequestHandlerClass = Dripping
    monkeypatch.setattr(json_client, "RETRIES", 0)
    with pytest.raises(InputError, match=r" 0\.2 s\b"):
        openai("small", timeout_s=0.2).embed(["abc"])


def test_a_connection_that_breaks_is_tried_again(server):
    cut = iter([True])

    def broken(path, body):
        if next(cut, False):
            raise ConnectionResetError
        return lengths(path, body)

    server.answer = broken
    assert openai("small").embed(["abc"]).any()


def test_the_proxy_of_the_environment_is_used(server, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://models.invalid/v1")
    monkeypatch.setenv("http_proxy", server.url)
    assert openai("small").embed(["abc"]).any()
    assert server.seen[-1][0] == "http://models.invalid/v1/embeddings"


def test_nobody_listens(server, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(InputError, match="cannot be reached") as caught:
        openai("small").embed(["abc"])
    assert "check the address" in caught.value.hint


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "ftp://host/v1",
        "http://",
        "http://[::1/v1",
        "http://host:port/v1",
        "http://host:99999/v1",
        "http://a host/v1",
        "http://host/\nv1",
    ],
)
def test_addresses_that_are_none(server, address, snapshot):
    with pytest.raises(InputError) as caught:
        openai("small", base_url=address)
    snapshot(caught.value)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf")])
def test_waiting_that_no_clock_can_measure(server, seconds):
    with pytest.raises(InputError, match="timeout_s") as caught:
        openai("small", timeout_s=seconds)
    assert "seconds" in caught.value.hint


def test_no_key_for_the_real_server(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(InputError, match="no key") as caught:
        openai("text-embedding-3-small")
    assert "OPENAI_API_KEY" in caught.value.hint


@pytest.mark.parametrize("key", ["first-line\nsecond-line", "first-line€"])
def test_a_key_that_no_header_can_hold_is_refused_without_being_shown(
    server, monkeypatch, key, snapshot
):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(InputError) as caught:
        openai("small").embed(["abc"])
    snapshot([caught.value.problem, caught.value.hint])
    assert "first-line" not in str(caught.value)


def test_a_server_of_ones_own_needs_no_key(server, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    openai("small").embed(["abc"])
    assert "Authorization" not in server.seen[-1][2]


def test_unicode_arrives_whole(server):
    openai("small").embed(["größe 日本 😀 \r\n", "half \ud800"])
    assert server.seen[-1][1]["input"] == ["größe 日本 😀 \r\n", "half ?"]


def test_fingerprint_follows_model_server_and_size(server, tmp_path):
    def of(name, **settings):
        return open_embedder({"model": name, **settings}, folder=tmp_path).fingerprint

    plain = of("openai:small")
    assert plain == of("openai:small", batch=7)
    others = [of("openai:large"), of("openai:small", dimensions=2)]
    others.append(of("openai:small", base_url="http://127.0.0.1:9"))
    assert len({plain, *others}) == 4
    assert not server.seen


def test_tokens_are_estimated(server):
    assert openai("small").count("abcdefgh") == 2
    assert openai("small").count("") == 0


def test_batches_of_none(server):
    with pytest.raises(InputError, match="batch size 0"):
        openai("small", batch=0)
