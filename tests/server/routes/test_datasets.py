import gzip
import io
import json
import zipfile

import pytest
from tests.server.routes.stored import FRUIT, all_items, dataset_of, file_of, problem_of, upload

BASE = "/api/v1/datasets"


class TestUpload:
    def test_is_stored_as_version_one_and_found_at_its_location(self, client):
        answer = client.post(BASE, files=file_of(FRUIT), data={"note": "first"})
        assert answer.status_code == 201
        made = answer.json()
        assert (made["name"], made["revision"], answer.headers["etag"]) == ("fruit", 1, '"r1"')
        version = made["version"]
        assert (version["number"], version["author"], version["note"]) == (1, "Ada", "first")
        assert (version["queries"], version["judgments"], version["documents"]) == (2, 2, 2)
        assert client.get(answer.headers["location"]).json() == made

    def test_its_documents_are_a_corpus_with_its_id(self, client):
        made = upload(client)
        corpus = client.get(f"/api/v1/corpora/{made['id']}").json()
        assert corpus["name"] == "fruit"
        assert corpus["where"] == {"source": "dataset", "dataset": made["id"]}

    def test_takes_its_name_from_the_form_or_the_file(self, client):
        assert upload(client, file="one.json")["name"] == "fruit"
        answer = client.post(BASE, files=file_of(FRUIT), data={"name": "Obst 🍎 früh"})
        assert answer.json()["name"] == "Obst 🍎 früh"
        assert upload(client, "query,document,grade\nq1,a,1\n", file="Grüße.csv")["name"] == "Grüße"

    def test_of_a_taken_name_is_refused(self, client):
        upload(client)
        answer = client.post(BASE, files=file_of(FRUIT), data={"name": "fruit"})
        assert "already exists" in problem_of(answer, 409)["detail"]

    def test_tells_all_problems_at_once(self, client):
        wrong = dataset_of(("q1", ["a"]), ("q1", ["b"]))
        wrong["queries"][0]["relevant_docs"][0]["relevance_grade"] = 9
        problem = problem_of(client.post(BASE, files=file_of(wrong)), 422)
        told = [one["problem"] for one in problem["problems"]]
        assert any("exceeds the scale" in one for one in told)
        assert any("duplicate query key" in one for one in told)
        assert all("upload" not in one["where"] for one in problem["problems"])

    @pytest.mark.parametrize(
        ("content", "told"),
        [
            (b"", "is empty"),
            (b"PAR1 and more", "Parquet cannot be uploaded"),
            (gzip.compress(b"x" * 40_000, mtime=0), "is larger than"),
            (b"x" * 40_000, "is larger than"),
            (gzip.compress(b"{}", mtime=0)[:-6], "truncated"),
            (b"\xff\xfe\x00", "not"),
        ],
    )
    def test_of_what_is_no_dataset_is_refused(self, make_client, make_service, content, told):
        client = make_client(make_service(upload_limit=30_000))
        answer = client.post(BASE, files=file_of(content))
        assert told in problem_of(answer, 422)["detail"]
        assert client.get(BASE).json()["items"] == []

    def test_in_an_unknown_format_is_refused_with_a_hint(self, client):
        answer = client.post(BASE, files=file_of(FRUIT), data={"format": "asay_json"})
        assert "assay_json" in problem_of(answer, 422)["hint"]

    def test_under_another_field_is_refused(self, client):
        answer = client.post(BASE, files={"data": ("fruit.json", b"{}")})
        where = [one["where"] for one in problem_of(answer, 422)["problems"]]
        assert "file" in where

    def test_with_an_unknown_field_is_refused(self, client):
        answer = client.post(BASE, files=file_of(FRUIT), data={"titel": "x"})
        assert problem_of(answer, 422)["where"] == "titel"

    def test_without_a_form_is_refused(self, client):
        problem_of(client.post(BASE, json=FRUIT), 422)

    def test_has_limits_that_are_settings(self, make_client, make_service):
        client = make_client(make_service(query_limit=2, judgment_limit=1))
        many = dataset_of(("q1", ["a", "b"]), ("q2", ["a"]), ("q3", ["a"]))
        told = problem_of(client.post(BASE, files=file_of(many)), 422)
        assert "limit: 2" in str(told)
        assert client.post(BASE, files=file_of(FRUIT)).status_code == 201

    def test_requires_an_editor(self, client):
        client.role("viewer")
        problem_of(client.post(BASE, files=file_of(FRUIT)), 403)
        client.role(None)
        problem_of(client.get(BASE), 401)

    def test_leaves_nothing_in_the_folder_of_uploads(self, client, service):
        upload(client)
        client.post(BASE, files=file_of(b"{"))
        assert [one.name for one in service.settings.uploads.iterdir() if one.is_dir()] == []

    def test_keeps_its_folder_to_the_owner(self, client, service):
        upload(client)
        assert service.settings.uploads.stat().st_mode & 0o777 == 0o700


