"""``assay dataset check`` and ``convert``, as a person types them."""

import json

import pytest

from assay.cli import start as run

GOOD = {
    "metadata": {"name": "Handbook"},
    "queries": [
        {
            "query_key": "q1",
            "query_text": "rotate a key",
            "category": "api",
            "relevant_docs": [{"doc_ref": "a.md", "relevance_grade": 3}, "b.md"],
        },
        {"query_key": "q2", "query_text": "lost password"},
    ],
}


@pytest.fixture
def good(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "good.json").write_text(json.dumps(GOOD))
    return "good.json"


def test_check_counts(good, capsys, snapshot):
    assert run(["dataset", "check", good]) == 0
    snapshot(capsys.readouterr().out)


def test_check_json(good, capsys):
    assert run(["dataset", "check", good, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["queries"], value["judgments"], value["grades"]) == (2, 2, {"2": 1, "3": 1})


@pytest.mark.parametrize("queries", [[], [{"query_key": "q", "query_text": "x"}]])
def test_check_says_when_nothing_can_be_measured(tmp_path, capsys, queries, snapshot):
    path = tmp_path / "empty.json"
    path.write_text(json.dumps({"queries": queries}))
    assert run(["dataset", "check", str(path)]) == 0
    snapshot(capsys.readouterr().err)


def test_check_names_all_problems_and_exits_with_2(tmp_path, capsys, snapshot):
    path = tmp_path / "bad.json"
    path.write_text('{"queries": [{"query_key": 1, "query_text": "x"}, {"query_text": "y"}]}')
    assert run(["dataset", "check", str(path)]) == 2
    error = capsys.readouterr().err
    assert "queries[0].query_key: 1" in error
    assert 'queries[1]: "query_key"' in error
    snapshot(error)


def test_check_prints_the_schema(capsys):
    assert run(["dataset", "check", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Assay dataset"


def test_limits_are_options(good, capsys, snapshot):
    assert run(["dataset", "check", good, "--max-queries", "1"]) == 2
    snapshot(capsys.readouterr().err)


def test_convert_loses_nothing_into_the_own_format(good, capsys, snapshot):
    assert run(["dataset", "convert", good, "-o", "again.json", "--check"]) == 0
    snapshot(capsys.readouterr().err)


def test_convert_tells_what_reading_could_not_keep(tmp_path, monkeypatch, capsys, snapshot):
    """Metadata of documents have bounds."""
    monkeypatch.chdir(tmp_path)
    document = {"id": "a", "content": "x", "metadata": {"by": "me", "vector": [0.5] * 99}}
    query = {"query": "where", "expectedResults": ["a"]}
    (tmp_path / "e.json").write_text(json.dumps({"documents": [document], "queries": [query]}))
    assert run(["dataset", "convert", "e.json", "-o", "new.json", "--check", "--json"]) == 1
    out, err = capsys.readouterr()
    value = json.loads(out)
    (lost,) = value["lost"]
    assert lost.endswith(": vector")
    (kept,) = json.loads((tmp_path / "new.json").read_text())["documents"]
    assert kept["metadata"] == {"by": "me"}
    assert value["notes"][1:] == [lost]
    assert err.splitlines()[:2] == [f"note: {note}" for note in value["notes"]]
    snapshot(err)


def test_a_note_of_nothing_lost_is_told_and_no_loss(tmp_path, monkeypatch, capsys, snapshot):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.jsonl").write_text('{"query": "where", "relevant": ["a"]}\n')
    assert run(["dataset", "convert", "p.jsonl", "-o", "new.json", "--check"]) == 0
    snapshot(capsys.readouterr().err)


def test_convert_writes_over_nothing_by_itself(good, capsys, snapshot):
    assert run(["dataset", "convert", good, "-o", good]) == 2
    snapshot(capsys.readouterr().err)
    assert run(["dataset", "convert", good, "-o", good, "--force"]) == 0


def test_convert_wants_an_ending_or_a_format(good, capsys, snapshot):
    assert run(["dataset", "convert", good, "-o", "new.xyz"]) == 2
    error = capsys.readouterr().err
    assert "ir_datasets" not in error
    snapshot(error)


def test_convert_into_a_folder_that_is_not_there(good, capsys, snapshot):
    assert run(["dataset", "convert", good, "-o", "no/such/new.json"]) == 2
    snapshot(capsys.readouterr().err)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("chekc x", '"check"'),
        ("check nowhere.json", "nowhere.json"),
        ("check good.json --format assayjson", '"assay_json"'),
    ],
)
def test_wrong_words(good, capsys, words, named, snapshot):
    assert run(["dataset", *words.split()]) == 2
    err = capsys.readouterr().err
    assert named in err
    snapshot(err)
