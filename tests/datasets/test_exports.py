"""Files in the shapes that other tools export: right grades, or refused with what to do.

The files in ``exports`` were written for this test, after the tools' own exports and API documents.
"""

import json
from itertools import pairwise
from pathlib import Path

import pytest

import assay
from assay.cli import start as run
from assay.datasets.load import load
from assay.workflows.read_judgments import read_judgments

EXPORTS = Path(__file__).parent / "exports"

HOSE, RAKE, CART = "garden hose", "rake", "wheelbarrow"
# The grade of each document, by query.
LOADED = {
    "quepid/case_12_judgements.csv": {
        HOSE: {"h-100": 3, "h-200": 1, "b-900": 0},
        "rake, bamboo": {"r-1": 2},
        "-20% seeds": {"s-5": 1},
        CART: {},
    },
    "quepid/case_12_snapshot.csv": {HOSE: {"h-100": 3}, CART: {}},
    "quepid/book_7_judgements.csv": {
        HOSE: {"h-100": 3, "h-200": 2, "h-300": 1},
        CART: {"w-1": 0},
    },
    "quepid/case_12.json": {HOSE: {"h-100": 3, "h-200": 1}, CART: {}},
    "quepid/case_12_ratings.json": {
        HOSE: {"h-100": 3, "h-200": 1},
        RAKE: {"r-1": 2, "h-100": 0},
    },
    "quepid/book_7.json": {HOSE: {"h-100": 3, "h-200": 2}, CART: {"w-1": 1}},
    "quepid/case_12_trec.txt": {"301": {"h-100": 3, "h-200": 1}, "302": {"r-1": 0, "r-2": 2}},
    "elasticsearch/rank_eval.json": {
        "hose_query": {"h-100": 3, "b-900": 0},
        "rake_query": {"r-1": 1},
    },
    "elasticsearch/rank_eval_template.json": {"hose": {"h-100": 2, "h-200": 1}},
    "opensearch/import_judgments.json": {
        HOSE: {"h-100": 3, "b-900": 0},
        RAKE: {"r-1": 2, "r-2": 1},
    },
    "opensearch/llm_judgments.json": {HOSE: {"h-100": 90, "h-200": 25, "b-900": 0}},
    "beir": {"1": {"h-100": 2, "h-200": 1}, "2": {"r-1": 1}},
    "trec/qrels.txt": {
        "301": {"h-100": 2, "h-200": 1, "b-900": 0},
        "302": {"r-1": 1, "r-9": -1},
    },
    "trec/topics": {"301": {"h-100": 2}, "302": {"r-1": 1}},
    "ranx/qrels.json": {"q_1": {"h-100": 2, "h-200": 1, "b-900": 0}, "q_2": {"r-1": 1}},
    "ranx/qrels.parquet": {"q_1": {"h-100": 2, "h-200": 1}, "q_2": {"r-1": 1}},
    "ranx/qrels.trec": {"q_1": {"h-100": 2, "h-200": 1}, "q_2": {"r-1": 1}},
    "ir_measures/qrels.csv": {"301": {"h-100": 2, "h-200": 0}, "302": {"r-1": 1}},
    "llamaindex/embedding_qa.json": {"6d1c": {"node-1": 1}, "8a02": {"node-2": 1, "node-3": 1}},
    "ragas/with_ids.jsonl": {
        "Which hose waters beds?": {"h-100": 1, "h-300": 1},
        "What is the rake made of?": {"r-1": 1},
    },
    "spreadsheets/comma.csv": {"q1": {"h-100": 3, "h,200": 1}, "q2": {"r-1": 2}},
    "spreadsheets/semicolon.csv": {"q1": {"h-100": 3, "h-200": 1}, "q2": {"r-1": 2}},
    "spreadsheets/unicode.txt": {"q1": {"h-100": 3}, "q2": {"r-1": 2}},
}
# A word of what to do.
REFUSED = {
    "opensearch/ubi_judgments.json": "assay judge",
    "llamaindex/rag_dataset.json": "reference_context_ids",
    "ragas/testset.jsonl": "reference_context_ids",
    "ragas/testset.csv": "reference_context_ids",
    "clicks/ubi_events.jsonl": "assay judge",
    "clicks/ubi_queries.json": "assay judge",
    "clicks/clicks.csv": "assay judge",
}
every_loaded = pytest.mark.parametrize("name", LOADED)
every_refused = pytest.mark.parametrize("name", REFUSED)
WHOLE_FOLDERS = ("beir", "trec/topics")


