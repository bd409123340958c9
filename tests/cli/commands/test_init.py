"""`assay init`, and the suites that `assay list` shows."""

import json

import pytest

from assay.cli import start as run
from assay.records import skipped_files


@pytest.fixture
def assay(capsys):
    def call(*words):
        code = run([*map(str, words)])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_it_says_what_it_found_and_what_is_next(assay, tmp_path, monkeypatch, snapshot):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("red apples")
    judged = [{"doc_ref": {"path": "a.md"}, "relevance_grade": 2}]
    asked = [{"query_key": "q", "query_text": "red", "relevant_docs": judged}]
    (tmp_path / "queries.json").write_text(json.dumps({"queries": asked}))
    code, out, err = assay("init")
    assert code == 0
    assert [line for line in out.splitlines() if "queries.json" in line]
    snapshot(out)
    assert err == "next: assay run assay.yaml --plan, then without --plan\n"


def test_a_second_time_it_is_refused_and_with_json_it_is_told(assay, tmp_path, snapshot):
    assert assay("init", tmp_path)[0] == 0
    code, out, err = assay("init", tmp_path)
    assert (code, out) == (2, "")
    snapshot(err)
    code, out, err = assay("init", tmp_path, "--force", "--json")
    told = json.loads(out)
    assert (code, err, told["dataset"]) == (0, "", "")
    about = {"others", "holds_corpus", "folders", "left_out", "link", "lacks"}
    keys = {"file", "text", "dataset", "queries", "corpus", "documents", "next"}
    more = {"documents_complete", "include", "references", "references_found", "current"}
    more |= {"baseline", "not_used"}
    assert set(told) == keys | about | more | {"notes", "example", "make", "log", "logged"}


def test_without_anything_it_says_so(assay, tmp_path, monkeypatch, without_converters, snapshot):
    monkeypatch.setattr(skipped_files, "install_command", lambda extra: f"pip install '[{extra}]'")
    monkeypatch.chdir(tmp_path)
    code, out, err = assay("init")
    assert code == 0
    snapshot([*out.splitlines(), *err.splitlines()])
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-1.4\n")
    _, out, err = assay("init", "--force")
    snapshot([*out.splitlines(), *err.splitlines()])


def test_all_parts_of_a_current_search_are_told(assay, tmp_path, monkeypatch, snapshot):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    settings = "retrieval:\n  embedding_model: sentence-transformers/all-MiniLM-L6-v2\n"
    settings += "  reranker: cross-encoder/ms-marco-MiniLM-L-6-v2\n  chunk_size: 1600\n"
    settings += "  chunk_unit: characters\n  chunk_overlap: 200\n  top_k: 8\n  threshold: 0.2\n"
    (tmp_path / "config" / "settings.yaml").write_text(settings)
    (tmp_path / "a.md").write_text("red apples")
    (tmp_path / "questions.csv").write_text("question,file\nwhat is red?,a.md\n")
    _, out, err = assay("init")
    snapshot([*out.splitlines(), *err.splitlines()])
    snapshot((tmp_path / "assay.yaml").read_text().replace(tmp_path.name, "NAME"))


def test_a_corpus_that_is_a_link_is_named_with_its_target(assay, tmp_path, monkeypatch, snapshot):
    (tmp_path / "around" / "project").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "around" / "project")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.md").write_text("red apples")
    (tmp_path / "around" / "project" / "docs").symlink_to("../../elsewhere")
    snapshot(assay("init")[1])


def test_without_a_dataset_an_example_can_be_pasted(assay, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kb").mkdir()
    for name in "abc":
        (tmp_path / "kb" / f"{name}.rec").write_text(f"about {name}")
    code, out, err = assay("init")
    lines = [line.removeprefix("  ") for line in out.splitlines() if line.startswith("  ")]
    assert (code, err) == (0, "next: write questions.yaml, then: assay init --force\n")
    assert any("questions.yaml" in line for line in out.splitlines())
    (tmp_path / "questions.yaml").write_text("\n".join(lines))
    code, out, err = assay("init", "--force")
    assert "dataset: questions.yaml, 2 queries" in out.splitlines()
    assert "corpus: kb, 3 documents (**/*.rec), 3 of 3 references found" in out.splitlines()
    assert err == "next: assay run assay.yaml --plan, then without --plan\n"


def test_current_settings_and_folders_that_are_not_searched(assay, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("kb", "notes", "config"):
        (tmp_path / folder).mkdir()
    (tmp_path / "kb" / "a.rec").write_text("red apples")
    (tmp_path / "notes" / "b.md").write_text("a note")
    (tmp_path / "config" / "settings.yaml").write_text("embedding: {model: some/model}\n")
    (tmp_path / "questions.csv").write_text("question,file\nwhat is red?,a.rec\n")
    code, out, err = assay("init")
    assert code == 0
    said = "embedding model some/model (minilm is used instead)"
    assert f"baseline: current-with-minilm, from config/settings.yaml: {said}" in out.splitlines()
    assert "not searched: notes/: 0 of 1 reference found there" in out.splitlines()
    assert "sentence-transformers:some/model" in " ".join(err.split())
    assert (
        "\n  - {name: current-with-minilm, search: dense, model: minilm}\n"
        in (tmp_path / "assay.yaml").read_text()
    )


def test_all_that_was_found_is_told_and_fits_a_terminal(assay, tmp_path, monkeypatch, snapshot):
    monkeypatch.chdir(tmp_path)
    for folder, names in {"pages": "abc", "pages.bak": "abc", "wiki": "xy"}.items():
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.md").write_text(f"page {name}")
    for dataset, names in {"a.json": "abc", "b.json": "a"}.items():
        asked = [
            {
                "query_key": name,
                "query_text": name,
                "relevant_docs": [{"doc_ref": {"path": f"{name}.md"}, "relevance_grade": 1}],
            }
            for name in names
        ]
        (tmp_path / dataset).write_text(json.dumps({"queries": asked}))
    code, out, _ = assay("init")
    assert code == 0
    names = ("a.json", "b.json", "pages", "wiki", "pages.bak")
    places = [out.index(name) for name in names]
    assert places == sorted(places)
    snapshot(out)
    written = (tmp_path / "assay.yaml").read_text().splitlines()
    assert max(map(len, written)) <= 80
    snapshot(line for line in written if "b.json" in line or "wiki" in line)


def test_suites_are_listed_with_their_question(assay):
    code, out, _ = assay("list", "suites")
    assert code == 0
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert "quick_test" in lines
    assert len(lines) == 6
