"""Answers put together from the tapes of stages are those of a live search, to the last bit."""

import json
from contextlib import closing

import pytest
from tests.benchmarks.executing import executing

from assay.benchmarks.collections.open_collections import open_collections
from assay.benchmarks.file.read_benchmark import read_benchmark
from assay.searches.build import build
from assay.searches.open_models import OpenModels

STATIC = {"model": "static", "depth": 40, "top_k": 10}
SMALL = {**STATIC, "chunk_size": 32}
BY_CHUNK = {**SMALL, "lexical_unit": "chunk"}
JUDGED = {"model": "minilm", "rerank": "maxsim", "rerank_depth": 8}
SEARCHES = {
    "lexical": {"search": "lexical", "top_k": 10},
    "lexical-fts5": {"search": "lexical", "lexical": "fts5", "top_k": 10},
    "lexical-postings": {"search": "lexical", "k1": 0.9, "b": 0.3, "top_k": 10},
    "lexical-words": {"search": "lexical", "language": "none", "stop_words": ["of"], "top_k": 10},
    "lexical-fields": {"search": "lexical", "fields": {"title": 3, "names": 0}, "top_k": 10},
    "lexical-synonyms": {"search": "lexical", "synonyms": [["retry", "rank"]], "top_k": 10},
    "lexical-chunks": {"search": "lexical", "lexical_unit": "chunk", "top_k": 10},
    "dense": {**STATIC, "search": "dense"},
    "dense-float": {**STATIC, "search": "dense", "precision": "float32"},
    "dense-graph": {**STATIC, "search": "dense", "dense": "hnsw"},
    **{
        f"dense-graph-{ef}": {**SMALL, "search": "dense", "dense": "hnsw", "m": 2, "ef_search": ef}
        for ef in (10, 12)
    },
    **{
        f"dense-lists-{probes}": {**SMALL, "dense": "ivf", "lists": 2, "probes": probes}
        for probes in (1, 2)
    },
    **{f"fused-{how}": {**STATIC, "fusion": how} for how in ("blend", "rrf", "min_max", "z_score")},
    **{f"chunks-{how}": {**BY_CHUNK, "fusion": how} for how in ("blend", "rrf", "z_score")},
    "weighed": {**STATIC, "fusion": "blend", "weights": [0.2, 0.8]},
    "threshold": {**STATIC, "search": "dense", "threshold": 0.2},
    "threshold-fused": {**BY_CHUNK, "fusion": "rrf", "threshold": 0.02},
    **{
        f"collapse-{how}": {**SMALL, "search": "dense", "collapse": how}
        for how in ("max", "sum", "top3")
    },
    "collapse-fused": {**STATIC, "collapse": "sum"},
    "rerank": {**STATIC, **JUDGED},
    "rerank-chunks": {**BY_CHUNK, **JUDGED, "fusion": "rrf", "threshold": 0.01},
    "coherence": {**SMALL, "search": "dense", "coherence": {"neighbours": 3}},
    "coherence-mmr": {
        **SMALL,
        "search": "dense",
        "threshold": 0.05,
        "coherence": True,
        "mmr": {"always": True, "k": 5},
    },
    "mmr": {**STATIC, "mmr": {"always": True, "k": 5, "lambda": 0.4}},
    "all": {
        **BY_CHUNK,
        **JUDGED,
        "fusion": "rrf",
        "threshold": 0.01,
        "collapse": "top3",
        "mmr": {"always": True},
    },
}
TOPICS = ("retry", "request", "connection", "pool", "timeout", "ärger", "index", "vector", "rank")


