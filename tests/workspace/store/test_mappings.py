"""Mappings: resolved with the real resolver, chosen by hand, resolved again."""

import threading
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.workspace.store.made import AUTHOR, HANDBOOK

from assay.datasets.resolve.resolve import resolve
from assay.errors import ConflictError, InputError, NotFoundError, StaleError
from assay.records import Dataset, Document, Judgment, Query, Reference
from assay.workspace.ledger.ledger import open_ledger

SETUP, GONE, RETRY = (
    Reference(file_name="setup.md"),
    Reference(document_id="gone"),
    Reference.named("retry.md"),
)
DATASET = Dataset(
    "d",
    (
        Query("q1", "port", (Judgment(SETUP, 3), Judgment(GONE, 1))),
        Query("q2", "again", (Judgment(RETRY, 2), Judgment(SETUP, 1))),
        Query("q3", "either", (Judgment(GONE, 2, "g"), Judgment(SETUP, 2, "g"))),
    ),
)
CORPUS = [
    Document("1", path="docs/setup.md", file_name="setup.md"),
    Document("2", path="old/setup.md", file_name="setup.md"),
    Document("3", path="retry.md", file_name="retry.md"),
]


@pytest.fixture
def made(service):
    dataset = service.datasets.create(DATASET, **AUTHOR)
    corpus = service.corpora.create("docs", {"path": "docs"}, **AUTHOR)
    return service.mappings.create(dataset.id, corpus.id, **AUTHOR)


def resolve_again(service, mapping, documents=CORPUS, *, fingerprint="f"):
    found = resolve(service.mappings.read(mapping), documents)
    return service.mappings.record(
        mapping, found, fingerprint=fingerprint, revision=None, author="job"
    )


def counts(entry):
    return entry.state, entry.total, entry.resolved, entry.ambiguous, entry.missing


def unresolved(service, mapping):
    return [
        (one.query, one.reference, one.reason) for one in service.mappings.unresolved(mapping).items
    ]


def test_by_hand(service, made):
    """Two of five items are missing or ambiguous by themselves; a choice settles three of them."""
    assert counts(made) == ("pending", 0, 0, 0, 0)
    assert (made.version, made.resolved_at) == (1, None)
    done = resolve_again(service, made.id, fingerprint="f1")
    assert counts(done) == ("partial", 5, 1, 3, 1)
    assert (done.fingerprint, done.resolved_at) == ("f1", done.updated)
    assert unresolved(service, made.id) == [
        ("q1", SETUP, "ambiguous"),
        ("q1", GONE, "not_found"),
        ("q2", SETUP, "ambiguous"),
        ("q3", GONE, "not_found"),
        ("q3", SETUP, "ambiguous"),
    ]
    first = service.mappings.unresolved(made.id).items[0]
    assert first.candidates == ("1", "2")

    chosen = service.mappings.choose(made.id, SETUP, "1", revision=2, author="bob")
    assert counts(chosen) == ("partial", 5, 4, 0, 1)
    assert unresolved(service, made.id) == [("q1", GONE, "not_found")]
    (choice,) = service.mappings.choices(made.id)
    assert (choice.reference, choice.document, choice.author) == (SETUP, "1", "bob")

    again = resolve_again(service, made.id)
    assert counts(again) == counts(chosen)
    assert service.mappings.choices(made.id) == (choice,)
    assert service.mappings.read(made.id).queries[0].judgments[0].reference.document_id == "1"
    assert service.datasets.read(made.dataset) == DATASET


def test_a_chosen_document_that_is_gone_is_unresolved_again(service, made):
    resolve_again(service, made.id)
    service.mappings.choose(made.id, SETUP, "1", revision=None, **AUTHOR)
    others = [*CORPUS[1:], Document("4", path="new/setup.md", file_name="setup.md")]
    assert counts(resolve_again(service, made.id, others)) == ("partial", 5, 1, 3, 1)
    assert unresolved(service, made.id)[0] == ("q1", SETUP, "ambiguous")
    chosen = service.mappings.choose(made.id, SETUP, "4", revision=None, **AUTHOR)
    assert counts(chosen) == ("partial", 5, 4, 0, 1)
    assert [one.document for one in service.mappings.choices(made.id)] == ["4"]


