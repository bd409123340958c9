"""A ledger that another process locks for long."""

import sqlite3
from contextlib import closing

import pytest

from assay.errors import UnavailableError
from assay.workspace.ledger import _database
from assay.workspace.ledger.ledger import open_ledger


def test_a_ledger_that_is_locked_is_unavailable_and_may_be_tried_again(tmp_path, monkeypatch):
    """It is no fault of the job that met it."""
    place = tmp_path / "ledger.sqlite"
    open_ledger(place).close()
    monkeypatch.setattr(_database, "PATIENCE_S", 0.1)
    with (
        closing(open_ledger(place)) as ledger,
        closing(sqlite3.connect(place, isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(UnavailableError, match="in use by another process") as caught:
            ledger.create(name="n", about={}, runs=["a"], job={}, author="ada")
        assert caught.value.where == str(place)
        other.execute("ROLLBACK")
        ledger.create(name="n", about={}, runs=["a"], job={}, author="ada")
