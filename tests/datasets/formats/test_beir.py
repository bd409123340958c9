import json

import pytest

from assay.datasets.load import load
from assay.datasets.save import save
from assay.errors import InputError
from assay.records import Dataset, Document, Judgment, Query, Reference

TITLES = "query-id\tcorpus-id\tscore\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "wing", "metadata": {"category": "concept", "url": "u"}}\n'
        '{"_id": "q2", "text": "flow", "metadata": {}}\n{"_id": "q3", "text": "unjudged"}\n'
    )
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "title": "", "text": "x"}\n')
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "dev.tsv").write_text(TITLES + "q2\td1\t0\nq1\td1\t2\nq1\td2\t1\n")
    (tmp_path / "qrels" / "train.tsv").write_text(TITLES + "q3\td1\t1\n")
    return tmp_path


def judgment(name, grade):
    return Judgment(Reference(document_id=name), grade)


def test_by_hand(folder, snapshot):
    dataset = load(folder)
    assert dataset.queries == (
        Query("q1", "wing", (judgment("d1", 2), judgment("d2", 1)), "concept", extra={"url": "u"}),
        Query("q2", "flow", (judgment("d1", 0),)),
    )
    assert (dataset.name, dataset.scale, dataset.home) == (folder.name, 2, str(folder))
    assert dataset.corpus == {"source": "jsonl", "path": "corpus.jsonl"}
    assert len(dataset.notes) == 2
    snapshot(dataset.notes)


def test_the_test_split_goes_first(folder):
    (folder / "qrels" / "test.tsv").write_text(TITLES + "q3\td1\t1\n")
    assert [query.key for query in load(folder).queries] == ["q3"]


def test_judged_queries_without_text_are_told(folder, snapshot):
    path = folder / "qrels" / "dev.tsv"
    path.write_text(TITLES + "q1\td1\t1\n" + "".join(f"x{n}\td1\t1\n" for n in range(5)))
    (note,) = (note for note in load(folder).notes if '"x0", "x1", "x2"' in note)
    snapshot(note)
    path.write_text(TITLES + "x1\td1\t1\n")
    with pytest.raises(InputError, match=r'queries.jsonl: "x1"') as caught:
        load(folder)
    snapshot(caught.value)


def test_meta_json_gives_name_scale_and_more(folder):
    meta = {"name": "wings", "scale": 4, "description": "d", "licence": "CC0", "corpus": 5}
    (folder / "meta.json").write_text(json.dumps(meta))
    dataset = load(folder)
    assert (dataset.name, dataset.scale, dataset.description) == ("wings", 4, "d")
    assert dataset.metadata == {"licence": "CC0"}
    assert any('"corpus" in meta.json' in note for note in dataset.notes)
    (folder / "meta.json").write_text('{"scale": 1}')
    with pytest.raises(InputError, match=r"meta.json: grade 2 .* 1\n"):
        load(folder)


def test_problems_name_their_file_and_line(folder):
    (folder / "queries.jsonl").write_text(
        '{"_id": "q1"}\n{"_id": "q2", "text": 5}\n'
        '{"_id": "q1", "text": "a"}\n{"_id": "q1", "text": "b"}\n'
    )
    with pytest.raises(InputError, match="3 problems") as caught:
        load(folder)
    places = [error.where.rpartition("queries.jsonl, ")[2] for error in caught.value.problems]
    assert places == ["line 1", "line 2, text", "line 4"]


def test_documents_at_hand_become_the_corpus(tmp_path, snapshot):
    query = Query("q", "t", (judgment("d", 1),))
    dataset = Dataset("x", (query, Query("u", "unjudged")), documents=(Document("d", "text", "T"),))
    snapshot(save(dataset, tmp_path / "out", format="beir"))
    line = (tmp_path / "out" / "corpus.jsonl").read_text()
    assert json.loads(line) == {"_id": "d", "title": "T", "text": "text"}
    assert (tmp_path / "out" / "qrels" / "test.tsv").read_text() == f"{TITLES}q\td\t1\n"


@pytest.mark.parametrize("name", ["a\tb", "a\nb", "", "a\x00", "x" * 5000, "a\rb"])
def test_ids_that_no_table_can_hold(name, tmp_path):
    dataset = Dataset("x", (Query("q", "t", (judgment(name, 1), judgment("d", 1))),))
    if name:
        with pytest.raises(InputError, match=r'query "q": .*document id'):
            save(dataset, tmp_path / "out", format="beir")
    with pytest.raises(InputError, match="key") as caught:
        save(
            Dataset("x", (Query(name, "t", (judgment("d", 1),)),)), tmp_path / "out", format="beir"
        )
    assert "document id" not in str(caught.value)
