"""Datasets of the store: by hand, then any sequence of edits against a model in memory."""

import uuid
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.workspace.store.made import (
    AUTHOR,
    HANDBOOK,
    ODD,
    QUERIES,
    datasets,
    keys,
    queries,
    references,
    whole,
)

from assay.errors import ConflictError, InputError, NotFoundError, StaleError
from assay.records import Dataset, Document, Judgment, Query, Reference
from assay.records.service import ChangeCounts, DatasetChanges

shared = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def create(service, dataset=HANDBOOK, **more):
    return service.datasets.create(dataset, **AUTHOR, **more)


def test_by_hand(service, is_file):
    """A grade is changed, a query removed and one added; then all of it is taken back."""
    made = create(service, note="first")
    assert (made.name, made.description, made.revision) == ("handbook", "of a team", 1)
    first = made.version
    assert (first.number, first.author, first.note, first.restored) == (1, "ada", "first", None)
    assert (first.queries, first.judgments, first.documents) == (3, 4, 0)
    assert first.changes == DatasetChanges(ChangeCounts(added=3), ChangeCounts(added=4))
    assert service.datasets.read(made.id) == HANDBOOK

    graded = service.datasets.edit_grade(
        made.id, "q1", Reference.named("retry.md"), 2, revision=1, author="bob", note="less"
    )
    assert (graded.revision, graded.version.number, graded.version.author) == (2, 2, "bob")
    changed = ChangeCounts(changed=1)
    assert graded.version.changes == DatasetChanges(queries=changed, judgments=changed)
    assert service.datasets.query(made.id, "q1").judgments[0].grade == 2

    fourth = Query("q4", "a new one", (Judgment(Reference.named("x"), 1),))
    edited = service.datasets.edit(made.id, put=[fourth], remove=["q2"], revision=2, **AUTHOR)
    assert edited.version.changes == DatasetChanges(
        queries=ChangeCounts(1, 1, 0), judgments=ChangeCounts(1, 3, 0)
    )
    assert [one.key for one in service.datasets.read(made.id).queries] == ["q1", "q3", "q4"]

    restored = service.datasets.restore(made.id, 1, revision=3, **AUTHOR)
    assert (restored.version.number, restored.version.restored) == (4, 1)
    assert restored.version.fingerprint == first.fingerprint
    assert service.datasets.read(made.id) == HANDBOOK
    assert service.datasets.read(made.id, 3).queries[2] == fourth
    listed = service.datasets.versions(made.id).items
    assert [(one.number, one.author) for one in listed] == [
        (4, "ada"),
        (3, "ada"),
        (2, "bob"),
        (1, "ada"),
    ]
    if is_file:
        assert first.created < graded.version.created < restored.updated
    assert service.datasets.version(made.id, 2) == graded.version


def test_the_history_of_a_query(service):
    made = create(service)
    newer = replace(QUERIES[0], text="how often to retry")
    service.datasets.edit(made.id, put=[newer], revision=None, **AUTHOR)
    service.datasets.edit(made.id, remove=["q1"], revision=None, **AUTHOR)
    service.datasets.edit(made.id, put=[newer], revision=None, **AUTHOR)
    told = [
        (one.query.text, one.since, one.until) for one in service.datasets.history(made.id, "q1")
    ]
    assert told == [
        ("how often to retry", 4, None),
        ("how often to retry", 2, 3),
        ("how to retry", 1, 2),
    ]
    with pytest.raises(NotFoundError, match="q9"):
        service.datasets.history(made.id, "q9")


def test_a_changed_query_keeps_its_place_and_a_new_one_comes_last(service):
    made = create(service)
    newer = replace(QUERIES[1], text="other")
    service.datasets.edit(made.id, put=[Query("q0", "new"), newer], revision=1, **AUTHOR)
    found = service.datasets.read(made.id).queries
    assert [one.key for one in found] == ["q1", "q2", "q3", "q0"]
    assert found[1] == newer


