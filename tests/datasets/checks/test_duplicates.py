from tests.datasets.checks.given import dataset, document, found, judged, query

from assay.records import AuditSettings, Reference


def pairs(asked, **options):
    rows = found("duplicates", asked, **options).rows
    return [(row["query"], row["other"], row["kind"], row["judged"]) for row in rows]


def test_by_hand():
    asked = dataset(
        query("a", "How do I sort a list?", judged("x", 2)),
        query("b", "how do i sort  a LIST", judged("x", 2)),
        query("c", "a list how do I sort", judged("x", 1)),
        query("d", "how do I sort a long list", judged("y", 1)),
        query("e", "reverse a string", judged("z", 1)),
    )
    assert pairs(asked) == [
        ("a", "b", "exact", "same"),
        ("a", "c", "reordered", "contradicting"),
        ("a", "d", "near", "different"),
    ]
    finding = found("duplicates", asked)
    assert finding.brief == "3 duplicates"
    assert finding.defects == 0
    assert finding.rows[2]["similarity"] == 6 / 7


def test_every_repetition_is_named_beside_the_first():
    asked = dataset(
        *(query(f"q{at}", "sort" if at % 2 else "Sort!", judged("x")) for at in range(5))
    )
    assert [row[1] for row in pairs(asked)] == ["q1", "q2", "q3", "q4"]
    assert {row[0] for row in pairs(asked)} == {"q0"}


def test_a_chain_of_near_duplicates_is_named_link_by_link():
    chain = ["a b c d e", "a b c d e f", "b c d e f", "b c d e f g"]
    asked = dataset(*(query(str(at), text) for at, text in enumerate(chain)))
    assert {row[:2] for row in pairs(asked)} == {("0", "1"), ("1", "2"), ("2", "3")}


def test_what_must_not_be_an_alarm():
    texts = ["sort in C++", "sort in C#", "a == b", "a != b", "?", "!", "", " ", "string to int"]
    asked = dataset(*(query(str(at), text) for at, text in enumerate(texts)))
    assert pairs(asked) == []
    assert found("duplicates", asked).said == ""


def test_one_question_to_two_collections_is_no_duplicate():
    one, other = (query(key, "where is main", collection=key) for key in ("a", "b"))
    assert pairs(dataset(one, other)) == []


def test_the_line_can_be_moved():
    asked = dataset(query("a", "one two three four"), query("b", "one two three five"))
    assert pairs(asked) == []
    assert len(pairs(asked, settings=AuditSettings(near=0.6))) == 1


def test_judgments_agree_by_document_where_a_corpus_tells():
    asked = dataset(
        query("a", "sort a list", judged(Reference(path="lib/x.py"), 2)),
        query("b", "Sort a list", judged(Reference(file_name="x.py"), 2)),
    )
    made = [document("1", "text", path="lib/x.py", file_name="x.py")]
    assert pairs(asked)[0][3] == "different"
    assert found("duplicates", asked, made).rows[0]["judged"] == "same"
