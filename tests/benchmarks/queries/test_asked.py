from assay.benchmarks.queries.query_facts import about_queries
from assay.datasets.load_judgments import load_judgments
from assay.records import Dataset, Judgment, Judgments, Query, Reference


def test_what_is_known_of_a_query_is_kept():
    asked = (
        Query("q1", "how?", category="ops", collection="old"),
        Query("q2", "wo ist 本?"),
        Query("q3", ""),
    )
    judgments = load_judgments({"q1": {"a": 2, "b": 0, "pooled": -1}, "q2": {"本.md": 1}})
    found = about_queries(Dataset("d", asked), judgments, collections={"q1": "repo"})
    assert len({one.pop("digest") for one in found.values()}) == 3
    assert found == {
        "q1": {
            "text": "how?",
            "category": "ops",
            "collection": "repo",
            "judged": {"a": 2, "b": 0},
            "judgments": 2,
        },
        "q2": {"text": "wo ist 本?", "judged": {"本.md": 1}, "judgments": 1},
        "q3": {"text": "", "judged": {}, "judgments": 0},
    }
    assert about_queries(Dataset("d", asked), judgments)["q1"]["collection"] == "old"


def test_a_document_that_meets_two_items_has_the_larger_grade_and_a_missing_one_none():
    items = {"q": [({"a": 1.0, "b": 0.5}, 1), ({"a": 1.0}, 3), ({}, 2)]}
    found = about_queries(Dataset("d", (Query("q", "t"),)), Judgments.of_items(items))
    assert found["q"]["judged"] == {"a": 3, "b": 1}
    assert found["q"]["items"] == [["a", "b"], ["a"]]
    assert found["q"]["judgments"] == 3  # the third is in no document, and counts in every recall


def test_items_that_are_documents_are_not_told_twice():
    items = {"q": [({"a": 1.0}, 1), ({"b": 1.0}, 2), ({}, 2), ({"c": 1.0, "d": 1.0}, 0)]}
    found = about_queries(Dataset("d", (Query("q", "t"),)), Judgments.of_items(items))
    assert "items" not in found["q"]


def test_a_digest_is_of_what_the_dataset_says_whatever_the_corpus_has():
    judged = (Judgment(Reference(path="a.md"), 2), Judgment(Reference(path="b.md"), 1))

    def digest(text="how?", judgments=judged, resolved=None):
        query = Query("q1", text, judgments=tuple(judgments))
        loaded = load_judgments({"q1": resolved or {"a.md": 2, "b.md": 1}})
        return about_queries(Dataset("d", (query,)), loaded)["q1"]["digest"]

    assert digest(resolved={"a.md": 2}) == digest(judgments=judged[::-1]) == digest()
    others = [digest("why?"), digest(judgments=judged[:1])]
    others.append(digest(judgments=[Judgment(Reference(path="a.md"), 1), judged[1]]))
    others.append(digest(judgments=[Judgment(Reference(path="a.md", symbol="f"), 2), judged[1]]))
    assert len({digest(), *others}) == 5