def test_an_edit_writes_only_what_changed(service, store_place):
    """Else a changed grade would copy a million judgments."""
    from contextlib import closing

    from assay.workspace.ledger.open_database import Database, run

    many = Dataset("many", tuple(Query(f"q{n}", "text") for n in range(300)))
    made = create(service, many)

    def rows():
        with closing(Database(store_place)) as database, database.reading() as connection:
            return run(connection, "SELECT count(*) FROM dataset_rows").scalar()

    assert rows() == 300
    service.datasets.edit_grade(made.id, "q7", Reference.named("a"), 1, revision=None, **AUTHOR)
    assert rows() == 301
    service.datasets.edit(made.id, put=[Query("q8", "text")], revision=None, **AUTHOR)
    assert rows() == 301  # it was so before
    changed = list(service.datasets.read(made.id).queries)
    changed[100:100] = [Query("new", "in the middle")]
    del changed[200]
    service.datasets.replace(
        made.id, replace(many, queries=tuple(changed)), revision=None, **AUTHOR
    )
    assert rows() == 302
    assert service.datasets.read(made.id).queries == tuple(changed)
    service.datasets.restore(made.id, 1, revision=None, **AUTHOR)
    assert rows() == 304  # the query that was edited, and the one that was removed
    assert service.datasets.read(made.id) == many


def test_nothing_new_is_no_version(service):
    made = create(service)
    assert service.datasets.replace(made.id, HANDBOOK, revision=1, **AUTHOR) == made
    assert service.datasets.edit(made.id, put=[QUERIES[0]], revision=1, **AUTHOR) == made
    other = replace(HANDBOOK, name="another name", notes=("read",), home="/elsewhere")
    assert service.datasets.replace(made.id, other, revision=1, **AUTHOR) == made
    ordered = replace(QUERIES[1], extra={"b": 1, "a": 2})
    first = service.datasets.edit(made.id, put=[ordered], revision=1, **AUTHOR)
    again = replace(QUERIES[1], extra={"a": 2, "b": 1})
    assert service.datasets.edit(made.id, put=[again], revision=2, **AUTHOR) == first
    assert len(service.audit.page().items) == 2


def test_order_alone_is_a_change(service):
    made = create(service)
    turned = replace(HANDBOOK, queries=QUERIES[::-1])
    done = service.datasets.replace(made.id, turned, revision=1, **AUTHOR)
    assert done.version.changes == DatasetChanges(reordered=True)
    assert done.version.fingerprint != made.version.fingerprint
    assert service.datasets.read(made.id) == turned
    assert service.datasets.read(made.id, 1) == HANDBOOK


def test_settings_change_by_themselves(service):
    made = create(service)
    done = service.datasets.edit(made.id, description="of two teams", revision=1, **AUTHOR)
    assert (done.description, done.version.changes) == (
        "of two teams",
        DatasetChanges(settings=True),
    )
    assert service.datasets.read(made.id, 1).description == "of a team"


def test_only_the_grade_that_changed_is_counted(service):
    made = create(service)
    setup = Reference(file_name="setup.md")
    done = service.datasets.edit_grade(made.id, "q2", setup, 3, revision=1, **AUTHOR)
    assert done.version.changes.judgments == ChangeCounts(changed=1)
    assert [one.grade for one in service.datasets.query(made.id, "q2").judgments] == [3, 1, 0]


def test_a_judgment_is_added_and_removed_by_its_grade(service):
    made = create(service)
    new = Reference(document_id="seven")
    added = service.datasets.edit_grade(made.id, "q3", new, 0, revision=1, **AUTHOR)
    assert added.version.changes.judgments == ChangeCounts(added=1)
    assert service.datasets.query(made.id, "q3").judgments == (Judgment(new, 0),)
    removed = service.datasets.edit_grade(made.id, "q3", new, None, revision=2, **AUTHOR)
    assert removed.version.changes.judgments == ChangeCounts(removed=1)
    assert service.datasets.read(made.id) == HANDBOOK


