"""A folder of judged datasets in the place of a benchmark's own."""

import json

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.runs.notes import notes_of
from assay.errors import AssayError, InputError
from assay.records.run_settings import RunSettings

RUNS = {"configurations": [{"name": "words", "search": "lexical"}]}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in ("pages", "notes", "judged", "made"):
        (tmp_path / folder).mkdir()
    (tmp_path / "pages" / "a.md").write_text("what a says")
    (tmp_path / "notes" / "a.md").write_text("what a notes")
    for name in ("one", "two", "judged/one", "judged/v1.2", "made/dataset"):
        write(tmp_path / f"{name}.json")
    return tmp_path


def write(path, **metadata):
    judged = [{"doc_ref": {"path": "a.md"}, "relevance_grade": 1}]
    asked = [{"query_key": "q", "query_text": "a", "relevant_docs": judged}]
    path.write_text(json.dumps({"metadata": metadata, "queries": asked}))


TWO = {
    "corpus": "pages",
    "datasets": ["one.json", {"dataset": "two.json", "corpus": "notes", "name": "v1.2"}],
}


def test_each_file_takes_the_place_of_its_dataset(place):
    found = read_benchmark(RUNS | TWO, dataset="judged")
    assert [(one.name, one.dataset, one.corpus) for one in found.collections] == [
        ("one", str(place / "judged" / "one.json"), "pages"),
        ("v1.2", str(place / "judged" / "v1.2.json"), "notes"),
    ]


def test_a_folder_that_lacks_some_is_refused(place):
    three = {**TWO, "datasets": [*TWO["datasets"], {"dataset": "two.json", "name": "third"}]}
    with pytest.raises(InputError, match="judged") as caught:
        read_benchmark(RUNS | three, dataset="judged")
    assert "third.json" in caught.value.hint


@pytest.mark.usefixtures("place")
def test_a_dataset_that_is_a_folder_stays_one():
    """What `assay dataset make` wrote, though one of two datasets is called as its file is."""
    two = {"corpus": "pages", "datasets": ["one.json", {"dataset": "two.json", "name": "dataset"}]}
    found = read_benchmark(RUNS | two, dataset="made")
    assert [one.dataset.rpartition("/")[2] for one in found.collections] == ["made"]
    assert found.datasets == ()


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(
    "datasets",
    [
        *([], {}, 3, "one.json", [3], [None], [{"dataset": 3}], [{"name": "one"}]),
        ["one.json", *TWO["datasets"]],  # a name that stands twice
    ],
)
def test_what_is_no_list_of_datasets_is_none(datasets):
    """The folder is a dataset then, as it would be without any: one in no format."""
    given = RUNS | {"corpus": "pages", "datasets": datasets}
    assert read_benchmark(given, dataset="judged").datasets == ()


@pytest.mark.usefixtures("place")
def test_odd_names_are_told_as_ever():
    with pytest.raises(AssayError):
        read_benchmark(RUNS | TWO, dataset="no\0such")
    with pytest.raises(AssayError):
        read_benchmark(RUNS | TWO, dataset="x" * 300)


@pytest.mark.usefixtures("place")
def test_one_file_of_a_judged_folder_is_refused(place):
    for name in ("one", "v1.2"):
        write(place / "judged" / f"{name}.json", judging=[{"judge": "ann"}])
    with pytest.raises(InputError, match="2 datasets") as caught:
        read_benchmark(RUNS | TWO, dataset="judged/v1.2.json")
    assert caught.value.hint.endswith("--dataset judged")
    own = {"corpus": "pages", "datasets": ["judged/one.json", "judged/v1.2.json"]}
    assert read_benchmark(RUNS | own, dataset="judged/one.json").datasets == ()


def test_one_dataset_in_the_place_of_several_is_told(place, snapshot):
    write(place / "judged.json", judging=[{"judge": "ann"}])
    for one, named in (("judged.json", "judged.json"), ("judged/one.json", "one.json")):
        found = read_benchmark(RUNS | TWO, dataset=one)
        assert found.replaced == ("one", "v1.2")
        (note,) = notes_of(found, (), RunSettings())
        assert note.startswith(f"{named} ")
        snapshot(note)
    alone = RUNS | {"corpus": "pages", "dataset": "one.json"}
    for found in (
        *(read_benchmark(RUNS | TWO), read_benchmark(RUNS | TWO, dataset="judged")),
        *(read_benchmark(alone), read_benchmark(alone, dataset="two.json")),
    ):
        assert not [*notes_of(found, (), RunSettings())]


def test_what_a_judge_graded_of_the_files_own_is_known_for_it(place):
    write(place / "judged.json", judging=[{"judge": "ann"}])
    for name, given in (("one", {"dataset": "one.json"}), ("two", TWO)):
        (place / f"{name}.yaml").write_text(json.dumps(RUNS | {"corpus": "pages"} | given))
    asked = [("one", "judged.json"), ("one", "two.json"), ("two", "judged"), ("two", "judged.json")]
    found = [read_benchmark(f"{name}.yaml", dataset=one).command for name, one in asked]
    assert [one["grades"] for one in found] == [True, False, True, False]
    assert not read_benchmark("one.yaml", dataset="all", corpus="pages").command["grades"]
