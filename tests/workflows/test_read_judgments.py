"""A dataset of any format stands wherever judgments do."""

import gzip
import json
import math
from dataclasses import replace

import pytest

import assay
from assay.errors import InputError, UsageError
from assay.records import Dataset, Judgment, Query, Reference
from assay.workflows.read_judgments import read_judgments

RUN = {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}}
JUDGMENTS = (Judgment(Reference("a"), 3), Judgment(Reference("c"), 1))
DATASET = Dataset("d", (Query("q1", "x", JUDGMENTS),))


def test_a_dataset_record():
    assert assay.evaluate(DATASET, RUN, "mrr").scores == {"mrr": 0.5}


def test_a_dataset_file_and_a_folder(tmp_path):
    docs = [{"doc_ref": "a", "relevance_grade": 3}, {"doc_ref": "c", "relevance_grade": 1}]
    value = {"queries": [{"query_key": "q1", "query_text": "x", "relevant_docs": docs}]}
    (tmp_path / "d.json").write_text(json.dumps(value))
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "x"}\n')
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t3\nq1\tc\t1\n")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "dataset.json").write_text(json.dumps(value))
    by_record = assay.evaluate(DATASET, RUN, "ndcg@10").scores
    assert assay.evaluate(tmp_path / "d.json", RUN, "ndcg@10").scores == by_record
    assert assay.evaluate(str(tmp_path), RUN, "ndcg@10").scores == by_record
    assert assay.evaluate(tmp_path / "made", RUN, "ndcg@10").scores == by_record


def test_json_judgments_stay_judgments(tmp_path):
    (tmp_path / "qrels.json").write_text('{"q1": {"a": 3, "c": 1}}')
    assert assay.evaluate(tmp_path / "qrels.json", RUN, "mrr").scores == {"mrr": 0.5}


def test_a_shipped_dataset_by_its_name():
    judgments = assay.load_dataset("stdlib").queries[0].judgments
    path = next(one.reference.path for one in judgments if one.grade == 3)
    key = assay.load_dataset("stdlib").queries[0].key
    scores = assay.evaluate("stdlib", {key: {path: 1.0}}, "mrr", missing="skip").scores
    assert scores == {"mrr": 1.0}


AKASHIC = """queries:
- {id: q1, query: log in, expected_files: [auth], expected_symbols: [Session]}
"""


def test_parts_and_symbols_are_looked_up_in_the_corpus_that_the_dataset_names(tmp_path):
    # By hand: two items; src/auth.py meets the file at rank 2, nothing retrieved the symbol.
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "auth.py").write_text("x = 1\n")
    (tmp_path / "src" / "web.py").write_text("class Session:\n    pass\n")
    (tmp_path / "d.yaml").write_text(f"corpus: src\n{AKASHIC}")
    scores = assay.evaluate(tmp_path / "d.yaml", {"q1": {"b": 3, "auth.py": 2}}, ["mrr", "recall"])
    assert scores.scores == {"mrr": 0.5, "recall": 0.5}
    both = {"q1": {"web.py": 3, "auth.py": 2}}
    assert assay.evaluate(tmp_path / "d.yaml", both, "recall").scores == {"recall": 1.0}


def corpus(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "auth.py").write_text("x = 1\n")
    (tmp_path / "src" / "web.py").write_text("class Session:\n    pass\n")
    (tmp_path / "d.yaml").write_text(AKASHIC)
    return {"corpus": tmp_path / "src"}


def test_a_corpus_that_is_given(tmp_path, snapshot):
    given = corpus(tmp_path)
    run = {"q1": {"b": 3, ".\\AUTH.py": 2}}
    found = assay.evaluate(tmp_path / "d.yaml", run, "mrr", **given)
    assert found.scores == {"mrr": 0.5}
    assert any('"auth"' in note and '"Session"' in note for note in found.notes)
    assert any('"auth.py"' in note for note in found.notes)
    snapshot(found.notes)
    runs = [{"q1": {"auth.py": 2}}, {"q1": {"web.py": 3, "auth.py": 2}}]
    both = assay.compare(*runs, qrels=tmp_path / "d.yaml", metrics="recall", **given)
    assert [one.scores["recall"] for one in both.evaluations] == [0.5, 1.0]


def test_files_of_judgments_are_looked_up_in_a_corpus_that_is_given(tmp_path):
    given = corpus(tmp_path)
    (tmp_path / "q.qrels").write_text("q1 0 AUTH.py 1\n")
    found = assay.evaluate(tmp_path / "q.qrels", {"q1": {"auth.py": 2}}, "mrr", **given)
    assert found.scores == {"mrr": 1.0}


