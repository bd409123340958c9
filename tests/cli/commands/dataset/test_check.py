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
    (tmp_path / "good.json").write_text(json.dumps(GOOD))
    return "good.json"


def test_check_counts(good, capsys):
    assert run(["dataset", "check", good]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Handbook (assay_json): 2 queries, 2 judgments, grades 0..3",
        "  grades       2: 1, 3: 1",
        "  categories   api: 1",
    ]


def test_check_json(good, capsys):
    assert run(["dataset", "check", good, "--json"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert (value["queries"], value["judgments"], value["grades"]) == (2, 2, {"2": 1, "3": 1})


def test_check_says_when_nothing_can_be_measured(tmp_path, capsys):
    path = tmp_path / "empty.json"
    path.write_text('{"queries": []}')
    assert run(["dataset", "check", str(path)]) == 0
    assert "it holds no queries" in capsys.readouterr().err
    path.write_text('{"queries": [{"query_key": "q", "query_text": "x"}]}')
    assert run(["dataset", "check", str(path)]) == 0
    assert "nothing is relevant to any query" in capsys.readouterr().err


def test_check_names_all_problems_and_exits_with_2(tmp_path, capsys):
    path = tmp_path / "bad.json"
    path.write_text('{"queries": [{"query_key": 1, "query_text": "x"}, {"query_text": "y"}]}')
    assert run(["dataset", "check", str(path)]) == 2
    error = capsys.readouterr().err
    assert "2 problems" in error
    assert "queries[0].query_key: 1 is not a text" in error
    assert 'queries[1]: "query_key" is missing' in error


def test_check_prints_the_schema(capsys):
    assert run(["dataset", "check", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "Assay dataset"


def test_limits_are_options(good, capsys):
    assert run(["dataset", "check", good, "--max-queries", "1"]) == 2
    assert "2 queries where 1 are allowed" in capsys.readouterr().err


def test_convert_loses_nothing_into_the_own_format(good, capsys):
    assert run(["dataset", "convert", good, "-o", "again.json", "--check"]) == 0
    assert "wrote again.json, nothing is lost" in capsys.readouterr().err


def test_convert_tells_what_reading_could_not_keep(tmp_path, monkeypatch, capsys):
    """Exocortex keeps metadata of documents, which a dataset has no place for."""
    monkeypatch.chdir(tmp_path)
    document = {"id": "a", "content": "x", "metadata": {"by": "me"}}
    query = {"query": "where", "expectedResults": ["a"]}
    (tmp_path / "e.json").write_text(json.dumps({"documents": [document], "queries": [query]}))
    assert run(["dataset", "convert", "e.json", "-o", "new.json", "--check", "--json"]) == 1
    out, err = capsys.readouterr()
    kept, called = "not kept of the documents: metadata", "queries without a key are identified"
    assert err.splitlines()[1:] == [f"note: {kept}", "wrote new.json"]
    assert err.startswith(f"note: {called}")
    value = json.loads(out)
    assert value["lost"] == [kept]
    assert [note.partition(" by")[0] for note in value["notes"]] == [called, kept]


def test_a_note_of_nothing_lost_is_told_and_no_loss(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.jsonl").write_text('{"query": "where", "relevant": ["a"]}\n')
    assert run(["dataset", "convert", "p.jsonl", "-o", "new.json", "--check"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "note: queries without a key are identified by their text",
        "wrote new.json, nothing is lost",
    ]


def test_convert_writes_over_nothing_by_itself(good, capsys):
    assert run(["dataset", "convert", good, "-o", good]) == 2
    assert "is there already" in capsys.readouterr().err
    assert run(["dataset", "convert", good, "-o", good, "--force"]) == 0


def test_convert_wants_an_ending_or_a_format(good, capsys):
    assert run(["dataset", "convert", good, "-o", "new.xyz"]) == 2
    error = capsys.readouterr().err
    assert "its ending tells no format" in error
    assert "ir_datasets" not in error


def test_convert_into_a_folder_that_is_not_there(good, capsys):
    assert run(["dataset", "convert", good, "-o", "no/such/new.json"]) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dataset", "chekc", "x"], "Did you mean 'check'?"),
        (["dataset", "check", "nowhere.json"], "no such file"),
        (["dataset", "check", "good.json", "--format", "assayjson"], "did you mean 'assay_json'?"),
    ],
)
def test_wrong_words(good, capsys, words, said):
    assert run(words) == 2
    assert said in capsys.readouterr().err
