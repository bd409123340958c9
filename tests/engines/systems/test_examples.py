"""Every example file is run from end to end, against a stub that answers as its engine does."""

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from assay.models.open_embedder import open_embedder
from assay.workflows.run import run

HERE = Path(__file__).parents[3] / "examples" / "systems"
SECRET = "s3cr3t-0f-th3-t3st"


def elastic(ranking):
    """Answer as "The _search API" of Elasticsearch and OpenSearch does."""

    def answer(asked):
        assert asked.method == "POST"
        assert asked.path == "/handbook/_search"
        query = asked.body["query"]
        text = query["match"]["text"] if "match" in query else query["multi_match"]["query"]
        assert asked.body["_source"] is False
        found = ranking(text, asked.body["size"])
        hits = [{"_index": "handbook", "_id": page, "_score": score} for page, score in found]
        total = {"value": len(hits), "relation": "eq"}
        best = max((score for _, score in found), default=None)
        return {
            "took": 1,
            "timed_out": False,
            "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
            "hits": {"total": total, "max_score": best, "hits": hits},
        }

    return answer


def solr(ranking):
    """Answer as Solr's /select does with wt=json."""

    def answer(asked):
        assert (asked.method, asked.path) == ("GET", "/solr/handbook/select")
        given = {name: one for name, (one,) in asked.params.items()}
        assert given["fl"] == "id,score"
        assert (given["defType"], given["q.operators"]) == ("simple", "WHITESPACE")
        assert given["q.op"] == "OR"
        docs = [{"id": page, "score": score} for page, score in ranking(given["q"], given["rows"])]
        found = {"numFound": len(docs), "start": 0, "maxScore": 1.0, "numFoundExact": True}
        return {"responseHeader": {"status": 0, "QTime": 1}, "response": {**found, "docs": docs}}

    return answer


def vespa(ranking):
    """Answer as Vespa's default JSON result format has it: no children where there are no hits."""

    def answer(asked):
        assert (asked.method, asked.path) == ("POST", "/search/")
        assert "userInput(@text)" in asked.body["yql"]
        children = [
            {"id": f"id:handbook:page::{at}", "relevance": score, "source": "handbook"}
            | {"fields": {"path": page}}
            for at, (page, score) in enumerate(ranking(asked.body["text"], asked.body["hits"]))
        ]
        coverage = {"coverage": 100, "documents": 6, "full": True, "nodes": 1, "results": 1}
        fields = {"totalCount": len(children)}
        root = {"id": "toplevel", "relevance": 1.0, "fields": fields, "coverage": coverage}
        return {"root": root | ({"children": children} if children else {})}

    return answer


def qdrant(pages):
    """Answer as Qdrant's "Query points" does, by cosines of the vector that it is sent."""
    names = sorted(pages)
    model = open_embedder("static", folder=Path())
    matrix = model.embed([pages[name] for name in names])

    def answer(asked):
        assert asked.path == "/collections/handbook/points/query"
        assert asked.body["with_payload"] == ["document"]
        scores = matrix @ np.asarray(asked.body["query"], np.float32)
        order = np.argsort(-scores, kind="stable")[: asked.body["limit"]]
        points = [
            {"id": int(at), "version": 0, "score": float(scores[at])}
            | {"payload": {"document": names[at]}}
            for at in order
        ]
        return {"result": {"points": points}, "status": "ok", "time": 0.001}

    return answer


def pinecone(pages):
    """Answer as Pinecone's "Search with a vector" does; each page is two chunks."""
    names = sorted(pages)
    matrix = open_embedder("static", folder=Path()).embed([pages[name] for name in names])

    def answer(asked):
        assert (asked.method, asked.path) == ("POST", "/query")
        assert asked.headers["X-Pinecone-Api-Version"] == "2025-10"
        scores = matrix @ np.asarray(asked.body["vector"], np.float32)
        order = np.repeat(np.argsort(-scores, kind="stable"), 2)[: asked.body["topK"]]
        matches = [
            {"id": f"{names[row]}#{at % 2}", "score": float(scores[row]), "values": []}
            for at, row in enumerate(order)
        ]
        told = {"namespace": asked.body["namespace"], "usage": {"read_units": 1}}
        return {"matches": matches, **told}

    return answer


def meilisearch(ranking):
    """Answer as Meilisearch's search does with showRankingScore."""

    def answer(asked):
        assert asked.path == "/indexes/handbook/search"
        assert asked.body["showRankingScore"] is True
        found = ranking(asked.body["q"], asked.body["limit"])
        hits = [{"path": page, "_rankingScore": score} for page, score in found]
        told = {"query": asked.body["q"], "limit": asked.body["limit"], "offset": 0}
        return {"hits": hits, **told, "processingTimeMs": 1, "estimatedTotalHits": len(hits)}

    return answer


