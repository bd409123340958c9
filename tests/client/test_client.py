"""The verbs of the client, against the real application over a real connection."""

import json

import pytest

from assay.client import Client
from assay.errors import (
    AccessError,
    ConflictError,
    InputError,
    NotFoundError,
    ProblemsError,
    StaleError,
)
from assay.records.service import DatasetEntry, NewJudgment

DOCUMENTS = [
    {"id": f"d{at}", "path": f"d{at}.md", "text": f"page {at} about word{at} and others"}
    for at in range(12)
]
QUERIES = [
    {
        "query_key": f"q{at}",
        "query_text": f"word{at}",
        "relevant_docs": [{"doc_ref": {"document_id": f"d{at}"}, "relevance_grade": 3}],
    }
    for at in range(12)
]
BENCHMARK = {
    "configurations": [
        {"name": "words", "search": "lexical"},
        {"name": "other", "search": "lexical", "k1": 0.6},
    ],
    "metrics": ["ndcg@10"],
    "settings": {"untimed": True},
}


def content(name="pages", *, documents=DOCUMENTS, queries=QUERIES):
    told = {"schema_version": "1.0", "metadata": {"name": name}, "queries": queries}
    return json.dumps(told | ({"documents": documents} if documents else {})).encode()


@pytest.fixture
def dataset(client, request):
    return client.datasets.upload(content(request.node.name[:100]))


@pytest.fixture
def mapping(client, dataset, work):
    made = client.mappings.create(dataset.id, dataset.id)
    work()
    return client.mappings.wait(made.id, timeout_s=60)


def test_a_dataset_is_uploaded_listed_renamed_and_exported(client, dataset):
    assert isinstance(dataset, DatasetEntry)
    assert (dataset.version.queries, dataset.version.documents) == (12, 12)
    assert client.datasets.get(dataset.id) == dataset
    assert client.datasets.find(dataset.name) == dataset
    renamed = client.datasets.rename(dataset.id, "Fragen \u00fcber W\u00f6rter")
    assert client.datasets.find("Fragen \u00fcber W\u00f6rter").revision == renamed.revision
    exported = json.loads(client.datasets.export(dataset.id))
    assert len(exported["queries"]) == 12
    assert [one["query_key"] for one in client.datasets.queries(dataset.id)][:2] == ["q0", "q1"]


def test_the_same_key_uploads_once(client):
    first = client.datasets.upload(content("once"), key="k1")
    assert client.datasets.upload(content("once"), key="k1") == first
    with pytest.raises(ConflictError):
        client.datasets.upload(content("once"), key="k2")


def test_a_replaced_dataset_has_a_second_version(client, dataset):
    new = client.datasets.replace(dataset.id, content(documents=[]), revision=dataset.revision)
    assert new.version.number == 2
    with pytest.raises(StaleError):
        client.datasets.replace(dataset.id, content(), revision=dataset.revision)
    assert [one.number for one in client.datasets.versions(dataset.id)] == [2, 1]


def test_all_problems_of_a_file_are_raised_at_once(client):
    wrong = [{**one, "relevant_docs": [{"doc_ref": "d", "relevance_grade": 9}]} for one in QUERIES]
    with pytest.raises(ProblemsError) as caught:
        client.datasets.upload(content(queries=wrong))
    assert caught.value.count == 12
    assert 'query "q0"' in str(caught.value)


def test_lists_are_read_to_their_end(client, monkeypatch):
    monkeypatch.setattr("assay.client.connection.PAGE", 2)
    made = {client.datasets.upload(content(f"many {at}", documents=[])).id for at in range(5)}
    assert {one.id for one in client.datasets.list(contains="many ")} == made


def test_deleted_and_undeleted(client, dataset):
    client.datasets.delete(dataset.id)
    with pytest.raises(NotFoundError):
        client.datasets.get(dataset.id)
    assert client.datasets.undelete(dataset.id).id == dataset.id


def test_an_unclear_reference_is_chosen_by_hand(client, work):
    queries = [*QUERIES[:3], {**QUERIES[3], "relevant_docs": [{"doc_ref": "nowhere.md"}]}]
    dataset = client.datasets.upload(content("unclear", queries=queries))
    made = client.mappings.create(dataset.id, dataset.id)
    work()
    mapping = client.mappings.wait(made.id, timeout_s=60)
    assert (mapping.state, mapping.missing) == ("partial", 1)
    (left,) = client.mappings.unresolved(mapping.id)
    assert (left.query, left.reference.name, left.reason) == ("q3", "nowhere.md", "not_found")
    client.mappings.choose(mapping.id, left.reference, "d3")
    client.mappings.resolve(mapping.id)
    work()
    assert client.mappings.wait(mapping.id, timeout_s=60).state == "resolved"


