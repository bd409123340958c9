import json as standard_json

import pytest

from assay.records import Audit, Dataset, Document, Finding, Judgment, Query, Reference
from assay.reports.audits.cases import cases
from assay.reports.audits.headline import headline
from assay.reports.audits.json import json
from assay.reports.audits.overview import overview
from assay.reports.audits.sections import LONGEST, sections
from assay.workflows.audit import audit

FIXED = ("queries", "leaked", "duplicates", "contradictions", "without_relevant")


def dataset(number, **options):
    one = (Judgment(Reference("d"), 1),)
    queries = (Query(f"q{i}", f"ask w{i} about x{i}", one, **options) for i in range(number))
    return Dataset("made", tuple(queries))


def spoilt(number=15):
    """Every query is leaked, and every second one a duplicate."""
    texts = [f"how is w{i // 2} of x{i // 2} made" for i in range(number)]
    one = (Judgment(Reference("d"), 1),)
    return audit(
        Dataset("s", tuple(Query(f"q{i}", text, one) for i, text in enumerate(texts))),
        [Document("d", "\n".join(texts))],
    )


def test_the_headline_can_be_acted_on(snapshot):
    found = [audit(dataset(75), [Document("d")]), audit(dataset(75)), spoilt()]
    said = [headline(one) for one in found]
    snapshot(said)
    for fact in ("75 queries", "0.066", "ndcg@10", "sd 0.2", "80%"):
        assert fact in said[0]
    assert said[1].split("; ")[0] == said[0].split("; ")[0]
    assert said[1] != said[0]  # nothing is said of what could not be checked
    assert said[2].endswith("; 15 leaked, 7 duplicates")


@pytest.mark.parametrize(("number", "said"), [(0, "0 queries"), (1, "1 query"), (2, "2 queries")])
def test_too_few_queries_are_said_to_tell_nothing(number, said, snapshot):
    snapshot(headline(audit(dataset(number))))
    assert headline(audit(dataset(number))).startswith(f"{said} ")


def test_the_headline_takes_the_spread_of_runs():
    runs = [{f"q{i}": {"d": 1.0, "x": float(i % n)} for i in range(20)} for n in (2, 3)]
    assert "sd 0." in headline(audit(dataset(20), runs=runs))
    assert "on the runs" in headline(audit(dataset(20), runs=runs))


def test_tables_are_cut_and_say_how_much_was_left_out():
    (leaked,) = [one for one in sections(spoilt()) if one.title == "leaked"]
    assert (len(leaked.table.rows), leaked.more) == (10, 5)
    (leaked,) = [one for one in sections(spoilt(), most=None) if one.title == "leaked"]
    assert (len(leaked.table.rows), leaked.more) == (15, 0)


def test_nothing_found_and_nothing_done_take_a_line_each():
    told = {one.title: one.said for one in sections(audit(dataset(5)))}
    assert "duplicates" in told["no findings"]
    assert "no corpus" in told["skipped: leaked"]


def test_what_is_noted_takes_a_line_where_nothing_is_wrong(snapshot):
    part = Judgment(Reference(path="s.md", match="substring"), 1)
    made = Dataset("d", (Query("q", "how to begin", (part,)),))
    two = [Document(path, path=path) for path in ("1/s.md", "2/s.md")]
    found = audit(made, two)
    (told,) = [one for one in sections(found) if one.title == "unresolved"]
    snapshot(told.said)
    assert "1 of 1" in told.said
    assert 'path "s.md" matches 2' in told.said
    assert (told.table, found.defects) == (None, 0)
    (silent,) = [one for one in sections(found) if one.title == "no findings"]
    assert "unresolved" not in silent.said
    assert json(found)["unresolved"]["several"] == 1


def test_an_overview_stands_below_the_headline():
    table = overview(audit(dataset(75), [Document("d")]))
    assert table.caption == headline(audit(dataset(75), [Document("d")]))
    assert [tuple(row) for row in table.rows] == [("made", 75, 75, "documents", 1, 0)]
    assert tuple(overview(audit(dataset(2))).rows[0])[3:] == (None, None, 0)


