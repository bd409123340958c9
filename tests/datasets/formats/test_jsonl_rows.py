"""Lines of JSON with one judgment each, and lines that nobody knows."""

import pytest

from assay.datasets.load import load
from assay.errors import InputError
from assay.rankings.load import load as load_run
from assay.workflows._truth import truth

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
    found = truth(path)
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
        truth(path)
    assert problem in str(caught.value)


def test_a_run_in_lines_is_told_as_such(tmp_path):
    path = written(
        tmp_path, '{"query_id": "q", "results": ["a"]}\n{"query_id": "r", "results": []}\n'
    )
    with pytest.raises(InputError, match="lines of JSON with the keys query_id, results") as caught:
        load_run(path)
    assert "{query: {document: score}}" in caught.value.hint
