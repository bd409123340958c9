"""Vectors that users bring: ranked as the same vectors made here, and as numpy ranks them."""

import json
import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import polars as pl
import pytest

import assay
from assay.errors import InputError
from assay.models.open_embedder import open_embedder
from assay.reports.runs.json.json import json as report_json
from assay.reports.runs.json.read import load_report
from assay.workflows.make import make
from assay.workspace.locate import model_folder

WORDS = "apple pear plum fig melon river boat oar sail harbour steel bridge arch violin bow string"
OURS = {"model": "minilm", "chunker": "whole"}
GIVEN = {"model": "given"}
SEARCHES = {
    "exact": {"search": "dense"},
    "hnsw": {"search": "dense", "dense": "hnsw"},
    "ivf": {"search": "dense", "dense": "ivf"},
    "float16": {"search": "dense", "precision": "float16"},
    "float32": {"search": "dense", "precision": "float32"},
    "hybrid": {"search": "hybrid"},
    "rrf": {"search": "hybrid", "fusion": "rrf", "dense": "hnsw", "precision": "float32"},
    "coherence": {"search": "dense", "coherence": {"gap_margin": 2, "min_drop": 0}},
    "mmr": {"search": "dense", "mmr": {"always": True, "k": 10}},
}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Sixty documents, one of them without a word, and ten queries; with vectors of minilm."""
    home, chance = tmp_path_factory.mktemp("given"), random.Random(7)
    texts = {f"d{at}": " ".join(chance.choices(WORDS.split(), k=12)) for at in range(59)}
    texts["blank"] = ""
    lines = [
        {"_id": key, "title": text[:5] if at % 3 else "", "text": text}
        for at, (key, text) in enumerate(texts.items())
    ]
    (home / "corpus.jsonl").write_text("\n".join(map(json.dumps, lines)))
    asked = {f"q{at}": " ".join(chance.choices(WORDS.split(), k=3)) for at in range(10)}
    queries = [
        {
            "query_key": key,
            "query_text": text,
            "relevant_docs": [
                {"doc_ref": {"document_id": name}, "relevance_grade": 1}
                for name, full in texts.items()
                if text.split()[0] in full and text.split()[1] in full
            ],
        }
        for key, text in asked.items()
    ]
    (home / "queries.json").write_text(json.dumps({"queries": queries}))
    model = open_embedder("minilm", folder=model_folder())
    seen = {
        one["_id"]: "\n".join(filter(None, (one["title"], one["text"])))
        for one in lines
        if one["text"]
    }
    _save(home / "documents", dict(zip(seen, model.embed([*seen.values()]), strict=True)))
    _save(home / "asked", dict(zip(asked, model.embed([*asked.values()], query=True), strict=True)))
    return home


def _save(place, vectors):
    """Write vectors by id, in another order: as an array with a list of ids, and as a table."""
    ids = random.Random(3).sample([*vectors], len(vectors))
    rows = np.stack([vectors[one] for one in ids])
    np.save(place.with_suffix(".npy"), rows)
    place.with_name(f"{place.name}_ids.txt").write_text("\n".join(ids))
    pl.DataFrame({"id": ids, "vector": rows.tolist()}).write_parquet(place.with_suffix(".parquet"))


def benchmark(home, configurations, *, ending="npy", documents=None, queries=None, **more):
    dataset = {"path": str(home / "queries.json")}
    corpus = {"path": str(home / "corpus.jsonl")}
    return {
        "dataset": dataset | {"vectors": str(queries or home / f"asked.{ending}")},
        "corpus": corpus | {"vectors": str(documents or home / f"documents.{ending}")},
        "metrics": ["ndcg@10"],
        "configurations": configurations,
        **more,
    }


def rankings(folder):
    """Read the whole rankings of all runs, with their scores to the last digit."""
    return {
        file.stem: [line.split()[:5] for line in file.read_text().splitlines()]
        for file in folder.iterdir()
    }


@pytest.mark.parametrize(
    ("ending", "names", "how"),
    [
        ("npy", [*SEARCHES], {"untimed": True}),
        ("parquet", ["exact", "hybrid"], {"untimed": True}),
        ("npy", ["hnsw", "rrf"], {"live": True, "asks": 1}),
    ],
)
def test_given_vectors_rank_as_the_same_vectors_made_here(data, tmp_path, ending, names, how):
    made = [
        {"name": f"{kind}-{name}", **SEARCHES[name], **model, "top_k": 50}
        for name in names
        for kind, model in (("made", OURS), ("given", GIVEN))
    ]
    asked = benchmark(data, made, ending=ending)

    report = assay.run(asked, save_runs=tmp_path / "runs", workspace=tmp_path / "ws", **how)

    found = rankings(tmp_path / "runs")
    runs = {name: run.name for run in report.runs for name in (run.name, *run.aliases)}
    for name in names:
        ours, theirs = found[runs[f"made-{name}"]], found[runs[f"given-{name}"]]
        assert len(ours) > 100
        assert ours == theirs, name


def test_clusters_are_ranked_as_numpy_ranks_them(tmp_path):
    made = make("clusters", tmp_path / "made", documents=300, clusters=20, noise=0.9, seed=4)
    chosen = [{"name": "f32", "search": "dense", "model": "given", "precision": "float32"}]
    asked = {"dataset": str(tmp_path / "made"), "configurations": chosen}

    report = assay.run(asked, workspace=tmp_path / "ws", save_runs=tmp_path / "runs", untimed=True)

    found = {}
    for query, _, document, *_ in rankings(tmp_path / "runs")["f32"]:
        found.setdefault(query, []).append(document)
    scores = made.query_vectors.astype(np.float64) @ made.document_vectors.astype(np.float64).T
    names = [one.id for one in made.dataset.documents]
    for query, row in zip(made.dataset.queries, scores, strict=True):
        assert found[query.key] == [names[at] for at in np.argsort(-row, kind="stable")[:100]]
    assert report.corpus["vectors"]["count"] == 300
    assert report.dataset["vectors"]["ids"] is False


def test_clear_clusters_are_found_whole(tmp_path):
    make("clusters", tmp_path / "made", noise=0, spread=0.1, documents=100, clusters=10)
    chosen = [
        {"name": f"{dense}-{precision}", "search": "dense", "model": "given"}
        | {"dense": dense, "precision": precision}
        for dense in ("exact", "hnsw", "ivf")
        for precision in ("int8", "float16", "float32")
    ]
    asked = {"dataset": str(tmp_path / "made"), "configurations": chosen}
    asked["metrics"] = ["recall@10", "ndcg@10"]

    report = assay.run(asked, workspace=tmp_path / "ws", untimed=True)

    assert {score for run in report.runs for score in run.scores.values()} == {1.0}


def test_no_embedding_is_timed_and_the_report_says_so(data, tmp_path):
    chosen = [
        {"name": "given", "search": "dense", "model": "given"},
        {"name": "other", "search": "dense", "model": "given", "precision": "float32"},
        {"name": "static", "search": "dense", "model": "static"},
        {"name": "words", "search": "lexical"},
    ]
    budgets = {"latency_p95_ms": 10_000, "index_seconds": 10_000}
    asked = benchmark(data, chosen, budgets=budgets)

    report = load_report(
        json.dumps(report_json(assay.run(asked, workspace=tmp_path / "ws"))).encode()
    )

    runs = {run.name: run for run in report.runs}
    given, static = runs["given"], runs["static"]
    assert given.latency_ms["query_vectors"] == "given"
    assert "embed" in static.latency_ms["stages"]
    assert "embed" not in given.latency_ms["stages"]
    assert given.indexing["given_vectors"] == 59
    assert not given.indexing["seconds_complete"]
    assert {name: one["state"] for name, one in given.budgets.items()} == dict.fromkeys(
        budgets, "unknown"
    )
    assert report.recommendations["fastest"] is None
    noted = [note for note in report.notes if "do not include embedding" in note]
    assert len(noted) == 1
    assert '"given" and "other"' in noted[0]


def test_live_searches_leave_the_lookup_out(data, tmp_path):
    chosen = [{"name": "given", "search": "dense", "model": "given"}]

    (run,) = assay.run(benchmark(data, chosen), workspace=tmp_path / "ws", live=True).runs

    assert run.latency_ms["query_vectors"] == "given"
    assert "embed" not in run.latency_ms["stages"]


def test_a_document_without_a_word_is_found_by_its_vector(data, tmp_path):
    rows = np.load(data / "documents.npy")
    query = np.load(data / "asked.npy")[:1]
    asked = (data / "asked_ids.txt").read_text().split()[0]
    np.save(tmp_path / "more.npy", np.concatenate([rows, query]))
    ids = (data / "documents_ids.txt").read_text().split()
    (tmp_path / "more_ids.txt").write_text("\n".join([*ids, "blank"]))
    chosen = [{"name": "given", "search": "dense", "model": "given"}]
    chosen += [{"name": "both", "search": "hybrid", "model": "given"}]

    report = assay.run(
        benchmark(data, chosen, documents=tmp_path / "more.npy"),
        workspace=tmp_path / "ws",
        untimed=True,
    )

    assert report.runs[0].rankings[asked][0] == "blank"
    assert all(run.indexing["documents"] == 60 for run in report.runs)
    assert all(run.indexing["chunks"] == 60 for run in report.runs)


def test_other_vectors_are_other_work_and_other_queries_leave_the_index(data, tmp_path):
    chosen = [{"name": "given", "search": "dense", "model": "given", "precision": "float32"}]
    names = {"documents": "documents", "queries": "asked"}
    for name in names.values():
        np.save(tmp_path / f"{name}.npy", np.load(data / f"{name}.npy"))
        ids = (data / f"{name}_ids.txt").read_text()
        (tmp_path / f"{name}_ids.txt").write_text(ids)
    places = {key: tmp_path / f"{name}.npy" for key, name in names.items()}

    def run():
        report = assay.run(
            benchmark(data, chosen, **places), workspace=tmp_path / "ws", untimed=True
        )
        built = {one.name for one in (tmp_path / "ws" / "builds").iterdir() if one.is_dir()}
        return report.runs[0], built

    first, before = run()
    rows = np.load(tmp_path / "asked.npy")
    np.save(tmp_path / "asked.npy", rows[::-1])
    second, same = run()
    assert same == before
    assert second.fingerprint != first.fingerprint
    assert second.rankings != first.rankings
    np.save(tmp_path / "documents.npy", np.load(tmp_path / "documents.npy")[::-1])
    third, after = run()
    assert len(after) == len(before) + 1
    assert third.rankings not in (first.rankings, second.rankings)
    np.save(tmp_path / "asked.npy", rows)
    np.save(tmp_path / "documents.npy", np.load(tmp_path / "documents.npy")[::-1])
    again, _ = run()
    assert (again.fingerprint, again.rankings) == (first.fingerprint, first.rankings)


def test_each_of_several_datasets_has_its_own_vectors(tmp_path):
    for name, size in (("small", 4), ("large", 16)):
        make("clusters", tmp_path / name, documents=40, clusters=8, dimensions=size, queries=9)
    chosen = [{"name": "given", "search": "dense", "model": "given"}]
    asked = {"datasets": [str(tmp_path / "small"), str(tmp_path / "large")]}

    report = assay.run(asked | {"configurations": chosen}, workspace=tmp_path / "ws", untimed=True)

    alone = {
        name: assay.run(
            {"dataset": str(tmp_path / name), "configurations": chosen},
            workspace=tmp_path / "ws",
            untimed=True,
        )
        for name in ("small", "large")
    }
    rankings = {
        f"{name}/{key}": found
        for name, one in alone.items()
        for key, found in one.runs[0].rankings.items()
    }
    assert report.runs[0].rankings == rankings
    assert report.runs[0].indexing["given_vectors"] == 80
    assert any("do not include embedding" in note for note in report.notes)
    told = report.dataset["collections"]
    assert [told[name]["vectors"]["dimension"] for name in ("small", "large")] == [4, 16]


def test_several_processes_and_a_sample_see_the_same_vectors(tmp_path):
    make("clusters", tmp_path / "made", documents=60, clusters=12, noise=1.5)
    chosen = [
        {"name": name, "search": "dense", "model": "given", "dense": name}
        for name in ("exact", "hnsw")
    ]
    asked = {"dataset": str(tmp_path / "made"), "configurations": chosen}

    alone = assay.run(asked, workspace=tmp_path / "one", untimed=True).runs[0].rankings
    shared = assay.run(asked, workspace=tmp_path / "two", untimed=True, parallel=2)
    some = assay.run(asked, workspace=tmp_path / "one", untimed=True, sample=10).runs[0].rankings

    assert shared.runs[0].rankings == alone
    assert len(some) == 10
    assert some == {key: alone[key] for key in some}


def test_a_store_ranks_given_vectors_as_our_own_index(data, tmp_path):
    chosen = [
        {"name": "own", "search": "dense", "model": "given", "precision": "float32"},
        {"name": "store", "search": "dense", "model": "given", "system": {"kind": "lancedb"}},
    ]

    report = assay.run(benchmark(data, chosen), workspace=tmp_path / "ws", untimed=True)

    own, store = report.runs
    assert own.rankings == store.rankings
    assert own.ranking_scores == store.ranking_scores


def test_a_system_is_asked_with_given_vectors_and_needs_none_of_documents(data, tmp_path):
    received = {}

    class Handler(BaseHTTPRequestHandler):  # plays a search service
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            received[asked["id"]] = asked["vector"]
            body = json.dumps({"hits": [{"_id": "d1", "_score": 1.0}]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        system = {
            "kind": "http",
            "url": f"http://127.0.0.1:{server.server_port}/",
            "request": {"id": "{id}", "vector": "{vector}"},
            "response": {"hits": "hits", "document": "_id", "score": "_score"},
            "model": "given",
        }
        asked = benchmark(data, [{"name": "service", "system": system}])
        del asked["corpus"]["vectors"]
        report = assay.run(asked, workspace=tmp_path / "ws")
    finally:
        server.shutdown()
        server.server_close()

    ids = (data / "asked_ids.txt").read_text().split()
    rows = np.load(data / "asked.npy").astype(float).tolist()
    assert received == dict(zip(ids, rows, strict=True))
    assert report.runs[0].latency_ms["query_vectors"] == "given"


def test_a_file_that_is_written_to_while_it_is_indexed_fails_the_run(data, tmp_path, monkeypatch):
    from assay.models.given import _row_file

    np.save(tmp_path / "documents.npy", np.load(data / "documents.npy"))
    ids = (data / "documents_ids.txt").read_text()
    (tmp_path / "documents_ids.txt").write_text(ids)
    chosen = [{"name": "given", "search": "dense", "model": "given"}]
    read = _row_file.RowFile.read

    def reading(self, start, count):
        if count == 1 and self.name.endswith("documents.npy"):  # not the check, but the index
            with (tmp_path / "documents.npy").open("r+b") as file:
                file.truncate(500)
        return read(self, start, count)

    monkeypatch.setattr(_row_file.RowFile, "read", reading)
    with pytest.raises(InputError, match="changed while it was read"):
        assay.run(
            benchmark(data, chosen, documents=tmp_path / "documents.npy"),
            workspace=tmp_path / "ws",
            untimed=True,
        )


def test_index_and_health_take_given_vectors_and_a_typed_query_has_none(tmp_path):
    make("clusters", tmp_path / "made", documents=200, clusters=20)
    chosen, notes = {"search": "dense", "model": "given"}, []
    where = {"configuration": chosen, "workspace": tmp_path / "ws"}

    done = assay.index(tmp_path / "made", note=notes.append, **where)
    assert (done.documents, done.chunks, done.embedded) == (200, 200, 200)
    assert "order of the corpus" in notes[0]
    assert assay.index(tmp_path / "made", **where).embedded == 0
    looked = assay.health(tmp_path / "made", dataset=tmp_path / "made", **where)
    assert looked.embedding["model"] == "given"
    assert looked.embedding["pairs_from"].startswith("50 queries")
    found = {one.section for one in looked.findings}
    assert {"embedding", "recall", "coverage"} <= found
    assert "chunks" not in found  # its texts are placeholders, which no search reads
    with pytest.raises(InputError, match="a typed query has no vector"):
        assay.search(tmp_path / "made", "anything", **where)
    (tmp_path / "made" / "document_vectors.npy").unlink()
    with pytest.raises(InputError, match="the corpus brings no vectors"):
        assay.index(tmp_path / "made", **where)