def test_a_long_text_is_cut_and_cannot_steer_the_terminal():
    text = "a\x1b[31mb\n" + "word " * 500
    made = Dataset("d", (Query("a", text), Query("b", text)))
    for section in sections(audit(made)):
        for row in section.table.rows if section.table else ():
            for cell in row:
                assert len(str(cell)) <= LONGEST
                assert str(cell).isprintable()


def test_what_no_difference_can_reach_is_null_for_programs_too():
    # By hand: two queries have one degree of freedom; sd .1 already takes more than 1.
    found = json(audit(dataset(2)))["smallest_detectable"]
    assert [found[f"sd={sd}"] for sd in (0.1, 0.2, 0.3)] == [None] * 3
    assert all(
        row[key] is None or 0 < row[key] < 1
        for row in found["by_queries"]
        for key in ("sd=0.1", "sd=0.2", "sd=0.3")
    )


def test_the_headline_of_runs_that_can_tell_nothing():
    runs = [{"q0": {"d": 1.0}, "q1": {"x": 1.0}}, {"q0": {"d": 1.0}, "q1": {"d": 1.0}}]
    found = audit(dataset(2), runs=runs)
    assert [pair["smallest_detectable"] for pair in found.smallest_detectable["runs"]] == [None]
    assert headline(found) == headline(audit(dataset(2)))


def test_a_difference_above_one_is_none():
    (section,) = [
        one for one in sections(audit(dataset(2, category="api"))) if one.title == "categories"
    ]
    assert section.table.texts == {(0, column): "none" for column in (2, 3, 4)}


def test_the_json_has_its_fixed_keys_and_shapes():
    value = standard_json.loads(standard_json.dumps(json(spoilt()), allow_nan=False))
    assert value["queries"] == 15
    assert set(value["leaked"]) >= {"share", "queries"}
    assert value["leaked"]["share"] == 1
    assert [row["query"] for row in value["leaked"]["queries"]] == [f"q{i}" for i in range(15)]
    assert {type(value[key]) for key in FIXED[2:]} == {list}
    assert set(value["smallest_detectable"]) >= {
        "sd=0.1",
        "sd=0.2",
        "sd=0.3",
        "by_queries",
        "categories",
    }
    empty = json(audit(dataset(3)))
    assert empty["leaked"]["share"] is None
    assert empty["leaked"]["queries"] == ()
    assert set(empty["undone"]) == {"leaked", "unresolved", "difficulty"}
    assert empty["duplicates"] == []


def test_two_judges_are_shown():
    one = dataset(6)
    grades = [1, 1, 1, 1, 0, 2]
    queries = zip(one.queries, grades, strict=True)
    other = Dataset(
        "second", tuple(Query(q.key, q.text, (Judgment(Reference("d"), g),)) for q, g in queries)
    )
    found = audit(one, judge=other)
    titles = [section.title for section in sections(found)]
    assert titles.index("agreement") < titles.index("disagreements")
    apart = sections(found)[titles.index("disagreements")].table
    assert apart.titles[:2] == ("query", "text")
    assert [row[1] for row in apart.rows] == [one.queries[at].text for at in (4, 5)]
    value = json(found)["agreement"]
    assert (value["pairs"], value["equal"]) == (6, 4)
    assert value["kappa"]["value"] == pytest.approx(0, abs=1e-12)
    assert len(value["disagreements"]) == 2


def test_every_case_has_a_row():
    table = cases(spoilt(4))
    assert table.titles == ("check", "query", "case")
    assert [row[0] for row in table.rows[:4]] == ["leaked", "leaked", "leaked", "leaked"]
    assert all(isinstance(cell, str) for row in table.rows for cell in row)


def test_a_check_from_elsewhere_is_shown_like_ours():
    finding = Finding(
        said="odd ones.", brief="1 odd", rows=({"query": "q", "x": [1, 2]},), shown=("query", "x")
    )
    found = Audit(
        "d",
        2,
        2,
        {"odd": finding},
        audit(dataset(2)).smallest_detectable,
        {"sd=0.2": {"0.1": 0.5}},
        {},
    )
    assert headline(found).endswith("; 1 odd")
    (section,) = [one for one in sections(found) if one.title == "odd"]
    assert section.table.rows == [["q", "1, 2"]]
    assert json(found)["odd"] == [{"query": "q", "x": [1, 2]}]
