"""At most one message per 500 ms or 5 queries, and the last state always."""

from itertools import pairwise
from math import inf

from hypothesis import given
from hypothesis import strategies as st
from tests.server.progress.sources import progress

from assay.server.progress._throttle import INTERVAL_S, QUERIES, Throttle


def test_a_change_waits_for_half_a_second_or_for_five_queries():
    throttle = Throttle()

    def due(done, now, state="running"):
        sent = throttle.due({"b1": progress(done=done, state=state)}, now)
        return [each.runs[0].done for each in sent]

    assert due(0, 0.0) == [0]
    assert due(0, 0.3) == []
    assert due(1, 0.4) == []
    assert throttle.next_at == 0.5
    assert due(4, 0.49) == []
    assert due(5, 0.49) == [5]
    assert due(9, 0.98) == []
    assert due(9, 0.99) == [9]
    assert due(9, 1.0, "completed") == [9]


def test_what_was_never_sent_and_what_is_gone_need_no_wait():
    throttle = Throttle()
    assert throttle.due({"b1": progress("b1")}, 0.0)
    assert [each.id for each in throttle.due({"b2": progress("b2")}, 0.1)] == ["b2"]
    assert throttle.open_ids == {"b2"}


steps = st.tuples(
    st.floats(0, 0.7), st.integers(0, 8), st.sampled_from(["running", "running", "failed"])
)


@given(st.lists(steps, max_size=60))
def test_never_more_than_allowed_and_the_last_state_always(drawn):
    throttle, now, done, sent = Throttle(), 0.0, 0, []
    for wait, more, state in drawn:
        now, done = now + wait, done + more
        sent += [(now, one) for one in throttle.due({"b1": progress("b1", done, state)}, now)]
    if drawn:
        if throttle.next_at < inf:  # nothing else happens: the hub looks again then
            now = throttle.next_at
            sent += [(now, one) for one in throttle.due({"b1": progress("b1", done, state)}, now)]
        assert sent[-1][1] == progress("b1", done, state)
    for (before, old), (after, new) in pairwise(sent):
        more = new.runs[0].done - old.runs[0].done
        assert after >= before + INTERVAL_S or more >= QUERIES or old.state != new.state