class TestIdempotency:
    def test_the_same_key_stores_the_same_file_once(self, client):
        sent = [
            client.post(BASE, files=file_of(FRUIT), headers={"Idempotency-Key": "k"})
            for _ in range(2)
        ]
        assert [one.status_code for one in sent] == [201, 201]
        assert sent[0].json() == sent[1].json()
        assert len(client.get(BASE).json()["items"]) == 1

    def test_the_same_key_with_another_file_is_refused(self, client):
        headers = {"Idempotency-Key": "k"}
        client.post(BASE, files=file_of(FRUIT), headers=headers)
        other = client.post(BASE, files=file_of(dataset_of(("q", ["a"]))), headers=headers)
        assert "another dataset" in problem_of(other, 409)["detail"]

    def test_a_key_belongs_to_its_author(self, client):
        headers = {"Idempotency-Key": "k"}
        client.post(BASE, files=file_of(FRUIT), headers=headers)
        client.role("editor", "Bob")
        form = {"name": "other"}
        answer = client.post(BASE, files=file_of(FRUIT), headers=headers, data=form)
        assert answer.json()["name"] == "other"


class TestValidate:
    def test_tells_what_a_file_contains(self, client):
        found = client.post(f"{BASE}/validate", files=file_of(FRUIT)).json()
        assert (found["valid"], found["problems"]) == (True, [])
        assert (found["queries"], found["judgments"], found["documents"]) == (2, 2, 2)
        assert found["grades"] == {"2": 1, "3": 1}
        assert found["format"] == "assay_json"
        assert found["format_reason"].startswith("recognized by its content")
        assert [one["query_key"] for one in found["preview"]] == ["q1", "q2"]
        assert client.get(BASE).json()["items"] == []

    def test_counts_duplicates_and_queries_without_relevant_documents(self, client):
        rows = "query_id,query,document,grade\nq1,same words,a,1\nq2,same words,a,0\n"
        found = client.post(f"{BASE}/validate", files=file_of(rows, "two.csv")).json()
        assert (found["without_relevant"], found["duplicate_count"]) == (1, 1)
        assert found["duplicates"][0]["query"] == "q1"

    def test_lists_problems_of_a_file_that_cannot_be_used(self, client):
        wrong = dataset_of(("q1", [""]), ("q1", ["b"]))
        found = client.post(f"{BASE}/validate", files=file_of(wrong)).json()
        assert found["valid"] is False
        assert found["problem_count"] == len(found["problems"]) >= 1
        assert found["problems"][0]["where"].startswith("fruit.json")

    def test_of_an_empty_file_is_an_answer_too(self, client):
        found = client.post(f"{BASE}/validate", files=file_of(b"")).json()
        assert [one["problem"] for one in found["problems"]] == ["is empty"]


class TestList:
    def test_is_paged_without_gaps_while_others_are_added(self, client):
        made = [upload(client, dataset_of(("q", ["a"]), name=f"d{n}"))["id"] for n in range(5)]
        first = client.get(BASE, params={"limit": 2}).json()
        upload(client)
        rest = client.get(BASE, params={"limit": 200, "cursor": first["next"]}).json()
        assert [one["id"] for one in first["items"] + rest["items"]] == made[::-1]
        assert rest["next"] is None

    def test_finds_names_that_contain_a_text(self, client):
        upload(client, dataset_of(("q", ["a"]), name="100% Ärger_1"))
        upload(client)
        for text in ("ärger", "100%", "r_1"):
            found = client.get(BASE, params={"contains": text}).json()["items"]
            assert [one["name"] for one in found] == ["100% Ärger_1"], text
        assert client.get(BASE, params={"contains": "%"}).json()["items"][0]["name"][:4] == "100%"

    @pytest.mark.parametrize("wrong", [{"limit": 0}, {"limit": 201}, {"cursor": "nonsense"}])
    def test_of_wrong_parameters_is_refused(self, client, wrong):
        problem_of(client.get(BASE, params=wrong), 422)


