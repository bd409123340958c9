"""A node reads the tapes before it, runs its stages, and times nothing else."""

import numpy as np
import pytest

from assay.benchmarks.work.route import Node
from assay.benchmarks.work.run_node import Inputs, asking_node
from assay.benchmarks.work.tapes import (
    pack_found,
    pack_vector,
    unpack_answer,
    unpack_found,
    unpack_vector,
)
from assay.engines.stages import Step
from assay.errors import InputError
from assay.records import FoundRows, Query, RecordedAnswer

QUERY = Query("q1", "where?", extra={"exclude": ["a.md"]})
PLAIN = Query("q1", "where?")


class Searcher:
    """Names documents by letters."""

    waited = 0.0
    given = False

    def rows_of(self, names):
        return tuple("abcdef".index(name[0]) for name in names)

    def allowed(self, filters, excluded=()):
        return None if not filters else np.array([0, 2, 4])

    def results(self, rows):
        return ["abcdef"[row] + ".md" for row in rows]

    def embed(self, text, *, key):
        return np.array([[len(text), 0.5]], np.float32)


def found(*rows, scores=None):
    values = scores or [1.0 / (at + 1) for at in range(len(rows))]
    return FoundRows(np.array(rows, np.int64), np.array(values, np.float64))


def tape(one):
    """Put a list on a tape under both queries: what one excludes makes it another one."""
    names = (QUERY.fingerprint, PLAIN.fingerprint)
    return {name: RecordedAnswer(name, 0, pack_found(one)) for name in names}


def step(name, run, clock=None, takes_ms=0):
    def timed(asked, lists):
        if clock is not None:
            clock.now += int(takes_ms * 1e6)
        return run(asked, lists)

    return Step(name, lambda: name, timed)


def first(count):
    return lambda _asked, lists: FoundRows(lists[0].rows[:count], lists[0].scores[:count])


def test_a_stage_gets_the_lists_of_all_before_it(clock):
    def joined(_asked, lists):
        return found(*(int(row) for one in lists for row in one.rows))

    node = Node("k", "fuse", "stage", (step("fuse", joined, clock, 2),))
    inputs = Inputs([tape(found(3, 1)), tape(found(0))])
    reply = asking_node(node, Searcher(), inputs, clock=clock, cpu=clock)(QUERY)
    assert unpack_found(reply.value).rows.tolist() == [3, 1, 0]
    assert reply.times == {"fuse": 2.0, "total": 2.0, "cpu": 2.0}


def test_a_stage_gets_the_vector_of_its_query(clock):
    seen = []
    node = Node(
        "k", "dense", "stage", (step("dense", lambda asked, _: seen.append(asked) or found(1)),)
    )
    vector = np.array([0.25, -1], np.float32)
    inputs = Inputs(
        [], {PLAIN.fingerprint: RecordedAnswer(PLAIN.fingerprint, 0, pack_vector(vector))}
    )
    asking_node(node, Searcher(), inputs, clock=clock, cpu=clock)(PLAIN)
    assert seen[0].text == "where?"
    assert seen[0].vector.tobytes() == vector.tobytes()


def test_light_stages_run_before_and_are_timed_apart(clock):
    steps = (step("threshold", first(3), clock, 1), step("cut", first(2), clock, 4))
    node = Node("k", "answer", "answer", steps)
    inputs = Inputs([tape(found(0, 1, 2, 3))])
    reply = asking_node(node, Searcher(), inputs, clock=clock, cpu=clock)(PLAIN)
    assert unpack_answer(reply.value)[0] == ["a.md", "b.md"]
    assert reply.times == {"threshold": 1.0, "cut": 4.0, "total": 5.0, "cpu": 5.0}


def test_stages_know_the_rows_that_a_query_excludes(clock):
    seen = []
    run = step("lexical", lambda asked, _: seen.append(asked.excluded) or found(1))
    node = Node("k", "lexical", "stage", (run,))
    for query in (QUERY, PLAIN):
        asking_node(node, Searcher(), Inputs([]), clock=clock, cpu=clock)(query)
    assert seen == [(0,), ()]


def test_a_query_is_embedded_and_waits_are_told_apart(clock):
    class Slow(Searcher):
        def embed(self, text, *, key):
            clock.now += 10_000_000
            self.waited += 7.0
            return super().embed(text, key=key)

    reply = asking_node(Node("k", "embed", "embed"), Slow(), Inputs([]), clock=clock, cpu=clock)(
        PLAIN
    )
    assert unpack_vector(reply.value).tolist() == [6.0, 0.5]
    assert reply.times == {"embed": 3.0, "total": 3.0, "waits": 7.0, "cpu": 10.0}


def test_a_query_that_failed_before_comes_no_further():
    good, bad = RecordedAnswer("q1", 0, b""), RecordedAnswer("q2", 0, error="too long")
    inputs = Inputs([{"q1": good, "q2": bad}], {"q3": RecordedAnswer("q3", 0, error="no vector")})
    assert inputs.failed == {"q2": "too long", "q3": "no vector"}


def test_scores_that_cannot_be_ranked_are_refused(clock):
    node = Node("k", "answer", "answer", ())
    inputs = Inputs([tape(found(0, 1, scores=[1.0, float("nan")]))])
    with pytest.raises(InputError):
        asking_node(node, Searcher(), inputs, clock=clock, cpu=clock)(PLAIN)


def test_a_stage_without_an_account_cannot_be_studied(clock):
    node = Node("k", "coherence", "study", (step("coherence", first(1)),))
    with pytest.raises(InputError, match="no receipt"):
        asking_node(node, Searcher(), Inputs([tape(found(0))]), clock=clock, cpu=clock)(PLAIN)
