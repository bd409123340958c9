"""Queries are studied after they were measured, and what fails there ends no run."""

import numpy as np
import pytest
from tests.benchmarks.measuring import Memory

from assay.benchmarks.work.ask import STUDIED
from assay.benchmarks.work.studies import Studies, read_studies, record_studies
from assay.benchmarks.work.tapes import by_query
from assay.engines.coherence.study import study as rank
from assay.errors import InputError
from assay.records import Query, RecordedAnswer, untracked

NAMES = ["a", "b", "c"]
ROWS = np.array([[1.0, 0.0], [0.8, 0.6], [0.6, 0.8]])
QUERIES = [Query(key=f"q{at}", text=f"text {at}") for at in range(5)]


class Studied:
    """No engine: gives the same account of each query, or fails as it is told."""

    def __init__(self, *fails, structure=True):
        self.fails = fails
        self.structure = structure

    def studied(self, query):
        if query.key in self.fails:
            raise InputError("the store did not answer", where="store", hint="start it")
        return rank(ROWS, ROWS[0], names=NAMES) if self.structure else None


class Answers:
    """A tape of answers, of which some may be taken away."""

    def __init__(self):
        self.found = {
            query.key: RecordedAnswer(query.fingerprint, value=b"an answer") for query in QUERIES
        }


@pytest.fixture
def answers():
    return Answers()


def study(built, queries, answers, *, track=untracked, doing="studying"):
    tape = Memory()
    tape.record([*answers.found.values()])
    record_studies(built, queries, tape, track=track, doing=doing)
    return read_studies(by_query((row for row in tape.rows() if row.round == STUDIED), queries))


def test_each_answered_query_is_studied(answers):
    del answers.found["q3"]
    studied = study(Studied(), QUERIES, answers)
    assert list(studied.found) == ["q0", "q1", "q2", "q4"]
    assert studied.notes == ()


def test_what_sums_do_not_need_is_not_kept(answers):
    whole, kept = Studied().studied(QUERIES[0]), study(Studied(), QUERIES, answers).found["q0"]
    assert len(whole.receipt.items) == 3
    assert (kept.receipt.items, kept.receipt.edges) == ((), ())
    assert kept.orders == whole.orders
    assert kept.receipt.delta_h == whole.receipt.delta_h
    assert kept.receipt.completeness == whole.receipt.completeness


@pytest.mark.parametrize("key", ["q0", "q2"])
def test_one_query_that_cannot_be_studied_is_a_note(answers, snapshot, key):
    studied = study(Studied(key), QUERIES, answers)
    assert sorted([*studied.found, key]) == [query.key for query in QUERIES]
    snapshot(studied.notes)


def test_all_may_fail(answers):
    studied = study(Studied(*answers.found), QUERIES, answers)
    assert not studied.found
    assert studied.notes[0].startswith("5 queries")
    assert " q0: " in studied.notes[0]


def test_without_structure_nothing_is_studied(answers):
    assert study(Studied(structure=False), QUERIES, answers) == Studies()


def test_progress_is_told(answers):
    seen = []

    def track(items, doing, *, total=None, unit=""):
        seen.append((doing, total, unit))
        return items

    study(Studied(), QUERIES, answers, track=track, doing="looking")
    study(Studied(structure=False), QUERIES, answers, track=track)
    assert seen == [("looking", 5, "queries")]


def test_what_is_on_the_tape_is_not_studied_again(answers):
    tape = Memory()
    tape.record([*answers.found.values()])
    record_studies(Studied("q4"), QUERIES, tape)
    before = len(tape.rows())
    record_studies(Studied(*answers.found), QUERIES, tape)
    assert len(tape.rows()) == before
