"""Of the relevant documents that a query misses, a report names the first and counts the rest."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import assay.benchmarks.runs.waterfall as module
from assay.benchmarks.runs.waterfall import MOST, missed_of
from assay.records import (
    Dataset,
    Judgment,
    Judgments,
    Query,
    Reference,
    Report,
    Resolution,
    ResolvedReference,
    Run,
)
from assay.reports.runs.tables import of_query
from assay.reports.runs.tables.of_query import missed_tables

STAGES = ("lexical", "order")


def missed(grades, lost, *, unresolved=(), asked=("q",)):
    """Miss documents of one query: their grades by name, and the stage that lost each."""
    rows = [ResolvedReference("q", Reference(name), (name,)) for name in grades]
    rows += [ResolvedReference("q", Reference(path=name)) for name in unresolved]
    judged = [Judgment(row.reference, grades.get(*row.documents) if row.documents else 3)
              for row in rows]  # fmt: skip
    dataset = Dataset("d", (Query("q", "text", tuple(judged)),))
    return missed_of(
        STAGES,
        np.array([lost.get(name, -1) for name in grades], np.int64),
        judgments=Judgments.of_items({"q": [({name: 1.0}, g) for name, g in grades.items()]}),
        resolution=Resolution(tuple(rows), len(rows), len(grades), 0, len(unresolved)),
        dataset=dataset,
        asked=asked,
    )


def test_few_are_all_named_the_highest_grade_first():
    grades = {"b": 1, "a": 1, "c": 3, "shown": 3, "wrong": 0}
    told, more = missed(grades, {"b": 0, "a": 1, "c": 1, "wrong": 0}, unresolved=["gone.md"])
    assert [*told["q"].items()] == [
        ("c", "order"),
        ("a", "order"),
        ("b", "lexical"),
        ('path "gone.md"', "corpus"),
    ]
    assert more == {}


def test_of_many_the_rest_is_counted():
    grades = {f"d{at:03}": 1 + (at % 40 == 39) for at in range(200)}
    told, more = missed(grades, dict.fromkeys(grades, 0), unresolved=["gone.md"])
    assert [*told["q"]][:6] == ["d039", "d079", "d119", "d159", "d199", "d000"]
    assert len(told["q"]) == MOST
    assert more == {"q": 201 - MOST}
    just = [*grades][:MOST]
    told, more = missed({name: 1 for name in just}, dict.fromkeys(just, 0))
    assert (len(told["q"]), more) == (MOST, {})


def test_a_query_that_was_not_asked_misses_nothing():
    grades = {f"d{at:03}": 1 for at in range(50)}
    assert missed(grades, dict.fromkeys(grades, 0), asked=()) == ({}, {})


def test_a_document_of_several_items_has_its_largest_grade():
    judgments = Judgments.of_items({"q": [({"a": 1.0}, 1), ({"z": 1.0}, 1), ({"z": 1.0}, 2)]})
    none = Resolution((), 0, 0, 0, 0)
    lost = np.zeros(len(judgments.grades), np.int64)
    told, _ = missed_of(
        STAGES,
        lost,
        judgments=judgments,
        resolution=none,
        dataset=Dataset("d", ()),
        asked=["q"],
    )
    assert [*told["q"]] == ["z", "a"]


documents = st.dictionaries(st.text("abcé", min_size=1, max_size=3), st.integers(1, 3), min_size=1)


@given(documents, st.data())
def test_a_table_of_what_is_named_begins_as_one_of_everything(grades, data):
    """No run seems to have found a document that it only does not name."""
    stage = st.sampled_from([-1, 0, 1])
    lost = [{name: data.draw(stage) for name in grades} for _ in range(3)]
    few = _table(grades, lost, 4)
    every = _table(grades, lost, 1_000)
    assert few.rows if every else not few
    if every:
        named = [*dict.fromkeys(row[0] for row in few.rows)]
        assert few.rows == [row for row in every.rows if row[0] in named]
        assert named == [*dict.fromkeys(row[0] for row in every.rows)][:4]


def _table(grades, lost, most):
    kept, shown = module.MOST, of_query.MOST
    module.MOST, of_query.MOST = most, 4 if most == 4 else 1_000
    try:
        each = [missed(grades, one, unresolved=["gone.md"][: len(grades) % 2]) for one in lost]
        runs = [
            Run(f"run {at}", "f", {}, waterfall={"order": 0.1}, missed=told, missed_more=more)
            for at, (told, more) in enumerate(each)
        ]
        report = Report({}, {}, {}, {}, tuple(runs))
        return next(iter(missed_tables(report, "q", grades)), None)
    finally:
        module.MOST, of_query.MOST = kept, shown


def test_the_table_shows_no_more_than_a_run_names():
    assert of_query.MOST <= MOST
