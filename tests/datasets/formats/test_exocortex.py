import json

import pytest

from assay.datasets.load import load
from assay.errors import InputError
from assay.records import Document, Judgment, Query, Reference


def read(tmp_path, value):
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(value))
    return load(path)


def test_the_order_of_relevance_becomes_grades(tmp_path):
    names = ["daily-workflow.md", "productivity-tips.md", "gtd.md", "more.md"]
    value = [{"query": "How do I manage daily tasks?", "expectedResults": names}]
    dataset = read(tmp_path, value)
    judgments = tuple(
        Judgment(Reference.named(name), grade)
        for name, grade in zip(names, (3, 2, 1, 1), strict=True)
    )
    assert dataset.scale == 3
    assert dataset.queries == (Query(value[0]["query"], value[0]["query"], judgments),)


def test_documents_are_inline(tmp_path):
    documents = [
        {"id": "a", "content": "one", "title": "A", "year": 2020, "metadata": {"tags": ["x"]}},
        {"path": "notes/b.md", "text": "two"},
        {"file": "c.md", "content": "three"},
    ]
    value = {
        "documents": documents,
        "queries": [{"query": "x", "expectedResults": [], "category": "exact"}],
        "name": "exact-match",
        "seed": 7,
    }
    dataset = read(tmp_path, value)
    assert dataset.documents == (
        Document("a", "one", "A", metadata={"year": 2020, "tags": ["x"]}),
        Document("notes/b.md", "two", path="notes/b.md"),
        Document("c.md", "three"),
    )
    assert (dataset.name, dataset.metadata) == ("exact-match", {"seed": 7})
    assert dataset.queries[0].category == "exact"


def test_problems(tmp_path, snapshot):
    value = [{"query": 1, "expectedResults": ["a"]}, {"expectedResults": ["a", "a"]}]
    with pytest.raises(InputError, match=r"2 problems\n  queries\[0\].query: 1 ") as caught:
        read(tmp_path, {"queries": value})
    snapshot(caught.value)
    with pytest.raises(InputError, match='document id "a"') as caught:
        read(tmp_path, {"documents": [{"id": "a", "content": ""}] * 2, "queries": []})
    snapshot(caught.value)
    with pytest.raises(InputError, match=r'queries\[0\]: duplicate document "a"'):
        read(tmp_path, [{"query": "x", "expectedResults": ["a", "a"]}])
