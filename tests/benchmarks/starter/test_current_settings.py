"""The search of today, from config/settings.yaml in any of its layouts."""

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.starter.current_settings import current_settings
from assay.workflows.init import init


@pytest.fixture
def given(tmp_path):
    def write(text, name="settings.yaml"):
        (tmp_path / "config").mkdir(exist_ok=True)
        (tmp_path / "config" / name).write_text(text)
        return current_settings(tmp_path)

    return write


@pytest.mark.parametrize(
    "text",
    [
        "embedding_model: all-MiniLM-L6-v2\nuse_reranker: true\nchunk_size: 256\n",
        "embedding: {model: all-MiniLM-L6-v2}\nreranker: {enabled: true}\nchunking: {size: 256}\n",
        "models: {embedding: all-MiniLM-L6-v2}\nrag: {use_reranker: true, chunk_size: 256}\n",
        "akashic:\n  embeddings: {model_name: all-MiniLM-L6-v2, chunk_size: 256}\n  rerank: true\n",
        "embedder: {model: {id: all-MiniLM-L6-v2}}\nreranker: {use: yes}\nchunks: {size: 256}\n",
    ],
)
def test_layouts(given, text):
    found = given(text)
    assert found.settings == {
        "search": "dense",
        "model": "minilm",
        "chunk_size": 256,
        "rerank": "maxsim",
    }
    assert (found.source, found.notes) == ("config/settings.yaml", ())
    assert found.read[0] == "embedding model all-MiniLM-L6-v2 (minilm)"


def test_a_reranker_is_used_unless_it_is_switched_off(given):
    assert "rerank" not in given("embedding_model: minilm\n").settings
    assert "rerank" not in given("embedding_model: minilm\nreranker_model: None\n").settings
    off = given("embedding_model: minilm\nreranker: {model: a/b, enabled: false}\n")
    assert "rerank" not in off.settings
    assert "no reranker" in off.read
    assert off.notes == ()


@pytest.mark.parametrize(
    ("model", "hint"),
    [
        ("BAAI/bge-small-en-v1.5", "sentence-transformers:BAAI/bge-small-en-v1.5"),
        ("text-embedding-3-small", "openai:text-embedding-3-small"),
        ("nomic-embed-text", "ollama:nomic-embed-text"),
        ("./models/mine", "model.onnx"),
    ],
)
def test_a_model_that_is_not_here_is_named_with_what_to_do(given, model, hint):
    found = given(f"embedding: {{model: {model}}}\n")
    assert found.settings["model"] == "minilm"
    (note,) = found.notes
    assert f'config/settings.yaml: embedding.model "{model}" is not on this machine' in note
    assert hint in note


def test_a_reranker_that_is_not_here_and_one_that_does_not_fit(given):
    found = given("embedding_model: minilm\nreranker_model: cross-encoder/ms-marco\n")
    assert found.settings["rerank"] == "maxsim"
    assert "cross-encoder:FOLDER" in found.notes[0]
    found = given("embedding_model: wordllama\nuse_reranker: true\n")
    assert found.settings == {"search": "dense", "model": "static"}
    assert "No reranker is used" in found.notes[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- 1\n",
        "a: [",
        "name: x\n",
        "chunk_size: 0\n",
        "chunk_size: true\n",
        "chunk_size: 1.5\n",
    ],
)
def test_files_without_settings(given, text):
    assert given(text) is None


def test_sizes_in_characters_are_not_tokens(given):
    assert given("chunking: {chunk_size_chars: 4000}\n") is None


def test_without_a_file(tmp_path, given):
    assert current_settings(tmp_path) is None
    assert given("chunk_size: 300\n", "settings.yml").settings["chunk_size"] == 300


def test_it_is_the_baseline_of_the_file(tmp_path, given):
    given("embedding_model: all-MiniLM-L6-v2\nuse_reranker: true\nchunk_size: 300\n")
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "a.rec").write_text("red apples")
    (tmp_path / "questions.csv").write_text("question,file\nwhat is red?,a.rec\n")
    started = init(tmp_path)
    benchmark = read_benchmark(tmp_path / "assay.yaml")
    current = benchmark.configurations[0]
    assert (benchmark.baseline, current.name) == ("current", "current")
    assert (current.search, current.model, current.rerank) == ("dense", "minilm", "maxsim")
    assert current.chunk_size == 300
    assert started.current[0] == "config/settings.yaml"
    assert "config/settings.yaml" in started.text
    assert [one.name for one in benchmark.configurations[1:3]] == ["bm25", "hybrid"]
