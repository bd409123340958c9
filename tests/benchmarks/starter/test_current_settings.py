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
        "rag: {embedding: all-MiniLM-L6-v2, reranker: maxsim, chunk_size: 256}\n",
        "embeddingModel: all-MiniLM-L6-v2\nuseReranker: on\nchunkSize: 256\n",
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
    assert (found.source, found.notes, found.unused) == ("config/settings.yaml", (), ())
    assert found.read[0] == "embedding model all-MiniLM-L6-v2 (minilm)"


def test_a_reranker_is_used_unless_it_is_switched_off(given):
    assert "rerank" not in given("embedding_model: minilm\n").settings
    assert "rerank" not in given("embedding_model: minilm\nreranker_model: None\n").settings
    off = given("embedding_model: minilm\nreranker: {model: a/b, enabled: false}\n")
    assert "rerank" not in off.settings
    assert "no reranker" in off.read
    assert (off.notes, off.name) == ((), "current")


@pytest.mark.parametrize("where", ["reranker", "rerank", "retrieval.rerank", "rag.search.reranker"])
def test_a_text_is_the_name_of_the_reranker(given, where):
    text = "cross-encoder/ms-marco-MiniLM-L-6-v2"
    for key in reversed(where.split(".")):
        text = f"{{{key}: {text}}}"
    found = given(f"{{embedding_model: minilm, extra: {text}}}\n")
    (note,) = found.notes
    assert f'extra.{where} "cross-encoder/ms-marco-MiniLM-L-6-v2" is not on this machine' in note
    assert found.settings["rerank"] == "maxsim"
    assert found.name == "current-with-maxsim"
    assert "no reranker" not in found.read


@pytest.mark.parametrize("text", ["rerank: 20", "reranker: [a, b]", "reranking: 0.5"])
def test_a_value_that_is_not_understood_is_only_named(given, text):
    found = given(f"embedding_model: minilm\n{text}\n")
    key = text.partition(":")[0]
    assert (found.read, found.unused) == (("embedding model minilm",), (key,))
    assert found.name == "current-approximate"
    assert f"without {key}" in found.description


@pytest.mark.parametrize("text", ["rerank: false", "reranker: none", "reranker: 'off'"])
def test_only_what_is_switched_off_is_no_reranker(given, text):
    found = given(f"search: {{mode: bm25}}\n{text}\n")
    assert found.read == ("lexical search", "no reranker")
    assert found.unused == ()
    assert given(f"{text}\n") is None


@pytest.mark.parametrize(
    ("text", "search"),
    [
        ("search: {mode: lexical, rerank: false}", "lexical"),
        ("retrieval: {type: BM25}", "lexical"),
        ("search_type: keyword", "lexical"),
        ("rag: {retriever: {strategy: semantic}}", "dense"),
        ("search: vector", "dense"),
        ("retrieval_mode: hybrid", "hybrid"),
        ("search: {hybrid: true}", "hybrid"),
    ],
)
def test_the_search_mode(given, text, search):
    found = given(f"{text}\n")
    assert found.settings["search"] == search
    assert found.read[0] == f"{search} search"
    assert ("model" in found.settings) is (search != "lexical")


def test_a_lexical_search_needs_no_model(given):
    found = given("search: {mode: lexical}\nembedding: {model: a/b, dimension: 384}\n")
    assert (dict(found.settings), found.name) == ({"search": "lexical"}, "current")
    assert (found.notes, found.unused) == ((), ())


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("chunking: {size: 2000, unit: characters}", 500),
        ("chunk_size: 2000\nchunk_unit: characters", 500),
        ("splitter: {chunk_size: 2000, length_function: len}", 500),
        ("chunking: {chunk_size_chars: 4000}", 1_000),
        ("chunking: {size: 400, unit: tokens}", 400),
        ("rag: {chunk_size: 400}\nother: {unit: characters}", 400),
    ],
)
def test_sizes_have_a_unit(given, text, size):
    found = given(f"embedding_model: minilm\n{text}\n")
    assert found.settings["chunk_size"] == size
    converted = size in (500, 1_000)
    assert found.name == ("current-approximate" if converted else "current")
    assert any("about 4 characters a token" in one for one in found.read) is converted
    assert (f"about {size:,} tokens" in found.description) is converted


@pytest.mark.parametrize("unit", ["words", "lines", "bytes"])
def test_sizes_in_other_units_are_not_used(given, unit):
    found = given(f"embedding_model: minilm\nchunking: {{size: 300, unit: {unit}}}\n")
    assert "chunk_size" not in found.settings
    assert found.unused == ("chunking.size",)


