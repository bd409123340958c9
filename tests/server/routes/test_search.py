import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from http import HTTPStatus
from itertools import islice

import pytest
from tests.server.routes.small_benchmark import make_mapping

from assay.server import computing
from assay.server.state import HEAVY, WAITING
from assay.workflows.service import search_stored

PATH = "/api/v1/search"
LEXICAL = {"search": "lexical"}
STATIC = {"search": "dense", "model": "static"}


@pytest.fixture
def mapping(service):
    """A mapping whose corpus was read, as it is after resolving."""
    made = make_mapping(service)
    corpus = service.store.mappings.get(made).corpus
    service.store.corpora.note_reading(
        corpus, fingerprint="x", documents=6, skipped={}, revision=None, author="Ada"
    )
    return made


def test_the_answer_is_that_of_the_command(client, service, mapping):
    body = {"query": "fruit plum", "configuration": LEXICAL, "k": 2, "explain": True}
    by_mapping = client.post(PATH, json={**body, "mapping": mapping})
    assert by_mapping.status_code == HTTPStatus.OK, by_mapping.text
    found = by_mapping.json()
    assert found["hits"][0]["document"] == "plum.txt"
    assert (len(found["hits"]), found["documents"]) == (2, 6)
    assert "terms" in str(found["hits"][0]["stages"])
    corpus = service.store.mappings.get(mapping).corpus
    again = client.post(PATH, json={**body, "corpus": corpus}).json()
    assert [one["document"] for one in again["hits"]] == [one["document"] for one in found["hits"]]


def test_overrides_of_coherence_answer_with_the_receipt(client, mapping):
    body = {"query": "a plum", "mapping": mapping, "configuration": STATIC}
    assert "receipt" not in client.post(PATH, json=body).json()
    found = client.post(PATH, json={**body, "overrides": {"alpha": 0.3, "gap_margin": 0}})
    assert found.status_code == HTTPStatus.OK, found.text
    assert found.json()["receipt"], found.json()
    easy = client.post(PATH, json={**body, "overrides": {"alpha": 0.3}}).json()
    assert easy["receipt"], easy
    mixed = client.post(PATH, json={**body, "overrides": {"mmr.k": 3, "mmr.always": True}}).json()
    assert mixed["mmr"]["k"] == 3


def test_a_document_that_was_lost(client, mapping):
    body = {"query": "plum", "mapping": mapping, "configuration": LEXICAL, "k": 1}
    found = client.post(PATH, json={**body, "why_not": "apple.txt"}).json()
    assert found["why_not"]["stage"]


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        ({"configuration": {"serch": 1}}, 422, "serch"),
        ({"configuration": {"system": {"kind": "callable", "function": "os:system"}}}, 422, "os"),
        ({"configuration": {"model": "/etc"}}, 422, "not allowed"),
        ({"configuration": {"stop_words": "/etc/passwd"}}, 422, "files"),
        ({"overrides": {"alpha": 7}}, 422, "alpha"),
        ({"overrides": {"beta": 1}}, 422, "beta"),
        ({"overrides": {"x.y": 1}}, 422, "x"),
        ({"k": 0}, 422, "k"),
        ({"query": None}, 422, "query"),
        ({"query": " \n"}, 422, "blank"),
        ({"query": ""}, 422, "blank"),
        ({"corpus": "both"}, 422, "either"),
        ({"mapping": "unknown"}, 404, "unknown"),
        ({"mapping": None}, 422, "either"),
    ],
)
def test_what_cannot_be_searched_is_refused(client, mapping, change, status, told):
    body = {"query": "plum", "mapping": mapping, "configuration": LEXICAL, **change}
    answer = client.post(PATH, json={key: one for key, one in body.items() if one is not None})
    assert (answer.status_code, told in answer.text) == (status, True), answer.text


def test_a_large_corpus_is_indexed_by_a_job_first(client, service, mapping, monkeypatch):
    monkeypatch.setattr(search_stored, "SMALL", 5)
    body = {"query": "plum", "mapping": mapping, "configuration": LEXICAL}
    refused = client.post(PATH, json=body)
    assert refused.status_code == HTTPStatus.CONFLICT
    assert "index" in refused.json()["hint"]
    monkeypatch.setattr(search_stored, "SMALL", 6)
    client.post(PATH, json=body)
    monkeypatch.setattr(search_stored, "SMALL", 5)
    assert client.post(PATH, json=body).status_code == HTTPStatus.OK


def test_a_viewer_searches_what_is_indexed_and_builds_nothing(client, service, mapping):
    body = {"query": "plum", "mapping": mapping, "configuration": {**LEXICAL, "chunk_size": 50}}
    refused = client.role("viewer").post(PATH, json=body)
    assert refused.status_code == HTTPStatus.CONFLICT, refused.text
    corpus = service.store.mappings.get(mapping).corpus
    assert f"an editor can index it: POST /api/v1/corpora/{corpus}/index" in refused.json()["hint"]
    assert not service.place.indexes.exists()
    assert client.role("editor").post(PATH, json=body).status_code == HTTPStatus.OK
    folders = [*service.place.indexes.iterdir()]
    found = client.role("viewer").post(PATH, json={**body, "query": "pear"})
    assert found.json()["hits"][0]["document"] == "pear.txt"
    other = {**body, "configuration": {**LEXICAL, "chunk_size": 60}}
    assert client.post(PATH, json=other).status_code == HTTPStatus.CONFLICT
    assert [*service.place.indexes.iterdir()] == folders


def test_a_corpus_that_is_allowed_no_more(client, service, mapping):
    where = {"path": "/etc"}
    corpus = service.store.corpora.create("system", where, author="Ada")
    answer = client.post(PATH, json={"query": "root", "corpus": corpus.id})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "not allowed" in answer.text


def test_no_more_computations_than_the_service_has_room_for(client, service, mapping, monkeypatch):
    monkeypatch.setattr(computing, "WAIT_S", 0.01)
    body = {"query": "plum", "mapping": mapping, "configuration": LEXICAL}
    while service.heavy.take(0):
        pass
    busy = client.post(PATH, json=body)
    assert (busy.status_code, busy.headers["retry-after"]) == (503, "5")
    service.heavy.give_back()
    assert client.post(PATH, json=body).status_code == HTTPStatus.OK
    assert service.heavy.take(0)  # it was given back


def test_searches_that_wait_leave_threads_for_other_requests(client, service, mapping):
    """More searches than the service has threads (40) while both places are taken."""
    body = {"query": "plum", "mapping": mapping, "configuration": LEXICAL}
    while service.heavy.take(0):
        pass
    with ThreadPoolExecutor(60) as threads:
        searches = [threads.submit(client.post, PATH, json=body) for _ in range(60)]
        refused = [one.result() for one in islice(as_completed(searches, timeout=10), 60 - WAITING)]
        began = time.monotonic()
        for path in ("/health/live", "/api/v1/lists/metrics", "/api/v1/tokens", "/api/v1/datasets"):
            assert client.get(path).status_code == HTTPStatus.OK, path
        refused.append(client.post(PATH, json=body))
        assert time.monotonic() - began < 5
        for _ in range(HEAVY):
            service.heavy.give_back()
    assert {(one.status_code, one.headers["retry-after"]) for one in refused} == {(503, "5")}
    assert sum(one.result().status_code == HTTPStatus.OK for one in searches) == WAITING
