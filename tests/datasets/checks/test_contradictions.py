from tests.datasets.checks.given import dataset, document, found, judged, query

from assay.records import Judgment, Rationale, Reference


def test_within_a_query():
    asked = dataset(query("q", "text", judged("a", 2), judged("b", 1), judged("a", 0)))
    finding = found("contradictions", asked)
    assert finding.rows == (
        {"query": "q", "other": "q", "reference": 'document_id "a"', "grades": [0, 2]},
    )
    assert finding.defects == 1


def test_between_equal_queries():
    asked = dataset(
        query("p", "Sort a list", judged("a", 3), judged("b", 1)),
        query("q", "sort a list.", judged("a", 1), judged("b", 1), judged("c", 2)),
        query("r", "sort a LIST", judged("a", 3), judged("c", 1)),
    )
    rows = found("contradictions", asked).rows
    assert [(row["query"], row["other"], row["grades"]) for row in rows] == [
        ("p", "q", [3, 1]),
        ("q", "r", [2, 1]),
    ]


def test_of_several_grades_the_largest_is_compared():
    asked = dataset(
        query("p", "Sort a list", judged("a", 1), judged("a", 3)),
        query("q", "sort a list.", judged("a", 3)),
    )
    rows = found("contradictions", asked).rows
    assert [(row["query"], row["other"], row["grades"]) for row in rows] == [("p", "p", [1, 3])]


def test_by_document_where_a_corpus_tells():
    by_path, by_name = Reference(path="lib/x.py"), Reference(file_name="x.py")
    asked = dataset(query("q", "text", judged(by_path, 2), judged(by_name, 1)))
    made = [document("1", "", path="lib/x.py", file_name="x.py")]
    assert not found("contradictions", asked).rows
    assert len(found("contradictions", asked, made).rows) == 1


def test_what_must_not_be_an_alarm():
    file, part = Reference(path="x.py"), Reference(path="x.py", symbol="f")
    some = Reference(path="x", match="substring")
    asked = dataset(
        query("twice the same", "one", judged("a", 2), judged("a", 2)),
        query("pooled only", "two", judged("a", -1), judged("a", 2)),
        query("another place", "three", judged(file, 1), judged(part, 3)),
        query("another item", "four", judged("a", 1, group="x"), judged("a", 3, group="y")),
        query("several files", "five", judged(some, 1), judged(file, 3)),
        query("another question", "six", judged("a", 3)),
        query("and its answer", "seven", judged("a", 0)),
    )
    made = [document("x.py", "def f(): ...", path="x.py"), document("xy", "", path="xy.py")]
    assert not found("contradictions", asked).rows
    assert not found("contradictions", asked, made).rows


def test_lines_of_a_document_may_have_different_grades():
    def part(first, last, grade):
        return Judgment(Reference("a"), grade, because=Rationale(lines=(first, last)))

    asked = dataset(query("q", "text", part(1, 9, 3), part(20, 29, 1)))
    assert found("contradictions", asked).rows == ()
    asked = dataset(query("q", "text", part(1, 9, 3), part(20, 29, 1), part(1, 9, 2)))
    assert [row["grades"] for row in found("contradictions", asked).rows] == [[2, 3]]
