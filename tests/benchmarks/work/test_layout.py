"""Which work the cells of a benchmark share: by what is built, and by what is searched."""

import pytest
from tests.benchmarks.executing import executing

from assay.benchmarks.file.matrix import distinct
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.benchmarks.work.job import about_benchmark
from assay.records.run_settings import RunSettings

DENSE = {"search": "dense", "model": "static", "top_k": 10}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """400 short documents: enough for a graph that misses some, and for ten lists."""
    folder = tmp_path_factory.mktemp("layout")
    (folder / "docs").mkdir()
    words = ["pool", "retry", "cache", "index", "vector", "rank", "query", "token", "graph", "row"]
    for at in range(400):
        text = " ".join(words[at * step // 7 % 10] for step in range(1, 9))
        (folder / "docs" / f"f{at}.md").write_text(f"{text} {at}")
    lines = [f'{{"query": "{one} {two}", "relevant": ["f1.md"]}}' for one in words for two in words]
    (folder / "queries.jsonl").write_text("\n".join(lines))
    return folder


def benchmark(folder, *configurations):
    given = {
        "dataset": str(folder / "queries.jsonl"),
        "corpus": str(folder / "docs"),
        "metrics": ["ndcg@10"],
        "configurations": [*configurations],
    }
    return read_benchmark(given)


def test_one_graph_for_every_effort_and_one_search_for_each(folder, tmp_path):
    graphs = {"name": "graph", "dense": "hnsw", "m": [4, 8], "ef_search": [10, 20, 40]}
    cells = {"name": "cells", "dense": "ivf", "lists": 10, "probes": [1, 2]}
    asked = benchmark(folder, {**DENSE, **graphs}, {**DENSE, **cells}, {**DENSE, "name": "exact"})
    with executing(asked, tmp_path) as work:
        layout = work.layout
        searches = [one.node.key for one in layout.nodes if one.node.name == "dense"]
        assert len(layout.builds) == 4  # two graphs, one set of lists, and none
        assert len(set(searches)) == 9


def test_one_index_of_words_for_every_k1_and_b(folder, tmp_path):
    knobs = {"name": "bm25", "search": "lexical", "k1": [0, 0.9, 2], "b": [0.1, 0.75], "top_k": 10}
    asked, answers = benchmark(folder, knobs), []
    for settings in ({"untimed": True}, {"live": True}):
        with executing(asked, tmp_path / str(len(answers)), **settings) as work:
            assert len(work.layout.builds) == 1
            work.go()
            answers.append({one.name: _found(work.collect(one.name)) for one in work.layout.runs})
    assert answers[0] == answers[1]
    assert len(answers[0]) == 5  # of k1 = 0 there is one: lengths do not count
    assert len({repr(one) for one in answers[0].values()}) >= 3  # documents are of one length


def test_a_price_is_part_of_no_name(folder, tmp_path):
    words = {"name": "words", "search": "lexical"}
    hosted = {"name": "hosted", "system": {"kind": "http", "url": "http://127.0.0.1:1"}}
    free = benchmark(folder, words, hosted)
    paid = benchmark(
        folder,
        words | {"price": {"per_hour": 0.5}},
        hosted | {"price": {"per_1000_queries": 1}},
    )
    names = []
    for asked in (free, paid):
        with executing(asked, tmp_path, resume=bool(names)) as work:  # the same is gone on with
            names.append([work.context.benchmark, *(unit.key for unit in work.layout.units())])
    assert names[0] == names[1]


def test_configurations_that_differ_in_price_alone_are_one_run(folder):
    asked = benchmark(folder, {"name": "a", "search": "lexical", "price": {"per_hour": [1, 2]}})
    ((one, others),) = distinct(asked.configurations)
    assert (one.name, one.price) == ("a price.per_hour=1", {"per_hour": 1})
    assert others == ("a price.per_hour=2",)
    prices = about_benchmark(asked, settings=RunSettings())["prices"]
    assert prices == {"a price.per_hour=1": {"per_hour": 1}, "a price.per_hour=2": {"per_hour": 2}}


@pytest.mark.parametrize("unit", ["chunk", "auto"])
def test_what_an_approximate_index_finds_is_replayed_for_its_depth_alone(folder, tmp_path, unit):
    """A shorter list of a graph is not the beginning of a longer one."""
    graph = {"model": "static", "dense": "hnsw", "m": 2, "ef_construction": 2, "fusion": "rrf"}
    given = {**graph, "name": "graph", "lexical_unit": unit, "top_k": 10}
    varied = {"depth": [10, 100], "ef_search": [None, 15], "rrf_k": [10, 60]}
    asked = benchmark(folder, {**given, **varied})
    answers = []
    for settings in ({"untimed": True}, {"live": True}):
        with executing(asked, tmp_path / str(len(answers)), **settings) as work:
            work.go()
            each = {one.name: work.collect(one.name) for one in work.layout.runs}
            answers.append({name: _found(one) for name, one in each.items()})
            settings = [one.done.indexing["dense_index"]["ef_search"] for one in each.values()]
    assert answers[0] == answers[1]
    assert sorted(set(settings)) == [15, 200]


def _found(one):
    assert not one.measured.failed
    return {key: (list(a), b.tolist()) for key, (a, b) in one.measured.found.items()}