def test_a_benchmark_from_its_plan_to_its_results(client, mapping, working):
    request = {**BENCHMARK, "mappings": [mapping.id], "name": "life"}
    assert len(client.benchmarks.plan(request)["runs"]) == 2
    created = client.benchmarks.create(request)
    assert (created.state, list(created.runs)) == ("pending", ["words", "other"])
    with working():
        started = client.benchmarks.start(created.id, key="start")
        assert started.state == "running"
        seen = []
        ended = client.benchmarks.wait(created.id, progress=seen.append, timeout_s=100)
    assert ended.state == seen[-1].state == "completed"
    assert ended.reported
    assert [one.state for one in client.benchmarks.runs(created.id)] == ["completed"] * 2
    report = json.loads(client.benchmarks.report(created.id))
    assert [one["name"] for one in report["runs"]] == ["words", "other"]
    assert "per_query" not in client.benchmarks.results(created.id)["runs"][0]
    rows = [*client.benchmarks.query_results(created.id, "words")]
    assert len(rows) == 12
    assert rows[0]["scores"]["ndcg@10"] == 1.0
    assert [*client.benchmarks.query_results(created.id, "words", failed=True)] == []
    assert b"<svg" in client.benchmarks.chart(created.id, "scores")
    assert client.benchmarks.rankings(created.id, "words").startswith(b"q0 Q0 d0 1 ")
    assert b"words" in client.benchmarks.report(created.id, format="csv", table="scores")
    assert client.gate(created.id, created.id)["outcome"] == "pass"
    assert client.gate({"report": report}, created.id, allow=["ndcg@10:5%"])["outcome"] == "pass"
    assert client.gate(None, created.id, min={"ndcg@10": 0.5})["outcome"] == "pass"
    sides = {"benchmark": created.id, "run": "words"}, {"benchmark": created.id, "run": "other"}
    assert client.compare(sides[0], [sides[1]], flips=100)["candidates"]
    assert client.benchmarks.retry(created.id) == 0
    with pytest.raises(ConflictError):
        client.benchmarks.start(created.id, key="another")
    client.benchmarks.delete(created.id)
    assert created.id not in {one.id for one in client.benchmarks.list()}
    assert client.benchmarks.undelete(created.id).id == created.id


def test_versions_of_a_dataset_are_made_by_edits_and_restored(client, dataset):
    query = {**QUERIES[0], "query_text": "another text"}
    edited = client.datasets.edit(dataset.id, put=[query], remove=["q11"], note="shorter")
    assert (edited.version.number, edited.version.queries) == (2, 11)
    graded = client.datasets.grade(dataset.id, "q1", "d2", 1, revision=edited.revision)
    assert graded.version.changes.judgments.added == 1
    texts = [one["query"]["query_text"] for one in client.datasets.history(dataset.id, "q0")]
    assert texts == ["another text", "word0"]
    assert client.datasets.restore(dataset.id, 1).version.restored == 1
    assert client.datasets.version(dataset.id, 2).note == "shorter"
    first = [one["query_text"] for one in client.datasets.queries(dataset.id, version=2)]
    assert first[0] == "another text"
    assert len(json.loads(client.datasets.export(dataset.id, version=2))["queries"]) == 11


def test_a_dataset_is_validated_and_audited(client, dataset):
    assert client.datasets.validate(content())["queries"] == 12
    assert client.datasets.audit(dataset.id)["queries"] == 12
    assert client.datasets.losses(dataset.id) == ()
    client.datasets.edit(dataset.id, put=[{**QUERIES[0], "category": "easy"}])
    assert client.datasets.losses(dataset.id, format="sia_code") != ()


def test_a_choice_is_taken_back(client, work):
    queries = [{**QUERIES[0], "relevant_docs": [{"doc_ref": "nowhere.md"}]}]
    dataset = client.datasets.upload(content("taken back", queries=queries))
    made = client.mappings.create(dataset.id, dataset.id)
    work()
    assert client.mappings.choose(made.id, "nowhere.md", "d3").state == "resolved"
    (choice,) = client.mappings.choices(made.id)
    assert (choice.reference.name, choice.document, choice.author) == ("nowhere.md", "d3", "Ada")
    assert client.mappings.undo_choice(made.id, "nowhere.md").state != "resolved"
    assert client.mappings.choices(made.id) == ()
    assert [one.id for one in client.mappings.list(dataset=dataset.id)] == [made.id]
    client.mappings.delete(made.id)
    assert [one.id for one in client.mappings.list(deleted=True)] == [made.id]
    assert client.mappings.undelete(made.id).id == made.id


