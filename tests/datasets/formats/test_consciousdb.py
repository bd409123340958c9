import pytest

from assay.datasets.load import load
from assay.errors import InputError
from assay.records import Judgment, Query, Reference


def folder(tmp_path, queries, qrels):
    (tmp_path / "queries.jsonl").write_text(queries)
    (tmp_path / "qrels.jsonl").write_text(qrels)
    return tmp_path


def judgment(name, grade=1):
    return Judgment(Reference(document_id=name), grade)


def test_by_hand(tmp_path, snapshot):
    queries = '{"id": "1", "text": "a"}\n{"query_id": 2, "query": "b"}\n{"_id": "3", "text": "c"}\n'
    qrels = (
        '{"query_id": "1", "relevant_ids": ["d1", 2]}\n{"query_id": "2", "doc_id": "d1"}\n'
        '{"query_id": "2", "doc_id": "d2", "relevance": 3}\n{"query_id": "9", "relevant_ids": []}\n'
    )
    (tmp_path / "corpus.jsonl").write_text('{"id": "d1", "text": "x"}\n')
    dataset = load(folder(tmp_path, queries, qrels))
    assert dataset.queries == (
        Query("1", "a", (judgment("d1"), judgment("2"))),
        Query("2", "b", (judgment("d1"), judgment("d2", 3))),
        Query("3", "c"),
    )
    assert dataset.scale == 3
    assert dataset.corpus == {"source": "jsonl", "path": "corpus.jsonl"}
    assert len(dataset.notes) == 1
    snapshot(dataset.notes)


def test_files_that_do_not_belong_together(tmp_path):
    where = folder(tmp_path, '{"id": "1", "text": "a"}', '{"query_id": "x", "relevant_ids": ["d"]}')
    with pytest.raises(InputError, match=r'queries.jsonl: "x"'):
        load(where)


def test_a_document_twice(tmp_path):
    qrels = '{"query_id": "1", "relevant_ids": ["d"]}\n{"query_id": "1", "doc_id": "d"}\n'
    with pytest.raises(InputError, match=r'line 2: duplicate document "d"'):
        load(folder(tmp_path, '{"id": "1", "text": "a"}', qrels))
