"""Datasets among other files: the likely ones first, and nothing is counted that was not read."""

import json

import pytest

from assay.benchmarks.starter import find_datasets as module
from assay.benchmarks.starter.find_datasets import find_datasets

ROWS = [{"question": "what?", "file": "a.md"}]


@pytest.fixture
def folder(tmp_path):
    def write(*names, text=None):
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(ROWS) if text is None else text)
        return tmp_path

    return write


def names(found, folder):
    return [path.relative_to(folder).as_posix() for path, _ in found.datasets]


def test_telling_names_and_the_nearest_come_first(folder):
    place = folder("a.json", "deep/er/questions.json", "deep/qa.json", "queries.json")
    found = find_datasets(place, but=place / "assay.yaml")
    assert names(found, place) == [
        "queries.json",
        "deep/qa.json",
        "deep/er/questions.json",
        "a.json",
    ]
    assert (found.opened, found.listed, found.complete) == (4, 4, True)


def test_the_file_that_is_written_and_what_tools_keep_are_left_out(folder):
    place = folder("bench.json", "node_modules/questions.json", ".hidden/questions.json", "x.json")
    assert names(find_datasets(place, but=place / "bench.json"), place) == ["x.json"]


def test_a_folder_that_is_a_dataset_hides_its_files(folder):
    place = folder("made/dataset.json", text=json.dumps({"queries": [query()]}))
    folder("made/other.json")
    assert names(find_datasets(place, but=place / "assay.yaml"), place) == ["made"]


def query():
    judged = [{"doc_ref": {"path": "a.md"}, "relevance_grade": 1}]
    return {"query_key": "q", "query_text": "what?", "relevant_docs": judged}


def test_files_of_many_are_read_last_and_complaints_are_kept_short(folder):
    place = folder(*(f"docs/question-{n}.json" for n in range(30)), text="{}")
    folder("zz.json")
    found = find_datasets(place, but=place / "assay.yaml")
    assert names(found, place) == ["zz.json"]
    assert found.unreadable == ()


def test_limits_are_told(folder, monkeypatch):
    monkeypatch.setattr(module, "MOST_OPENED", 3)
    place = folder(*(f"{n}.json" for n in range(9)), text="{}")
    found = find_datasets(place, but=place / "assay.yaml")
    assert (found.datasets, found.opened, found.unopened) == ((), 3, 6)
    monkeypatch.setattr(module, "MOST_ENTRIES", 5)
    found = find_datasets(place, but=place / "assay.yaml")
    assert (found.listed, found.complete) == (5, False)


def test_more_datasets_than_are_read(folder, monkeypatch):
    monkeypatch.setattr(module, "MOST_FOUND", 2)
    place = folder(*(f"{n}.json" for n in range(4)))
    found = find_datasets(place, but=place / "assay.yaml")
    assert (len(found.datasets), found.stopped) == (2, True)
