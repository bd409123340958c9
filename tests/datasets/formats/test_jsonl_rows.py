"""Lines of JSON with one judgment each, and lines that nobody knows."""

import pytest

from assay.datasets.load import load
from assay.errors import InputError
from assay.rankings.load import load as load_run
from assay.workflows.read_judgments import read_judgments

ROWS = (
    '{"query_id": "q", "doc_id": "=a ", "relevance": 3}\n'
    '{"query_id": "q", "doc_id": 7, "relevance": 0}\n'
)


def written(tmp_path, text):
    path = tmp_path / "rows.jsonl"
    path.write_text(text)
    return str(path)


def test_by_hand(tmp_path):
    path = written(tmp_path, ROWS)
    (query,) = load(path).queries
    judged = [(one.reference.document_id, one.grade) for one in query.judgments]
    assert (query.key, judged) == ("q", [("=a ", 3), ("7", 0)])
    found = read_judgments(path)
    assert (found.documents.tolist(), found.grades.tolist()) == ([b"=a ", b"7"], [3, 0])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            ROWS + '{"query_id": "q", "doc_id": "7", "relevance": 1}',
            "grade 0 (line 2) and grade 1",
        ),
        (ROWS + '{"query_id": "q", "doc_id": "b", "relevance": 0.5}', 'grade "0.5" is not'),
        (ROWS + '{"query_id": "q", "doc_id": "b", "grade": 1}', 'no key "grade"'),
        (ROWS + '{"query_id": "q", "doc_id": "b", "relevance": null}', "no grade"),
        ('{"query": "a", "relevent": ["x"]}\n{"query": "b"}\n', 'did you mean "relevant"?'),
        ('{"query": "a", "positive": ["x"]}\n{"query": "b"}\n', "the keys query, positive"),
    ],
)
def test_what_is_refused(tmp_path, text, problem):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load(path)
    assert problem in str(caught.value)
    with pytest.raises(InputError) as caught:
        read_judgments(path)
    assert problem in str(caught.value)


def test_a_run_in_lines_is_told_as_such(tmp_path):
    path = written(
        tmp_path, '{"query_id": "q", "results": ["a"]}\n{"query_id": "r", "results": []}\n'
    )
    with pytest.raises(InputError, match="lines of JSON with the keys query_id, results") as caught:
        load_run(path)
    assert "{query: {document: score}}" in caught.value.hint


def test_relevant_may_be_the_grade_of_a_row(tmp_path):
    line = '{"query_id": "q", "query": "a", "doc_id": "%s", "relevant": %s}\n'
    path = written(tmp_path, line % ("x", 1) + line % ("y", 0))
    (query,) = load(path).queries
    assert [one.grade for one in query.judgments] == [1, 0]
    with pytest.raises(InputError, match='grade "True" is not a whole number'):
        load(written(tmp_path, line % ("x", "true")))


def test_a_list_of_rows_is_refused_with_what_to_do(tmp_path):
    rows = "[" + ROWS.strip().replace("\n", ", ") + "]"
    for read in (load, read_judgments):
        with pytest.raises(InputError, match="is a list of objects") as caught:
            read(written(tmp_path, rows))
        assert "one object per line, e.g. jq -c '.[]'" in str(caught.value)
    with pytest.raises(InputError, match="is a list of objects") as caught:
        load_run(written(tmp_path, rows))
    assert "query_id,doc_id,score" in str(caught.value)