class TestItem:
    def test_is_answered_once_per_revision(self, client):
        path = f"{BASE}/{upload(client)['id']}"
        tag = client.get(path).headers["etag"]
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        client.patch(path, json={"name": "other"})
        assert client.get(path, headers={"If-None-Match": tag}).status_code == 200

    @pytest.mark.parametrize("id_", ["000000000000", "x", "..", "%00", "a" * 65, "ü"])
    def test_that_is_unknown_is_not_found(self, client, id_):
        assert client.get(f"{BASE}/{id_}").status_code in (404, 422)

    def test_is_renamed_without_a_new_version(self, client):
        path = f"{BASE}/{upload(client)['id']}"
        found = client.patch(path, json={"name": "Früchte"}).json()
        assert (found["name"], found["version"]["number"], found["revision"]) == ("Früchte", 1, 2)

    def test_is_described_in_a_new_version(self, client):
        path = f"{BASE}/{upload(client)['id']}"
        headers = {"If-Match": '"r1"'}
        found = client.patch(path, json={"name": "n", "description": "d"}, headers=headers).json()
        assert (found["name"], found["description"], found["revision"]) == ("n", "d", 3)
        assert found["version"]["changes"]["settings"] is True

    @pytest.mark.parametrize("name", ["taken", "n" * 201])
    def test_is_not_described_under_a_refused_name(self, client, name):
        upload(client, name="taken")
        path = f"{BASE}/{upload(client)['id']}"
        before = client.get(path).json()
        answer = client.patch(path, json={"name": name, "description": "d"})
        assert answer.status_code in (409, 422)
        assert client.get(path).json() == before
        assert len(client.get(f"{path}/versions").json()["items"]) == 1

    @pytest.mark.parametrize("body", [{"name": ""}, {"name": " "}, {"nme": "x"}, {"name": 3}, []])
    def test_refuses_a_wrong_change(self, client, body):
        path = f"{BASE}/{upload(client)['id']}"
        problem_of(client.patch(path, json=body), 422)
        assert client.get(path).json()["revision"] == 1

    def test_refuses_half_of_a_character(self, client):
        path = f"{BASE}/{upload(client)['id']}"
        json_ = {"content-type": "application/json"}
        problem_of(client.patch(path, content=b'{"name": "\\ud800"}', headers=json_), 422)

    @pytest.mark.parametrize("tag", ['"r7"', '"x"', 'W/"r1"', '"r1", "r2"', "r1"])
    def test_refuses_the_change_of_another_revision(self, client, tag):
        path = f"{BASE}/{upload(client)['id']}"
        for sent in (
            client.patch(path, json={"name": "x"}, headers={"If-Match": tag}),
            client.delete(path, headers={"If-Match": tag}),
            client.put(f"{path}/content", files=file_of(FRUIT), headers={"If-Match": tag}),
            client.patch(f"{path}/queries", json={"remove": ["q1"]}, headers={"If-Match": tag}),
        ):
            assert problem_of(sent, 412)["type"].endswith("stale")
        assert client.get(path).json()["revision"] == 1


class TestReplace:
    def test_makes_the_next_version(self, client):
        made = upload(client)
        new = json.loads(json.dumps(FRUIT))
        new["queries"][0]["query_text"] = "which fruit grows on trees"
        answer = client.put(
            f"{BASE}/{made['id']}/content",
            files=file_of(new, "other.json"),
            data={"note": "clearer"},
            headers={"If-Match": '"r1"'},
        )
        found = answer.json()
        assert (found["name"], found["version"]["number"]) == ("fruit", 2)
        assert found["version"]["changes"]["queries"]["changed"] == 1
        versions = all_items(client, f"{BASE}/{made['id']}/versions", limit=1)
        assert [(one["number"], one["note"]) for one in versions] == [(2, "clearer"), (1, "")]

    def test_of_an_unknown_dataset_is_not_found(self, client):
        problem_of(client.put(f"{BASE}/000000000000/content", files=file_of(FRUIT)), 404)

    def test_is_undone_by_restoring_a_version(self, client):
        made = upload(client)
        path = f"{BASE}/{made['id']}"
        client.put(f"{path}/content", files=file_of(dataset_of(("q9", ["apple"]))))
        found = client.post(f"{path}/versions/1/restore").json()["version"]
        assert (found["number"], found["restored"]) == (3, 1)
        assert found["fingerprint"] == made["version"]["fingerprint"]
        assert client.get(f"{path}/versions/3").json() == found
        problem_of(client.post(f"{path}/versions/9/restore"), 404)


