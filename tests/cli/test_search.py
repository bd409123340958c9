"""``assay index`` and ``assay search``, as a person types them."""

import json

import pytest

from assay.cli import run

TEXTS = {
    "net/retry.py": "class Retry:\n    def wait_before_retry(self, times):\n        return times\n",
    "net/session.py": "class Session:\n    def open(self):\n        return connect()\n",
    "guide.md": "# Guide\n\n## Failing\n\nRequests that fail are tried again.\n",
}
LEXICAL = ["--search", "lexical"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    for path, text in TEXTS.items():
        file = tmp_path / "project" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_WORKSPACE", raising=False)
    return tmp_path


def test_an_index_is_built_and_kept_up_to_date(project, capsys):
    assert run(["index", "project", *LEXICAL]) == 0
    assert capsys.readouterr().out.startswith("3 documents in 3 chunks: 3 added")

    (project / "project" / "guide.md").unlink()
    assert run(["index", "project", *LEXICAL]) == 0
    assert capsys.readouterr().out.startswith("2 documents in 2 chunks: 1 removed")
    assert (project / ".assay" / ".gitignore").read_text() == "*\n"


def test_json_of_an_index(project, capsys):
    assert run(["index", "project", *LEXICAL, "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert (told["documents"], told["added"], told["removed"]) == (3, 3, 0)


def test_results_show_place_names_and_lines(project, capsys):
    assert run(["search", "project", "wait before a retry", *LEXICAL]) == 0

    out, err = capsys.readouterr()
    first, *rest = out.splitlines()
    assert first.startswith(" 1  net/retry.py:1-3  Retry, Retry.wait_before_retry")
    assert "wait_before_retry" in rest[0] + rest[1]
    assert " ms (lexical " in err


def test_lines_of_scripts_without_spaces_are_found_and_near_names_come_first(project, capsys):
    code = "def one():\n" + "    step()\n" * 4 + "\ndef two():\n    return '検索エンジン'\n"
    (project / "project" / "many.py").write_text(code, encoding="utf-8")

    assert run(["search", "project", "検索", *LEXICAL]) == 0

    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith(" 1  many.py:1-8  two, one")
    assert rest[0].split() == ["8", "return", "'検索エンジン'"]


def test_explaining_tells_terms_and_stages(project, capsys):
    assert run(["search", "project", "wait before a retry", *LEXICAL, "--explain"]) == 0

    out = capsys.readouterr().out
    assert "  lexical  rank 1, score " in out
    assert "holds 100% of the query" in out
    assert "names: " in out
    assert "body: " in out


def test_the_stage_that_lost_a_document_is_named(project, capsys):
    assert run(["search", "project", "guide", *LEXICAL, "--why-not", "net/session.py"]) == 0

    assert "net/session.py: lost by lexical: nothing in it matches" in capsys.readouterr().out


def test_json_of_a_search(project, capsys):
    assert run(["search", "project", "open session", *LEXICAL, "--json", "-k", "1"]) == 0

    told = json.loads(capsys.readouterr().out)
    (hit,) = told["hits"]
    assert (hit["rank"], hit["path"], hit["lines"]) == (1, "net/session.py", [1, 3])
    assert hit["symbols"] == ["Session", "Session.open"]
    assert set(told["latency_ms"]) >= {"lexical", "total"}


def test_nothing_found_is_said(project, capsys):
    assert run(["search", "project", "zzzz", *LEXICAL]) == 0
    assert capsys.readouterr().out == "nothing found\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "nowhere", "x"], "nowhere"),
        (["search", "project", "x", "--chunker", "cod"], "code"),
        (["search", "project", "x", "--model", "minilmm"], "minilm"),
        (["search", "project", "x", "--chunk-size", "0"], "chunk_size"),
        (["search", "project", "x", *LEXICAL, "--model", "static"], "model"),
        (["search", "project", "x", *LEXICAL, "--why-not", "gide.md"], "guide.md"),
        (["index", "project", "--dense", "exakt"], "exact"),
        (["search", "project", "x", "--threshold", "0.5"], "threshold"),
    ],
)
def test_what_is_wrong_gets_one_message(project, capsys, arguments, message):
    assert run(arguments) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("record", [{"text": 1}, {"title": 1, "text": 1}, {"path": 1, "text": 1}])
def test_no_document_commands_the_terminal(project, capsys, monkeypatch, record):
    """Also where click lets colours through, as it does on a terminal."""
    evil = "quartz \x1b]0;mine\x07\x9b2J end"
    (project / "c.jsonl").write_text(json.dumps({"_id": "d", **dict.fromkeys(record, evil)}))
    monkeypatch.setattr("click.utils.should_strip_ansi", lambda *_: False)
    monkeypatch.setattr("click._compat.should_strip_ansi", lambda *_: False)
    assert run(["search", "c.jsonl", "quartz", *LEXICAL]) == 0

    out = capsys.readouterr().out
    assert "quartz" in out
    assert not {"\x1b]", "\x07", "\x9b"} & {
        out[at : at + n] for at in range(len(out)) for n in (1, 2)
    }
