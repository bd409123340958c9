"""What is noted of approximate indexes: once for all runs, and over several datasets."""

import json

import pytest

import assay

WORDS = ["pool", "retry", "cache", "index", "vector", "rank", "query", "token", "graph", "row"]
GRAPH = {"search": "dense", "model": "static", "dense": "hnsw", "m": 2, "top_k": 10}


@pytest.fixture(scope="module")
def collections(tmp_path_factory):
    """Two folders of documents with queries; one has twice as many as the other."""
    folder, made = tmp_path_factory.mktemp("notes"), []
    for name, count in (("small", 10), ("large", 20)):
        (folder / name).mkdir()
        for at in range(300):
            text = " ".join(WORDS[at * step // 7 % 10] for step in range(1, 9))
            (folder / name / f"f{at}.md").write_text(f"{text} {at} {name}")
        queries = [
            {"query": f"{WORDS[at % 10]} {at}", "relevant": ["f1.md"]} for at in range(count)
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, queries)))
        made.append({"dataset": str(folder / f"{name}.jsonl"), "corpus": str(folder / name)})
    return made


def run(given, tmp_path, **settings):
    configurations = [{"name": "graph", **GRAPH, **settings}]
    asked = {"metrics": ["ndcg@10"], "configurations": configurations, **given}
    return assay.run(asked, workspace=tmp_path, untimed=True)


def test_recall_is_noted_once_for_all_runs(collections, tmp_path):
    several = run(collections[0], tmp_path, ef_search=[10, 12, 40])
    (note,) = [note for note in several.notes if "recall@10" in note]
    ends = sorted(one.indexing["dense_recall"]["mean"] for one in several.runs)
    assert f"{ends[0]:.1%}" in note
    assert f"{ends[-1]:.1%}" in note
    short = [note for note in several.notes if "ef_search chunks" in note]
    assert len({note.partition(": ")[2] for note in short}) == 1  # equal notes are shown once
    (alone,) = run(collections[0], tmp_path, ef_search=10).runs
    assert any("recall@10" in note for note in alone.notes)


def test_recall_over_several_datasets_counts_each_query(collections, tmp_path):
    each = [
        run(one, tmp_path / str(at), ef_search=10).runs[0] for at, one in enumerate(collections)
    ]
    recalls = [one.indexing["dense_recall"] for one in each]
    assert [one["queries"] for one in recalls] == [10, 20]
    (both,) = run({"datasets": collections}, tmp_path, ef_search=10).runs
    told = both.indexing["dense_recall"]
    mean = (10 * recalls[0]["mean"] + 20 * recalls[1]["mean"]) / 30
    assert told["mean"] == pytest.approx(mean)
    assert (told["queries"], told["worst"]) == (30, min(one["worst"] for one in recalls))
    assert both.indexing["dense_index"] == each[0].indexing["dense_index"]
