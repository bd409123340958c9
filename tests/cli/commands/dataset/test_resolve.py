"""``assay dataset resolve``, as a person types it."""

import json

import polars as pl
import pytest

from assay.cli import start as run

PATHS = ["lib/app.py", "old/setup.md", "api/setup.md", "api/decoder.py"]


def judged(**keys):
    return {"doc_ref": keys, "relevance_grade": 2}


@pytest.fixture
def files(tmp_path, monkeypatch):
    for path in PATHS:
        (tmp_path / "src" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "src" / path).write_text(path)
    (tmp_path / "src" / "blob").write_bytes(b"\0\1\2")
    some = [judged(path="lib/app.py"), judged(file_name="setup.md"), judged(path="api/decode.py")]
    queries = [{"query_key": "q1", "query_text": "rotate", "relevant_docs": some}]
    (tmp_path / "partial.json").write_text(json.dumps({"queries": queries}))
    queries[0]["relevant_docs"] = some[:1]
    whole = {"metadata": {"name": "w", "corpus": "src"}, "queries": queries}
    (tmp_path / "whole.json").write_text(json.dumps(whole))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def resolve(*arguments):
    return run(["dataset", "resolve", *arguments])


def test_what_a_person_sees(files, capsys, snapshot):
    assert resolve("partial.json", "--corpus", "src") == 0
    shown = capsys.readouterr()
    order = ['"setup.md"', "api/setup.md, old/setup.md", '"api/decode.py"', "api/decoder.py"]
    places = [shown.out.index(name) for name in order]
    assert places == sorted(places)
    snapshot(shown.out)
    snapshot(shown.err)


def test_what_a_program_reads(files, capsys):
    assert resolve("partial.json", "--corpus", "src", "--json") == 0
    value = json.loads(capsys.readouterr().out)
    counts = [value[key] for key in ("status", "total", "resolved", "ambiguous", "missing")]
    assert counts == ["partial", 3, 1, 1, 1]
    assert [row["reason"] for row in value["unresolved"]] == ["ambiguous", "not_found"]
    assert value["unresolved"][0]["candidates"] == ["api/setup.md", "old/setup.md"]


def test_check_is_an_exit_code(files, capsys, snapshot):
    assert resolve("partial.json", "--corpus", "src", "--check") == 1
    capsys.readouterr()
    assert resolve("whole.json", "--check") == 0
    snapshot(capsys.readouterr().out.splitlines()[0])


def test_what_nobody_expects_is_called_a_reference(files, capsys, snapshot):
    some = [judged(path="lib/app.py"), judged(path="gone.py") | {"relevance_grade": 0}]
    queries = [{"query_key": "q", "query_text": "t", "relevant_docs": some}]
    (files / "zero.json").write_text(json.dumps({"queries": queries}))
    assert resolve("zero.json", "--corpus", "src") == 0
    snapshot(capsys.readouterr().out.splitlines()[0])


def test_what_several_documents_meet_is_counted(files, capsys):
    (files / "part.yaml").write_text("[{id: q, query: t, expected_files: [setup.md, app]}]")
    assert resolve("part.yaml", "--corpus", "src") == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[2].split("  ")[-1].strip() == "several documents"
    assert resolve("part.yaml", "--corpus", "src", "--json") == 0
    (told,) = json.loads(capsys.readouterr().out)["several"]
    assert (told["documents"], told["examples"]) == (2, ["api/setup.md", "old/setup.md"])


def test_every_format_of_a_file(files, capsys):
    names = [f"out.{extension}" for extension in ("json", "csv", "parquet", "md", "tex")]
    assert resolve("partial.json", "--corpus", "src", *(f"-o{name}" for name in names)) == 0
    assert json.loads((files / "out.json").read_text())["missing"] == 1
    for frame in (pl.read_csv(files / "out.csv"), pl.read_parquet(files / "out.parquet")):
        assert frame["documents"].to_list() == ["lib/app.py", None, None]
    assert "setup.md" in (files / "out.md").read_text()


def test_many_are_cut_and_counted(files, capsys, snapshot):
    some = [judged(path=f"gone/{i}.txt") for i in range(25)]
    queries = [{"query_key": "q", "query_text": "t", "relevant_docs": some}]
    (files / "many.json").write_text(json.dumps({"queries": queries}))
    assert resolve("many.json", "--corpus", "src") == 0
    shown = capsys.readouterr()
    assert sum("gone/" in line for line in shown.out.splitlines()) == 20
    snapshot(shown.out.splitlines()[-1])
    snapshot(shown.err)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("partial.json", "--corpus"),
        ("partial.json --corpus gone", "gone"),
        ("gone.json --corpus src", "gone.json"),
        ("whole.json -o out.pdf", "pdf"),
    ],
)
def test_what_cannot_be_used_gets_one_message(files, capsys, arguments, named, snapshot):
    assert resolve(*arguments.split()) == 2
    error = capsys.readouterr().err
    assert named in error
    snapshot(error)


def test_an_empty_corpus_is_said(files, capsys, snapshot):
    (files / "empty").mkdir()
    assert resolve("whole.json", "--corpus", "empty") == 2
    err = capsys.readouterr().err
    assert "empty: no documents to index" in err
    snapshot(err)


def test_parts_of_names_and_other_spellings_are_told(tmp_path, monkeypatch, capsys, snapshot):
    (tmp_path / "src").mkdir()
    for name in ("auth.py", "auth_test.py", "web.py"):
        (tmp_path / "src" / name).write_text("x = 1\n")
    (tmp_path / "q.yaml").write_text(
        "queries: [{id: q, query: x, expected_files: [auth, .\\web.py, auth.py]}]\n"
    )
    monkeypatch.chdir(tmp_path)
    assert resolve("q.yaml", "--corpus", "src", "--json") == 0
    shown = capsys.readouterr()
    value = json.loads(shown.out)
    assert [(one["reference"], one["documents"]) for one in value["parts"]] == [('path "auth"', 2)]
    assert [one["examples"] for one in value["respelled"]] == [["web.py"]]
    snapshot(shown.err)
