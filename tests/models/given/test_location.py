from pathlib import Path

import pytest

from assay.errors import InputError
from assay.models.given.location import beside_corpus, beside_dataset, vectors_at


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("documents.npy", "documents_ids.txt", "table.parquet", "other.txt", "a.npz"):
        (tmp_path / name).touch()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "corpus.jsonl").touch()
    return tmp_path


@pytest.mark.usefixtures("place")
def test_by_hand():
    found = vectors_at("documents.npy")
    assert (found.path, found.ids) == (Path("documents.npy"), Path("documents_ids.txt"))
    named = vectors_at({"path": "documents.npy", "ids": "other.txt"})
    assert named.ids == Path("other.txt")
    table = vectors_at({"path": "table.parquet", "id": "key", "vector": "emb"})
    assert (table.ids, table.id, table.vector) == (None, "key", "emb")
    assert vectors_at("../documents.npy", relative_to="data").path == Path("data/../documents.npy")


@pytest.mark.parametrize(
    "given",
    [
        "document.npy",
        "data",
        "other.txt",
        "a.npz",
        "",
        "a\0b.npy",
        7,
        [],
        {},
        {"ids": "other.txt"},
        {"path": "documents.npy", "id": "key"},
        {"path": "table.parquet", "ids": "other.txt"},
        {"path": "documents.npy", "ids": "nothing.txt"},
        {"path": "documents.npy", "id_file": "other.txt"},
        {"path": None},
    ],
)
@pytest.mark.usefixtures("place")
def test_what_is_no_file_of_vectors(given, snapshot):
    with pytest.raises(InputError) as caught:
        vectors_at(given)
    snapshot(caught.value)


def test_vectors_beside_a_corpus(place):
    assert beside_corpus("data") is None
    (place / "data" / "document_vectors.npy").touch()
    (place / "data" / "query_vectors.parquet").touch()
    there = Path("data/document_vectors.npy")
    for corpus in ("data", "data/corpus.jsonl", {"path": "data"}, {"jsonl": "data/corpus.jsonl"}):
        assert beside_corpus(corpus).path == there
    named = {"path": "data", "vectors": "table.parquet"}
    assert beside_corpus(named).path == Path("table.parquet")
    assert beside_corpus({"path": "."}, relative_to="data").path == Path("data/./") / there.name
    for corpus in ("stdlib", "git:.", "nowhere", {"source": "stdlib"}, None, [], "a\0"):
        assert beside_corpus(corpus) is None
    assert beside_dataset("data").path == Path("data/query_vectors.parquet")
    assert beside_dataset("data", documents=True).path == there
    assert beside_dataset("") is None


def test_two_files_of_one_name_are_ambiguous(place):
    for name in ("document_vectors.npy", "document_vectors.parquet"):
        (place / "data" / name).touch()
    with pytest.raises(InputError, match=r"document_vectors\.npy and document_vectors\.parquet"):
        beside_corpus("data")
    (place / "documents_ids.json").touch()
    with pytest.raises(InputError, match=r"documents_ids\.txt and documents_ids\.json"):
        vectors_at("documents.npy")
