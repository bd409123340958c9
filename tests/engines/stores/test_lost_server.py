"""A server that stops in the middle of a run costs its own queries, and nothing else."""

from pathlib import Path

import pytest

import assay
from assay.engines.stores import pgvector as store

pytestmark = pytest.mark.server

HERE = Path(__file__).parents[3] / "examples" / "handbook"
AFTER = 12  # searches of the store, of which there are many more


def run(tmp_path, **system):
    ours = {"search": "dense", "model": "static"}
    configurations = [
        {"name": "words", "search": "lexical"},
        {"name": "pg", **ours, "system": {"kind": "pgvector", "url": "${DATABASE_URL}", **system}},
        {"name": "last", **ours},
    ]
    benchmark = {
        "name": "lost",
        "dataset": str(HERE / "questions.yaml"),
        "corpus": str(HERE / "pages"),
        "metrics": ["ndcg@10"],
        "configurations": configurations,
    }
    return assay.run(benchmark, workspace=tmp_path)


def stop_at(moment, server, monkeypatch):
    """Stop the server at a moment of a store's life."""
    kind, asked = store._Pgvector, []

    def before(name, condition):
        then = getattr(kind, name)

        def call(self, *given):
            asked.append(name)
            if condition(self):
                server.stop()
            return then(self, *given)

        monkeypatch.setattr(kind, name, call)

    if moment == "search":
        before("dense", lambda _: len(asked) == AFTER)
    elif moment == "size":
        before("size_bytes", lambda _: True)
    else:
        before("close", lambda self: self._filled is not None)


@pytest.mark.parametrize(
    ("moment", "index"),
    [("search", "exact"), ("search", "hnsw"), ("size", "hnsw"), ("close", "exact")],
)
def test_the_run_goes_on(own_postgres, tmp_path, monkeypatch, moment, index):
    monkeypatch.setenv("DATABASE_URL", own_postgres.get_uri())
    stop_at(moment, own_postgres, monkeypatch)
    report = run(tmp_path, index=index)

    words, pg, last = report.runs
    assert words.scores["ndcg@10"] > 0
    assert last.scores["ndcg@10"] > 0
    assert not words.failed
    assert not last.failed
    assert bool(pg.failed) == (moment != "close")  # times are taken after the size
    assert pg.storage["index_bytes"] > 0
    assert any(note.startswith("PostgreSQL 18") for note in pg.notes)
    measured = moment == "size"  # which is asked for after that
    assert ("dense_recall" in pg.indexing) == measured
    unmeasured = any("was not measured" in note for note in pg.notes)
    assert unmeasured == (index == "hnsw" and not measured)
    (stays,) = (note for note in report.notes if "DROP SCHEMA" in note)
    assert stays.startswith('"pg": ')
    assert " assay_" in stays.partition("DROP SCHEMA")[2]