def test_match_weights(tmp_path):
    # By hand: a part of a path counts .4, a symbol 1; the ideal is 1 + 1 / log2(3).
    given = corpus(tmp_path)
    run = {"q1": {"auth.py": 3, "web.py": 2}}
    ideal = 1 + 1 / math.log2(3)
    found = assay.evaluate(tmp_path / "d.yaml", run, "ndcg", match_weights=True, **given)
    assert found.scores["ndcg"] == pytest.approx((0.4 + 1 / math.log2(3)) / ideal)
    assert any("match weights" in note for note in found.notes)
    (tmp_path / "e.yaml").write_text(f"match_weights: true\n{AKASHIC}")
    by_file = assay.evaluate(tmp_path / "e.yaml", run, "ndcg", **given)
    assert by_file.scores == found.scores
    assert assay.evaluate(tmp_path / "d.yaml", run, "ndcg", **given).scores == {"ndcg": 1.0}
    both = assay.compare(run, run, qrels=tmp_path / "d.yaml", match_weights=True, **given)
    assert both.evaluations[0].scores["ndcg@10"] == pytest.approx(found.scores["ndcg"])


@pytest.mark.parametrize("given", [{"corpus": "stdlib"}, {"match_weights": True}])
def test_plain_judgments_have_nothing_to_look_up(given):
    with pytest.raises(UsageError, match=next(iter(given)).replace("_", ".")):
        assay.evaluate({"q1": {"a": 1}}, RUN, **given)


def test_parts_and_symbols_without_a_corpus_are_refused_and_not_scored_0(tmp_path, snapshot):
    (tmp_path / "d.yaml").write_text(AKASHIC)
    with pytest.raises(InputError, match=r'"auth".* corpus') as caught:
        assay.evaluate(tmp_path / "d.yaml", RUN)
    assert "--corpus" in caught.value.hint
    snapshot(caught.value)
    (tmp_path / "d.yaml").write_text(f"match: exact\n{AKASHIC}".replace("[Session]", "[]"))
    assert assay.evaluate(tmp_path / "d.yaml", {"q1": {"auth": 1}}, "mrr").scores == {"mrr": 1}


@pytest.mark.parametrize(
    "reference",
    [
        Reference(symbol="f"),
        Reference(symbol="f", match="substring"),
        Reference(file_name="a", match="substring"),
        Reference(content_hash="0" * 64),
    ],
    ids=["symbol", "part of a symbol", "part of a name", "hash"],
)
def test_what_is_called_so_in_no_run(reference, snapshot):
    asked = Dataset("d", (Query("q1", "x", (*JUDGMENTS, Judgment(reference, 1))),))
    with pytest.raises(InputError, match="corpus") as caught:
        assay.evaluate(asked, RUN)
    snapshot(caught.value)


@pytest.mark.parametrize(
    ("reference", "score"),
    [
        (Reference("a", match="substring"), 0.5),
        (Reference(path="a", symbol="f"), 0.5),
        (Reference(), 0),
    ],
)
def test_what_may_be_an_id(reference, score):
    asked = Dataset("d", (Query("q1", "x", (Judgment(reference, 1),)),))
    assert assay.evaluate(asked, RUN, "mrr").scores == {"mrr": score}


@pytest.mark.parametrize("ending", [".json", ".jsonl", ".JSON", ".yaml"])
def test_a_compressed_dataset(tmp_path, ending):
    texts = {
        ".json": '{"queries": [{"query_key": "q1", "query_text": "x", "relevant_docs": ["a"]}]}',
        ".jsonl": '{"query": "x", "id": "q1", "relevant": ["a"]}',
        ".yaml": "match: exact\nqueries: [{id: q1, query: x, expected_files: [a]}]",
    }
    path = tmp_path / f"d{ending}.gz"
    path.write_bytes(gzip.compress(texts[ending.lower()].encode()))
    key = assay.load_dataset(path).queries[0].key
    assert assay.evaluate(path, {key: RUN["q1"]}, "mrr").scores == {"mrr": 0.5}


def test_a_spreadsheet_that_only_a_dataset_can_be(tmp_path, snapshot):
    sheet = "query_id,query,path,file_name,grade\nq1,x,a,,3\nq1,x,,c,1\n"
    (tmp_path / "d.csv").write_text(sheet)
    assert assay.evaluate(tmp_path / "d.csv", RUN, "mrr").scores == {"mrr": 0.5}
    with pytest.raises(InputError, match="scale") as caught:
        assay.evaluate(tmp_path / "d.csv", RUN, scale=2)
    snapshot(caught.value)


def test_a_broken_file_of_judgments_is_told_as_such(tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 a 3\nq1 0 b 2.5\n")
    with pytest.raises(InputError, match=r"line 2: .*2\.5"):
        assay.evaluate(tmp_path / "q.txt", RUN)
    (tmp_path / "q.csv").write_text("what,ever\n1,2\n")
    with pytest.raises(InputError):
        assay.evaluate(tmp_path / "q.csv", RUN)


def test_a_dataset_of_a_catalogue_is_read_as_one(monkeypatch):
    from assay.workflows import load_dataset

    monkeypatch.setattr(load_dataset, "load", lambda where, **_: replace(DATASET, name=where))
    assert read_judgments("ir_datasets:some/where").name == "ir_datasets:some/where"


def test_a_wrong_path_is_still_a_wrong_path(tmp_path):
    with pytest.raises(InputError, match=r"none\.json: "):
        assay.evaluate(tmp_path / "none.json", RUN)


@pytest.mark.parametrize("thing", [5, None, {"q": {}}])
def test_what_is_no_dataset(thing):
    with pytest.raises(InputError, match=rf"\b{type(thing).__name__}\b"):
        assay.load_dataset(thing)