def test_the_overlap_is_in_the_unit_of_the_size(given):
    found = given("embedding_model: minilm\nrag: {chunk_size: 400, chunk_overlap: 50}\n")
    assert (found.settings["chunk_size"], found.settings["overlap"]) == (400, 50)
    assert (found.name, found.unused) == ("current", ())
    found = given("embedding_model: minilm\nchunking: {size: 400, unit: chars, overlap: 100}\n")
    assert (found.settings["chunk_size"], found.settings["overlap"]) == (100, 25)
    found = given("embedding_model: minilm\nchunking: {size: 400, overlap: 0.1}\n")
    assert "overlap" not in found.settings
    assert found.unused == ("chunking.overlap",)


def test_settings_that_are_not_used_are_named(given):
    text = "app: {log_level: info}\nllm: {model: gpt, top_p: 1, api_key: secret}\n"
    text += "retrieval: {embedding_model: minilm, top_k: 8, cache_path: x, batch_size: 3}\n"
    found = given(text)
    assert found.unused == ("retrieval.top_k",)
    assert (found.name, found.description) == ("current", "")  # the ranking is the same
    found = given(f"{text}search: {{scoreThreshold: 0.4, hyde: true, mmr: false}}\n")
    assert found.unused == ("retrieval.top_k", "search.scoreThreshold", "search.hyde")
    assert found.name == "current-approximate"
    assert "without search.scoreThreshold and search.hyde" in found.description


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
    assert (found.settings["model"], found.name) == ("minilm", "current-with-minilm")
    (note,) = found.notes
    assert f'config/settings.yaml: embedding.model "{model}" is not on this machine' in note
    assert hint in note
    assert f"minilm instead of the embedding model {model}" in found.description


def test_a_reranker_that_is_not_here_and_one_that_does_not_fit(given, snapshot):
    found = given("embedding_model: minilm\nreranker_model: cross-encoder/ms-marco\n")
    assert found.settings["rerank"] == "maxsim"
    assert "cross-encoder:FOLDER" in found.notes[0]
    snapshot(found.description)
    found = given("embedding_model: wordllama\nuse_reranker: true\n")
    assert found.settings == {"search": "dense", "model": "static"}
    assert found.name == "current-without-reranker"
    assert "the reranker is not used" in found.notes[0]
    snapshot(found.description)


def test_a_model_that_is_not_named(given, snapshot):
    found = given("chunk_size: 300\n")
    assert (found.name, found.settings["model"]) == ("current-with-minilm", "minilm")
    snapshot(found.description)
    found = given("embedding_model: a/b\nuse_reranker: true\n")
    assert found.name == "current-with-minilm-and-maxsim"
    snapshot(found.description)


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
        "search: {url: http://x, mode: other}\n",
    ],
)
def test_files_without_settings(given, text):
    assert given(text) is None


def test_without_a_file(tmp_path, given):
    assert current_settings(tmp_path) is None
    assert given("chunk_size: 300\n", "settings.yml").settings["chunk_size"] == 300


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("embedding_model: all-MiniLM-L6-v2\nrerank: maxsim\nchunk_size: 300\n", "current"),
        ("search: {mode: lexical, rerank: true}\n", "current-without-reranker"),
        ("search: {mode: lexical, rerank: maxsim}\n", "current-without-reranker"),
        ("search: lexical\nchunk_size: 300\nchunk_overlap: 20\n", "current"),
        ("search: bm25\n", "current"),
        ("search: hybrid\nembedding_model: minilm\n", "current"),
        ("embedding_model: static\nreranker: cross-encoder/x\n", "current-without-reranker"),
        (f"embedding_model: {'long/' * 30}model\nchunk_size: 9\n", "current-with-minilm"),
    ],
)
def test_it_is_the_baseline_of_a_file_that_can_be_run(tmp_path, given, text, name):
    given(text)
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "a.rec").write_text("red apples")
    (tmp_path / "questions.csv").write_text("question,file\nwhat is red?,a.rec\n")
    started = init(tmp_path)
    benchmark = read_benchmark(tmp_path / "assay.yaml")
    current = benchmark.configurations[0]
    assert (benchmark.baseline, current.name, started.baseline) == (name, name, name)
    expected = current_settings(tmp_path)
    assert {key: getattr(current, key) for key in expected.settings} == dict(expected.settings)
    assert benchmark.description == expected.description
    assert bool(benchmark.description) is (name != "current")
    assert started.current[0] == "config/settings.yaml"
    assert "config/settings.yaml" in started.text
    assert not benchmark.merged


def test_a_configuration_that_is_usual_anyway_is_there_once(tmp_path, given):
    given("search: bm25\n")
    (tmp_path / "a.md").write_text("red apples")
    (tmp_path / "questions.csv").write_text("question,file\nwhat is red?,a.md\n")
    init(tmp_path)
    names = [one.name for one in read_benchmark(tmp_path / "assay.yaml").configurations]
    assert names[:2] == ["current", "hybrid"]
