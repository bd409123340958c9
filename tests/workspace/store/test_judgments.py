"""Judgments of the store: appended, the newest of an author counts."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.workspace.store.made import AUTHOR, HANDBOOK, ODD

from assay.errors import InputError, NotFoundError
from assay.records import Dataset, Query
from assay.records.service import NewJudgment


@pytest.fixture
def dataset(service):
    return service.datasets.create(HANDBOOK, **AUTHOR).id


def listed(page):
    return [(one.author, one.judgment.document, one.judgment.grade) for one in page.items]


def test_by_hand(service, dataset, is_file, clock):
    """Two people and a model judge; one thinks again, and one takes a grade back."""
    log = service.judgments
    first = [NewJudgment("q1", "a", 3), NewJudgment("q1", "b", 0)]
    assert log.record(dataset, first, author="ada") == 2
    log.record(dataset, [NewJudgment("q1", "a", 1, note="hm")], author="bob")
    log.record(dataset, [NewJudgment("q1", "a", 2, "model")], author="ada")
    log.record(dataset, [NewJudgment("q1", "a", 2)], author="ada")
    log.record(dataset, [NewJudgment("q1", "b", None)], author="ada")
    log.record(dataset, [NewJudgment("q2", "a", 1)], author="bob")
    assert listed(log.current(dataset)) == [
        ("bob", "a", 1),
        ("ada", "a", 2),  # the model that she ran
        ("ada", "a", 2),
        ("bob", "a", 1),
    ]
    assert listed(log.current(dataset, query="q1", author="ada", source="person")) == [
        ("ada", "a", 2)
    ]
    assert listed(log.current(dataset, query="q2")) == [("bob", "a", 1)]
    history = log.page(dataset, author="ada", source="person").items
    assert [one.judgment.grade for one in history] == [None, 2, 0, 3]
    assert log.page(dataset, query="q1", author="bob").items[0].judgment.note == "hm"
    assert history[0].dataset == dataset
    if is_file:
        assert history[0].created < clock.now
        assert history[2].created == history[3].created


def test_pages(service, dataset):
    new = [NewJudgment("q1", f"d{n}", 1) for n in range(7)]
    service.judgments.record(dataset, new, **AUTHOR)
    for act, expected in (
        (service.judgments.page, range(6, -1, -1)),
        (service.judgments.current, range(7)),
    ):
        seen, cursor = [], ""
        while True:
            page = act(dataset, limit=3, cursor=cursor)
            seen += [one.judgment.document for one in page.items]
            cursor = page.next
            if not cursor:
                break
        assert seen == [f"d{n}" for n in expected]


WRONG = {
    "grade 1.5": NewJudgment("q1", "a", 1.5),
    "grade true": NewJudgment("q1", "a", True),
    "grade 1001": NewJudgment("q1", "a", 1001),
    "grade text": NewJudgment("q1", "a", "3"),
    "no document": NewJudgment("q1", "", 1),
    "no query": NewJudgment("", "a", 1),
    "source": NewJudgment("q1", "a", 1, "oracle"),
    "unknown query": NewJudgment("q9", "a", 1),
    "odd query": NewJudgment("\0", "a", 1),
    "number": NewJudgment("q1", 7, 1),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_one_wrong_judgment_stores_none(service, dataset, wrong):
    before = service.audit.page()
    with pytest.raises(InputError) as caught:
        service.judgments.record(dataset, [NewJudgment("q1", "a", 1), wrong], **AUTHOR)
    assert caught.value.hint
    assert service.judgments.page(dataset).items == ()
    assert service.audit.page() == before


def test_queries_of_any_version_can_be_judged(service, dataset):
    service.datasets.edit(dataset, remove=["q1"], revision=None, **AUTHOR)
    assert service.judgments.record(dataset, [NewJudgment("q1", "a", 1)], **AUTHOR) == 1


def test_wrong_datasets(service, dataset):
    for act in (
        lambda: service.judgments.record("0" * 12, [], **AUTHOR),
        lambda: service.judgments.page("\0"),
        lambda: service.judgments.current("0" * 12),
    ):
        with pytest.raises(NotFoundError, match="dataset"):
            act()


def test_a_grade_above_the_scale_is_refused_with_the_others(service, dataset):
    with pytest.raises(InputError, match='grade 9 of "b" is outside') as caught:
        service.judgments.record(
            dataset, [NewJudgment("q1", "a", 1), NewJudgment("q1", "b", 9)], **AUTHOR
        )
    assert "up to 3" in caught.value.hint
    assert service.judgments.page(dataset).items == ()


texts = st.sampled_from([*filter(str.strip, ODD), "a", "b"])
given_judgments = st.builds(
    NewJudgment,
    texts,
    texts,
    st.none() | st.integers(-1000, 1000),
    st.sampled_from(["person", "clicks", "model"]),
    st.sampled_from(ODD),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(sequence=st.lists(st.tuples(texts, st.lists(given_judgments, max_size=4)), max_size=5))
def test_the_newest_counts_as_in_memory(service, sequence):
    for old in service.datasets.page().items:
        service.datasets.delete(old.id, revision=None, **AUTHOR)
    odd = Dataset("odd", tuple(Query(one, "t") for one in {*ODD, "a", "b"}), scale=1000)
    dataset = service.datasets.create(odd, **AUTHOR).id
    newest, history = {}, []
    for author, judgments in sequence:
        service.judgments.record(dataset, judgments, author=author)
        for one in judgments:
            key = (one.query, one.document, author, one.source)
            newest.pop(key, None)
            newest[key] = one
            history.append((author, one))
    current = service.judgments.current(dataset, limit=1000).items
    expected = [(key[2], one) for key, one in newest.items() if one.grade is not None]
    assert [(one.author, one.judgment) for one in current] == expected
    found = service.judgments.page(dataset, limit=1000).items
    assert [(one.author, one.judgment) for one in found] == history[::-1]
