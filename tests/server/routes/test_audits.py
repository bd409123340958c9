"""The audit of a dataset with a corpus: one that is allowed, was read, and is not too large."""

import pytest
from tests.server.routes.stored import dataset_of, problem_of, upload

from assay.server import computing
from assay.workflows.jobs.perform import perform
from assay.workflows.service import audit_stored


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "docs").mkdir()
    for name in ("apple", "pear"):
        (tmp_path / "docs" / f"{name}.md").write_text(f"The {name} grows on a tree.")
    return tmp_path / "docs"


@pytest.fixture
def service(docs, make_service):
    return make_service(allow=(f"corpus={docs}",))


@pytest.fixture
def audit(client, docs, service):
    """Ask for the audit of a dataset with a corpus, which a mapping may have read before."""
    corpus = client.post("/api/v1/corpora", json={"name": "c", "where": {"path": str(docs)}})
    dataset = upload(client, dataset_of(("q1", [{"path": "apple.md"}])))["id"]
    pair = {"dataset": dataset, "corpus": corpus.json()["id"]}

    def ask(*, read, by=client):
        if read:
            mapping = client.post("/api/v1/mappings", json=pair).json()
            perform(service.ledger.job(mapping["job"]["id"]), service.place)
        return by.get(f"/api/v1/datasets/{dataset}/audit", params={"corpus": pair["corpus"]})

    return ask


def test_of_a_small_corpus_reads_it(audit):
    assert audit(read=True).json()["documents"] == 2


def test_of_a_corpus_that_was_never_read_is_refused(audit):
    assert "mapping" in problem_of(audit(read=False), 409)["hint"]


def test_of_a_large_corpus_is_refused(audit, monkeypatch):
    monkeypatch.setattr(audit_stored, "MOST", 1)
    told = problem_of(audit(read=True), 409)
    assert "more than 1 documents" in told["detail"]
    assert "assay dataset audit FILE" in told["hint"]


def test_of_a_corpus_that_is_not_allowed_any_more_is_refused(
    audit, service, make_service, make_client
):
    assert audit(read=True).status_code == 200
    narrowed = make_client(make_service(place=service.place))
    assert "is not allowed" in problem_of(audit(read=False, by=narrowed), 422)["detail"]


def test_takes_turns(audit, service, monkeypatch):
    monkeypatch.setattr(computing, "WAIT_S", 0)
    while service.heavy.take(0):
        pass
    problem_of(audit(read=False), 503)
