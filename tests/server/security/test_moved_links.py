"""Places that were allowed at the request, and lead elsewhere when a worker opens them."""

import pytest
from tests.server.routes.stored import dataset_of, upload

from assay.errors import InputError
from assay.workflows.jobs.perform import perform

LEXICAL = {"name": "plain", "search": "lexical"}


@pytest.fixture
def root(tmp_path):
    """An allowed folder with a link to one of its folders, and a folder beside it."""
    for name in ("docs/real", "outside"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "apple.md").write_text("Apples grow on trees.")
        (tmp_path / name / "a.run").write_text("q1 Q0 apple.md 1 1.0 x\n")
    (tmp_path / "docs/part").symlink_to("real")
    return tmp_path / "docs"


@pytest.fixture
def asked(root, make_service, make_client):
    """Jobs of each kind that read below the link, by what reads it."""
    service = make_service(allow=(f"corpus={root}", f"run_file={root}"))
    client = make_client(service)

    def post(path, body=None):
        answer = client.post(f"/api/v1/{path}", json=body)
        assert answer.status_code in (201, 202), answer.text
        return answer.json()

    def benchmark(mapping, **configuration):
        told = {"mappings": [mapping], "configurations": [{"name": "one", **configuration}]}
        told |= {"name": next(iter(configuration)), "settings": {"untimed": True}}
        return post(f"benchmarks/{post('benchmarks', told)['id']}/start")["id"]

    corpora = {
        name: post("corpora", {"name": name, "where": {"path": f"{root}/{name}"}})["id"]
        for name in ("part", "real")
    }
    dataset = upload(client, dataset_of(("q1", [{"path": "apple.md"}])))["id"]
    mappings = {
        name: post("mappings", {"dataset": dataset, "corpus": corpus})
        for name, corpus in corpora.items()
    }
    run_file = {"kind": "run_file", "path": f"{root}/part/a.run"}
    found = {
        "resolve": mappings["part"]["job"]["id"],
        "index": post(f"corpora/{corpora['part']}/index", {"configuration": LEXICAL})["id"],
        "corpus": benchmark(mappings["part"]["id"], search="lexical"),
        "run_file": benchmark(mappings["real"]["id"], system=run_file),
    }
    return service, found


KINDS = ["resolve", "index", "corpus", "run_file"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_does_not_follow_a_link_that_leads_outside_by_then(kind, asked, root):
    service, jobs = asked
    (root / "part").unlink()
    (root / "part").symlink_to(root.parent / "outside")
    with pytest.raises(InputError, match="is not allowed"):
        perform(service.ledger.job(jobs[kind]), service.place)


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_inside_of_the_folder_is_followed(kind, asked):
    service, jobs = asked
    perform(service.ledger.job(jobs[kind]), service.place)
    done = service.ledger.job(jobs[kind])
    assert done.state == "completed"
    assert done.content["within"] == [*service.allowed.places]  # also for those who resume it