def test_a_name_is_no_version(service):
    made = create(service)
    renamed = service.datasets.rename(made.id, "manual", revision=1, **AUTHOR)
    assert (renamed.name, renamed.revision, renamed.version) == ("manual", 2, made.version)
    assert service.datasets.read(made.id, 1) == replace(HANDBOOK, name="manual")
    assert create(service).name == "handbook"  # it is free again


def test_names_are_unique_among_what_is_there(service):
    made = create(service)
    with pytest.raises(ConflictError, match="handbook"):
        create(service)
    other = create(service, name="other")
    with pytest.raises(ConflictError, match="handbook"):
        service.datasets.rename(other.id, "handbook", revision=1, **AUTHOR)
    assert service.datasets.get(other.id) == other
    service.datasets.delete(made.id, revision=1, **AUTHOR)
    service.datasets.rename(other.id, "handbook", revision=1, **AUTHOR)
    with pytest.raises(ConflictError, match="handbook"):
        service.datasets.undelete(made.id, **AUTHOR)
    service.datasets.rename(other.id, "third", revision=2, **AUTHOR)
    assert service.datasets.undelete(made.id, **AUTHOR).name == "handbook"


def test_what_is_deleted_can_be_brought_back(service):
    made = create(service)
    service.datasets.edit(made.id, remove=["q3"], revision=1, **AUTHOR)
    gone = service.datasets.delete(made.id, revision=2, **AUTHOR)
    assert gone.deleted is not None
    for act in (service.datasets.get, service.datasets.read, service.datasets.versions):
        with pytest.raises(NotFoundError, match=f"{made.id}: the dataset was deleted") as caught:
            act(made.id)
        assert "undelete" in caught.value.hint
    assert service.datasets.page().items == ()
    assert service.datasets.page(deleted=True).items == (gone,)
    back = service.datasets.undelete(made.id, **AUTHOR)
    assert (back.deleted, back.revision) == (None, 4)
    assert service.datasets.read(made.id, 1) == HANDBOOK
    with pytest.raises(NotFoundError, match=f"{made.id}: the dataset is not deleted"):
        service.datasets.undelete(made.id, **AUTHOR)


def test_a_name_in_place_of_an_id_leads_to_the_id(service):
    made = create(service)
    with pytest.raises(NotFoundError, match="an id is expected") as caught:
        service.datasets.get(made.name)
    assert made.id in caught.value.hint
    service.datasets.delete(made.id, revision=None, **AUTHOR)
    with pytest.raises(NotFoundError, match="unknown dataset") as caught:
        service.datasets.get(made.name)
    assert made.id not in caught.value.hint


STALE = {
    "edit": lambda store, one: store.edit(one, remove=["q1"], revision=1, **AUTHOR),
    "grade": lambda store, one: store.edit_grade(
        one, "q1", Reference.named("retry.md"), 0, revision=1, **AUTHOR
    ),
    "replace": lambda store, one: store.replace(one, Dataset("x", ()), revision=1, **AUTHOR),
    "restore": lambda store, one: store.restore(one, 1, revision=1, **AUTHOR),
    "rename": lambda store, one: store.rename(one, "new", revision=1, **AUTHOR),
    "delete": lambda store, one: store.delete(one, revision=1, **AUTHOR),
}


@pytest.mark.parametrize("act", STALE.values(), ids=STALE)
def test_a_change_of_an_old_revision_is_refused(service, act):
    made = create(service)
    newer = service.datasets.edit(made.id, remove=["q3"], revision=1, **AUTHOR)
    audit = service.audit.page()
    with pytest.raises(StaleError) as caught:
        act(service.datasets, made.id)
    assert "revision 2" in caught.value.problem
    assert made.id in caught.value.where
    assert isinstance(caught.value, ConflictError)
    assert service.datasets.get(made.id) == newer
    assert service.audit.page() == audit


