"""A dataset of any format stands wherever judgments do."""

import json

import pytest

import assay
from assay.errors import InputError
from assay.records import Dataset, Judgment, Query, Reference

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


def test_a_wrong_path_is_still_a_wrong_path(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        assay.evaluate(tmp_path / "none.json", RUN)


@pytest.mark.parametrize("thing", [5, None, {"q": {}}])
def test_what_is_no_dataset(thing):
    with pytest.raises(InputError, match="cannot read a dataset from"):
        assay.load_dataset(thing)
