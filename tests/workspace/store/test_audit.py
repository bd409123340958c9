"""The audit log: every change has its entry, in the same transaction."""

import inspect

import pytest
from tests.workspace.store.made import AUTHOR, HANDBOOK
from tests.workspace.stored import all_rows

from assay.datasets.resolve.resolve import resolve
from assay.records import Document, Query, Reference
from assay.records.service import NewEvent, NewJudgment
from assay.workspace.store import _access

SETUP = Reference(file_name="setup.md")
DOCUMENTS = [Document("1", file_name="setup.md"), Document("2", file_name="setup.md")]


def changes(service):
    """Do everything that changes a store, one after the other: (name, what it changes)."""
    data, corpora, mappings = service.datasets, service.corpora, service.mappings
    free = {"revision": None, **AUTHOR}
    one = data.create(HANDBOOK, **AUTHOR).id
    yield "dataset.create", one
    data.edit(one, put=[Query("q9", "new")], **free)
    yield "dataset.edit", one
    data.edit_grade(one, "q9", Reference.named("a"), 1, **free)
    yield "dataset.edit", one
    data.replace(one, HANDBOOK, **free)
    yield "dataset.replace", one
    data.restore(one, 2, **free)
    yield "dataset.restore", one
    data.rename(one, "manual", **free)
    yield "dataset.rename", one
    corpus = corpora.create("docs", {"path": "docs"}, **AUTHOR).id
    yield "corpus.create", corpus
    corpora.move(corpus, {"path": "new"}, **free)
    yield "corpus.move", corpus
    corpora.note_reading(corpus, fingerprint="f", documents=1, skipped={}, **free)
    yield "corpus.read", corpus
    corpora.rename(corpus, "new", **free)
    yield "corpus.rename", corpus
    mapping = mappings.create(one, corpus, **AUTHOR).id
    yield "mapping.create", mapping
    mappings.record(mapping, resolve(mappings.read(mapping), DOCUMENTS), fingerprint="f", **free)
    yield "mapping.resolve", mapping
    mappings.choose(mapping, SETUP, "1", **free)
    yield "mapping.choose", mapping
    mappings.unchoose(mapping, SETUP, **free)
    yield "mapping.unchoose", mapping
    mappings.delete(mapping, **free)
    yield "mapping.delete", mapping
    mappings.undelete(mapping, **AUTHOR)
    yield "mapping.undelete", mapping
    mappings.delete(mapping, **free)
    yield "mapping.delete", mapping
    service.judgments.record(one, [NewJudgment("q1", "a", 1)], **AUTHOR)
    yield "judgment.record", one
    data.delete(one, **free)
    yield "dataset.delete", one
    data.undelete(one, **AUTHOR)
    yield "dataset.undelete", one
    corpora.delete(corpus, **free)
    yield "corpus.delete", corpus
    corpora.undelete(corpus, **AUTHOR)
    yield "corpus.undelete", corpus
    token = service.tokens.create("laptop", "viewer", **AUTHOR).entry.id
    yield "token.create", token
    service.tokens.revoke(token, **AUTHOR)
    yield "token.revoke", token
    service.tokens.purge(2**40, **AUTHOR)
    yield "token.purge", token
    service.events.record([NewEvent("click", user="u")])
    service.events.forget_user("u", **AUTHOR)
    yield "event.forget", "user"
    data.delete(one, **free)
    yield "dataset.delete", one
    service.purge(2**40, **AUTHOR)
    yield "dataset.purge", one


def writers(service):
    """Name all that changes a store: it asks who does it."""
    parts = {name: part for name, part in vars(service).items() if not name.startswith("_")}
    for owner, part in {"store": service, **parts}.items():
        for name, method in inspect.getmembers(part, inspect.ismethod):
            asked = inspect.signature(method).parameters.get("author")
            if asked is not None and asked.default is asked.empty and not name.startswith("_"):
                yield part, f"{owner}.{name}", method


def test_every_change_has_its_entry(service):
    called = set()

    def note(name, method):
        def noted(*words, **more):
            called.add(name)
            return method(*words, **more)

        return noted

    everything = list(writers(service))
    for part, name, method in everything:
        setattr(part, method.__name__, note(name, method))
    seen = 0
    for act, thing in changes(service):
        entry, *older = service.audit.page(limit=1000).items
        assert (entry.act, entry.object, entry.author) == (act, thing, "ada")
        assert entry.kind == act.partition(".")[0]
        assert len(older) == seen or act == "dataset.purge"  # it also removes the mapping
        seen = len(older) + 1
    entries_alone = {"events.forget_before", "audit.note"}  # they are tested by themselves
    assert called == {name for _, name, _ in everything} - entries_alone


def test_without_its_entry_nothing_is_changed(service, store_place, monkeypatch):
    """Each change fails where it would be noted; then it is done, and the next one fails."""
    note = _access.Transaction.audit
    fails = {"next": True}

    def audit(*words, **more):
        if fails["next"]:
            raise ZeroDivisionError
        note(*words, **more)

    monkeypatch.setattr(_access.Transaction, "audit", audit)
    for part, _, method in list(writers(service)):
        setattr(part, method.__name__, twice(store_place, method, fails))
    assert len(list(changes(service))) > 25


def twice(place, method, fails):
    def called(*words, **more):
        before = all_rows(place)
        fails["next"] = True
        with pytest.raises(ZeroDivisionError):
            method(*words, **more)
        assert all_rows(place) == before
        fails["next"] = False
        return method(*words, **more)

    return called


def test_entries_tell_what_changed(service):
    one = service.datasets.create(HANDBOOK, **AUTHOR).id
    service.datasets.edit(one, remove=["q3"], revision=1, author="bob")
    service.datasets.rename(one, "manual", revision=2, author="bob")
    rename, edit, create = service.audit.page().items
    assert (rename.before, rename.after) == ({"name": "handbook"}, {"name": "manual"})
    assert edit.before["version"] == 1
    assert edit.after == {
        "version": 2,
        "changes": {"queries": {"added": 0, "removed": 1, "changed": 0}},
    }
    assert create.after["changes"]["judgments"]["added"] == 4
    assert rename.time >= edit.time >= create.time


def test_entries_are_found(service):
    one = service.datasets.create(HANDBOOK, **AUTHOR).id
    service.datasets.rename(one, "manual", revision=1, author="bob")
    service.corpora.create("docs", {"path": "docs"}, author="bob\0")

    def found(**more):
        return [entry.act for entry in service.audit.page(**more).items]

    assert found(kind="dataset") == ["dataset.rename", "dataset.create"]
    assert found(thing=one, author="bob") == ["dataset.rename"]
    assert found(author="bob\0") == ["corpus.create"]
    assert found(kind="' OR 1=1 --") == []
    page = service.audit.page(limit=2)
    service.datasets.delete(one, revision=2, **AUTHOR)
    assert [entry.act for entry in service.audit.page(cursor=page.next).items] == ["dataset.create"]


def test_no_entry_can_be_changed(service):
    """The log offers to read it and to add to it, and nothing else."""
    public = {name for name, _ in inspect.getmembers(service.audit, inspect.ismethod)}
    assert {name for name in public if not name.startswith("_")} == {"note", "page"}
    service.audit.note("request.refuse", "1", author="ada", after={"a": 1})
    service.audit.note("request.refuse", "1", author="ada", after={"a": 2})
    assert len(service.audit.page().items) == 2
