"""A dataset whose queries name collections, over a folder that holds a corpus for each of them."""

import json

import pytest

from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.errors import InputError
from assay.workflows.compare_reports import compare_reports
from assay.workflows.evaluate import evaluate
from assay.workflows.run import run
from assay.workflows.search import search
from assay.workflows.show import find_query

WORDS = {"configurations": [{"name": "words", "search": "lexical"}], "metrics": ["recall@5"]}
ASKED = [
    ("1", "alpha", "retry times", "a.py"),
    ("2", "alpha", "send data", "b.py"),
    ("3", "beta", "jitter seed", "c.py"),
    ("4", "beta", "retry times", "a.py"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {"a.py": "def retry(times): ...", "b.py": "def send(data): ..."}
    for name, more in (("alpha", {}), ("beta", {"c.py": "def jitter(seed): ..."})):
        (tmp_path / "repos" / name).mkdir(parents=True)
        for file, text in {**files, **more}.items():
            (tmp_path / "repos" / name / file).write_text(text)
    write(tmp_path, ASKED)
    return tmp_path


def write(folder, rows):
    keys = ("id", "repo", "query", "ground_truth")
    lines = (json.dumps(dict(zip(keys, row, strict=True))) for row in rows)
    (folder / "q.jsonl").write_text("\n".join(lines))


def read(corpus, **more):
    return read_benchmark({"dataset": "q.jsonl", "corpus": corpus, **WORDS, **more})


@pytest.mark.parametrize(
    "corpus",
    [
        {"collections": "repos"},
        {"collections": {"alpha": "repos/alpha", "beta": {"path": "repos/beta"}}},
    ],
)
def test_each_collection_is_searched_alone(folder, corpus):
    report = run({"dataset": "q.jsonl", "corpus": corpus, **WORDS}, workspace=folder)
    (measured,) = report.runs
    assert [*measured.per_query] == ["alpha/1", "alpha/2", "beta/3", "beta/4"]
    assert measured.rankings["alpha/1"] == ("a.py",)  # and not that of the other one
    assert {name: one["files"] for name, one in measured.collections.items()} == {
        "alpha": 2,
        "beta": 3,
    }
    told = measured.collections["beta"]
    assert told["chunks"] == 3
    assert told["errors"] == 0
    assert told["seconds"] > 0
    assert told["index_bytes"] > 0
    assert told["queries"] == 2
    assert measured.macro["recall@5"]["mean"] == 1.0


def test_settings_beside_the_folder_are_those_of_every_corpus(folder):
    benchmark = read({"collections": "repos", "include": ["a.*"]})
    assert [one.corpus for one in benchmark.collections] == [
        {"include": ["a.*"], "path": "repos/alpha"},
        {"include": ["a.*"], "path": "repos/beta"},
    ]
    assert [one.only for one in benchmark.collections] == ["alpha", "beta"]


def test_a_single_collection_keeps_its_corpus(folder):
    write(folder, ASKED[:2])
    report = run(
        {"dataset": "q.jsonl", "corpus": {"collections": "repos"}, **WORDS}, workspace=folder
    )
    assert [*report.runs[0].per_query] == ["1", "2"]
    assert report.corpus["documents"] == 2


def test_an_option_names_the_folder_from_where_one_is(folder):
    benchmark = read_benchmark(dataset="q.jsonl", corpus="collections:repos", suite="quick_test")
    assert [one.name for one in benchmark.collections] == ["alpha", "beta"]


def test_a_list_of_datasets_may_have_split_ones(folder):
    both = [{"dataset": "q.jsonl", "corpus": {"collections": "repos"}}, {"dataset": "stdlib"}]
    benchmark = read_benchmark({"datasets": both, **WORDS})
    assert [one.name for one in benchmark.collections] == ["q:alpha", "q:beta", "stdlib"]


@pytest.mark.parametrize(
    ("rows", "corpus", "told"),
    [
        ([*ASKED, ("5", "gamma", "t", "a.py")], {"collections": "repos"}, '"gamma"'),
        ([*ASKED, ("5", "../repos", "t", "a.py")], {"collections": "repos"}, "no corpus"),
        ([*ASKED, ("5", "bet", "t", "a.py")], {"collections": "repos"}, 'did you mean "beta"?'),
        ([*ASKED, ("5", "", "t", "a.py")], {"collections": "repos"}, "1 query names no collection"),
        (ASKED, {"collections": "elsewhere"}, "folder not found"),
        (ASKED, {"collections": {"alpha": "repos/alpha"}}, '"beta"'),
        (ASKED, {"collections": 3}, "invalid value"),
        (ASKED, {"collections": []}, "invalid value"),
        (ASKED, {"collections": "repos", "inclde": ["*"]}, "inclde"),
    ],
)
def test_what_is_wrong_is_one_message(folder, rows, corpus, told):
    write(folder, rows)
    with pytest.raises(InputError) as caught:
        run({"dataset": "q.jsonl", "corpus": corpus, **WORDS}, workspace=folder)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"id": 1, "repo": "alpha", "query": "t", "ground_truth": ""}', "line 1"),
        ("", "empty"),
    ],
)
def test_what_is_wrong_with_the_dataset_is_told(folder, text, told):
    (folder / "q.jsonl").write_text(text)
    with pytest.raises(InputError, match=told):
        run({"dataset": "q.jsonl", "corpus": {"collections": "repos"}, **WORDS}, workspace=folder)


def test_a_dataset_without_queries_is_refused(folder):
    (folder / "q.yaml").write_text("queries: []")
    with pytest.raises(InputError, match="has no queries"):
        read({"collections": "repos"}, dataset="q.yaml")


def test_a_collection_without_judgments_is_named(folder):
    rows = [{"id": "1", "query": "t", "collection": "alpha", "expected_files": []}]
    rows += [{"id": "2", "query": "t", "collection": "beta", "expected_files": ["a.py"]}]
    (folder / "q.yaml").write_text(json.dumps(rows))
    asked = {"dataset": "q.yaml", "corpus": {"collections": "repos"}, **WORDS}
    with pytest.raises(InputError, match='collection "alpha": no query has judgments'):
        run(asked, workspace=folder)


def test_saved_runs_are_scored_with_the_dataset(folder):
    corpus = {"collections": "repos"}
    report = run(
        {"dataset": "q.jsonl", "corpus": corpus, **WORDS}, workspace=folder, save_runs="runs"
    )
    for given in (None, corpus, "collections:repos"):
        found = evaluate("q.jsonl", "runs/words.run", "recall@5", corpus=given)
        assert found.scores == {"recall@5": 1.0}
        assert found.per_query["recall@5"].tolist() == [1.0] * len(ASKED)
    assert find_query(report, "3") == "beta/3"
    with pytest.raises(InputError, match="unknown query"):
        find_query(report, "b")


def test_one_corpus_is_not_compared_with_several(folder):
    reports = [
        run({"dataset": "q.jsonl", "corpus": corpus, **WORDS}, workspace=folder)
        for corpus in ("repos", {"collections": "repos"})
    ]
    for pair in (reports, reports[::-1]):
        with pytest.raises(InputError, match="each collection alone"):
            compare_reports(*pair)


def test_without_a_dataset_collections_are_refused(folder):
    with pytest.raises(InputError, match="needs a dataset"):
        search("collections:repos", "retry", workspace=folder)
