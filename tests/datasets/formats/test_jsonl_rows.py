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
            "line 2",
        ),
        (ROWS + '{"query_id": "q", "doc_id": "b", "relevance": 0.5}', '"0.5"'),
        (ROWS + '{"query_id": "q", "doc_id": "b", "grade": 1}', '"grade"'),
        (ROWS + '{"query_id": "q", "doc_id": "b", "relevance": null}', "grade is missing"),
        ('{"query": "a", "relevent": ["x"]}\n{"query": "b"}\n', '"relevant"'),
        ('{"query": "a", "positive": ["x"]}\n{"query": "b"}\n', "query, positive"),
    ],
)
def test_what_is_refused(tmp_path, text, problem, snapshot):
    path = written(tmp_path, text)
    with pytest.raises(InputError) as caught:
        load(path)
    assert problem in str(caught.value)
    snapshot(caught.value)
    with pytest.raises(InputError) as other:
        read_judgments(path)
    assert str(other.value) == str(caught.value)


def test_a_run_in_lines_is_told_as_such(tmp_path):
    path = written(
        tmp_path, '{"query_id": "q", "results": ["a"]}\n{"query_id": "r", "results": []}\n'
    )
    with pytest.raises(InputError, match="query_id, results") as caught:
        load_run(path)
    assert "{query: {document: score}}" in caught.value.hint


def test_relevant_may_be_the_grade_of_a_row(tmp_path):
    line = '{"query_id": "q", "query": "a", "doc_id": "%s", "relevant": %s}\n'
    path = written(tmp_path, line % ("x", 1) + line % ("y", 0))
    (query,) = load(path).queries
    assert [one.grade for one in query.judgments] == [1, 0]
    with pytest.raises(InputError, match='"True"'):
        load(written(tmp_path, line % ("x", "true")))


def test_a_list_of_rows_is_refused_with_what_to_do(tmp_path, snapshot):
    rows = "[" + ROWS.strip().replace("\n", ", ") + "]"
    with pytest.raises(InputError) as caught:
        load(written(tmp_path, rows))
    assert "jq -c '.[]'" in caught.value.hint
    snapshot(caught.value)
    with pytest.raises(InputError) as other:
        read_judgments(written(tmp_path, rows))
    assert str(other.value) == str(caught.value)
    with pytest.raises(InputError) as caught:
        load_run(written(tmp_path, rows))
    assert "query_id,doc_id,score" in str(caught.value)
    snapshot(caught.value)


def test_a_list_of_other_objects_is_refused_with_its_keys(tmp_path, snapshot):
    with pytest.raises(InputError, match="title, body") as caught:
        load(written(tmp_path, '[{"title": "a", "body": "b"}]'))
    assert '"question"' in caught.value.hint
    snapshot(caught.value)


def test_a_deep_line_is_refused(tmp_path):
    with pytest.raises(InputError):
        load(written(tmp_path, '{"a": ' + "[" * 9000 + "]" * 9000 + '}\n{"a": 1}\n'))