def test_a_choice_counts_also_where_it_was_left_out_of_resolving(service, made):
    resolve_again(service, made.id)
    service.mappings.choose(made.id, SETUP, "1", revision=None, **AUTHOR)
    plain = resolve(DATASET, CORPUS)
    done = service.mappings.record(made.id, plain, fingerprint="f", revision=None, **AUTHOR)
    assert counts(done) == ("partial", 5, 4, 0, 1)


def test_a_choice_taken_back(service, made):
    before = resolve_again(service, made.id)
    service.mappings.choose(made.id, SETUP, "1", revision=None, **AUTHOR)
    back = service.mappings.unchoose(made.id, SETUP, revision=None, **AUTHOR)
    assert counts(back) == counts(before)
    assert len(unresolved(service, made.id)) == 5
    with pytest.raises(NotFoundError, match=r"setup\.md"):
        service.mappings.unchoose(made.id, SETUP, revision=None, **AUTHOR)
    service.mappings.choose(made.id, SETUP, "1", revision=None, **AUTHOR)
    resolve_again(service, made.id)
    back = service.mappings.unchoose(made.id, SETUP, revision=None, **AUTHOR)
    assert counts(back) == ("pending", 0, 0, 0, 0)  # nobody knows what it would find now
    assert counts(resolve_again(service, made.id)) == counts(before)


def test_choices_count_for_every_version(service, made):
    resolve_again(service, made.id)
    edited = service.datasets.edit(
        made.dataset, put=[Query("q9", "new", (Judgment(SETUP, 1),))], revision=None, **AUTHOR
    )
    newer = service.mappings.create(made.dataset, made.corpus, **AUTHOR)
    assert (newer.version, edited.version.number) == (2, 2)
    resolve_again(service, newer.id)
    service.mappings.choose(newer.id, SETUP, "2", revision=None, **AUTHOR)
    assert counts(service.mappings.get(made.id)) == ("partial", 5, 4, 0, 1)
    assert counts(service.mappings.get(newer.id)) == ("partial", 6, 5, 0, 1)
    assert counts(resolve_again(service, made.id)) == ("partial", 5, 4, 0, 1)
    listed = service.mappings.page(dataset=made.dataset).items
    assert [one.id for one in listed] == [newer.id, made.id]
    assert service.mappings.page(corpus="0" * 12).items == ()
    assert service.mappings.page(corpus="' OR 1=1 --\0").items == ()


@pytest.mark.parametrize(
    ("documents", "state"),
    [
        ([], "unresolved"),
        (CORPUS, "partial"),
        ([Document("gone"), *CORPUS[1:]], "resolved"),
    ],
)
def test_states(service, made, documents, state):
    assert resolve_again(service, made.id, documents).state == state


def test_a_mapping_is_made_once(service, made):
    with pytest.raises(ConflictError, match="already"):
        service.mappings.create(made.dataset, made.corpus, **AUTHOR)
    service.mappings.delete(made.id, revision=1, **AUTHOR)
    other = service.mappings.create(made.dataset, made.corpus, version=1, **AUTHOR)
    with pytest.raises(ConflictError, match="replaced"):
        service.mappings.undelete(made.id, **AUTHOR)
    service.mappings.delete(other.id, revision=1, **AUTHOR)
    assert service.mappings.undelete(made.id, **AUTHOR).state == "pending"


def test_a_mapping_comes_back_only_with_what_it_maps(service, made):
    service.mappings.delete(made.id, revision=1, **AUTHOR)
    service.corpora.delete(made.corpus, revision=None, **AUTHOR)
    with pytest.raises(NotFoundError, match="corpus"):
        service.mappings.undelete(made.id, **AUTHOR)
    service.corpora.undelete(made.corpus, **AUTHOR)
    service.mappings.undelete(made.id, **AUTHOR)


@pytest.fixture
def ledger(store_place):
    with closing(open_ledger(store_place)) as opened:
        yield opened


def make_benchmark(ledger, *mappings, **more):
    told = {"name": "b", "about": {}, "runs": ["r"], **AUTHOR, **more}
    job = {"mappings": [{"mapping": one} for one in mappings]}
    return ledger.create(**told, job=job, mappings=mappings)[0]


