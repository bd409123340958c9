import pytest
from tests.server.routes.stored import all_items, dataset_of, problem_of, upload

BASE = "/api/v1/datasets"


@pytest.fixture
def path(client):
    return f"{BASE}/{upload(client)['id']}"


def query(key, **more):
    return {"query_key": key, "query_text": f"text of {key}", **more}


class TestList:
    def test_has_queries_with_their_judgments(self, client, path):
        found = client.get(f"{path}/queries").json()
        assert found["items"][0] == {
            "query_key": "q1",
            "query_text": "what grows on trees",
            "category": "",
            "difficulty": "",
            "collection": "",
            "weight": 1.0,
            "relevant_docs": [
                {
                    "doc_ref": {"document_id": "apple"},
                    "relevance_grade": 3,
                    "group": "",
                    "because": None,
                }
            ],
            "extra": {},
        }
        assert found["next"] is None

    def test_is_paged_in_the_order_of_the_dataset(self, client):
        keys = [f"q{number}" for number in range(7)]
        made = upload(client, dataset_of(*((key, ["a"]) for key in keys)))
        found = all_items(client, f"{BASE}/{made['id']}/queries", limit=3)
        assert [one["query_key"] for one in found] == keys

    def test_is_of_the_version_that_was_asked_for(self, client, path):
        client.patch(f"{path}/queries", json={"remove": ["q1"]})
        now = client.get(f"{path}/queries").json()["items"]
        before = client.get(f"{path}/queries", params={"version": 1}).json()["items"]
        assert [one["query_key"] for one in now] == ["q2"]
        assert [one["query_key"] for one in before] == ["q1", "q2"]
        problem_of(client.get(f"{path}/queries", params={"version": 3}), 404)
        problem_of(client.get(f"{path}/queries", params={"version": 2**60}), 422)

    def test_writes_half_a_character_of_an_earlier_import(self, client, service):
        from assay.records.dataset import Dataset, Query

        made = service.store.datasets.create(
            Dataset("odd", (Query("q", "a \ud800 b"),)), author="import"
        )
        found = client.get(f"{BASE}/{made.id}/queries").content
        assert b"\\ud800" in found


class TestEdit:
    def test_changes_adds_and_removes_in_one_version(self, client, path):
        body = {
            "put": [query("q2", category="new"), query("q3", relevant_docs=[{"doc_ref": "x.md"}])],
            "remove": ["q1"],
            "note": "spring cleaning",
        }
        found = client.patch(f"{path}/queries", json=body, headers={"If-Match": '"r1"'}).json()
        assert (found["version"]["number"], found["version"]["note"]) == (2, "spring cleaning")
        queries = client.get(f"{path}/queries").json()["items"]
        assert [one["query_key"] for one in queries] == ["q2", "q3"]
        assert queries[0]["category"] == "new"
        assert queries[1]["relevant_docs"][0]["doc_ref"] == "x.md"
        assert queries[1]["relevant_docs"][0]["relevance_grade"] == 2

    def test_gives_back_what_a_list_has(self, client, path):
        judgment = {
            "doc_ref": {"path": "a/b.md", "symbol": "f", "match": "substring"},
            "relevance_grade": 1,
            "group": "g",
            "because": {"reason": "r", "judge": "j", "lines": [1, 2], "seen": [1, 9]},
        }
        wanted = query("q9", weight=2.5, extra={"ünï": [1, None]}, relevant_docs=[judgment])
        client.patch(f"{path}/queries", json={"put": [wanted]})
        (found,) = [
            one for one in client.get(f"{path}/queries").json()["items"] if one["query_key"] == "q9"
        ]
        again = client.patch(f"{path}/queries", json={"put": [found]}).json()
        assert again["version"]["number"] == 2  # nothing changed

    @pytest.mark.parametrize(
        "put",
        [
            query("q", relevant_docs=[{"doc_ref": "a", "relevance_grade": 4}]),
            query("q", relevant_docs=[{"doc_ref": {}}]),
            query("q", relevant_docs=[{"doc_ref": ""}]),
            query("q", relevant_docs=[{"doc_ref": {"id": "x"}}]),
            query("q", weight=0),
            query("q", extra={"filters": {"a": {"nope": 1}}}),
            query(""),
            {"query_key": "q"},
            {**query("q"), "relevant_doc": []},
        ],
    )
    def test_refuses_a_wrong_query(self, client, path, put):
        problem_of(client.patch(f"{path}/queries", json={"put": [put]}), 422)
        assert client.get(path).json()["revision"] == 1

    def test_refuses_more_judgments_than_an_upload_may_have(self, client, path):
        many = query("q", relevant_docs=[{"doc_ref": f"d{number}"} for number in range(101)])
        told = problem_of(client.patch(f"{path}/queries", json={"put": [many]}), 422)
        assert "limit: 100" in told["detail"]

    def test_refuses_half_a_character_in_a_field_of_any_name(self, client, path):
        body = b'{"put": [{"query_key": "q", "query_text": "t", "extra": {"a": "\\ud800"}}]}'
        headers = {"content-type": "application/json"}
        problem_of(client.patch(f"{path}/queries", content=body, headers=headers), 422)

    def test_of_an_unknown_query_is_refused(self, client, path):
        told = problem_of(client.patch(f"{path}/queries", json={"remove": ["q7"]}), 422)
        assert "q7" in told["where"]


class TestGrades:
    def test_are_changed_given_and_taken_back_with_a_history(self, client, path):
        def grade(reference, number):
            body = {"query_key": "q1", "doc_ref": reference, "relevance_grade": number}
            answer = client.patch(f"{path}/grades", json=body)
            assert answer.status_code == 200, answer.text

        grade({"document_id": "apple"}, 1)
        grade("banana", 2)
        grade("banana", None)
        rows = client.get(f"{path}/history", params={"query_key": "q1"}).json()["items"]
        told = [[one["relevance_grade"] for one in row["query"]["relevant_docs"]] for row in rows]
        assert told == [[1], [1, 2], [1], [3]]
        assert [(row["since"], row["until"]) for row in rows] == [
            (4, None),
            (3, 4),
            (2, 3),
            (1, 2),
        ]

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            ({"query_key": "q9", "doc_ref": "a", "relevance_grade": 1}, 404),
            ({"query_key": "q1", "doc_ref": "zzz", "relevance_grade": None}, 404),
            ({"query_key": "q1", "doc_ref": "a", "relevance_grade": 9}, 422),
            ({"query_key": "q1", "doc_ref": "a", "relevance_grade": True}, 422),
            ({"query_key": "q1", "doc_ref": "a"}, 422),
        ],
    )
    def test_refuse_what_is_wrong(self, client, path, body, status):
        problem_of(client.patch(f"{path}/grades", json=body), status)

    def test_of_an_unknown_query_have_no_history(self, client, path):
        problem_of(client.get(f"{path}/history", params={"query_key": "q9"}), 404)
