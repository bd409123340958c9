"""Several datasets: one that cannot be searched, and names that come to the same."""

import json

import pytest

import assay
from assay.errors import InputError

COUNTED = ("files", "documents", "chunks", "tokens")


@pytest.fixture
def place(tmp_path):
    for part in ("one", "two"):
        (tmp_path / part).mkdir()
        for at in range(4):
            (tmp_path / part / f"d{at}.md").write_text(f"{part} page {at} word{at}\n")
        dataset(tmp_path / f"{part}.json", [f"q{at}" for at in range(4)])
    return tmp_path


def dataset(file, keys):
    queries = [
        {
            "query_key": key,
            "query_text": f"word{at}",
            "relevant_docs": [{"doc_ref": {"path": f"d{at}.md"}, "relevance_grade": 3}],
        }
        for at, key in enumerate(keys)
    ]
    file.write_text(json.dumps({"queries": queries}))


def asked(place, **names):
    return {
        "datasets": [
            {"dataset": str(place / f"{part}.json"), "corpus": str(place / part), "name": name}
            for part, name in names.items()
        ],
        "metrics": ["ndcg@10"],
        "configurations": [
            {"name": "words", "search": "lexical"},
            {"name": "chunks", "search": "lexical", "lexical_unit": "chunk"},
        ],
    }


def test_a_run_that_fails_on_one_dataset_has_failed(place, monkeypatch):
    from assay.benchmarks.work import open_indexes

    make = open_indexes.make_index

    def broken(corpus, configuration, **options):
        if corpus.name == "two" and configuration.name == "chunks":
            raise InputError("full", where="somewhere", hint="make room")
        return make(corpus, configuration, **options)

    monkeypatch.setattr(open_indexes, "make_index", broken)
    report = assay.run(asked(place, one="A", two="B"), fresh=True, asks=1)
    words, chunks = report.runs
    assert (words.status, chunks.status) == ("completed", "failed")
    assert chunks.error.startswith("B: somewhere: full")
    assert chunks.scores == {}
    assert report.comparisons is None
    assert not any("corpus" in note for note in report.notes)  # as where it changed


def test_names_that_come_to_the_same_keys_are_refused(place, snapshot):
    dataset(place / "one.json", ["c/q0", "q1", "q2", "q3"])
    with pytest.raises(InputError) as caught:
        assay.run(asked(place, one="A", two="A/c"))
    snapshot(caught.value)


@pytest.mark.parametrize("fresh", [True, False], ids=["fresh", "remembered"])
def test_an_index_that_two_datasets_share_is_counted_once(place, fresh):
    dataset(place / "two.json", ["other1", "other2"])
    given = asked(place, one="A", two="B")
    budget = {"budgets": {"index_bytes": 10**9}}
    alone = assay.run({**given, **budget, "datasets": given["datasets"][:1]}, asks=1, fresh=fresh)
    apart = assay.run({**given, **budget}, asks=1, fresh=fresh)
    for one in given["datasets"]:
        one["corpus"] = str(place / "one")
    shared = assay.run({**given, **budget}, asks=1, fresh=fresh)
    for run, single, double in zip(shared.runs, alone.runs, apart.runs, strict=True):
        assert run.storage == single.storage
        assert run.budgets["index_bytes"]["value"] == single.storage["index_bytes"]
        assert {name: run.indexing[name] for name in COUNTED} == {
            name: single.indexing[name] for name in COUNTED
        }
        assert double.indexing["documents"] == 2 * run.indexing["documents"]
        assert double.storage["index_bytes"] > 1.9 * run.storage["index_bytes"]
    assert (shared.corpus["name"], shared.corpus["documents"]) == ("one", 4)
    assert apart.corpus["name"] == "one, two"
