"""Diversity judgments: the second column of a TREC file names the subtopic."""

import math

import pytest

import assay
from assay.datasets.load_judgments import load_judgments
from assay.errors import InputError

QRELS = "q 1 a 1\nq 2 a 1\nq 1 b 1\nq 3 c 1\nq 1 d 0\nr 1 a 1\n"


@pytest.fixture
def qrels(tmp_path):
    path = tmp_path / "diversity.txt"
    path.write_text(QRELS)
    return path


def test_alpha_ndcg_by_hand(qrels):
    # b covers subtopic 1; a covers 1 again (half) and 2; c covers 3.
    run = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}, "r": {"a": 1.0}}
    got = 1 + 1.5 / math.log2(3) + 1 / math.log2(4)
    ideal = 2 + 1 / math.log2(3) + 0.5 / math.log2(4)  # a, c, b

    result = assay.evaluate(qrels, run, "alpha_nDCG@10")

    assert result.per_query["alpha_ndcg@10"].tolist() == pytest.approx([got / ideal, 1.0])
    assert any("by subtopic" in note for note in result.notes)


def test_a_subtopic_is_met_once(qrels):
    run = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}, "r": {"a": 1.0}}

    found = assay.evaluate(qrels, run, "recall@1,recall@2,recall").per_query

    assert [found[f"recall{k}"][0] for k in ("@1", "@2", "")] == pytest.approx([1 / 3, 2 / 3, 1])


def test_rows_of_a_query_may_be_scattered(tmp_path, qrels):
    lines = QRELS.splitlines(keepends=True)
    scattered = tmp_path / "scattered.txt"
    scattered.write_text("".join([lines[0], lines[5], *lines[1:5]]))
    run = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}, "r": {"a": 1.0}}

    one, other = (assay.evaluate(path, run, "alpha_ndcg@5,ndcg@5") for path in (qrels, scattered))

    assert one.scores == pytest.approx(other.scores)


def test_the_same_document_and_subtopic_twice_is_a_mistake(tmp_path):
    path = tmp_path / "twice.txt"
    path.write_text(QRELS + "q 2 a 0\n")

    with pytest.raises(InputError, match="stands twice"):
        load_judgments(path)


def test_a_plain_file_has_no_items(tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text("q 0 a 1\nq 0 b 1\n")

    assert load_judgments(path).items is None