FILTERS = {
    0: {"language": "python"},
    1: {"year": {">=": 2018}},
    3: {"file_type": "md", "year": {"!=": 2020}},
    5: {"year": 1999},
    7: ["language!=python"],
}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Files of code and of prose; some queries leave out documents, one finds no word."""
    folder = tmp_path_factory.mktemp("replayed")
    (folder / "docs").mkdir()
    for at in range(36):
        one, two, three = (TOPICS[(at * step + at // 9) % 9] for step in (1, 2, 5))
        lines = [
            f"def {one}_{turn}({two}):\n    return {three}(turn)\n" for turn in range(at % 5 + 1)
        ]
        front = f"---\nyear: {2015 + at % 9}\n---\n" if at % 2 else ""
        prose = f"{front}# {one} and {two}\n\nA {three} is kept until the {one} ends.\n"
        name, text = (f"f{at}.py", "\n".join(lines)) if at % 3 else (f"f{at}.md", prose)
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    texts = ["retry the request", "connection pool timeout", "Ärger", "rank vector index", "zzz"]
    queries = [
        {"query_key": f"q{at}", "query_text": text, "relevant_docs": _judged(at)}
        | ({"exclude": [f"f{at}.py", "f3.md", "absent.py"]} if at % 2 else {})
        | ({"filters": FILTERS[at]} if at in FILTERS else {})
        for at, text in enumerate([*texts, "request", "retry retry", "how is a pool kept?"])
    ]
    (folder / "queries.json").write_text(json.dumps({"queries": queries}))
    return read_benchmark(
        {
            "dataset": str(folder / "queries.json"),
            "corpus": str(folder / "docs"),
            "metrics": ["ndcg@10"],
            "configurations": [{"name": name, **one} for name, one in SEARCHES.items()],
        }
    )


def _judged(at):
    return [{"doc_ref": {"path": f"f{at * 4 % 36}.py"}, "relevance_grade": 1}]


def executed(asked, folder, **settings):
    """Do all the work in a workspace, and return each configuration's answers as bits."""
    with executing(asked, folder, **settings) as work:
        work.go()
        return {one.name: _bits(work.collect(one.name).measured) for one in work.layout.runs}


def _bits(measured):
    assert not measured.failed
    return {key: (list(names), scores.tobytes()) for key, (names, scores) in measured.found.items()}


@pytest.fixture(scope="module")
def staged(asked, tmp_path_factory):
    return executed(asked, tmp_path_factory.mktemp("staged"), asks=2)


@pytest.fixture(scope="module")
def live(asked, tmp_path_factory):
    return executed(asked, tmp_path_factory.mktemp("live"), asks=1, live=True)


@pytest.mark.parametrize("name", SEARCHES)
def test_stages_answer_as_a_live_search_does(name, staged, live):
    assert staged[name] == live[name]
    assert any(names for names, _ in staged[name].values())


@pytest.mark.parametrize("name", SEARCHES)
def test_both_answer_as_a_search_that_was_built_alone(name, staged, asked, tmp_path, cache):
    (chosen,) = [one for one in asked.configurations if one.name == name]
    (collection,) = open_collections(asked)
    with closing(
        build(collection.corpus, chosen, folder=tmp_path, models=OpenModels(cache))
    ) as built:
        for query in collection.queries:
            documents, scores, _ = built.found(query, exclude=query.excluded)
            assert staged[name][query.key] == (list(documents), scores.tobytes())


def test_what_a_query_leaves_out_is_in_no_answer(staged, asked):
    (collection,) = open_collections(asked)
    gone = {query.key: query.excluded for query in collection.queries}
    assert any(gone.values())
    for answers in staged.values():
        assert not any(gone[key] & set(names) for key, (names, _) in answers.items())


def test_only_documents_that_match_the_filters_of_a_query_are_in_an_answer(staged, asked):
    (collection,) = open_collections(asked)
    fields = {
        one.id: {"language": one.language, "file_type": one.path[-2:], **one.metadata}
        for one in collection.corpus.documents()
    }
    kept = {query.key: query.filters for query in collection.queries if query.filters}
    assert len(kept) == len(FILTERS)
    for answers in staged.values():
        for key, filters in kept.items():
            assert all(filters.match(fields[name]) for name in answers[key][0])
        assert any(answers[key][0] for key in kept)
        assert not answers["q5"][0]


def test_searches_differ_so_that_the_comparison_says_something(staged):
    assert len({repr(sorted(one.items())) for one in staged.values()}) >= len(SEARCHES) - 6
