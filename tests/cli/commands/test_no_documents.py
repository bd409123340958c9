"""A corpus without text gets one message from every command that opens it."""

import json

import pytest

from assay.cli import start as run

COMMANDS = [
    ["search", "CORPUS", "hello", "--search", "lexical"],
    ["index", "CORPUS", "--search", "lexical"],
    ["health", "CORPUS", "--search", "lexical"],
    ["dataset", "resolve", "q.csv", "--corpus", "CORPUS"],
    ["dataset", "audit", "q.csv", "--corpus", "CORPUS"],
    ["eval", "q.csv", "r.run", "--corpus", "CORPUS"],
    ["compare", "r.run", "r.run", "--qrels", "q.csv", "--corpus", "CORPUS"],
    ["run", "bench.yaml"],
    ["run", "bench.yaml", "--plan"],
    ["run", "--dataset", "q.csv", "--corpus", "CORPUS"],
    ["dataset", "make", "repoeval", "--corpus", "CORPUS", "-o", "made"],
]
CORPORA = {
    "papers": "only PDF files: 3 files skipped: 3 .pdf (binary)",
    "mixed": "5 files skipped: 2 .png (binary), 1 .md (empty), 1 .pdf (binary), 1 .txt (empty)",
    "none": "no documents to index: there are no files",
}


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch, without_converters):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSAY_WORKSPACE", str(tmp_path / "workspace"))
    for name in CORPORA:
        (tmp_path / name).mkdir()
    for number in range(3):
        (tmp_path / "papers" / f"{number}.pdf").write_bytes(b"%PDF-1.4\n1 0 obj\n")
    for name, content in {"a.png": b"\0", "b.png": b"\0", "c.pdf": b"%PDF-1.4"}.items():
        (tmp_path / "mixed" / name).write_bytes(content)
    (tmp_path / "mixed" / "d.txt").touch()
    (tmp_path / "mixed" / "e.md").write_text(" \n\n")
    (tmp_path / "q.csv").write_text("question,file\nhow much?,1.pdf\nwho?,2.pdf\n")
    (tmp_path / "r.run").write_text("how Q0 1.pdf 1 1.0 x\n")
    return tmp_path


def bench(place, corpus, **settings):
    configurations = [{"name": "bm25", "search": "lexical"}]
    given = {"dataset": "q.csv", "corpus": {"path": corpus, **settings}}
    (place / "bench.yaml").write_text(json.dumps(given | {"configurations": configurations}))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:2]))
@pytest.mark.parametrize("corpus", CORPORA)
def test_it_says_what_was_skipped_and_what_to_do(place, corpus, command, capsys):
    bench(place, corpus)
    for _ in range(2):  # also where an index was left behind
        code = run([corpus if word == "CORPUS" else word for word in command])
        shown = capsys.readouterr()
        assert (code, shown.out) == (2, "")
        assert f"{corpus}: " in shown.err
        assert CORPORA[corpus] in " ".join(shown.err.split())
        assert "hint: " in shown.err
        assert ("[documents]" in "".join(shown.err.split())) == (corpus != "none")


def test_some_skipped_files_are_counted_by_ending_where_they_are_told(place, capsys):
    (place / "mixed" / "1.pdf").write_text("how much is it: not a lot")
    (place / "mixed" / "big.log").write_text("x" * 1_000_001)
    counted = (
        "3 files skipped: 2 .png (binary), 1 .log (larger than 1 MB); 1 file could not be read: "
    )
    index = ["index", "mixed", "--search", "lexical"]
    resolve = ["dataset", "resolve", "q.csv", "--corpus", "mixed"]
    for command in (index, resolve):
        assert run(command) == 0
        err = " ".join(capsys.readouterr().err.split())
        assert f"{counted}c.pdf (binary)" in err
        assert "--max-file-size" in err
    assert run([*index, "--max-file-size", "2MB"]) == 0
    assert "2 files skipped" in capsys.readouterr().err
    assert run([*resolve, "--max-file-size", "2MB"]) == 0
    assert "2 files skipped" in capsys.readouterr().err
    assert run(["health", "mixed", "--search", "lexical", "--explain"]) == 0
    assert "1 .log (larger than 1 MB)" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("command", [one for one in COMMANDS if "bench.yaml" not in one][:-1])
def test_a_size_that_is_none_is_refused(place, command, capsys):
    (place / "papers" / "a.md").write_text("how much")
    words = ["papers" if word == "CORPUS" else word for word in command]
    assert run([*words, "--max-file-size", "large"]) == 2
    err = capsys.readouterr().err
    assert 'max_file_size: invalid value "large"' in err
    assert "5MB" in err


def test_a_size_without_a_corpus_has_no_effect(place, capsys):
    assert run(["dataset", "resolve", "q.csv", "--max-file-size", "5MB"]) == 2
    assert "--corpus" in capsys.readouterr().err


def test_the_largest_file_of_a_benchmark(place, capsys):
    """It stands in the file, or in its place on the command line, and decides what is measured."""
    (place / "papers" / "1.pdf").write_text("how much is it")
    (place / "papers" / "2.pdf").write_text("who " * 300_000)
    found = {}
    for name, settings, options in [
        ("usual", {}, []),
        ("file", {"max_file_size": "5MB"}, []),
        ("option", {}, ["--max-file-size", "5MB"]),
        ("instead", {"max_file_size": "1kB"}, ["--max-file-size", "5000000"]),
    ]:
        bench(place, "papers", **settings)
        code = run(["run", "bench.yaml", "--untimed", "--json", *options])
        assert code == 0
        found[name] = json.loads(capsys.readouterr().out)
    counts = {name: report["corpus"]["documents"] for name, report in found.items()}
    assert counts == {"usual": 1, "file": 2, "option": 2, "instead": 2}
    contents = {name: report["corpus"]["fingerprint"] for name, report in found.items()}
    assert contents["file"] == contents["option"] == contents["instead"] != contents["usual"]
    assert found["usual"]["corpus"]["skipped"] == {"binary": 1, "too_large": 1}
    assert found["option"]["benchmark"]["command"]["options"] == ["--max-file-size", "5MB"]