WRONG_IDS = ["", "0" * 12, "nobody", "x" * 12, "' OR 1=1; --", "\0" * 12, "\ud800", None, 7]


@pytest.mark.parametrize("wrong", WRONG_IDS, ids=repr)
def test_wrong_ids(service, wrong):
    create(service)
    calls = [
        lambda: service.datasets.get(wrong),
        lambda: service.datasets.read(wrong),
        lambda: service.datasets.rename(wrong, "new", revision=None, **AUTHOR),
        lambda: service.datasets.delete(wrong, revision=None, **AUTHOR),
    ]
    for call in calls:
        with pytest.raises(NotFoundError, match="unknown dataset"):
            call()
    assert len(service.datasets.page().items) == 1


@pytest.mark.parametrize("wrong", [0, -1, 2, 2**31, 10**30, "1", "x", 1.5], ids=repr)
def test_wrong_versions(service, wrong):
    made = create(service)
    with pytest.raises(NotFoundError, match="version"):
        service.datasets.read(made.id, wrong)
    with pytest.raises(NotFoundError, match="version"):
        service.datasets.restore(made.id, wrong, revision=None, **AUTHOR)
    assert service.datasets.get(made.id) == made


@pytest.mark.parametrize("wrong", ["q9", "", "' OR 1=1; --", *ODD], ids=repr)
def test_wrong_queries(service, wrong):
    made = create(service)
    with pytest.raises(NotFoundError):
        service.datasets.query(made.id, wrong)
    with pytest.raises(InputError):
        service.datasets.edit(made.id, remove=["q1", wrong], revision=None, **AUTHOR)
    with pytest.raises(NotFoundError):
        service.datasets.edit_grade(
            made.id, wrong, Reference.named("a"), 1, revision=None, **AUTHOR
        )
    assert service.datasets.get(made.id) == made
    assert service.datasets.read(made.id) == HANDBOOK


TWICE = Query("twice", "t", (Judgment(Reference.named("a"), 1), Judgment(Reference.named("a"), 2)))
REFUSED = {
    "no name": (Dataset("", ()), "empty"),
    "blank name": (Dataset(" \t", ()), "empty"),
    "long name": (Dataset("x" * 201, ()), "201 characters"),
    "a key twice": (Dataset("d", (QUERIES[0], QUERIES[0])), '"q1"'),
    "a document twice": (Dataset("d", (), documents=(Document("a"), Document("a"))), '"a"'),
    "above the scale": (Dataset("d", QUERIES, scale=2), "grade 3"),
    "no whole grade": (
        Dataset("d", (Query("q", "t", (Judgment(Reference.named("a"), 1.5),)),)),
        "grade 1.5",
    ),
    "a tuple": (Dataset("d", (Query("q", "t", extra={"a": (1, 2)}),)), "extra"),
    "a number as key": (Dataset("d", (), metadata={1: 2}), "metadata"),
    "no number": (Dataset("d", (), metadata={"a": float("nan")}), "JSON"),
    "an object": (Dataset("d", (), corpus={"a": object()}), "JSON"),
}


