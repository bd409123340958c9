"""A workspace's database with something of each kind in it."""

from contextlib import closing

import pytest
from tests.workspace.store.made import AUTHOR, HANDBOOK
from tests.workspace.stored import put_ledger, unpack

from assay.workspace.store.store import open_service_store


@pytest.fixture
def filled(empty_place, tmp_path):
    """A ledger with a benchmark and its report, and a store with a dataset in two versions."""
    put_ledger(unpack("0001", tmp_path / "old") / "ledger.sqlite", empty_place)
    with closing(open_service_store(empty_place)) as service:
        made = service.datasets.create(HANDBOOK, **AUTHOR)
        service.datasets.edit(made.id, remove=["q1"], revision=1, **AUTHOR)
        service.tokens.create("laptop", "viewer", **AUTHOR)
    return empty_place
