"""Diversity judgments: the second column of a TREC file names the subtopic."""

import math

import pytest

import assay
from assay.datasets.load import load
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

    result = assay.evaluate(qrels, run, "alpha_nDCG@10", subtopics=True)

    assert result.per_query["alpha_ndcg@10"].tolist() == pytest.approx([got / ideal, 1.0])
    assert any("per subtopic" in note for note in result.notes)


def test_a_subtopic_is_met_once(qrels):
    run = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}, "r": {"a": 1.0}}

    found = assay.evaluate(qrels, run, "recall@1,recall@2,recall", subtopics=True).per_query

    assert [found[f"recall{k}"][0] for k in ("@1", "@2", "")] == pytest.approx([1 / 3, 2 / 3, 1])


def test_rows_of_a_query_may_be_scattered(tmp_path, qrels):
    lines = QRELS.splitlines(keepends=True)
    scattered = tmp_path / "scattered.txt"
    scattered.write_text("".join([lines[0], lines[5], *lines[1:5]]))
    run = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}, "r": {"a": 1.0}}

    one, other = (
        assay.evaluate(path, run, "alpha_ndcg@5,ndcg@5", subtopics=True)
        for path in (qrels, scattered)
    )

    assert one.scores == pytest.approx(other.scores)


def test_the_same_document_and_subtopic_twice_is_a_mistake(tmp_path):
    path = tmp_path / "twice.txt"
    path.write_text(QRELS + "q 2 a 0\n")

    with pytest.raises(InputError, match="duplicate document"):
        load_judgments(path, subtopics=True)


def test_a_plain_file_has_no_items(tmp_path):
    path = tmp_path / "plain.txt"
    path.write_text("q 0 a 1\nq 0 b 1\n")

    assert load_judgments(path).items is None


def test_subtopics_are_read_only_when_asked_for(tmp_path, snapshot):
    """AP of a file with several iterations is that of its documents, not of its iterations."""
    path, plain = tmp_path / "qrels.txt", tmp_path / "plain.txt"
    path.write_text("q 0 a 1\nq 1 a 1\nq 1 b 0\nq 0 c 2\nr 0 a 1\n")
    plain.write_text("q 0 a 1\nq 0 b 0\nq 0 c 2\nr 0 a 1\n")
    run = {"q": {"b": 3.0, "a": 2.0, "c": 1.0}, "r": {"b": 2.0, "a": 1.0}}

    judgments = load_judgments(path)
    assert judgments.items is None
    assert judgments.offsets.tolist() == [0, 3, 4]
    assert len(judgments.notes) == 1
    snapshot(judgments.notes)
    merged, single = (assay.evaluate(one, run, "ap,ndcg@5").scores for one in (path, plain))
    assert merged == single
    assert load_judgments(path, subtopics=True).items is not None


def test_two_grades_under_two_iterations_are_refused_with_both_lines(tmp_path, snapshot):
    path = tmp_path / "qrels.txt"
    path.write_text("q 0 a 1\nr 0 b 1\nq 1 a 0\nr 1 b 2\nr 1 c 0\n")
    with pytest.raises(InputError) as caught:
        load_judgments(path)
    snapshot(one.problem for one in caught.value.problems)
    assert [one.where.rpartition(" ")[2] for one in caught.value.problems] == ["3", "4"]
    assert "--subtopics" in caught.value.hint


def test_a_file_without_a_second_column_has_no_subtopics():
    with pytest.raises(InputError, match="contains no subtopics"):
        load_judgments({"q": {"a": 1}}, subtopics=True)


def test_a_dataset_reads_them_too(qrels):
    assert len({one.group for one in load(qrels, subtopics=True).queries[0].judgments}) == 3
    qrels.write_text("q 0 a 1\nq 1 a 1\n")
    assert [one.group for one in load(qrels).queries[0].judgments] == [""]