class TestDelete:
    def test_hides_a_dataset_until_it_is_brought_back(self, client):
        made = upload(client)
        path = f"{BASE}/{made['id']}"
        assert client.delete(path).json()["deleted"] > 0
        problem_of(client.get(path), 404)
        problem_of(client.get(f"/api/v1/corpora/{made['id']}"), 404)
        listed = client.get(BASE, params={"deleted": True}).json()["items"]
        assert [one["id"] for one in listed] == [made["id"]]
        assert client.post(f"{path}/undelete").json()["deleted"] is None
        assert client.get(f"/api/v1/corpora/{made['id']}").status_code == 200
        problem_of(client.post(f"{path}/undelete"), 404)

    def test_is_refused_while_a_mapping_uses_it(self, client):
        made = upload(client)
        body = {"dataset": made["id"], "corpus": made["id"]}
        mapping = client.post("/api/v1/mappings", json=body).json()
        problem = problem_of(client.delete(f"{BASE}/{made['id']}"), 409)
        assert mapping["id"] in problem["hint"]
        client.delete(f"/api/v1/mappings/{mapping['id']}")
        assert client.delete(f"{BASE}/{made['id']}").status_code == 200


class TestExport:
    def test_gives_back_what_was_uploaded(self, client):
        made = upload(client)
        answer = client.get(f"{BASE}/{made['id']}/export")
        assert answer.headers["content-disposition"] == 'attachment; filename="fruit.json"'
        assert answer.headers["assay-losses"] == "0"
        again = upload(client, answer.content, name="again")
        assert again["version"]["fingerprint"] == made["version"]["fingerprint"]

    def test_counts_and_tells_what_a_format_cannot_store(self, client):
        path = f"{BASE}/{upload(client)['id']}/export"
        answer = client.get(path, params={"format": "csv"})
        losses = client.get(f"{path}/losses", params={"format": "csv"}).json()["losses"]
        assert answer.headers["content-type"].startswith("text/csv")
        assert int(answer.headers["assay-losses"]) == len(losses) > 0

    def test_packs_a_format_of_several_files(self, client):
        path = f"{BASE}/{upload(client)['id']}/export"
        answer = client.get(path, params={"format": "beir"})
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            assert "queries.jsonl" in packed.namelist()
        assert answer.headers["content-disposition"].endswith('"fruit.zip"')

    def test_names_the_file_safely(self, client):
        made = upload(client)
        name = '../../"; filename=evil\r\nÖl/日本'
        client.patch(f"{BASE}/{made['id']}", json={"name": name})
        answer = client.get(f"{BASE}/{made['id']}/export")
        assert answer.headers["content-disposition"] == (
            'attachment; filename="filename-evil-ol.json"'
        )

    @pytest.mark.parametrize("format_", ["nope", "../x", "ragas", "ir_datasets", ""])
    def test_in_a_format_that_cannot_be_written_is_refused(self, client, format_):
        path = f"{BASE}/{upload(client)['id']}/export"
        assert "available" in problem_of(client.get(path, params={"format": format_}), 422)["hint"]


class TestAudit:
    def test_tells_what_a_dataset_can_detect(self, client):
        found = client.get(f"{BASE}/{upload(client)['id']}/audit").json()
        assert (found["queries"], found["documents"], found["corpus"]) == (2, 2, "fruit")
        assert "smallest_detectable" in found

    def test_with_an_unknown_corpus_is_not_found(self, client):
        path = f"{BASE}/{upload(client)['id']}/audit"
        problem_of(client.get(path, params={"corpus": "000000000000"}), 404)


class TestOpenApi:
    def test_documents_each_answer_of_each_route(self, client):
        document = client.get("/openapi.json").json()
        for path, methods in document["paths"].items():
            if not path.startswith(("/api/v1/datasets", "/api/v1/corpora", "/api/v1/mappings")):
                continue
            for operation in methods.values():
                assert {"401", "422", "429", "500", "503"} <= set(operation["responses"]), path
                assert operation["summary"]
                assert operation["description"]
