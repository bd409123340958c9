"""Which stage lost each relevant document of a query."""

from dataclasses import replace

from assay.reports.runs._query_missed import missed_tables
from assay.reports.runs.of_query import of_query, of_query_json


def missing(report, *each):
    runs = [
        replace(run, waterfall={"order": 0.1}, missed={"q1": missed}, losses={"q1": {"cut": 0.5}})
        for run, missed in zip(report.runs, each, strict=True)
    ]
    return replace(
        report, runs=tuple(runs), queries={"q1": {"text": "t", "judged": {"a": 1, "b": 3, "c": 0}}}
    )


def test_each_document_has_a_row_for_each_stage(report):
    told = missing(
        report("x", "y"),
        {"a": "cut", "b": "lexical"},
        {"a": "dense", "b": "lexical", "z": "corpus"},
    )
    table = of_query(told, "q1")[-1]
    assert table.titles == ("document", "grade", "lost by", "runs")
    assert table.rows == [
        ["b", 3, "lexical", "all 2"],
        ["a", 1, "cut", "x"],
        ["a", 1, "dense", "y"],
        ["z", None, "corpus", "y"],
    ]
    first, second = of_query_json(told, "q1")["runs"]
    assert first["missed"] == {"a": "cut", "b": "lexical"}
    assert second["losses"] == {"cut": 0.5}
    assert second["reading"] == {}


def test_many_are_not_all_named(report):
    names = [f"run {at}" for at in range(6)]
    most = {f"d{at:02}": "order" for at in range(25)}
    told = missing(report(*names), *[most] * 5, {})
    (table,) = missed_tables(told, "q1", {})
    assert len(table.rows) == 20
    assert table.rows[0] == ["d00", None, "order", "run 0, run 1, run 2 and 2 more"]
    assert table.caption.endswith("; 5 more")


def test_nothing_is_told_of_a_report_that_does_not_know(report):
    assert missed_tables(report("x"), "q1", {}) == []
    assert len(of_query(report("x"), "q1")) == 1
    assert missed_tables(missing(report("x"), {}), "q1", {}) == []
