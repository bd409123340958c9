"""What was deleted long ago is removed for good, also by two processes at once."""

import os
import threading
import time
from contextlib import closing

import pytest
from tests.workspace.store.made import AUTHOR, HANDBOOK

from assay.errors import NotFoundError
from assay.workflows.retention import retain
from assay.workspace.ledger.ledger import open_ledger
from assay.workspace.locate import Workspace
from assay.workspace.store.store import open_service_store

DAY_S = 86_400.0


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, tmp_path):
    url = "" if request.param == "sqlite" else request.getfixturevalue("empty_database")
    return Workspace(tmp_path / "w", url)


@pytest.fixture
def filled(place):
    """A store with a dataset and a benchmark that are deleted, and others that are not."""
    place.folder.mkdir()
    with (
        closing(open_service_store(place.database)) as store,
        closing(open_ledger(place.database)) as ledger,
    ):
        for name in ("kept", "gone"):
            dataset = store.datasets.create(HANDBOOK, name=name, **AUTHOR)
            ledger.create(name=name, about={}, runs=["a"], job={}, id_=name, author="ada")
            token = store.tokens.create(name, "viewer", **AUTHOR).entry
        store.datasets.delete(dataset.id, revision=None, **AUTHOR)
        ledger.delete("gone")
        store.tokens.revoke(token.id, **AUTHOR)
    return place


def left(place):
    """Name all that is there, deleted or not."""
    with (
        closing(open_service_store(place.database)) as store,
        closing(open_ledger(place.database)) as ledger,
    ):
        found = [one.name for one in store.datasets.page().items]
        found += [one.name for one in store.datasets.page(deleted=True).items]
        found += [one.name for one in ledger.page().items]
        found += [one.name for one in ledger.page(deleted=True).items]
        return sorted(found + [one.name for one in store.tokens.page().items])


def later(days):
    return lambda: time.time() + days * DAY_S


def test_what_was_deleted_long_ago_is_removed(filled):
    assert retain(place=filled, days=30, clock=later(29)) == 0
    assert left(filled) == ["gone"] * 3 + ["kept"] * 3
    assert retain(place=filled, days=30, clock=later(31)) == 3
    assert left(filled) == ["kept"] * 3
    assert retain(place=filled, days=30, clock=later(31)) == 0
    with closing(open_service_store(filled.database)) as store:
        acts = [one.act for one in store.audit.page(author="retention").items]
        assert sorted(acts) == ["dataset.purge", "token.purge"]
    with closing(open_ledger(filled.database)) as ledger, pytest.raises(NotFoundError):
        ledger.find("gone")


def test_two_at_once_remove_it_once(filled):
    counts, start = [], threading.Barrier(2)

    def work():
        start.wait(30)
        counts.append(retain(place=filled, days=30, clock=later(31)))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert sum(counts) == 3
    assert left(filled) == ["kept"] * 3


def test_uploads_that_were_left_over_are_removed(tmp_path):
    place = Workspace(tmp_path)
    for name in ("old", "new"):
        (tmp_path / "uploads" / name).mkdir(parents=True)
        (tmp_path / "uploads" / name / "upload").write_text("data")
    long_ago = time.time() - 2 * DAY_S
    os.utime(tmp_path / "uploads" / "old", (long_ago, long_ago))
    assert retain(place=place, days=30) == 1
    assert [one.name for one in (tmp_path / "uploads").iterdir()] == ["new"]
    assert not place.has_database  # nothing is made for it


def test_a_link_in_the_place_of_an_upload_is_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").write_text("data")
    (tmp_path / "w" / "uploads").mkdir(parents=True)
    (tmp_path / "w" / "uploads" / "link").symlink_to(tmp_path / "elsewhere")
    assert retain(place=Workspace(tmp_path / "w"), days=30, clock=later(2)) == 1
    assert (tmp_path / "elsewhere" / "file").exists()
    assert not (tmp_path / "w" / "uploads" / "link").exists()