def test_a_mapping_that_a_benchmark_uses_stays(service, made, ledger):
    benchmark, gone = make_benchmark(ledger, made.id), make_benchmark(ledger, made.id)
    ledger.delete(gone)
    with pytest.raises(ConflictError, match="in use") as caught:
        service.mappings.delete(made.id, revision=1, **AUTHOR)
    assert benchmark in caught.value.hint
    assert gone not in caught.value.hint
    assert service.mappings.get(made.id) == made
    (entry, *_) = service.audit.page(kind="mapping", thing=made.id).items
    assert (entry.act, entry.author, entry.after) == ("mapping.use", "ada", {"benchmark": gone})


@pytest.mark.parametrize("name", ["ada", "a\\b", "a\\\\b", "\\u0000", "ü 😀"])
def test_whoever_creates_a_benchmark_is_found_in_the_audit_log(service, ledger, name):
    benchmark = make_benchmark(ledger, author=name)
    ledger.delete(benchmark, author=name)
    told = service.audit.page(author=name, kind="benchmark", thing=benchmark).items
    assert [(one.act, one.author) for one in told] == [
        ("benchmark.delete", name),
        ("benchmark.create", name),
    ]


def test_a_benchmark_of_a_deleted_mapping_is_not_noted(service, made, ledger):
    dataset, corpus = made.dataset, service.corpora.create("more", {"path": "m"}, **AUTHOR).id
    other = service.mappings.create(dataset, corpus, **AUTHOR).id
    service.mappings.delete(made.id, revision=1, **AUTHOR)
    with pytest.raises(NotFoundError, match=made.id):
        make_benchmark(ledger, other, made.id, id_="0" * 12)
    assert ledger.page().items == ()
    service.mappings.delete(other, revision=1, **AUTHOR)  # nothing uses it


def test_a_deleted_benchmark_comes_back_only_with_its_mapping(service, made, ledger):
    benchmark = make_benchmark(ledger, made.id)
    ledger.delete(benchmark)
    service.mappings.delete(made.id, revision=1, **AUTHOR)
    service.datasets.delete(made.dataset, revision=1, **AUTHOR)
    service.corpora.delete(made.corpus, revision=1, **AUTHOR)
    with pytest.raises(ConflictError, match="deleted") as caught:
        ledger.undelete(benchmark)
    assert f"bring mapping {made.id} back" in caught.value.hint
    with pytest.raises(NotFoundError):
        service.mappings.undelete(made.id, **AUTHOR)  # neither does the mapping, without its data
    service.datasets.undelete(made.dataset, **AUTHOR)
    service.corpora.undelete(made.corpus, **AUTHOR)
    service.mappings.undelete(made.id, **AUTHOR)
    ledger.undelete(benchmark)
    with pytest.raises(ConflictError, match="in use"):
        service.mappings.delete(made.id, revision=None, **AUTHOR)


def test_a_deleted_benchmark_does_not_come_back_without_a_mapping_that_was_removed(
    service, made, ledger
):
    benchmark = make_benchmark(ledger, made.id)
    ledger.delete(benchmark)
    service.mappings.delete(made.id, revision=1, **AUTHOR)
    assert service.purge(2**40, **AUTHOR) == 1
    with pytest.raises(ConflictError, match="deleted"):
        ledger.undelete(benchmark)