def test_every_file_is_in_the_table():
    files = {path.relative_to(EXPORTS).as_posix() for path in EXPORTS.rglob("*") if path.is_file()}
    alone = {path for path in files if not path.startswith(WHOLE_FOLDERS)}
    assert alone | set(WHOLE_FOLDERS) == {*LOADED, *REFUSED}


@every_loaded
def test_as_a_dataset(name):
    found = {
        query.key: {one.reference.document_id: one.grade for one in query.judgments}
        for query in load(EXPORTS / name).queries
    }
    assert found == LOADED[name]


@every_loaded
def test_as_judgments(name):
    found = read_judgments(str(EXPORTS / name))
    spans = zip(found.queries, pairwise(found.offsets.tolist()), strict=True)
    names, grades = [one.decode() for one in found.documents.tolist()], found.grades.tolist()
    judged = {key: dict(zip(names[a:b], grades[a:b], strict=True)) for key, (a, b) in spans}
    assert judged == LOADED[name]


@every_loaded
def test_on_the_command_line(name, tmp_path, capsys):
    """The best documents first score 1 in the queries that have a relevant one."""
    path = str(EXPORTS / name)
    assert run(["dataset", "check", path, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["queries"] == len(LOADED[name])
    best = tmp_path / "best.json"
    best.write_text(json.dumps({key: rows for key, rows in LOADED[name].items() if rows}))
    assert run(["eval", path, str(best), "-m", "ndcg@10", "--per-query", "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["runs"][0]["per_query"]
    assert {key: row["ndcg@10"] for key, row in scores.items()} == {
        key: float(any(grade > 0 for grade in rows.values())) for key, rows in LOADED[name].items()
    }


@every_refused
def test_refused_with_what_to_do(name, tmp_path, monkeypatch, capsys, snapshot):
    (tmp_path / "run.json").write_text('{"garden hose": {"h-100": 1.0}}')
    monkeypatch.chdir(EXPORTS)
    said = []
    for command in (["dataset", "check", name], ["eval", name, str(tmp_path / "run.json")]):
        assert run(command) == 2
        said.append(" ".join(capsys.readouterr().err.split()))
    assert said[0] == said[1]
    assert REFUSED[name] in said[0].partition("hint:")[2]
    snapshot(said[0])


def test_texts_of_a_request_are_those_it_searches_for():
    queries = load(EXPORTS / "elasticsearch/rank_eval.json").queries
    assert [query.text for query in queries] == ["garden hose", "bamboo rake"]
    (only,) = load(EXPORTS / "elasticsearch/rank_eval_template.json").queries
    assert only.text == "garden hose"


def test_what_a_book_says_of_its_judges(snapshot):
    book = load(EXPORTS / "quepid/book_7.json")
    assert (book.name, book.scale) == ("Garden book", 3)
    assert any("2 of 3" in note for note in book.notes)
    snapshot(book.notes)
    because = book.queries[1].judgments[0].because
    assert (because.reason, because.judge) == ("a toy", "ben@shop.example")


def test_ratings_with_decimals_keep_ndcg():
    found = load(EXPORTS / "opensearch/llm_judgments.json")
    assert found.scale == 100
    assert "x 100" in found.notes[0]
    ranking = {HOSE: {"h-200": 2.0, "h-100": 1.0}}
    as_rated = 0.25 + 0.9 / 1.5849625007211562  # log2(3)
    ideal = 0.9 + 0.25 / 1.5849625007211562
    score = assay.evaluate(found, ranking, "ndcg@10").scores["ndcg@10"]
    assert score == pytest.approx(as_rated / ideal, abs=1e-12)


def test_a_corpus_comes_with_a_llamaindex_dataset():
    found = load(EXPORTS / "llamaindex/embedding_qa.json")
    assert [document.id for document in found.documents] == ["node-1", "node-2", "node-3"]


def test_eval_says_what_was_done_to_ratings(tmp_path, capsys):
    (tmp_path / "run.json").write_text('{"garden hose": {"h-100": 1.0}}')
    told = {"opensearch/llm_judgments.json": "x 100", "quepid/book_7.json": "2 of 3"}
    for name, words in told.items():
        assert run(["eval", str(EXPORTS / name), str(tmp_path / "run.json")]) == 0
        assert words in " ".join(capsys.readouterr().err.split())
