"""A run notices what cannot be opened before it builds, and remembers what a search does."""

import json

import pytest

from assay.benchmarks.conduct import STARTED_AGAIN
from assay.benchmarks.work import context
from assay.errors import InputError, ProblemsError
from assay.workflows.run import run

QUERY = {
    "query_key": "q1",
    "query_text": "retry a failed request",
    "relevant_docs": [{"doc_ref": {"path": "retry.py"}, "relevance_grade": 1}],
}


@pytest.fixture
def benchmark(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "retry.py").write_text("def retry_request(times):\n    pass\n")
    (tmp_path / "docs" / "logs.md").write_text("# Logs\n\nA log file is rotated every day.\n")
    (tmp_path / "queries.json").write_text(json.dumps({"queries": [QUERY]}))
    (tmp_path / "broken").mkdir()
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / "broken" / name).write_text("neither")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")  # nobody listens there

    def made(*configurations):
        named = [{"name": f"c{at}", **one} for at, one in enumerate(configurations)]
        return {"dataset": "queries.json", "corpus": "docs", "configurations": named}

    return made


@pytest.fixture
def never(monkeypatch):
    def built(*_given, **_named):
        raise AssertionError("something was built")

    monkeypatch.setattr(context, "build", built)  # where it is called


@pytest.mark.usefixtures("never")
def test_all_models_are_opened_before_anything_is_built(benchmark, tmp_path):
    asked = benchmark(
        {"search": "lexical"},
        {"model": "ollama:some"},
        {"model": "ollama:some", "chunk_size": 64},
        {"search": "lexical", "rerank": "cross-encoder:broken"},
    )
    with pytest.raises(ProblemsError) as caught:
        run(asked, workspace=tmp_path / "workspace")
    first, second = caught.value.problems
    assert first.where.startswith('benchmark, configuration "c1", http://127.0.0.1:9')
    assert first.hint.endswith("ollama serve")
    assert 'configuration "c3"' in second.where
    assert "tokenizer" in second.problem


@pytest.mark.usefixtures("never")
def test_one_problem_is_told_with_its_configuration(benchmark, tmp_path):
    with pytest.raises(InputError, match='"c0", http://127'):
        run(benchmark({"model": "ollama:some"}), workspace=tmp_path / "workspace")


def test_vectors_of_tokens_are_remembered_as_a_search_does(benchmark, tmp_path):
    asked = benchmark({"rerank": "maxsim"})
    for fresh in (True, False):
        report = run(asked, workspace=tmp_path / "workspace", repeats=1, fresh=fresh)
        assert report.runs[0].scores["mrr"] == 1
        assert (tmp_path / "workspace" / "tokens.sqlite").exists() is not fresh


def test_the_first_use_of_a_model_and_the_embedding_are_shown(benchmark, tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE", str(tmp_path / "cache"))
    shown, ended = [], []

    def track(items, doing, *, total=None, unit=""):
        shown.append(doing)
        yield from items
        ended.append(doing)

    run(benchmark({}), workspace=tmp_path / "workspace", repeats=1, progress=track)
    assert [doing for doing in shown if "minilm" in doing] == [
        "preparing minilm (first use only)",
        "embedding with minilm",
    ]
    assert sorted(ended) == sorted(shown)  # what is drawn is cleared only at its end


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]])
def test_a_name_that_is_one_of_a_file_keeps_it(benchmark, tmp_path, order):
    """Each run is found in the file of its name, whichever was run first."""
    names = ["a/b", "a_b", "a b", "A_B_2"]
    made = [{"name": names[at], "search": "lexical", "top_k": at + 20} for at in order]
    given = benchmark() | {"configurations": made}
    run(given, save_runs=tmp_path / "runs", asks=1, workspace=tmp_path / "w")
    saved = {path.stem: path.read_text().split()[-1] for path in (tmp_path / "runs").iterdir()}
    assert sorted(saved) == ["A_B_2", "a_b", "a_b_3", "a_b_4"]
    assert (saved["a_b"], saved["A_B_2"]) == ("a_b", "A_B_2")


def test_a_report_tells_what_it_was_asked_for_with_and_is_the_same_all_the_same(
    benchmark, tmp_path
):
    asked = benchmark({"search": "lexical"})
    (tmp_path / "my bench.json").write_text(json.dumps({"name": "b", **asked}))
    quiet = {"untimed": True, "workspace": tmp_path / "workspace"}
    near, far = run("my bench.json", **quiet), run(tmp_path / "my bench.json", **quiet)
    told = {"verb": "run", "file": "my bench.json", "options": []}
    assert near.benchmark["command"] == far.benchmark["command"] == told
    other = run("my bench.json", dataset=tmp_path / "queries.json", **quiet)
    assert other.benchmark["command"] == told | {
        "options": ["--dataset", "queries.json"],
        "grades": False,
    }
    mapping = run(asked, **quiet)
    assert "command" not in mapping.benchmark
    assert any("2 of 2" in note for note in mapping.notes)  # nothing is measured again
    for one in (far, other, mapping):
        assert [run.fingerprint for run in one.runs] == [run.fingerprint for run in near.runs]


def test_an_interrupted_run_is_gone_on_with_from_elsewhere(benchmark, tmp_path, monkeypatch):
    asked = {"name": "b", **benchmark({"search": "lexical"})}
    (tmp_path / "b.json").write_text(json.dumps(asked))
    quiet = {"untimed": True, "workspace": tmp_path / "workspace"}
    with monkeypatch.context() as patched:
        patched.setattr("assay.benchmarks.spine._report", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            run("b.json", **quiet)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    report = run("../b.json", resume=True, **quiet)
    assert report.benchmark["command"]["file"] == "../b.json"
    assert STARTED_AGAIN not in report.notes


def _interrupted(*_given):
    raise KeyboardInterrupt
