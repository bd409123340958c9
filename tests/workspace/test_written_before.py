"""Workspaces of earlier steps of the ledger are still read, with their reports and indexes.

`written_before` has one of each step; `write_stored.py` writes that of a new one. That of 0001 was
made with the source of revision c0f709c, before modules moved, and packed without `.assay/builds`:

    assay run benchmark.yaml -o report.json --workspace .assay
    assay index corpus --search lexical --lexical fts5
"""

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from tests.workspace.store.made import HANDBOOK
from tests.workspace.stored import STORED, all_rows, kept, step_of, unpack

from assay.cli import start
from assay.errors import ConflictError
from assay.workspace.ledger import _schema
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.store.store import open_service_store
from assay.workspace.vector_cache import cached

INDEX = ["index", "corpus", "--search", "lexical", "--lexical", "fts5", "--json"]
SEARCH = ["search", "corpus", "request fails", "--search", "lexical", "--lexical", "fts5", "--json"]
BENCHMARK = "c42f5c3a38d0"
TEXT = """Retries
# Retries
A request that fails is tried again after a pause; the pause doubles each time.
"""


class Silent:
    """The embedding model of that time, which embeds nothing now."""

    name, dimension = "static", 256
    fingerprint = "4b7a1b2ffe391dbd2f78ffc898487ff341877bb7cbfacad43dae91aa7592eae5"

    def embed(self, texts, **_):
        raise AssertionError(texts)


@pytest.fixture
def before(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_WORKSPACE", raising=False)
    return unpack("0001", tmp_path)


def output(capsys, *words):
    assert start(list(words)) == 0
    return capsys.readouterr().out


def test_every_step_has_a_workspace():
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory(".", version_locations=[str(_schema.STEPS)]).walk_revisions()
    assert sorted(step.revision for step in steps) == STORED


@pytest.mark.parametrize("step", STORED)
def test_a_workspace_of_any_step_is_listed_and_keeps_its_rows(step, tmp_path, monkeypatch, capsys):
    """Listing brings it up to date: whoever opens a ledger, also to read, takes the steps."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_WORKSPACE", raising=False)
    path = unpack(step, tmp_path) / "ledger.sqlite"
    before = all_rows(path)
    assert step_of(path) == step
    listed = json.loads(output(capsys, "show", "--json"))["benchmarks"]
    assert {one["id"] for one in listed} == {dict(row)["id"] for row in before["benchmarks"]}
    assert listed
    assert step_of(path) == _schema.NEWEST
    assert kept(before, all_rows(path))


@pytest.mark.parametrize("step", [step for step in STORED if step >= "0002"])
def test_what_a_service_kept_is_still_read(step, tmp_path):
    with closing(open_service_store(unpack(step, tmp_path) / "ledger.sqlite")) as service:
        (dataset,) = service.datasets.page().items
        assert (dataset.version.number, dataset.version.note) == (2, "")
        assert service.datasets.read(dataset.id, 1) == HANDBOOK
        (mapping,) = service.mappings.page(dataset=dataset.id).items
        assert (mapping.state, mapping.resolved, mapping.missing) == ("partial", 1, 3)
        assert [one.document for one in service.mappings.choices(mapping.id)] == ["1"]
        (judged,) = service.judgments.current(dataset.id).items
        assert judged.judgment.document == "a\0"
        assert service.events.page(user="u").items[0].event.payload == {"position": 1}
        assert service.tokens.page().items[0].role == "viewer"
        assert len(service.audit.page().items) == (9 if step < "0004" else 10)
        with pytest.raises(ConflictError, match="in use"):
            service.mappings.delete(mapping.id, revision=None, author="bob")


@pytest.mark.parametrize("step", [step for step in STORED if step >= "0003"])
def test_what_was_begun_can_be_gone_on_with(step, tmp_path):
    with closing(open_ledger(unpack(step, tmp_path) / "ledger.sqlite")) as ledger:
        (job,) = [one for one in ledger.open_jobs() if one.name == "begun"]
        assert (job.content["settings"], job.salt, job.created) == ({"seed": 3}, job.id, 1.7e9)
        assert [row.value for row in ledger.rows("t")] == [b"found"]
        assert ledger.machines() == {"m": {"cores": 2}}
        claim = ledger.claim(job.id, "here")
        assert (claim.unit.key, claim.unit.tape) == ("all", "t")


def test_benchmarks_of_the_ledger_are_listed_and_shown(before, capsys):
    assert f"{BENCHMARK}  handbook  completed" in output(capsys, "show")
    assert "what happens when a request fails" in output(capsys, "show", BENCHMARK, "--query", "q1")


def test_a_report_is_rendered_alike_from_its_file_and_from_the_ledger(before, capsys):
    output(capsys, "report", "report.json", "-o", "file.md")
    output(capsys, "report", BENCHMARK, "-o", "ledger.md", "-o", "ledger.html")
    assert Path("file.md").read_text() == Path("ledger.md").read_text()
    assert "handbook" in Path("ledger.html").read_text()
    kept = json.loads(output(capsys, "show", BENCHMARK, "--json"))
    assert kept["runs"] == json.loads(Path("report.json").read_text())["runs"]


def test_an_index_is_searched_and_not_built_again(before, capsys):
    """Its name has the place of the corpus in it, so that it is moved to the name of this place."""
    (old,) = (before / "indexes").iterdir()
    kept = old.rename(before / "old")
    assert json.loads(output(capsys, *INDEX))["added"] == 3
    (made,) = (before / "indexes").iterdir()
    shutil.rmtree(made)
    kept.rename(made)
    done = json.loads(output(capsys, *INDEX))
    assert (done["added"], done["changed"], done["rebuilt"]) == (0, 0, False)
    assert json.loads(output(capsys, *SEARCH))["hits"][0]["document"] == "retry.md"


def test_remembered_vectors_are_found(before):
    with closing(cached(Silent(), before / "vectors.sqlite")) as embedder:
        vectors = embedder.embed([TEXT])
    assert (vectors.shape, embedder.hits, embedder.misses) == ((1, 256), 1, 0)
