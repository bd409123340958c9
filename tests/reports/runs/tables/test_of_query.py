"""Which stage lost each relevant document of a query."""

from dataclasses import replace
from json import dumps

from assay.reports.runs.json.json import json
from assay.reports.runs.json.read import load_report
from assay.reports.runs.tables.of_query import missed_tables, of_query, of_query_json


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
    assert table.rows[0][:3] == ["d00", None, "order"]
    assert table.rows[0][3].split(" and ") == ["run 0, run 1, run 2", "2 more"]
    assert table.caption.endswith(" 5 more")


def test_what_is_not_named_is_counted(report):
    names = {f"d{at:02}": "order" for at in range(20)}
    told = missing(report("x"), names)
    told = replace(told, runs=(replace(told.runs[0], missed_more={"q1": 1180}),))
    (table,) = missed_tables(told, "q1", {})
    assert table.caption.endswith(" 1,180 more")
    assert of_query_json(told, "q1")["runs"][0]["missed_more"] == 1180
    both = missing(report("x", "y"), names, {"d00": "cut", "d30": "cut"})
    both = replace(both, runs=(replace(both.runs[0], missed_more={"q1": 5}), both.runs[1]))
    (table,) = missed_tables(both, "q1", {})
    assert table.caption.endswith("at least 5 more")  # the other run may lack the same ones
    assert load_report(dumps(json(told)).encode()).runs[0].missed_more == {"q1": 1180}


def test_nothing_is_told_of_a_report_that_does_not_know(report):
    assert missed_tables(report("x"), "q1", {}) == []
    assert len(of_query(report("x"), "q1")) == 1
    assert missed_tables(missing(report("x"), {}), "q1", {}) == []
