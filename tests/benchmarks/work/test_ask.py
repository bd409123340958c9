"""What is on the tape is not asked again, and everything else is, round by round."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks.measuring import Memory

from assay.benchmarks.work import ask
from assay.benchmarks.work.ask import BATCH, HOPELESS, NOT_ASKED, STUDIED, Reply, ask_all
from assay.errors import CancelledError, InputError
from assay.records import Query, RecordedAnswer

QUERIES = [Query(f"q{at}", f"text {at}") for at in range(4)]
NAMES = {
    Query(f"q{at}", text).fingerprint: f"q{at}" for at in range(60) for text in ("", f"text {at}")
}


def row(key, number, *value, **more):
    """Make a row as it stands on a tape."""
    return RecordedAnswer(Query(key, f"text {key[1:]}").fingerprint, number, *value, **more)


class Search:
    """Answers by the text, and remembers what it was asked."""

    def __init__(self, **wrong):
        self.asked, self.wrong = [], wrong

    def __call__(self, query):
        self.asked.append(query.key)
        if query.key in self.wrong:
            raise self.wrong[query.key]
        return Reply(query.text.encode(), {"total": 1.0})


def keys(tape):
    return [(NAMES.get(row.query, row.query), row.round) for row in tape.rows()]


def test_every_query_is_recorded_in_every_round_and_its_value_once():
    search, tape = Search(), Memory()
    assert ask_all(search, QUERIES[:2], tape, rounds=2, warm_up=0) == 4
    assert keys(tape) == [("q0", 0), ("q1", 0), ("q0", 1), ("q1", 1)]
    assert [row.value for row in tape.rows()] == [b"text 0", b"text 1", None, None]
    assert ask_all(search, QUERIES[:2], tape, rounds=2) == 0
    assert search.asked == ["q0", "q1", "q0", "q1"]


def test_an_answer_that_changes_is_recorded_again():
    replies = iter([b"one", b"one", b"two"])
    tape = Memory()
    ask_all(lambda _query: Reply(next(replies)), QUERIES[:1], tape, warm_up=0)
    assert [row.value for row in tape.rows()] == [b"one", None, b"two"]


def test_of_what_was_found_before_only_another_answer_is_recorded():
    tape, found = Memory(), {QUERIES[0].fingerprint: b"text 0", QUERIES[1].fingerprint: b"other"}
    ask_all(Search(), QUERIES[:2], tape, rounds=2, warm_up=0, found=found)
    assert keys(tape) == [("q0", 0), ("q1", 0), ("q0", 1), ("q1", 1)]
    assert [one.value for one in tape.rows()] == [None, b"text 1", None, b"text 1"]
    assert all(one.times for one in tape.rows())


def test_what_is_given_up_may_be_left_open():
    queries = [Query(f"q{at}", "") for at in range(12)]
    search, tape = Search(**{query.key: OSError("no") for query in queries}), Memory()
    ask_all(search, queries, tape, rounds=1, warm_up=0, leaves_open=True)
    assert len(search.asked) == len(keys(tape)) == HOPELESS


def test_a_warm_up_asks_only_what_is_asked_next():
    tape = Memory()
    tape.record([row(query.key, 0, b"") for query in QUERIES])
    tape.record(
        [
            row("q0", 1),
            row("q1", 1, error="no"),
            row("q1", 0, error="no"),
        ]
    )
    search = Search()
    ask_all(search, QUERIES, tape, rounds=2, warm_up=1)
    assert search.asked == ["q2", "q2", "q3"]
    search.asked.clear()
    ask_all(search, QUERIES, tape, rounds=2, warm_up=3)
    assert search.asked == []


def test_a_warm_up_asks_nobody_who_failed():
    tape = Memory()
    tape.record([row("q0", 0, error="no"), row("q1", 0, b"text 1")])
    search = Search()
    ask_all(search, QUERIES[:2], tape, rounds=2, warm_up=3)
    assert search.asked == ["q1", "q1"]
    assert [one.error for one in tape.rows() if NAMES[one.query] == "q0"] == ["no", "no"]


def test_a_query_that_failed_has_failed_in_every_round():
    search = Search(q1=ValueError("odd"), q2=InputError("wrong", where="there", hint="mend it"))
    tape = Memory()
    ask_all(search, QUERIES, tape, rounds=3, warm_up=0)
    assert search.asked.count("q1") == 1
    assert {one.error for one in tape.rows() if NAMES[one.query] == "q1"} == {"ValueError: odd"}
    assert {one.error for one in tape.rows() if NAMES[one.query] == "q2"} == {"wrong"}
    assert len(keys(tape)) == len(set(keys(tape))) == 12


def test_what_failed_before_is_not_asked():
    search, tape = Search(), Memory()
    ask_all(search, QUERIES, tape, rounds=1, warm_up=3, failed={QUERIES[0].fingerprint: "earlier"})
    assert "q0" not in search.asked
    assert next(iter(tape.rows())) == row("q0", 0, error="earlier")


def test_where_the_first_fail_alike_no_more_are_asked():
    queries = [Query(f"q{at}", "") for at in range(12)]
    search = Search(**{query.key: OSError(f"port {query.key}") for query in queries})
    tape = Memory()
    ask_all(search, queries, tape, rounds=2, warm_up=0)
    assert len(search.asked) == HOPELESS
    assert len(set(keys(tape))) == 24
    assert sum(row.error == NOT_ASKED for row in tape.rows()) == 2 * (12 - HOPELESS)


def test_accounts_of_structure_are_no_rounds():
    tape = Memory()
    tape.record([row("q0", STUDIED, b"account")])
    search = Search()
    ask_all(search, QUERIES[:1], tape, rounds=1, warm_up=0)
    assert search.asked == ["q0"]


def test_what_was_asked_is_recorded_in_batches():
    sizes = []

    class Noting(Memory):
        def record(self, rows):
            sizes.append(len(rows))
            super().record(rows)

    queries = [Query(f"q{at}", "") for at in range(2 * BATCH + 3)]
    ask_all(Search(), queries, Noting(), rounds=1, warm_up=0)
    assert sizes == [BATCH, BATCH, 3]


def test_slow_searches_are_recorded_sooner(monkeypatch):
    now = iter(np.arange(0, 1000, 0.3))
    monkeypatch.setattr(ask.time, "monotonic", lambda: next(now))
    sizes = []

    class Noting(Memory):
        def record(self, rows):
            sizes.append(len(rows))
            super().record(rows)

    ask_all(Search(), QUERIES, Noting(), rounds=1, warm_up=0)
    assert max(sizes) == 2


def test_an_interrupt_keeps_what_was_recorded_and_nothing_is_asked_twice():
    queries = [Query(f"q{at}", "") for at in range(BATCH + 10)]

    class Interrupted(Search):
        def __call__(self, query):
            if query.key == f"q{BATCH + 5}" and not self.wrong:
                self.wrong["was"] = True
                raise KeyboardInterrupt
            return super().__call__(query)

    search, tape = Interrupted(), Memory()
    with pytest.raises(KeyboardInterrupt):
        ask_all(search, queries, tape, rounds=1, warm_up=0)
    assert len(keys(tape)) == BATCH
    before = [*search.asked]
    assert ask_all(search, queries, tape, rounds=1, warm_up=0) == 10
    assert not set(before[:BATCH]) & set(search.asked[len(before) :])
    assert sorted(keys(tape)) == sorted((query.key, 0) for query in queries)


def test_a_tape_that_refuses_ends_it():
    class Refusing(Memory):
        def record(self, rows):
            raise CancelledError("stop")

    with pytest.raises(CancelledError):
        ask_all(Search(), QUERIES, Refusing(), rounds=1, warm_up=0)


@given(
    known=st.sets(st.tuples(st.integers(0, 5), st.integers(0, 2))),
    rounds=st.integers(1, 3),
    warm_up=st.integers(0, 4),
    several=st.sampled_from([1, 3]),
)
def test_whatever_is_on_a_tape_the_rest_is_asked_once(known, rounds, warm_up, several):
    queries = [Query(f"q{at}", f"text {at}") for at in range(6)]
    tape, search = Memory(), Search()
    tape.record([row(f"q{at}", number, b"x") for at, number in sorted(known)])
    before = set(keys(tape))
    left = ask_all(search, queries, tape, rounds=rounds, warm_up=warm_up, several=several)
    wanted = {(query.key, number) for query in queries for number in range(rounds)}
    assert len(keys(tape)) == len(set(keys(tape)))
    assert set(keys(tape)) == before | wanted
    assert left == len(wanted - before)
    assert left <= len(search.asked) <= left + min(warm_up, left)
    assert set(search.asked) == {key for key, _ in wanted - before}


def test_no_queries_are_no_work():
    tape = Memory()
    assert ask_all(Search(), [], tape) == 0
    assert keys(tape) == []