def test_a_mapping_is_either_deleted_or_used(service, made, ledger):
    """Whoever is first wins, however close they come."""
    dataset, ends = made.dataset, set()
    for turn in range(20):
        corpus = service.corpora.create(f"c{turn}", {"path": "c"}, **AUTHOR).id
        mapping = service.mappings.create(dataset, corpus, **AUTHOR).id
        told, together = {}, threading.Barrier(2)

        def attempt(name, act, told=told, together=together):
            together.wait(timeout=60)
            try:
                act()
                told[name] = True
            except (ConflictError, NotFoundError):
                told[name] = False

        delete = partial(service.mappings.delete, mapping, revision=None, **AUTHOR)
        acts = {"delete": delete, "create": partial(make_benchmark, ledger, mapping)}
        threads = [threading.Thread(target=attempt, args=one) for one in acts.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert sorted(told.values()) == [False, True], told
        ends.add(told["delete"])
    assert ends


def test_a_resolution_of_something_else_is_refused(service, made):
    before = resolve_again(service, made.id)
    for other in (HANDBOOK, replace(DATASET, queries=DATASET.queries[::-1]), Dataset("d", ())):
        with pytest.raises(InputError, match="another dataset"):
            service.mappings.record(
                made.id, resolve(other, CORPUS), fingerprint="x", revision=None, **AUTHOR
            )
    assert service.mappings.get(made.id) == before
    assert len(unresolved(service, made.id)) == 5


def test_a_job_that_missed_a_choice_resolves_again(service, made):
    resolve_again(service, made.id)
    started = service.mappings.get(made.id)
    found = resolve(service.mappings.read(made.id), CORPUS)
    service.mappings.choose(made.id, SETUP, "1", revision=started.revision, **AUTHOR)
    with pytest.raises(StaleError):
        service.mappings.record(
            made.id, found, fingerprint="f", revision=started.revision, **AUTHOR
        )


@pytest.mark.parametrize("reference", [RETRY, Reference(uri="x"), Reference()], ids=str)
def test_only_for_unresolved_references_can_be_chosen(service, made, reference):
    before = resolve_again(service, made.id)
    with pytest.raises(NotFoundError, match="unresolved"):
        service.mappings.choose(made.id, reference, "1", revision=None, **AUTHOR)
    with pytest.raises(InputError, match="document"):
        service.mappings.choose(made.id, SETUP, "", revision=None, **AUTHOR)
    assert service.mappings.get(made.id) == before
    assert service.mappings.choices(made.id) == ()


def test_wrong_ids_and_old_revisions(service, made):
    with pytest.raises(NotFoundError, match="dataset"):
        service.mappings.create("0" * 12, made.corpus, **AUTHOR)
    with pytest.raises(NotFoundError, match="corpus"):
        service.mappings.create(made.dataset, made.dataset, **AUTHOR)
    with pytest.raises(NotFoundError, match="version"):
        service.mappings.create(made.dataset, made.corpus, version=2, **AUTHOR)
    resolve_again(service, made.id)
    for act in (
        lambda: service.mappings.choose(made.id, SETUP, "1", revision=1, **AUTHOR),
        lambda: service.mappings.unchoose(made.id, SETUP, revision=1, **AUTHOR),
        lambda: service.mappings.delete(made.id, revision=1, **AUTHOR),
    ):
        with pytest.raises(StaleError):
            act()


names = st.sampled_from(["a", "b", "c", "\0", "\ud800"])
judged = st.builds(
    Judgment,
    st.builds(Reference, document_id=names) | st.builds(Reference, file_name=names),
    st.integers(0, 1),
    st.sampled_from(["", "g", "h"]),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_counts_are_those_of_the_resolver(service, data):
    """Whatever is chosen, in which order: the same as if the dataset had named the documents."""
    lists = data.draw(st.lists(st.lists(judged, max_size=4), min_size=1, max_size=3))
    queries = tuple(Query(f"q{n}", "t", tuple(one)) for n, one in enumerate(lists))
    documents = [
        Document(f"d{n}", file_name=data.draw(names))
        for n in range(data.draw(st.integers(0, 4), label="documents"))
    ]
    for old in (*service.mappings.page().items,):
        service.mappings.delete(old.id, revision=None, **AUTHOR)
    for table in (service.datasets, service.corpora):
        for old in table.page().items:
            table.delete(old.id, revision=None, **AUTHOR)
    dataset = service.datasets.create(Dataset("d", queries), **AUTHOR)
    corpus = service.corpora.create("c", {"path": "c"}, **AUTHOR)
    mapping = service.mappings.create(dataset.id, corpus.id, **AUTHOR).id
    resolve_again(service, mapping, documents)
    left = service.mappings.unresolved(mapping, limit=1000).items
    picks = data.draw(st.lists(st.sampled_from(left), max_size=3)) if left and documents else []
    for one in picks:
        document = data.draw(st.sampled_from(documents)).id
        if one in service.mappings.unresolved(mapping, limit=1000).items:
            service.mappings.choose(mapping, one.reference, document, revision=None, **AUTHOR)
    entry = service.mappings.get(mapping)
    expected = resolve(service.mappings.read(mapping), documents)
    assert counts(entry) == (
        expected.status,
        expected.total,
        expected.resolved,
        expected.ambiguous,
        expected.missing,
    )
    assert counts(resolve_again(service, mapping, documents)) == counts(entry)
    reasons = {(row.query, row.reason) for row in expected.rows if row.reason and not row.spared}
    listed = service.mappings.unresolved(mapping, limit=1000).items
    assert {(one.query, one.reason) for one in listed} == reasons
