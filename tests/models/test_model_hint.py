"""A hint about a model has a name that works as it is written."""

import pytest

from assay import catalogue
from assay.models import embedders, rerankers
from assay.models.model_hint import model_hint, reranker_hint, with_example
from assay.models.open_embedder import open_embedder

NAMES = catalogue.files(embedders)


@pytest.mark.parametrize(
    ("value", "works"),
    [
        ("nomic-embed-text", "ollama:nomic-embed-text"),
        ("nomic-embed-text:v1.5", "ollama:nomic-embed-text:v1.5"),
        ("mxbai-embed-large", "ollama:mxbai-embed-large"),
        ("text-embedding-3-small", "openai:text-embedding-3-small"),
        ("text-embedding-ada-002", "openai:text-embedding-ada-002"),
        ("BAAI/bge-small-en", "sentence-transformers:BAAI/bge-small-en"),
        ("bge-base-en-v1.5", "sentence-transformers:BAAI/bge-base-en-v1.5"),
        ("intfloat/e5-base-v2", "sentence-transformers:intfloat/e5-base-v2"),
        ("all-mpnet-base-v2", "sentence-transformers:all-mpnet-base-v2"),
        ("sentence-transformers/all-mpnet-base-v2", "sentence-transformers:all-mpnet-base-v2"),
        ("ollama/nomic-embed-text", "ollama:nomic-embed-text"),
        ("openai/text-embedding-3-large", "openai:text-embedding-3-large"),
        ("olama:nomic-embed-text", "ollama:nomic-embed-text"),
        ("sentence-transformer:BAAI/bge-m3", "sentence-transformers:BAAI/bge-m3"),
        ("olama", "ollama:nomic-embed-text"),
        ("minlm", "minilm"),
        ("Static", "static"),
    ],
)
def test_a_model_is_suggested_in_full(value, works):
    hint = model_hint(value, NAMES)
    assert works in hint.replace('"', " ").replace("?", " ").replace(",", " ").split()


@pytest.mark.parametrize(
    "value",
    [
        "all-MiniLM-L6-v2",
        "sentence-transformers/all-MiniLM-L6-v2",
        "all-minilm",
        "all-minilm:latest",
    ],
)
def test_the_default_model_is_recognised_by_its_other_names(value):
    assert model_hint(value, NAMES) == "write minilm, which is all-MiniLM-L6-v2"


@pytest.mark.parametrize("value", ["gpt-4", "foo", "", "a b", "x" * 500])
def test_any_other_name_gets_full_examples(value):
    hint = model_hint(value, NAMES)
    for name in NAMES:
        assert with_example(name.replace("_", "-")) in hint or name in hint
    assert ":NAME" not in hint
    assert ":PATH" not in hint


def test_every_kind_that_needs_a_name_has_an_example(tmp_path):
    for name in NAMES:
        kind = name.replace("_", "-")
        with_name = with_example(kind)
        if with_name.startswith(f"{kind}:NAME"):
            assert open_embedder(name, folder=tmp_path)  # it needs no name


def test_rerankers():
    names = catalogue.files(rerankers)
    assert reranker_hint("maxsin", names) == 'did you mean "maxsim"?'
    assert "cross-encoder:models/" in reranker_hint("colbert", names)
    assert "cross-encoder:models/" in reranker_hint("cross_encoder", names)
