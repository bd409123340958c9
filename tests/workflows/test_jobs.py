"""Importing, indexing and resolving wait in the ledger for whichever worker is there first."""

import json
import subprocess
import sys
from contextlib import closing

import pytest

from assay.cli import start
from assay.errors import InputError
from assay.workflows.jobs.submit import submit
from assay.workflows.search import search
from assay.workflows.worker import worker
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.store.store import open_service_store

ANN = {"author": "ann"}


@pytest.fixture
def home(tmp_path):
    (tmp_path / "docs").mkdir()
    for name in ("setup", "retry"):
        (tmp_path / "docs" / f"{name}.md").write_text(f"how to {name}")
    _write(tmp_path, ["setup.md", "gone.md"])
    return tmp_path


def _write(home, names):
    judged = [{"doc_ref": {"path": name}, "relevance_grade": 2} for name in names]
    query = {"query_key": "q1", "query_text": "how to begin", "relevant_docs": judged}
    (home / "queries.json").write_text(json.dumps({"queries": [query]}))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, home, monkeypatch):
    """Where the ledger and the store are: a file of the workspace, or PostgreSQL."""
    if request.param == "sqlite":
        return str(home / "w" / "ledger.sqlite")
    url = request.getfixturevalue("empty_database")
    monkeypatch.setenv("ASSAY_DATABASE_URL", url)
    return url


def result(database, job):
    with closing(open_ledger(database)) as ledger:
        return ledger.job(job).state, json.loads(ledger.report(job) or b"null")


def done_again(database, job):
    """Forget that an import is done, as if its worker had been killed before it could say so."""
    with closing(open_ledger(database)) as ledger, ledger._database.writing() as connection:
        for statement in (
            f"UPDATE benchmarks SET state = 'running', report = NULL WHERE id = '{job}'",
            f"UPDATE units SET state = 'pending' WHERE key LIKE '%-{job}'",
        ):
            connection.exec_driver_sql(
                statement.replace("%", "%%") if "://" in database else statement
            )


def test_a_dataset_is_imported_mapped_and_resolved(home, database):
    given = {"path": str(home / "queries.json"), "name": "questions", **ANN}
    job = submit("import", given, name="questions", workspace=home / "w")
    assert result(database, job) == ("pending", None)
    (told,) = worker(workspace=home / "w")
    assert (told.id, told.kind, told.name, told.state) == (job, "import", "questions", "completed")
    assert result(database, job) == ("completed", {"dataset": job, "version": 1, "queries": 1})
    with closing(open_service_store(database)) as store:
        assert [one.name for one in store.datasets.page().items] == ["questions"]
        corpus = store.corpora.create("docs", {"path": str(home / "docs")}, **ANN)
        mapping = store.mappings.create(job, corpus.id, **ANN)
        assert mapping.state == "pending"
    resolving = submit("resolve", {"mapping": mapping.id, **ANN}, workspace=home / "w")
    assert worker(resolving, workspace=home / "w")[0].state == "completed"
    counts = {"state": "partial", "total": 2, "resolved": 1, "ambiguous": 0, "missing": 1}
    assert result(database, resolving) == ("completed", {"mapping": mapping.id, **counts})
    with closing(open_service_store(database)) as store:
        assert store.mappings.get(mapping.id).state == "partial"
        assert store.corpora.get(corpus.id).documents == 2
        (left,) = store.mappings.unresolved(mapping.id).items
        assert (left.query, left.reason) == ("q1", "not_found")


def test_a_job_that_is_begun_again_comes_to_the_same(home, database):
    new = submit("import", {"path": str(home / "queries.json"), **ANN}, workspace=home / "w")
    worker(workspace=home / "w")
    _write(home, ["retry.md"])
    content = {"path": str(home / "queries.json"), "dataset": new, "revision": 1, **ANN}
    next_ = submit("import", content, workspace=home / "w")
    worker(workspace=home / "w")
    before = [result(database, job) for job in (new, next_)]
    assert before[1][1]["version"] == 2
    for job in (new, next_):
        done_again(database, job)
    assert {one.state for one in worker(workspace=home / "w")} == {"completed"}
    with closing(open_service_store(database)) as store:
        assert len(store.datasets.page().items) == 1
        assert store.datasets.get(new).version.number == 2
    assert result(database, next_) == before[1]


def test_a_corpus_is_indexed(home, database):
    job = submit(
        "index",
        {"corpus": str(home / "docs"), "configuration": {"search": "lexical"}},
        workspace=home / "w",
    )
    worker(workspace=home / "w")
    state, told = result(database, job)
    assert (state, told["documents"], told["added"]) == ("completed", 2, 2)
    chosen = {"search": "lexical"}
    found = search(str(home / "docs"), "retry", configuration=chosen, workspace=home / "w")
    assert found.hits[0].document == "retry.md"


def test_what_goes_wrong_is_told_and_keeps_no_other_job(home, database, capsys):
    wrong = submit("import", {"path": str(home / "none.json"), **ANN}, workspace=home / "w")
    right = submit("index", {"corpus": str(home / "docs")}, workspace=home / "w")
    assert start(["worker", "--workspace", str(home / "w"), "--json"]) == 1
    jobs = {one["id"]: one for one in json.loads(capsys.readouterr().out)["jobs"]}
    assert jobs[right]["state"] == "completed"
    assert jobs[wrong]["state"] == "failed"
    assert "none.json" in jobs[wrong]["error"]
    assert result(database, wrong) == ("failed", None)
    assert worker(workspace=home / "w") == []  # nothing is tried again by itself


def test_two_workers_do_a_job_once(home, database):
    given = {"path": str(home / "queries.json"), **ANN}
    jobs = [submit("import", {**given, "name": f"d{at}"}, workspace=home / "w") for at in range(6)]
    command = [sys.executable, "-m", "assay", "worker", "--workspace", str(home / "w"), "--json"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in running:
        process.communicate(timeout=120)
        assert process.returncode == 0
    assert {result(database, job)[0] for job in jobs} == {"completed"}
    with closing(open_service_store(database)) as store:
        assert len(store.datasets.page().items) == 6
        assert len(store.audit.page(kind="dataset").items) == 6


def test_a_kind_that_nobody_knows_is_refused(home):
    with pytest.raises(InputError, match="index"):
        submit("indexing", {}, workspace=home / "w")
    assert not (home / "w").exists()


def test_a_workspace_in_which_nothing_was_begun(home, capsys, snapshot):
    assert start(["worker", "--workspace", str(home / "w")]) == 2
    snapshot(capsys.readouterr().err.replace(str(home), "HOME"))


def test_a_job_that_was_interrupted_is_reported_so(home, database):
    job = submit("import", {"path": str(home / "queries.json"), **ANN}, workspace=home / "w")
    with closing(open_ledger(database)) as ledger:
        ledger.cancel(job)
        ledger.finish(job, "interrupted")
    (ended,) = worker(job, workspace=home / "w")
    assert ended.state == "interrupted"
    assert "--resume" in ended.error
    assert result(database, job) == ("interrupted", None)
