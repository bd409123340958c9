"""A list of datasets in one JSON file."""

import json

import pytest

import assay
from assay.datasets.load import load
from assay.errors import InputError
from assay.workflows.check import check


def entry(name, text, document):
    query = {"query_key": "q1", "query_text": text, "relevant_docs": [document]}
    return {"metadata": {"name": name, "corpus": "pages"}, "queries": [query]}


@pytest.fixture
def path(tmp_path):
    (tmp_path / "pages").mkdir()
    for name in ("keys", "vault"):
        (tmp_path / "pages" / f"{name}.md").write_text(f"all about the {name}\n")
    entries = [entry("a", "the keys", "keys.md"), entry("b", "the vault", "vault.md")]
    (tmp_path / "list.json").write_text(json.dumps(entries))
    return tmp_path / "list.json"


def test_each_by_its_name_and_all_together(path):
    assert [query.text for query in load(f"{path}#b").queries] == ["the vault"]
    assert [query.key for query in load(path).queries] == ["a/q1", "b/q1"]
    contents = check(path)
    assert (contents.queries, contents.collections) == (2, {"a": 1, "b": 1})
    run = {"a/q1": {"keys.md": 1.0}, "b/q1": {"x": 1.0}}
    assert assay.evaluate(path, run, "recall@5").scores == {"recall@5": 0.5}
    with pytest.raises(InputError, match='"c"'):
        load(f"{path}#c")


def test_it_runs_as_several_datasets(path, tmp_path):
    told = {"dataset": str(path), "configurations": [{"name": "bm25", "search": "lexical"}]}
    report = assay.run(told, workspace=tmp_path / "w", asks=1)
    assert set(report.dataset["collections"]) == {"a", "b"}
    assert report.runs[0].scores["recall@5"] == 1.0


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ([entry("a", "x", "d"), entry("a", "y", "d")], 'entry 2: .*"a"'),
        ([entry("a", "x", "d"), 3], "entry 2"),
        ([entry("a", "x", "d"), {"queries": 3}], "entry 2, queries: 3"),
    ],
)
def test_what_is_wrong(tmp_path, entries, problem, snapshot):
    path = tmp_path / "list.json"
    path.write_text(json.dumps(entries))
    with pytest.raises(InputError, match=problem) as caught:
        load(path)
    snapshot(caught.value)


def test_each_problem_of_an_entry_has_its_place(tmp_path):
    wrong = {"metadata": {"name": "b"}, "queries": [{"query_key": 1}, {"query_text": "x"}]}
    path = tmp_path / "list.json"
    path.write_text(json.dumps([entry("a", "x", "d"), wrong]))
    for where in (path, f"{path}#b"):
        with pytest.raises(InputError) as caught:
            load(where)
        first, *others = str(caught.value).splitlines()
        assert first == f"{path}, entry 2: 3 problems"
        assert [line.partition(":")[0].strip() for line in others] == [
            "queries[0].query_key",
            "queries[0]",
            "queries[1]",
        ]
    assert len(load(f"{path}#a").queries) == 1


def test_an_unknown_name_gets_the_nearest(path):
    with pytest.raises(InputError, match=r'unknown dataset "bb"\n  hint: did you mean "b"\?'):
        load(f"{path}#bb")
