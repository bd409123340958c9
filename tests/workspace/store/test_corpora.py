"""Corpora of the store: where they are, and what was read there."""

import pytest
from tests.workspace.store.made import AUTHOR, HANDBOOK

from assay.errors import ConflictError, InputError, NotFoundError, StaleError

FOLDER = {"source": "folder", "path": "docs", "include": ["**/*.md"]}


def test_by_hand(service):
    made = service.corpora.create("docs", FOLDER, **AUTHOR)
    assert (made.name, made.where, made.revision) == ("docs", FOLDER, 1)
    assert (made.fingerprint, made.documents, made.skipped, made.last_read) == ("", None, {}, None)
    read = service.corpora.note_reading(
        made.id, fingerprint="ab", documents=7, skipped={"binary": 2}, revision=1, author="job"
    )
    assert (read.fingerprint, read.documents, read.skipped) == ("ab", 7, {"binary": 2})
    assert read.last_read == read.updated
    assert service.corpora.get(made.id) == read
    moved = service.corpora.move(made.id, {"path": "manual"}, revision=2, **AUTHOR)
    assert (moved.where, moved.fingerprint, moved.documents) == ({"path": "manual"}, "", None)
    renamed = service.corpora.rename(made.id, "manual", revision=3, **AUTHOR)
    assert service.corpora.page().items == (renamed,)
    assert service.corpora.page(contains="docs").items == ()


def test_names_are_unique_and_deletion_can_be_undone(service):
    made = service.corpora.create("docs", FOLDER, **AUTHOR)
    with pytest.raises(ConflictError, match="docs"):
        service.corpora.create("docs", FOLDER, **AUTHOR)
    service.corpora.delete(made.id, revision=1, **AUTHOR)
    with pytest.raises(NotFoundError, match=made.id):
        service.corpora.get(made.id)
    other = service.corpora.create("docs", FOLDER, **AUTHOR)
    with pytest.raises(ConflictError, match="docs"):
        service.corpora.undelete(made.id, **AUTHOR)
    service.corpora.delete(other.id, revision=1, **AUTHOR)
    assert service.corpora.undelete(made.id, **AUTHOR).where == FOLDER
    assert [one.id for one in service.corpora.page(deleted=True).items] == [other.id]


def test_a_corpus_in_use_stays(service):
    made = service.corpora.create("docs", FOLDER, **AUTHOR)
    dataset = service.datasets.create(HANDBOOK, **AUTHOR)
    mapping = service.mappings.create(dataset.id, made.id, **AUTHOR)
    for act in (
        lambda: service.corpora.delete(made.id, revision=None, **AUTHOR),
        lambda: service.datasets.delete(dataset.id, revision=None, **AUTHOR),
    ):
        with pytest.raises(ConflictError, match="in use") as caught:
            act()
        assert mapping.id in caught.value.hint
    service.mappings.delete(mapping.id, revision=1, **AUTHOR)
    service.corpora.delete(made.id, revision=None, **AUTHOR)
    service.datasets.delete(dataset.id, revision=None, **AUTHOR)


@pytest.mark.parametrize("wrong", [{}, "docs", None, {"path": {1}}, {1: "docs"}], ids=repr)
def test_a_corpus_is_somewhere(service, wrong):
    with pytest.raises(InputError, match="corpus"):
        service.corpora.create("docs", wrong, **AUTHOR)
    assert service.corpora.page().items == ()


def test_an_old_revision_is_refused(service):
    made = service.corpora.create("docs", FOLDER, **AUTHOR)
    service.corpora.rename(made.id, "new", revision=1, **AUTHOR)
    about = {"fingerprint": "f", "documents": 1, "skipped": {}}
    for act in (
        lambda: service.corpora.rename(made.id, "x", revision=1, **AUTHOR),
        lambda: service.corpora.move(made.id, {"path": "x"}, revision=1, **AUTHOR),
        lambda: service.corpora.note_reading(made.id, **about, revision=1, **AUTHOR),
        lambda: service.corpora.delete(made.id, revision=1, **AUTHOR),
    ):
        with pytest.raises(StaleError, match="revision 2"):
            act()
