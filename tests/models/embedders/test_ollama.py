import pytest

from assay.errors import InputError
from assay.models.embedders.ollama import _address, ollama

TAGS = {"models": [{"name": "other:latest", "digest": "b"}, {"name": "tiny:latest", "digest": "a"}]}


def answer(path, body):
    if path == "/api/tags":
        return 200, TAGS, {}
    if body["model"] != "tiny":
        return 404, {"error": "model not found, try pulling it first"}, {}
    return 200, {"embeddings": [[len(text), 0.0] for text in body["input"]]}, {}


@pytest.fixture
def server(stand_in, monkeypatch):
    stand_in.answer = answer
    monkeypatch.setenv("OLLAMA_HOST", stand_in.url)
    return stand_in


def test_vectors(server):
    model = ollama("tiny")
    assert model.embed(["abc", "", "abc"]).tolist() == [[1, 0], [0, 0], [1, 0]]
    assert (model.name, model.dimension) == ("ollama:tiny", 2)
    path, body, _ = server.seen[-1]
    assert path == "/api/embed"
    assert body == {"model": "tiny", "input": ["abc"], "truncate": True}


def test_a_model_that_is_not_there(server):
    with pytest.raises(InputError, match='"large"') as caught:
        ollama("large").embed(["abc"])
    assert caught.value.hint.endswith(": ollama pull large")
    with pytest.raises(InputError, match='"large"'):
        _ = ollama("large").fingerprint


def test_ollama_that_is_not_running(monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    with pytest.raises(InputError, match="cannot be reached") as caught:
        ollama("tiny").embed(["abc"])
    assert caught.value.hint.endswith(": ollama serve")


def test_fingerprint_follows_the_weights(server, monkeypatch):
    first = ollama("tiny").fingerprint
    assert ollama("tiny").fingerprint == first
    monkeypatch.setitem(TAGS["models"][1], "digest", "c")
    assert ollama("tiny").fingerprint != first


@pytest.mark.parametrize("content", [{}, [], {"embeddings": None}, {"embedding": [1]}])
def test_answers_without_vectors(server, content):
    server.answer = lambda *_: (200, content, {})
    with pytest.raises(InputError, match="no embeddings"):
        ollama("tiny").embed(["abc"])


@pytest.mark.parametrize("content", [{}, [], {"models": 3}, {"models": [3, {}]}])
def test_lists_of_models_without_it(server, content):
    server.answer = lambda *_: (200, content, {})
    with pytest.raises(InputError, match='"tiny"'):
        _ = ollama("tiny").fingerprint


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("0.0.0.0:1234", "http://127.0.0.1:1234"),
        ("http://far", "http://far:11434"),
        ("https://far", "https://far"),
        ("http://far:80/", "http://far:80/"),
    ],
)
def test_addresses_as_ollama_takes_them(given, address):
    assert _address(given) == address


def test_the_address_without_any(monkeypatch):
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    assert _address(None) == "http://127.0.0.1:11434"
