import pytest
from tests.server.routes.small_benchmark import make_mapping
from tests.server.routes.stored import all_items, problem_of, upload

from assay.benchmarks.collections import stored_datasets


@pytest.fixture
def path(client):
    return f"/api/v1/datasets/{upload(client)['id']}/judgments"


def judgment(query="q1", document="apple", grade=2, **more):
    return {"query_key": query, "document": document, "grade": grade, **more}


def record(client, path, *judgments):
    return client.post(path, json={"judgments": list(judgments)})


def test_are_recorded_under_the_name_of_the_sender(client, path):
    client.role("editor", "Bob")
    answer = record(client, path, judgment(note="ja ☂"), judgment(query="q2", source="clicks"))
    assert (answer.status_code, answer.json()) == (201, {"recorded": 2})
    newest, oldest = client.get(path).json()["items"]
    assert (newest["query_key"], newest["source"]) == ("q2", "clicks")
    assert (oldest["author"], oldest["note"], oldest["grade"]) == ("Bob", "ja ☂", 2)


def test_of_one_author_the_newest_counts_and_null_takes_it_back(client, path):
    record(client, path, judgment(grade=1))
    record(client, path, judgment(grade=3), judgment(document="banana"))
    record(client, path, judgment(document="banana", grade=None))
    (found,) = client.get(path, params={"current": True}).json()["items"]
    assert (found["document"], found["grade"]) == ("apple", 3)
    assert len(client.get(path).json()["items"]) == 4


def test_are_paged_without_gaps_while_others_are_added(client, path):
    for number in range(5):
        record(client, path, judgment(document=f"d{number}"))
    first = client.get(path, params={"limit": 2}).json()
    record(client, path, judgment(document="late"))
    rest = all_items(client, path, limit=2)
    assert [one["document"] for one in first["items"]] == ["d4", "d3"]
    assert [one["document"] for one in rest] == ["late", "d4", "d3", "d2", "d1", "d0"]
    after = client.get(path, params={"limit": 2, "cursor": first["next"]}).json()
    assert [one["document"] for one in after["items"]] == ["d2", "d1"]


def test_are_filtered(client, path):
    record(client, path, judgment(), judgment(query="q2"), judgment(source="model"))
    client.role("editor", "Bob")
    record(client, path, judgment())
    for parameters, number in (
        ({"query_key": "q2"}, 1),
        ({"author": "Bob"}, 1),
        ({"source": "model"}, 1),
        ({"query_key": "q1", "author": "Ada", "current": True}, 2),
    ):
        assert len(all_items(client, path, **parameters)) == number, parameters
    problem_of(client.get(path, params={"source": "cats"}), 422)


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        (judgment(query="q9"), 404),
        (judgment(query=""), 422),
        (judgment(document=""), 422),
        (judgment(grade=1001), 422),
        (judgment(grade=1.5), 422),
        (judgment(grade=True), 422),
        (judgment(source="cats"), 422),
        (judgment(author="Eve"), 422),
        ({"query_key": "q1", "document": "apple"}, 422),
    ],
)
def test_are_recorded_all_or_none(client, path, wrong, status):
    problem_of(record(client, path, judgment(), wrong), status)
    assert client.get(path).json()["items"] == []


def test_are_at_least_one(client, path):
    problem_of(record(client, path), 422)


def test_require_an_editor_and_a_dataset(client, path):
    problem_of(record(client, "/api/v1/datasets/000000000000/judgments", judgment()), 404)
    client.role("viewer")
    problem_of(record(client, path, judgment()), 403)
    assert client.get(path).status_code == 200


@pytest.fixture
def texts(client, service):
    """The path that answers with the texts of the documents of a mapping."""
    return f"/api/v1/mappings/{make_mapping(service)}/documents"


def read(client, texts, *documents):
    return client.post(texts, json={"documents": list(documents)})


def test_the_texts_of_documents_are_read_to_judge_them(client, texts):
    client.role("editor", "Bob")
    answer = read(client, texts, "plum.txt", "none.txt", "apple.txt", "plum.txt")
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert [one["document"] for one in told["items"]] == ["apple.txt", "plum.txt"]
    assert "plum" in told["items"][1]["text"]
    assert (told["missing"], told["left"]) == (["none.txt"], [])


def test_texts_that_do_not_fit_into_an_answer_are_asked_for_again(client, texts, monkeypatch):
    monkeypatch.setattr(stored_datasets, "MOST_LETTERS", 1)
    told = read(client, texts, "plum.txt", "none.txt", "apple.txt").json()
    assert [one["document"] for one in told["items"]] == ["apple.txt"]
    assert (told["missing"], told["left"]) == ([], ["plum.txt", "none.txt"])


def test_texts_are_for_editors(client, texts):
    problem_of(read(client.role("viewer"), texts, "plum.txt"), 403)
    client.role("editor")
    problem_of(read(client, texts), 422)
    problem_of(read(client, "/api/v1/mappings/none/documents", "plum.txt"), 404)


def test_texts_of_a_folder_that_is_not_allowed_any_more_are_refused(client, service, tmp_path):
    (tmp_path / "secret.txt").write_text("not for everybody")
    corpus = service.store.corpora.create("secrets", {"path": str(tmp_path)}, author="Ada")
    mapping = service.store.mappings.create(upload(client)["id"], corpus.id, author="Ada").id
    answer = read(client, f"/api/v1/mappings/{mapping}/documents", "secret.txt")
    assert "not allowed" in problem_of(answer, 422)["detail"]