@pytest.mark.parametrize(("dataset", "told"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_stored_is_refused_whole(service, dataset, told):
    made = create(service)
    with pytest.raises(InputError) as caught:
        create(service, dataset)
    assert told in str(caught.value)
    assert caught.value.hint
    if dataset.name == "d":
        with pytest.raises(InputError):
            service.datasets.replace(made.id, dataset, revision=1, **AUTHOR)
    assert service.datasets.page().items == (made,)
    assert service.datasets.read(made.id) == HANDBOOK


def test_grades_that_cannot_be_told_apart_are_not_edited(service):
    made = create(service, Dataset("d", (TWICE,)))
    for reference, grade, told in (
        ("a", 0, "2 judgments"),
        ("b", None, "no judgment"),
        ("b", 4, "outside the scale"),
        ("b", True, "outside the scale"),
    ):
        with pytest.raises(InputError, match=told):
            service.datasets.edit_grade(
                made.id, "twice", Reference.named(reference), grade, revision=None, **AUTHOR
            )
    assert service.datasets.get(made.id) == made


def test_numbers_keep_their_kinds(service):
    told = {"true": True, "one": 1, "float": 1.0, "large": 2**80, "small": 5e-324, "nothing": None}
    made = create(service, Dataset("d", (Query("q", "t", extra=told),), metadata=told))
    read = service.datasets.read(made.id)
    for found in (read.metadata, read.queries[0].extra):
        assert {key: repr(value) for key, value in found.items()} == {
            key: repr(value) for key, value in told.items()
        }


def test_the_author_is_asked_for(service):
    with pytest.raises(InputError, match="author"):
        service.datasets.create(HANDBOOK, author=" ")
    assert service.datasets.page().items == ()


@shared
@given(dataset=datasets)
@example(dataset=Dataset("'; DROP TABLE datasets; --", tuple(Query(one, one) for one in ODD)))
@example(dataset=Dataset("\0\ud800", ()))
def test_what_is_stored_reads_back_as_the_same(service, dataset):
    made = create(service, replace(dataset, name=f"{dataset.name[:20]}{uuid.uuid4().hex}"))
    read = service.datasets.read(made.id)
    assert whole(replace(read, name=dataset.name)) == whole(dataset)
    assert made.version.queries == len(dataset.queries)
    assert made.version.judgments == sum(len(one.judgments) for one in dataset.queries)
    paged, cursor = [], ""
    while True:
        page = service.datasets.queries(made.id, limit=2, cursor=cursor)
        paged += page.items
        cursor = page.next
        if not cursor:
            break
    assert tuple(paged) == dataset.queries
    for query in dataset.queries:
        assert service.datasets.query(made.id, query.key) == query


def put(dataset, new):
    """The model: a query of a known key takes its place, others come last."""
    given = {query.key: query for query in new}
    old = tuple(given.pop(query.key, query) for query in dataset.queries)
    return replace(dataset, queries=(*old, *given.values()))


def remove(dataset, key):
    return replace(dataset, queries=tuple(q for q in dataset.queries if q.key != key))


def regrade(query, reference, grade):
    kept = [one for one in query.judgments if one.reference == reference]
    if kept:
        changed = (
            one if one.reference != reference else replace(one, grade=grade)
            for one in query.judgments
            if one.reference != reference or grade is not None
        )
        return replace(query, judgments=tuple(changed))
    new = () if grade is None else (Judgment(reference, grade),)
    return replace(query, judgments=(*query.judgments, *new))


def do_put(store, one, told, versions):
    store.edit(one, put=told, revision=None, **AUTHOR)
    return put(versions[-1], told)


def do_remove(store, one, told, versions):
    store.edit(one, remove=[told], revision=None, **AUTHOR)
    return remove(versions[-1], told)


def do_replace(store, one, told, versions):
    store.replace(one, told, revision=None, **AUTHOR)
    return replace(told, name=versions[-1].name)


def do_shuffle(store, one, told, versions):
    now = versions[-1]
    turned = replace(now, queries=tuple(told.sample(now.queries, len(now.queries))))
    return do_replace(store, one, turned, versions)


def do_restore(store, one, told, versions):
    store.restore(one, told, revision=None, **AUTHOR)
    return replace(versions[told - 1], name=versions[-1].name)


def do_grade(store, one, told, versions):
    query = versions[-1].queries[0] if versions[-1].queries else Query("none", "")
    store.edit_grade(one, query.key, *told, revision=None, **AUTHOR)
    return put(versions[-1], [regrade(query, *told)])


def do_rename(store, one, told, versions):
    store.rename(one, told.hex, revision=None, **AUTHOR)
    versions[:] = [replace(old, name=told.hex) for old in versions]
    return versions[-1]


edits = st.one_of(
    st.tuples(st.just(do_put), st.lists(queries(), max_size=3, unique_by=lambda q: q.key)),
    st.tuples(st.just(do_remove), keys),
    st.tuples(st.just(do_replace), datasets),
    st.tuples(st.just(do_shuffle), st.randoms(use_true_random=False)),
    st.tuples(st.just(do_restore), st.integers(1, 8)),
    st.tuples(st.just(do_grade), st.tuples(references, st.none() | st.integers(-2, 3))),
    st.tuples(st.just(do_rename), st.uuids()),
)


@shared
@given(first=datasets, sequence=st.lists(edits, max_size=8))
def test_any_sequence_of_edits_is_as_in_memory(service, first, sequence):
    """Every version reads back as the model had it, whatever was done later."""
    first = replace(first, name=uuid.uuid4().hex)
    one = create(service, first).id
    versions = [first]
    for act, told in sequence:
        before = service.datasets.get(one).version
        try:
            new = act(service.datasets, one, told, versions)
        except InputError:
            new = versions[-1]
        after = service.datasets.get(one).version
        assert (new != versions[-1]) <= (after != before)  # a restored version may be the same
        assert after.number == len(versions) + (after != before)
        versions += [new] if after != before else []
    for number, expected in enumerate(versions, 1):
        read = service.datasets.read(one, number)
        assert read == expected
        told = service.datasets.version(one, number)
        assert (told.queries, told.judgments) == (
            len(expected.queries),
            sum(len(query.judgments) for query in expected.queries),
        )
        assert (told.fingerprint == service.datasets.version(one, 1).fingerprint) == (
            expected == versions[0]
        )
    for number, told in enumerate(reversed(service.datasets.versions(one).items[:-1]), 1):
        assert told.changes.queries == compared(versions[number - 1], versions[number])


def compared(old, new):
    """Count by hand which queries came, went and changed."""
    before = {query.key: query for query in old.queries}
    after = {query.key: query for query in new.queries}
    both = before.keys() & after.keys()
    return ChangeCounts(
        added=len(after.keys() - both),
        removed=len(before.keys() - both),
        changed=sum(before[key] != after[key] for key in both),
    )


def test_pages_stay_as_they_are_when_others_come(service):
    """Who lists meanwhile sees each that was there once, and none twice."""
    names = [f"d{n}" for n in range(7)]
    for name in names:
        create(service, name=name)
    page = service.datasets.page(limit=3)
    seen = [one.name for one in page.items]
    while page.next:
        create(service, name=uuid.uuid4().hex)
        page = service.datasets.page(limit=3, cursor=page.next)
        seen += [one.name for one in page.items]
    assert seen == names[::-1]


def test_datasets_are_found_by_a_part_of_their_name(service):
    for name in ("Straße 100%", "a_b", "axb", "Ünder", "back\\slash", "\0odd"):
        create(service, name=name)

    def found(text):
        return sorted(one.name for one in service.datasets.page(contains=text).items)

    assert found("STRASSE") == ["Straße 100%"]
    assert found("%") == ["Straße 100%"]
    assert found("a_b") == ["a_b"]
    assert found("ünd") == ["Ünder"]
    assert found("\\") == ["back\\slash"]
    assert found("\0") == ["\0odd"]
    assert found("' OR 1=1 --") == []
    assert len(found("")) == 6


CURSORS = ["x", "' OR 1=1; --", "ZGF0YXNldHM6", "\0", "é", "A" * 5000, "Y29ycG9yYTox", 7]


@pytest.mark.parametrize("cursor", CURSORS, ids=lambda one: repr(one)[:20])
def test_a_cursor_that_is_none_is_refused(service, cursor):
    create(service)
    with pytest.raises(InputError, match="cursor") as caught:
        service.datasets.page(cursor=cursor)
    assert caught.value.hint


@pytest.mark.parametrize("limit", [0, -1, 1001, 10**30, "5", 1.5, True, None], ids=repr)
def test_a_page_has_a_size(service, limit):
    with pytest.raises(InputError, match="limit"):
        service.datasets.page(limit=limit)
