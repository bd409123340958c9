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
    return [one.path.relative_to(folder).as_posix() for one in found.datasets]


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


@pytest.mark.parametrize("stem", ["entry", "question"])
def test_files_with_a_question_each_are_documents(folder, stem):
    place = folder(*(f"kb/{stem}-{n}.json" for n in range(6)))
    folder("kb/other.csv", text="question,file\nwhat?,a.md\n")
    found = find_datasets(place, but=place / "assay.yaml")
    assert names(found, place) == ["kb/other.csv"]
    assert [one.of_many for one in found.datasets] == [False]


def test_a_few_files_of_each_folder_are_read_first(folder, monkeypatch):
    monkeypatch.setattr(module, "MOST_FOUND", 6)
    text = json.dumps(ROWS * 1)
    place = folder(
        *(f"questions/{n}.yaml" for n in range(9)), text="- {query: a, expected_files: [b]}"
    )
    folder("zz/mine.json", text=text)
    found = find_datasets(place, but=place / "assay.yaml")
    assert names(found, place)[:5][-1] == "zz/mine.json"


def test_a_copy_is_read_after_the_original(folder):
    place = folder("questions-old.json", "questions.json")
    assert names(find_datasets(place, but=place / "assay.yaml"), place)[0] == "questions.json"


def test_queries_without_judgments_are_refused(folder):
    place = folder("questions.yaml", text="- query: what\n")
    found = find_datasets(place, but=place / "assay.yaml")
    (refused,) = found.unreadable
    assert "1 query without judgments" in str(refused.error)


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
