"""Where a file has several problems, each of them says where it is."""

import json

import pytest

from assay.datasets.load import load
from assay.errors import ProblemsError

MORE = "there may be more problems: reading stopped after 1,000"
QUERY = {"query_key": "q", "query_text": "t"}


@pytest.mark.parametrize(
    ("name", "content", "places"),
    [
        (
            "ragas.json",
            json.dumps(
                [
                    {"user_input": "a", "reference_context_ids": ["x"]},
                    {"user_input": 3, "reference_context_ids": ["x"]},
                    {"user_input": "c", "reference_context_ids": "x"},
                ]
            ),
            ["[1], user_input", "[2], reference_context_ids"],
        ),
        (
            "own.json",
            json.dumps({"queries": [QUERY, QUERY], "documents": [{"id": "d"}, {"id": "d"}]}),
            ["queries[1]", "documents[1]"],
        ),
        (
            "pairs.jsonl",
            '{"query": "a", "relevant": ["x"], "grades": ["?"]}\n'
            '{"query": "b", "relevant": ["x", "x"]}\n'
            '{"query": "c", "relevant": 3}\n{"query": \n',
            ["line 1, grades[0]", "line 2", "line 3, relevant", "line 4"],
        ),
        (
            "sheet.csv",
            "query_id,query,document,grade\nq1,a,d,x\n,q1,d,1\nq1,b,e,1\n",
            ["line 2", "line 4", "line 3"],
        ),
        (
            "suite.yaml",
            "queries:\n  - {id: a, query: x, expected_files: [f, f]}\n"
            "  - {id: a, query: y, expected_files: [g]}\n",
            ["line 2", "line 3"],
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value[:12] else "",
)
def test_each_problem_has_its_place(tmp_path, name, content, places):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ProblemsError) as caught:
        load(path)
    assert [one.where for one in caught.value.problems] == [f"{path}, {at}" for at in places]
    lines = str(caught.value).splitlines()
    assert lines[0] == f"{path}: {len(places)} problems"
    for line, place in zip(lines[1:], places, strict=False):
        assert line.startswith(f"  {place}: ")


def test_a_tab_in_a_dataset_is_named(tmp_path):
    path = tmp_path / "suite.yaml"
    path.write_text("queries:\n\t- id: a\n\t  query: x\n")
    with pytest.raises(ProblemsError) as caught:
        load(path)
    assert caught.value.where == f"{path}, line 2"
    assert "tab" in caught.value.problem
    assert "spaces" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("entries.yaml", "- a\n" * 5_000),
        ("ragas.json", json.dumps([{"user_input": 3, "reference_context_ids": ["x"]}] * 5_000)),
        ("pairs.jsonl", '{"query": "a", "query": "a"}\n' * 5_000),
        ("pairs.jsonl", '{"query": "a", "relevant": 3}\n' * 5_000),
    ],
)
def test_a_file_is_not_read_further_after_a_thousand_problems(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(ProblemsError) as caught:
        load(path)
    assert len(caught.value.problems) == caught.value.count == 1_000
    assert caught.value.then == MORE
    assert MORE in str(caught.value)
