import pytest
from tests.server.routes.stored import FRUIT, all_items, problem_of, upload

BASE = "/api/v1/corpora"


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "apple.md").write_text("Apples grow on trees.")
    return folder


@pytest.fixture
def settings(docs):
    return {"allow": (f"corpus={docs}",)}


def create(client, where, name="handbook", **headers):
    return client.post(BASE, json={"name": name, "where": where}, headers=headers)


class TestCreate:
    def test_notes_a_folder_that_is_allowed(self, client, docs):
        answer = create(client, {"path": str(docs), "include": ["**/*.md"]}, "Handbuch ☂")
        assert answer.status_code == 201
        made = answer.json()
        assert (made["name"], made["documents"], made["last_read"]) == ("Handbuch ☂", None, None)
        assert client.get(answer.headers["location"]).json() == made

    def test_takes_what_comes_with_assay(self, client):
        assert create(client, {"source": "stdlib"}).status_code == 201
        assert create(client, {"path": "stdlib"}, "other").status_code == 201

    @pytest.mark.parametrize(
        "place",
        [
            "/etc",
            "{docs}/..",
            "{docs}/../../etc",
            "docs",
            ".",
            "~",
            "~root/x",
            "{docs}@x/../..",
            "git:/etc",
            "",
            "\0",
            "{docs}/no-such-folder",
        ],
    )
    def test_refuses_other_places(self, client, docs, place):
        answer = create(client, {"path": place.format(docs=docs)})
        assert problem_of(answer, 422)["detail"]
        assert client.get(BASE).json()["items"] == []

    @pytest.mark.parametrize("prefix", ["", "git:", "./"])
    def test_refuses_relative_paths_also_in_an_allowed_folder(
        self, client, docs, prefix, monkeypatch
    ):
        monkeypatch.chdir(docs)
        problem_of(create(client, {"path": f"{prefix}~root"}), 422)
        problem_of(create(client, {"path": f"{prefix}apple.md"}), 422)

    def test_refuses_a_link_out_of_the_folder(self, client, docs):
        (docs / "link").symlink_to("/etc")
        problem_of(create(client, {"path": str(docs / "link")}), 422)

    @pytest.mark.parametrize(
        "where",
        [
            {},
            {"source": "dataset", "dataset": "x"},
            {"source": "nope", "path": "{docs}"},
            {"path": "{docs}", "folder": "{docs}"},
            {"path": "{docs}", "inclde": ["*"]},
            {"path": ["{docs}"]},
            {"path": "{docs}", "vectors": "/etc/passwd"},
            {"source": "inline"},
            {"source": "folder", "path": "git:{docs}"},
        ],
    )
    def test_refuses_what_is_no_corpus(self, client, docs, where):
        filled = {
            key: value.format(docs=docs) if isinstance(value, str) else value
            for key, value in where.items()
        }
        problem_of(create(client, filled), 422)

    def test_of_a_taken_name_is_refused(self, client):
        create(client, {"source": "stdlib"})
        problem_of(create(client, {"source": "stdlib"}), 409)

    def test_with_the_same_key_is_one_corpus(self, client, docs):
        key = {"Idempotency-Key": "k"}
        first = create(client, {"source": "stdlib"}, **key)
        assert create(client, {"source": "stdlib"}, **key).json() == first.json()
        problem_of(create(client, {"path": str(docs)}, **key), 409)

    def test_requires_an_editor(self, client):
        client.role("viewer")
        problem_of(create(client, {"source": "stdlib"}), 403)


class TestChange:
    def test_renames_and_moves_with_one_if_match(self, client, docs):
        made = create(client, {"source": "stdlib"}).json()
        path = f"{BASE}/{made['id']}"
        body = {"name": "new", "where": {"path": str(docs)}}
        found = client.patch(path, json=body, headers={"If-Match": '"r1"'}).json()
        assert (found["name"], found["where"], found["revision"]) == (
            "new",
            {"path": str(docs)},
            3,
        )
        problem_of(client.patch(path, json={"name": "x"}, headers={"If-Match": '"r1"'}), 412)
        problem_of(client.patch(path, json={"where": {"path": "/etc"}}), 422)

    def test_is_refused_as_a_whole(self, client, docs):
        create(client, {"source": "stdlib"}, "taken")
        made = create(client, {"source": "stdlib"}).json()
        path, elsewhere = f"{BASE}/{made['id']}", {"path": str(docs)}
        problem_of(client.patch(path, json={"where": elsewhere, "name": "taken"}), 409)
        problem_of(client.patch(path, json={"where": {"path": "/etc"}, "name": "free"}), 422)
        assert client.get(path).json() == made
        acts = client.get("/api/v1/audit", params={"object": made["id"]}).json()["items"]
        assert [one["act"] for one in acts] == ["corpus.create"]

    def test_does_not_move_the_documents_of_a_dataset(self, client, docs):
        made = upload(client)
        body = {"where": {"path": str(docs)}}
        problem_of(client.patch(f"{BASE}/{made['id']}", json=body), 409)


class TestDelete:
    def test_is_refused_while_a_mapping_uses_it(self, client):
        made = upload(client)
        path = f"{BASE}/{made['id']}"
        body = {"dataset": made["id"], "corpus": made["id"]}
        mapping = client.post("/api/v1/mappings", json=body).json()
        assert mapping["id"] in problem_of(client.delete(path), 409)["hint"]

    def test_hides_it_until_it_is_brought_back(self, client):
        path = f"{BASE}/{create(client, {'source': 'stdlib'}).json()['id']}"
        problem_of(client.delete(path, headers={"If-Match": '"r2"'}), 412)
        assert client.delete(path, headers={"If-Match": '"r1"'}).json()["deleted"]
        problem_of(client.get(path), 404)
        assert client.post(f"{path}/undelete").status_code == 200


class TestList:
    def test_is_paged_and_searched(self, client):
        for number in range(5):
            create(client, {"source": "stdlib"}, f"c{number}")
        names = [one["name"] for one in all_items(client, BASE, limit=2)]
        assert names == ["c4", "c3", "c2", "c1", "c0"]
        assert [one["name"] for one in all_items(client, BASE, contains="C3")] == ["c3"]


class TestIndex:
    def test_is_done_by_a_job(self, client, docs, wait_for_job):
        made = create(client, {"path": str(docs)}).json()
        answer = client.post(f"{BASE}/{made['id']}/index", json={})
        assert answer.status_code == 202
        job = answer.json()
        assert (job["kind"], job["state"]) == ("index", "pending")
        done = wait_for_job(job["id"])
        assert (done.state, done.result["documents"]) == ("completed", 1)
        assert client.get(answer.headers["location"]).json()["result"]["documents"] == 1

    @pytest.mark.parametrize("setting", [{"model": "/etc/model"}, {"serch": "dense"}, {"k1": "x"}])
    def test_refuses_settings_that_are_wrong_or_not_allowed(self, client, setting):
        made = upload(client, FRUIT)
        body = {"configuration": setting}
        problem_of(client.post(f"{BASE}/{made['id']}/index", json=body), 422)
        assert client.get("/api/v1/jobs").json()["items"] == []
