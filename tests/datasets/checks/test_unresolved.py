from tests.datasets.checks.given import dataset, document, found, judged, query

from assay.records import Reference

CORPUS = [
    document("a", ""),
    document("s1", "", path="1/s.md", file_name="s.md"),
    document("s2", "", path="2/s.md", file_name="s.md"),
]


def test_missing_and_ambiguous_references_are_listed():
    asked = dataset(
        query("q", "one", judged("a"), judged("gone", 0), judged(Reference(file_name="s.md"))),
        query("g", "two", judged("gone", group="x"), judged("a", group="x")),
    )
    finding = found("unresolved", asked, CORPUS)
    assert [(row["query"], row["reason"]) for row in finding.rows] == [
        ("q", "not_found"),
        ("q", "ambiguous"),
    ]
    assert set(finding.rows[1]["candidates"]) == {"s1", "s2"}
    assert finding.figures["ambiguous"] == finding.figures["missing"] == 1
    assert finding.figures["status"] == "partial"
    assert finding.brief == "2 unresolved"


def test_what_several_documents_meet_is_noted_and_no_defect(snapshot):
    parts = [judged(Reference(path=part, match="substring")) for part in ("s.md", "1/s")]
    asked = dataset(query("q", "one", *parts))
    finding = found("unresolved", asked, CORPUS)
    assert (finding.rows, finding.defects, finding.brief) == ((), 0, "")
    assert finding.figures["several"] == 1
    assert '"s.md"' in finding.noted
    snapshot(finding.noted)
    one = dataset(query("q", "one", parts[1]))
    assert found("unresolved", one, CORPUS).noted == ""


def test_what_nobody_expects_is_not_called_expected(snapshot):
    asked = dataset(query("q", "one", judged("a"), judged("gone", 0)))
    said = found("unresolved", asked, CORPUS).said
    asked = dataset(query("q", "one", judged("a"), judged("gone", 1)))
    others = found("unresolved", asked, CORPUS).said
    assert ("expected" in said, "expected" in others) == (False, True)
    snapshot([said, others])


def test_all_resolved_and_no_corpus():
    asked = dataset(query("q", "one", judged("a")))
    finding = found("unresolved", asked, CORPUS)
    assert (finding.rows, finding.defects, finding.undone) == ((), 0, "")
    assert "no corpus" in found("unresolved", asked).undone
