"""Corpora that were allowed once: after a start with a shorter list nothing reads them."""

import pytest
from tests.server.routes.stored import dataset_of, problem_of, upload

from assay.workspace.locate import Workspace

LEXICAL = {"name": "plain", "search": "lexical"}


@pytest.fixture
def place(tmp_path):
    return Workspace(tmp_path / "w")


@pytest.fixture
def stored(place, tmp_path, make_service, make_client):
    """What was made while a folder was allowed: (corpus, mapping, benchmark)."""
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "apple.md").write_text("Apples grow on trees.")
    client = make_client(make_service(place=place, allow=(f"corpus={docs}",)))
    body = {"name": "docs", "where": {"path": str(docs)}}
    corpus = client.post("/api/v1/corpora", json=body).json()["id"]
    dataset = upload(client, dataset_of(("q1", [{"path": "apple.md"}])))["id"]
    pair = {"dataset": dataset, "corpus": corpus}
    mapping = client.post("/api/v1/mappings", json=pair).json()["id"]
    answer = client.post("/api/v1/benchmarks", json=asked(mapping))
    assert answer.status_code == 201, answer.text
    return corpus, mapping, answer.json()["id"]


def asked(mapping):
    told = {"name": "b", "mappings": [mapping], "configurations": [LEXICAL]}
    return {**told, "settings": {"untimed": True}}


def test_nothing_reads_a_corpus_that_is_not_allowed_any_more(
    stored, place, make_service, make_client
):
    corpus, mapping, benchmark = stored
    service = make_service(place=place)
    client = make_client(service)
    before = len(service.ledger.open_jobs())
    other = upload(client, dataset_of(("q1", [{"path": "apple.md"}]), name="other"))["id"]
    started = f"/api/v1/benchmarks/{benchmark}"
    for path, body in (
        (f"/api/v1/corpora/{corpus}/index", {"configuration": LEXICAL}),
        ("/api/v1/search", {"query": "apples", "corpus": corpus}),
        ("/api/v1/mappings", {"dataset": other, "corpus": corpus}),
        (f"/api/v1/mappings/{mapping}/resolve", None),
        ("/api/v1/plans", asked(mapping)),
        ("/api/v1/benchmarks", asked(mapping)),
        *((f"{started}/{act}", None) for act in ("start", "resume", "retry")),
    ):
        told = problem_of(client.post(path, json=body), 422)
        assert "is not allowed" in told["detail"], (path, told)
    assert len(service.ledger.open_jobs()) == before
    assert client.get(f"/api/v1/corpora/{corpus}").json()["id"] == corpus  # it is still known
    assert client.post(f"{started}/cancel").status_code == 202
    assert client.delete(started).status_code == 200


def test_all_is_as_before_while_it_is_allowed(stored, place, tmp_path, make_service, make_client):
    corpus, mapping, benchmark = stored
    client = make_client(make_service(place=place, allow=(f"corpus={tmp_path}",)))
    for path, body in (
        (f"/api/v1/corpora/{corpus}/index", {"configuration": LEXICAL}),
        (f"/api/v1/mappings/{mapping}/resolve", None),
        ("/api/v1/benchmarks", asked(mapping)),
        (f"/api/v1/benchmarks/{benchmark}/start", None),
    ):
        assert client.post(path, json=body).status_code in (201, 202), path
