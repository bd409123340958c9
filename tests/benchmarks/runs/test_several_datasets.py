"""Several datasets in one benchmark, and what takes the place of a file's own."""

import json
from pathlib import Path

import pytest

from assay.benchmarks.collections.resolve import opened_benchmark
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.datasets.load import FAMILIES, load
from assay.errors import InputError, ProblemsError
from assay.records import Collection

ONE = {"configurations": [{"name": "words", "search": "lexical"}]}


@pytest.fixture
def folder(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "page.md").write_text("a page")
        (tmp_path / f"{name}.json").write_text('{"queries": []}')
    text = "dataset: a.json\ncorpus: a\nconfigurations: [{name: words, search: lexical}]\n"
    (tmp_path / "bench.yaml").write_text(text)
    return tmp_path


def read(folder, text):
    (folder / "several.yaml").write_text(
        text + "\nconfigurations: [{name: words, search: lexical}]\n"
    )
    return read_benchmark(folder / "several.yaml")


def test_each_has_its_corpus_and_its_name(folder):
    other = "{dataset: b.json, corpus: {path: b}, name: β}"
    benchmark = read(folder, f"datasets:\n  - {{dataset: a.json, corpus: a}}\n  - {other}")
    first = Collection("a", str(folder / "a.json"), "a")
    second = Collection("β", str(folder / "b.json"), {"path": "b"})
    assert benchmark.datasets == benchmark.collections == (first, second)
    assert (benchmark.dataset, benchmark.corpus) == (first.dataset, "a")


def test_one_dataset_is_a_collection_without_a_name(folder):
    benchmark = read_benchmark(folder / "bench.yaml")
    assert benchmark.datasets == ()
    assert benchmark.collections == (Collection("", str(folder / "a.json"), "a"),)


def test_a_corpus_beside_them_is_that_of_all_that_have_none(folder):
    benchmark = read(folder, "corpus: a\ndatasets: [a.json, {dataset: b.json, corpus: b}]")
    assert [one.corpus for one in benchmark.datasets] == ["a", "b"]


def test_names_of_families_are_datasets():
    benchmark = read_benchmark(ONE | {"datasets": ["exact-match", "short-queries"]})
    assert [one.name for one in benchmark.datasets] == ["exact-match", "short-queries"]
    assert read_benchmark(ONE | {"datasets": "all"}).datasets == tuple(
        Collection(name, name) for name in FAMILIES
    )


def test_a_family_is_made_the_same_each_time():
    one, again = load("short-queries"), load("short-queries")
    assert one == again
    assert len(one.queries) == 100
    benchmark = read_benchmark(ONE | {"dataset": "short-queries"})
    _, corpus = opened_benchmark(benchmark)
    assert len([*corpus.documents()]) == len(one.documents)


def test_a_file_of_that_name_comes_first(folder, monkeypatch):
    monkeypatch.chdir(folder)
    Path("exact-match").write_text('{"queries": [{"query_key": "q", "query_text": "t"}]}')
    assert len(load("exact-match").queries) == 1


REFUSED = [
    ("dataset: a.json\ndatasets: [b.json]", "datasets"),
    ("datasets: []", "datasets"),
    ("datasets: 5", "datasets"),
    ("datasets: [5]", "datasets[0]"),
    ("datasets: [a.json, a.json]", "datasets[1]"),
    ("datasets: [{corpus: a}]", "datasets[0].dataset"),
    ("datasets: [{dataset: c.json}]", "datasets[0].dataset"),
    ("datasets: [{dataset: a.json, corpus: c}]", "datasets[0].corpus"),
    ("datasets: [{dataset: a.json, corpora: a}]", "datasets[0].corpora"),
    ("datasets: [{dataset: a.json, name: 5}]", "datasets[0].name"),
    ("datasets: [{dataset: a.json, name: ' '}]", "datasets[0].name"),
]


@pytest.mark.parametrize(("text", "place"), REFUSED)
def test_each_mistake_gets_one_message(folder, snapshot, text, place):
    with pytest.raises(ProblemsError) as refused:
        read(folder, text)
    (only,) = refused.value.problems
    assert only.where.endswith(f", {place}")
    snapshot(only)


def test_another_dataset_and_corpus_are_meant_from_the_working_directory(folder, monkeypatch):
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    benchmark = read_benchmark("../bench.yaml", dataset="../b.json", corpus="../b")
    assert Path(benchmark.dataset) == folder / "b.json"
    assert Path(benchmark.corpus) == folder / "b"
    assert benchmark.name == "bench"
    assert read_benchmark("../bench.yaml", corpus={"path": "../b"}).corpus == {
        "path": str(folder / "b")
    }
    assert read_benchmark("../bench.yaml", corpus="stdlib").corpus == "stdlib"


QUERY = {
    "query_key": "q",
    "query_text": "a page",
    "relevant_docs": [{"doc_ref": {"path": "page.md"}, "relevance_grade": 1}],
}


@pytest.mark.parametrize(
    ("given", "corpus"),
    [
        ({}, "a"),
        ({"metadata": {"corpus": "b"}}, None),
        ({"documents": [{"id": "page.md", "path": "page.md", "text": "a page"}]}, None),
    ],
    ids=["of the file", "named", "held"],
)
def test_another_dataset_is_asked_of_the_corpus_of_the_file_unless_it_has_one(
    folder, given, corpus
):
    (folder / "b.json").write_text(json.dumps({"queries": [QUERY], **given}))
    benchmark = read_benchmark(folder / "bench.yaml", dataset=folder / "b.json")
    assert benchmark.corpus == corpus
    _, found = opened_benchmark(benchmark)
    assert [one.text for one in found.documents()] == ["a page"]
    assert read_benchmark(folder / "bench.yaml", dataset="stdlib").corpus is None
    other = read_benchmark(folder / "bench.yaml", dataset=folder / "b.json", corpus=folder / "b")
    assert other.corpus == str(folder / "b")


def test_another_dataset_takes_the_place_of_several(folder):
    text = "datasets: [a.json, b.json]\nconfigurations: [{name: words, search: lexical}]\n"
    (folder / "several.yaml").write_text(text)
    benchmark = read_benchmark(folder / "several.yaml", dataset=folder / "b.json")
    assert benchmark.datasets == ()
    assert benchmark.dataset == str(folder / "b.json")


def test_without_a_file_models_are_compared_by_their_vectors_alone():
    benchmark = read_benchmark(dataset="semantic-similarity", model="minilm, static")
    assert benchmark.name == "semantic-similarity"
    assert [(one.name, one.search, one.model) for one in benchmark.configurations] == [
        ("minilm", "dense", "minilm"),
        ("static", "dense", "static"),
    ]
    assert len(read_benchmark(dataset="all", model="static").datasets) == 5
    assert len(read_benchmark(dataset="stdlib").configurations) == 2


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"model": "minilm"},
        {"dataset": "stdlib", "model": "minilmm"},
        {"dataset": "stdlib", "model": "minilm,"},
        {"dataset": "stdlib", "model": "static,static"},
        {"dataset": "stdlib", "suite": "quick"},
        {"dataset": "stdlib", "suite": "quick_test", "model": "static"},
        {"dataset": "nowhere"},
        {"where": ONE, "dataset": "stdlib", "model": "static"},
    ],
    ids=str,
)
def test_options_that_make_no_benchmark(snapshot, options):
    with pytest.raises(InputError) as caught:
        read_benchmark(**options)
    snapshot(caught.value)
