"""Several datasets together: each query by its key, each corpus counted once."""

import json

import pytest

from assay.benchmarks.collections.open_collections import open_collections, with_truth
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.plan.plan import plan
from assay.errors import InputError
from assay.records.run_settings import Invocation, RunSettings

WORDS = {"configurations": [{"name": "words", "search": "lexical"}]}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder, names in (("pages", "abc"), ("notes", "ax")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "image.md").write_bytes(b"\0\1")  # no text: it is left out
        for name in names:
            (tmp_path / folder / f"{name}.md").write_text(f"what {name} says in {folder}")
    judged = [{"doc_ref": {"path": "a.md"}, "relevance_grade": 1}]
    asked = [{"query_key": "q", "query_text": "a", "relevant_docs": judged}]
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"queries": asked}))


def several(**corpora):
    chosen = [{"dataset": f"{name}.json", "corpus": path} for name, path in corpora.items()]
    return with_truth(open_collections(read_benchmark(WORDS | {"datasets": chosen})))


@pytest.mark.usefixtures("place")
def test_the_documents_of_one_corpus_are_counted_once():
    collections = several(one="pages", two="pages", three="notes")
    corpus = collections.about["corpus"]
    assert (corpus["documents"], corpus["skipped"]) == (5, {"binary": 2})
    assert [one["documents"] for one in corpus["collections"].values()] == [3, 3, 2]
    assert collections.truth.resolution.documents == 5
    assert dict(collections.truth.resolution.skipped) == {"binary": 2}
    assert collections.truth.resolution.total == 3  # references are those of all datasets


@pytest.mark.usefixtures("place")
def test_a_plan_names_the_corpus_of_each_by_its_content(tmp_path):
    chosen = [{"dataset": f"{name}.json", "corpus": "pages"} for name in ("one", "two")]
    asked = read_benchmark(WORDS | {"datasets": chosen})
    planned = plan(asked, RunSettings(), Invocation(), workspace=tmp_path / "w")
    assert len({one.content for one in planned.collections} - {""}) == 1


@pytest.mark.usefixtures("place")
def test_other_documents_of_one_folder_are_another_corpus():
    only = {"path": "pages", "include": ["a.md"]}
    assert several(one="pages", two=only).about["corpus"]["documents"] == 4


@pytest.mark.usefixtures("place")
def test_match_weights_of_a_benchmark_file_and_of_its_datasets(tmp_path, snapshot):
    given = WORDS | {"dataset": "one.json", "corpus": "pages"}

    def weights(**more):
        return with_truth(open_collections(read_benchmark(given | more))).truth.judgments.weights

    assert weights() is None
    assert weights(match_weights=True).tolist() == [0.7]
    two = {"datasets": [{"dataset": f"{name}.json", "corpus": "pages"} for name in ("one", "two")]}
    both = WORDS | two | {"match_weights": True}
    assert (
        with_truth(open_collections(read_benchmark(both))).truth.judgments.weights.tolist()
        == [0.7] * 2
    )
    value = json.loads((tmp_path / "one.json").read_text())
    value["metadata"] = {"match_weights": True}
    (tmp_path / "one.json").write_text(json.dumps(value))
    assert weights().tolist() == [0.7]
    assert weights(match_weights=False) is None
    with pytest.raises(InputError) as caught:
        several(one="pages", two="pages")
    snapshot(caught.value)
    with pytest.raises(InputError, match=r'match_weights.*"yes"'):
        read_benchmark(given | {"match_weights": "yes"})
