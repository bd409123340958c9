"""Events of the store: appended once, read in order, forgotten."""

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.workspace.store.made import AUTHOR, ODD, mappings

from assay.errors import InputError
from assay.records.service import NewEvent

CLICK = NewEvent(
    "click",
    time=12.5,
    id="e1",
    user="u1",
    session="s1",
    benchmark="b1",
    configuration="bm25",
    query="how to retry",
    payload={"position": 3, "document": "a.md"},
)


def test_by_hand(service, is_file, clock):
    now = clock.now
    assert service.events.record([CLICK, NewEvent("query", user="u2")]) == 2
    first, second = service.events.page().items
    assert (first.event, first.number < second.number) == (CLICK, True)
    assert second.event.time == second.received == first.received
    if is_file:
        assert second.received == now + 1
    assert service.events.page(newest_first=True).items == (second, first)
    for more in (
        {"kind": "click"},
        {"user": "u1"},
        {"benchmark": "b1"},
        {"configuration": "bm25"},
        {"query": "how to retry", "kind": "click"},
    ):
        assert service.events.page(**more).items == (first,)
    assert service.events.page(kind="' OR 1=1 --\0").items == ()


def test_an_id_is_stored_once(service):
    assert service.events.record([CLICK, CLICK]) == 1
    assert service.events.record([CLICK, NewEvent("query"), NewEvent("query")]) == 2
    assert len(service.events.page().items) == 3


def test_who_reads_on_misses_nothing_that_was_removed_before(service):
    """Numbers of removed events are not given again."""
    service.events.record([NewEvent("a", user="u") for _ in range(3)])
    page = service.events.page(limit=2)
    service.events.forget_user("u", **AUTHOR)
    service.events.record([NewEvent("new")])
    following = service.events.page(cursor=page.next)
    assert [one.event.kind for one in following.items] == ["new"]


def test_events_of_a_user_are_forgotten(service):
    service.events.record([NewEvent("a", user=user) for user in ("u1", "u2", "u1", "")])
    assert service.events.forget_user("u1", **AUTHOR, most=1) == 1
    assert service.events.forget_user("u1", **AUTHOR) == 1
    assert service.events.forget_user("u1", **AUTHOR) == 0
    assert [one.event.user for one in service.events.page().items] == ["u2", ""]
    with pytest.raises(InputError, match="user"):
        service.events.forget_user("", **AUTHOR)
    assert len(service.events.page().items) == 2
    assert [one.act for one in service.audit.page().items] == ["event.forget"] * 2


def test_old_events_are_forgotten_by_when_they_came(service):
    """The clock of who sent them may be years off."""
    service.events.record([NewEvent("old", time=1e11)])
    border = service.events.page().items[0].received
    service.events.record([NewEvent("new", time=1.0)])
    received = [one.received for one in service.events.page().items]
    assert service.events.forget_before(border, **AUTHOR) == 0
    assert service.events.forget_before(received[1], **AUTHOR) == 1
    assert [one.event.kind for one in service.events.page().items] == ["new"]


WRONG = {
    "no kind": NewEvent(""),
    "long id": NewEvent("a", id="x" * 201),
    "no time": NewEvent("a", time=float("nan")),
    "text as time": NewEvent("a", time="now"),
    "far time": NewEvent("a", time=1e13),
    "no json": NewEvent("a", payload={"a": {1}}),
    "list": NewEvent("a", payload=[1]),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_one_wrong_event_stores_none(service, wrong):
    with pytest.raises(InputError) as caught:
        service.events.record([CLICK, wrong])
    assert caught.value.hint
    assert service.events.page().items == ()


texts = st.sampled_from([*ODD, "a"])
events = st.builds(
    NewEvent,
    texts.filter(str.strip),
    st.floats(-1e9, 1e11),
    st.just(""),
    *[texts] * 5,
    payload=mappings,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(new=st.lists(events, max_size=5))
def test_events_come_back_as_they_were(service, new):
    last = service.events.page(newest_first=True, limit=1).items
    service.events.record(new)
    found = service.events.page(newest_first=True, limit=1000).items
    since = [one.event for one in found if not last or one.number > last[0].number]
    assert since == new[::-1]


def test_a_follower_sees_every_event_of_many_writers(service):
    """PostgreSQL gives numbers before it commits: lower ones may be seen later than higher ones."""
    writers, each = 4, 30
    done = threading.Event()

    def write(name):
        for number in range(each):
            service.events.record([NewEvent("a", session=f"{name}-{number}")] * 3)

    threads = [threading.Thread(target=write, args=(name,)) for name in range(writers)]
    seen, at = [], 0

    def follow():
        nonlocal at
        rows = service.events.page(limit=1000).items if not at else after(service, at)
        seen.extend(one.event.session for one in rows)
        at = rows[-1].number if rows else at

    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        follow()
    done.set()
    follow()
    assert sorted(seen) == sorted(
        f"{name}-{number}" for name in range(writers) for number in range(each) for _ in range(3)
    )


def after(service, number):
    """Read on from a number, as a cursor does."""
    import base64

    cursor = base64.urlsafe_b64encode(f"events:{number}".encode()).decode()
    return service.events.page(limit=1000, cursor=cursor).items