def own_service(ranking):
    """Answer with a list of pages, which cannot say that it is a stub: its header does."""

    def answer(asked):
        (text,), (limit,) = asked.params["q"], asked.params["limit"]
        return [{"page": page} for page, _ in ranking(text, limit)]

    return answer


STUBS = {
    "elasticsearch": (elastic, "ELASTICSEARCH_URL", "ELASTIC_API_KEY"),
    "opensearch": (elastic, "OPENSEARCH_URL", "OPENSEARCH_BASIC"),
    "solr": (solr, "SOLR_URL", ""),
    "vespa": (vespa, "VESPA_URL", ""),
    "qdrant": (qdrant, "QDRANT_URL", "QDRANT_API_KEY"),
    "meilisearch": (meilisearch, "MEILISEARCH_URL", "MEILISEARCH_KEY"),
    "pinecone": (pinecone, "PINECONE_HOST", "PINECONE_API_KEY"),
    "own_service": (own_service, "SEARCH_URL", ""),
}

BY_VECTOR = ("pinecone", "qdrant")


@pytest.fixture
def stubbed(serve, ranking, pages, monkeypatch):
    """Run an example against its stub; return the report, and what the stub was asked."""

    def started(name):
        make, address, key = STUBS[name]
        url, asked = serve(make(pages if name in BY_VECTOR else ranking))
        monkeypatch.setenv(address, url)
        if key:
            monkeypatch.setenv(key, SECRET)
        return run(HERE / f"{name}.yaml", repeats=1), asked

    return started


def test_every_example_is_tried():
    files = {path.stem for path in HERE.glob("*.yaml")}
    assert files == {*STUBS, "callable", "run_file", "typesense"}  # the last in test_typesense.py


@pytest.mark.parametrize("name", sorted(STUBS))
def test_an_example_runs_from_end_to_end(stubbed, name):
    report, asked = stubbed(name)
    ours, theirs = report.runs
    assert ours.name == "bm25"
    assert theirs.status == "completed", theirs.failed
    assert not theirs.failed
    assert theirs.scores["recall@5"] > 0.5  # the ids are those of the corpus
    assert theirs.latency_ms["p50"] > 0
    assert len(asked) >= 7
    assert not [note for note in theirs.notes if "corpus" in note]
    if STUBS[name][2]:  # a key is sent, and shown nowhere
        assert all(SECRET in json.dumps(one.headers) for one in asked)
        assert SECRET not in repr(report)
        assert "${" in json.dumps(theirs.configuration["system"]["headers"])


def test_degraded_answers_of_vespa_are_failures(serve, ranking, monkeypatch):
    """As Vespa's "Graceful Query Coverage Degradation" shows them."""

    def degraded(asked):
        answer = vespa(ranking)(asked)
        parts = {"adaptive-timeout": False, "match-phase": False, "non-ideal-state": False}
        answer["root"]["coverage"] |= {"coverage": 99, "full": False}
        answer["root"]["coverage"]["degraded"] = parts | {"timeout": True}
        return answer

    monkeypatch.setenv("VESPA_URL", serve(degraded)[0])
    report = run(HERE / "vespa.yaml", repeats=1)
    theirs = report.runs[1]
    assert theirs.status == "failed"
    assert "incomplete (root.coverage.degraded" in next(iter(theirs.failed.values()))


def test_stubs_say_that_they_are_stubs(serve, ranking):
    from urllib.request import urlopen

    url, _ = serve(vespa(ranking))
    body = json.dumps({"yql": "userInput(@text)", "text": "badge", "hits": 1}).encode()
    with urlopen(f"{url}/search/", data=body) as answer:
        assert answer.headers["Server"].startswith("stub")
        assert "stub" in json.load(answer)


@pytest.mark.parametrize(("name", "other"), [("callable", "ours"), ("run_file", "recorded")])
def test_an_example_without_a_server_runs(name, other):
    report = run(HERE / f"{name}.yaml", repeats=1)
    theirs = report.runs[1]
    assert theirs.name == other
    assert theirs.scores["recall@5"] == pytest.approx(6 / 7)
    assert bool(theirs.latency_ms) == (name == "callable")


def test_the_recorded_run_is_what_the_function_returns():
    spec = importlib.util.spec_from_file_location("example_search", HERE / "search.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    lines = [line.split() for line in (HERE / "recorded.run").read_text().splitlines()]
    mine = [(one[2], float(one[4])) for one in lines if one[0] == "oncall"]
    found = module.search("paged at night, when do I get the time back", 10)
    assert mine == [(page, round(score, 4)) for page, score in found]
