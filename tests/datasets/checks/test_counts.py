"""What is only counted: grades, categories; and what is untidy."""

from tests.datasets.checks.given import dataset, document, found, judged, query

from assay.records import AuditSettings, Reference


def test_grades(snapshot):
    asked = dataset(
        query("a", "one", judged("x", 3), judged("y", 0), judged("z", -1)),
        query("b", "two", judged("x", 1)),
        query("c", "three"),
    )
    finding = found("grades", asked)
    assert finding.figures == {
        "counts": {"-1": 1, "0": 1, "1": 1, "3": 1},
        "per_query": {
            "judgments": {"min": 0, "median": 1, "max": 3},
            "relevant": {"min": 0, "median": 1, "max": 1},
        },
        "scale": 3,
        "unused": [2],
    }
    snapshot(finding.said)
    assert "0, 1, 2, 3" in found("grades", dataset()).said


def test_categories():
    some = [query(f"a{at}", f"{at}", category="api") for at in range(10)]
    few = [query(f"e{at}", f"x{at}", category="error") for at in range(9)]
    finding = found("categories", dataset(*some, *few, query("n", "none")))
    assert finding.figures == {"counts": {"api": 10, "error": 9}, "small": ["error"], "without": 1}
    assert "error" in finding.said
    smaller = AuditSettings(category_queries=9)
    assert found("categories", dataset(*some, *few), settings=smaller).figures["small"] == []
    assert found("categories", dataset(query("n", "none"))).table is None


def test_hygiene(snapshot):
    asked = dataset(
        query("q1", " "),
        query("Q1", "x"),
        query("q 1", "fine text", judged("a", 1), judged("a", 1), judged("b", 1)),
        query("q2", "日本"),
    )
    rows = found("hygiene", asked).rows
    assert [row["query"] for row in rows] == ["q1", "Q1", "Q1", "q 1", "q 1"]
    assert ['"q1"' in row["problem"] for row in rows] == [False, False, True, True, False]
    snapshot(row["problem"] for row in rows)
    assert found("hygiene", asked).defects == 0


def test_a_document_judged_twice_under_two_names_is_untidy():
    asked = dataset(query("q", "text", judged(Reference(path="a.py")), judged("1")))
    assert not found("hygiene", asked).rows
    assert len(found("hygiene", asked, [document("1", "", path="a.py")]).rows) == 1
