import pytest
from tests.server.routes.stored import all_items, dataset_of, problem_of, upload

BASE = "/api/v1/mappings"


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    for name in ("a/setup.md", "b/setup.md", "guide.md", "other.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"about {name}")
    return folder


@pytest.fixture
def settings(docs):
    return {"allow": (f"corpus={docs}",)}


@pytest.fixture
def body(client, docs):
    """A dataset with a reference that is found, an ambiguous one, and one to nothing."""
    file = dataset_of(
        ("q1", [{"path": "guide.md"}]),
        ("q2", [{"file_name": "setup.md"}]),
        ("q3", [{"path": "gone.md"}]),
    )
    where = {"name": "docs", "where": {"path": str(docs)}}
    corpus = client.post("/api/v1/corpora", json=where).json()
    return {"dataset": upload(client, file)["id"], "corpus": corpus["id"]}


@pytest.fixture
def path(client, body, wait_for_job):
    """A mapping that was resolved, as far as it could be."""
    made = client.post(BASE, json=body).json()
    wait_for_job(made["job"]["id"])
    return f"{BASE}/{made['id']}"


def counts(client, path):
    found = client.get(path).json()
    return [found[name] for name in ("state", "total", "resolved", "ambiguous", "missing")]


class TestCreate:
    def test_is_pending_until_its_job_has_resolved_it(self, client, body, wait_for_job):
        answer = client.post(BASE, json=body)
        assert answer.status_code == 201
        made = answer.json()
        assert (made["state"], made["version"], made["job"]["state"]) == ("pending", 1, "pending")
        wait_for_job(made["job"]["id"])
        path = answer.headers["location"]
        assert counts(client, path) == ["partial", 3, 1, 1, 1]
        assert client.get(path).json()["job"]["state"] == "completed"
        assert client.get(f"/api/v1/corpora/{body['corpus']}").json()["documents"] == 4

    def test_of_a_dataset_with_documents_is_resolved(self, client, wait_for_job):
        made = upload(client)
        mapping = client.post(BASE, json={"dataset": made["id"], "corpus": made["id"]}).json()
        wait_for_job(mapping["job"]["id"])
        assert counts(client, f"{BASE}/{mapping['id']}") == ["resolved", 2, 2, 0, 0]

    def test_shows_why_its_job_has_failed(self, client, body, docs, wait_for_job):
        from assay.errors import InputError

        made = client.post(BASE, json=body).json()
        docs.rename(docs.with_name("elsewhere"))
        with pytest.raises(InputError):
            wait_for_job(made["job"]["id"])
        found = client.get(f"{BASE}/{made['id']}").json()
        assert (found["state"], found["job"]["state"]) == ("pending", "failed")
        assert "docs" in found["job"]["error"]

    def test_of_the_same_pair_is_refused(self, client, body):
        client.post(BASE, json=body)
        problem_of(client.post(BASE, json=body), 409)

    def test_with_the_same_key_is_one_mapping_with_one_job(self, client, body):
        key = {"Idempotency-Key": "k"}
        first = client.post(BASE, json=body, headers=key)
        again = client.post(BASE, json=body, headers=key)
        assert (again.status_code, again.json()) == (201, first.json())
        assert len(client.get("/api/v1/jobs").json()["items"]) == 1
        other = upload(client)["id"]
        answer = client.post(BASE, json={**body, "dataset": other}, headers=key)
        problem_of(answer, 409)

    @pytest.mark.parametrize(
        ("change", "status"),
        [
            ({"dataset": "000000000000"}, 404),
            ({"corpus": "000000000000"}, 404),
            ({"corpus": ""}, 422),
            ({"version": 2}, 404),
            ({"version": 0}, 422),
            ({"version": True}, 422),
            ({"versoin": 1}, 422),
        ],
    )
    def test_of_what_is_unknown_is_refused(self, client, body, change, status):
        problem_of(client.post(BASE, json={**body, **change}), status)
        assert client.get(BASE).json()["items"] == []

    def test_requires_an_editor(self, client, body):
        client.role("viewer")
        problem_of(client.post(BASE, json=body), 403)


class TestUnresolved:
    def test_lists_reasons_and_candidates(self, client, path):
        first, second = client.get(f"{path}/unresolved").json()["items"]
        assert first == {
            "query_key": "q2",
            "reference": {"file_name": "setup.md"},
            "reason": "ambiguous",
            "candidates": ["a/setup.md", "b/setup.md"],
        }
        assert (second["query_key"], second["reason"]) == ("q3", "not_found")

    def test_is_paged(self, client, path):
        found = all_items(client, f"{path}/unresolved", limit=1)
        assert [one["query_key"] for one in found] == ["q2", "q3"]


class TestChoices:
    def test_resolve_a_reference_at_once_and_for_good(self, client, path, wait_for_job):
        tag = client.get(path).headers["etag"]
        body = {"reference": {"file_name": "setup.md"}, "document": "b/setup.md"}
        answer = client.post(f"{path}/choices", json=body, headers={"If-Match": tag})
        assert (answer.status_code, answer.json()["resolved"]) == (200, 2)
        gone = {"reference": {"path": "gone.md"}, "document": "other.md"}
        client.post(f"{path}/choices", json=gone)
        assert counts(client, path) == ["resolved", 3, 3, 0, 0]
        assert client.get(f"{path}/unresolved").json()["items"] == []
        wait_for_job(client.post(f"{path}/resolve").json()["id"])
        assert counts(client, path) == ["resolved", 3, 3, 0, 0]
        listed = client.get(f"{path}/choices").json()["items"]
        told = [(one["reference"], one["document"], one["author"]) for one in listed]
        assert told[0] == ({"file_name": "setup.md"}, "b/setup.md", "Ada")

    def test_are_taken_back(self, client, path):
        body = {"reference": {"file_name": "setup.md"}, "document": "b/setup.md"}
        client.post(f"{path}/choices", json=body)
        undo = {"reference": {"file_name": "setup.md"}}
        assert client.post(f"{path}/choices/undo", json=undo).json()["resolved"] == 1
        problem_of(client.post(f"{path}/choices/undo", json=undo), 404)

    def test_of_a_document_that_has_gone_count_as_unresolved(
        self, client, path, docs, wait_for_job
    ):
        body = {"reference": {"path": "gone.md"}, "document": "other.md"}
        client.post(f"{path}/choices", json=body)
        (docs / "other.md").unlink()
        wait_for_job(client.post(f"{path}/resolve").json()["id"])
        assert counts(client, path) == ["partial", 3, 1, 1, 1]
        ambiguous, missing = client.get(f"{path}/unresolved").json()["items"]
        assert missing["chosen_document"] == "other.md"
        assert "chosen_document" not in ambiguous

    def test_of_a_document_that_the_corpus_does_not_have_are_refused(self, client, path):
        body = {"reference": {"path": "gone.md"}, "document": "c/guide.md"}
        told = problem_of(client.post(f"{path}/choices", json=body), 422)
        assert told["detail"] == 'the corpus has no document "c/guide.md"'
        assert '"guide.md"' in told["hint"]
        nothing = {**body, "document": "nothing/like/it"}
        assert "candidate" in problem_of(client.post(f"{path}/choices", json=nothing), 422)["hint"]
        assert counts(client, path) == ["partial", 3, 1, 1, 1]
        assert client.get(f"{path}/choices").json()["items"] == []

    def test_in_a_large_corpus_are_checked_by_the_next_resolving(
        self, client, path, wait_for_job, monkeypatch
    ):
        monkeypatch.setattr("assay.workflows.service.keep_mapping.MOST", 3)
        body = {"reference": {"path": "gone.md"}, "document": "never.md"}
        assert client.post(f"{path}/choices", json=body).json()["resolved"] == 2
        wait_for_job(client.post(f"{path}/resolve").json()["id"])
        assert counts(client, path) == ["partial", 3, 1, 1, 1]

    @pytest.mark.parametrize(
        ("sent", "status"),
        [
            ({"reference": {"path": "guide.md"}, "document": "other.md"}, 404),
            ({"reference": {}, "document": "other.md"}, 422),
            ({"reference": {"file_name": "setup.md"}, "document": ""}, 422),
            ({"reference": {"file_name": "setup.md"}, "document": " "}, 422),
            ({"reference": {"file_name": "setup.md"}}, 422),
        ],
    )
    def test_that_are_wrong_are_refused(self, client, path, sent, status):
        problem_of(client.post(f"{path}/choices", json=sent), status)

    def test_of_another_revision_are_refused(self, client, path):
        body = {"reference": {"file_name": "setup.md"}, "document": "b/setup.md"}
        answer = client.post(f"{path}/choices", json=body, headers={"If-Match": '"r1"'})
        problem_of(answer, 412)


class TestResolve:
    def test_is_one_job_while_it_waits_and_another_one_later(self, client, body, wait_for_job):
        made = client.post(BASE, json=body).json()
        path = f"{BASE}/{made['id']}/resolve"
        answer = client.post(path)
        assert (answer.status_code, answer.json()["id"]) == (202, made["job"]["id"])
        wait_for_job(made["job"]["id"])
        again = client.post(path).json()
        assert again["id"] != made["job"]["id"]
        assert client.get(f"{BASE}/{made['id']}").json()["job"]["id"] == again["id"]

    def test_of_an_unknown_mapping_is_not_found(self, client):
        problem_of(client.post(f"{BASE}/000000000000/resolve"), 404)
        assert client.get("/api/v1/jobs").json()["items"] == []


class TestDelete:
    def test_is_refused_while_a_benchmark_uses_it(self, client, path, service):
        mapping = path.rpartition("/")[2]
        told = {"name": "b", "about": {}, "runs": ["r"], "job": {}, "author": "Ada"}
        benchmark, _ = service.ledger.create(**told, mappings=[mapping])
        assert benchmark in problem_of(client.delete(path), 409)["hint"]

    def test_hides_it_until_it_is_brought_back(self, client, path):
        assert client.delete(path).json()["deleted"]
        problem_of(client.get(path), 404)
        assert len(client.get(BASE, params={"deleted": True}).json()["items"]) == 1
        assert client.post(f"{path}/undelete").json()["state"] == "partial"
        problem_of(client.post(f"{path}/undelete"), 404)


class TestList:
    def test_is_filtered_by_dataset_corpus_and_state(self, client, path, body):
        made = upload(client)
        client.post(BASE, json={"dataset": made["id"], "corpus": made["id"]})
        for parameters, number in (
            ({}, 2),
            ({"dataset": body["dataset"]}, 1),
            ({"corpus": made["id"], "dataset": body["dataset"]}, 0),
            ({"state": "partial"}, 1),
            ({"state": "resolved"}, 0),
            ({"dataset": "'; --"}, 0),
        ):
            found = all_items(client, BASE, limit=1, **parameters)
            assert len(found) == number, parameters
        problem_of(client.get(BASE, params={"state": "odd"}), 422)
