from tests.datasets.checks.given import dataset, document, found, judged, query

from assay.records import Reference

ASKED = dataset(
    query("fine", "one", judged("a", 1), judged("b", 0)),
    query("empty", "two"),
    query("zero", "three", judged("a", 0), judged("b", -1)),
    query("gone", "four", judged("x", 2), judged("a", 0)),
    query("unclear", "five", judged(Reference(file_name="s.md"), 2)),
    query("half", "six", judged("x", 2), judged("a", 1)),
    query("group", "seven", judged("x", 2, group="g"), judged("a", 2, group="g")),
)
CORPUS = [
    document("a", ""),
    document("s1", "", path="1/s.md", file_name="s.md"),
    document("s2", "", path="2/s.md", file_name="s.md"),
]


def reasons(*given):
    return {row["query"]: row["reason"] for row in found("without_relevant", ASKED, *given).rows}


def test_without_a_corpus():
    assert reasons() == {"empty": "nothing judged", "zero": "nothing relevant"}


def test_with_a_corpus_unresolved_queries_are_dead_too():
    dead = {"gone": "not in the corpus", "unclear": "ambiguous"}
    assert reasons(CORPUS) == {**reasons(), **dead}
    assert found("without_relevant", ASKED, CORPUS).defects == 4