def test_a_corpus_is_indexed_and_searched(client, work):
    corpus = client.corpora.create("standard library", {"source": "stdlib"})
    assert client.corpora.create("again", {"source": "stdlib"}, key="c").name == "again"
    assert client.corpora.find("standard library") == client.corpora.get(corpus.id) == corpus
    assert client.corpora.rename(corpus.id, "library").name == "library"
    moved = client.corpora.move(corpus.id, {"source": "stdlib", "include": ["json/*.py"]})
    assert moved.where["include"] == ["json/*.py"]
    lexical = {"search": "lexical"}
    job = client.corpora.index(corpus.id, lexical)
    assert job.id in {one.id for one in client.jobs.list(kind="index")}
    work()
    assert client.jobs.wait(job.id, timeout_s=60).state == "completed"
    found = client.search("decode json", corpus=corpus.id, configuration=lexical, k=2)
    assert len(found["hits"]) == 2
    client.corpora.delete(corpus.id)
    assert corpus.id in {one.id for one in client.corpora.list(deleted=True)}
    assert client.corpora.undelete(corpus.id).name == "library"


def test_a_job_is_cancelled(client, dataset):
    mapping = client.mappings.create(dataset.id, dataset.id)
    job = client.mappings.resolve(mapping.id)
    assert client.jobs.cancel(job.id).state == "cancelled"
    assert client.jobs.get(job.id).state == "cancelled"


def test_tokens_are_created_used_and_revoked(client, address):
    made = client.tokens.create("build server", "viewer", days=1)
    with Client(address, token=made.plain) as build:
        assert build.health()["database"] == "SQLite"
    assert client.tokens.get(made.entry.id).name == "build server"
    assert made.entry.id in {one.id for one in client.tokens.list()}
    assert client.tokens.revoke(made.entry.id).revoked is not None
    acts = [one.act for one in client.audit(kind="token", object=made.entry.id)]
    assert acts == ["token.revoke", "token.create"]


def test_members_are_listed_by_kind(client):
    assert "ndcg" in client.members("metrics")


def test_a_pending_benchmark_is_cancelled_and_resumed(client, mapping):
    created = client.benchmarks.create({**BENCHMARK, "mappings": [mapping.id], "name": "cancelled"})
    client.benchmarks.start(created.id)
    assert client.benchmarks.cancel(created.id).state == "cancelled"
    assert client.benchmarks.resume(created.id).state == "running"
    client.benchmarks.cancel(created.id)


@pytest.mark.parametrize("kind", ["benchmarks", "jobs"])
def test_waiting_for_an_unknown_id_ends_at_once(client, kind):
    with pytest.raises(NotFoundError, match="unknown0id"):
        getattr(client, kind).wait("unknown0id", timeout_s=30)


def test_waiting_for_a_benchmark_that_is_deleted_meanwhile_ends(client, mapping, monkeypatch):
    monkeypatch.setattr("assay.client.watch.WAIT_S", 0.5)
    created = client.benchmarks.create({**BENCHMARK, "mappings": [mapping.id]})
    states = client.benchmarks.watch(created.id, timeout_s=30)
    assert next(states).state == "pending"
    client.benchmarks.delete(created.id)
    with pytest.raises(NotFoundError, match="deleted"):
        list(states)


def test_what_is_wrong_with_a_benchmark_names_the_setting(client, mapping):
    wrong = {**BENCHMARK, "mappings": [mapping.id], "configurations": [{"name": "a", "serch": "x"}]}
    with pytest.raises(InputError, match="serch"):
        client.benchmarks.create(wrong)


def test_judgments_are_given_and_listed(client, dataset):
    given = [NewJudgment("q0", "d1", 2, note="why not"), NewJudgment("q1", "d1", None)]
    assert client.judgments.add(dataset.id, given) == 2
    listed = [*client.judgments.list(dataset.id)]
    assert {one.judgment for one in listed} == set(given)
    assert {one.author for one in listed} == {"Ada"}


def test_a_token_is_required_and_checked(address, client, monkeypatch):
    monkeypatch.delenv("ASSAY_TOKEN", raising=False)
    with pytest.raises(AccessError, match="ASSAY_TOKEN"):
        Client(address)
    with (
        Client(address, token="assay_000000000000_" + "x" * 43) as stranger,
        pytest.raises(AccessError),
    ):
        stranger.health()


def test_the_token_of_a_start_link_or_of_the_environment_is_used(address, token, monkeypatch):
    monkeypatch.delenv("ASSAY_TOKEN", raising=False)
    with Client(f"{address}/?token={token}") as client:
        assert client.health()
    monkeypatch.setenv("ASSAY_TOKEN", token)
    with Client(address) as client:
        assert client.health()


def test_a_lesser_role_is_refused(address, service):
    viewer = service.store.tokens.create("Viv", "viewer", author="tests").plain
    with Client(address, token=viewer) as client:
        assert [*client.datasets.list(contains="none such")] == []
        with pytest.raises(AccessError, match="editor"):
            client.datasets.upload(content("refused"))


def test_an_id_with_a_slash_reaches_nothing_else(client):
    with pytest.raises(NotFoundError):
        client.datasets.get("../tokens")
    with pytest.raises(InputError, match="invalid id"):
        client.datasets.get("")
