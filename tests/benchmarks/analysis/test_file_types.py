import pytest

from assay.benchmarks.analysis.file_types import file_types

QUERIES = {
    "q1": {"file_types": ["md", "py"], "judged": {"a.py": 3, "b.PY": 1, "c.md": 2, "d.py": 0}},
    "q2": {"file_types": ["md", "none"], "judged": {"e.md": 1, "Makefile": 2}},
    "q3": {"file_types": ["py"], "judged": {"f.py": 1}},
}
RANKINGS = {"q1": ("d.py", "b.PY", "c.md"), "q2": ("c.md", "Makefile", "Makefile")}


def test_each_type_has_its_queries_its_judgments_its_scores_and_what_was_found(scored_report):
    report = scored_report(
        {"a": {"q1": 1.0, "q2": 0.5, "q3": 0.0}},
        QUERIES,
        changes={"a": {"rankings": RANKINGS, "failed": {"q3": "timed out"}}},
    )
    assert file_types(report, seed=0) == [
        {
            "file_type": "md",
            "queries": 2,
            "judgments": 2,
            "k": 10,
            "scores": {"a": 0.75},
            "recall": {"a": 0.5},  # c.md for q1; e.md is not found, and c.md is wrong for q2
        },
        {
            "file_type": "py",
            "queries": 2,
            "judgments": 3,
            "k": 10,
            "scores": {"a": 0.5},
            "recall": {"a": pytest.approx(1 / 3)},  # b.PY of b.PY, a.py and f.py
        },
        {
            "file_type": "none",
            "queries": 1,
            "judgments": 1,
            "k": 10,
            "scores": {"a": 0.5},
            "recall": {"a": 1.0},  # a document counts once, however often it is shown
        },
    ]


@pytest.mark.parametrize(("primary", "k", "found"), [("ndcg@1", 1, 0.0), ("ap", 10, 1.0)])
def test_as_many_documents_count_as_the_primary_metric_looks_at(scored_report, primary, k, found):
    report = scored_report(
        {"a": {"q": 1.0}},
        {"q": {"file_types": ["py"], "judged": {"a.py": 1}}},
        changes={"a": {"rankings": {"q": ("b.py", "a.py")}, "per_query": {"q": {primary: 1.0}}}},
    )
    report.benchmark["primary"] = primary
    (one,) = file_types(report, seed=0)
    assert (one["k"], one["recall"]) == (k, {"a": found})


def test_nothing_is_told_where_types_are_not_known_or_nothing_was_scored(scored_report):
    known = {"q": {"judged": {"a.py": 1}}}
    assert file_types(scored_report({"a": {"q": 1.0}}, known), seed=0) == []
    assert file_types(scored_report({}, QUERIES), seed=0) == []
    assert file_types(scored_report({"a": {"q1": 1.0}}), seed=0) == []


def test_documents_that_meet_one_expected_item_count_once(scored_report):
    judged = dict.fromkeys(("a.py", "b.py", "c.py", "d.md"), 1)
    items = [["a.py", "b.py", "d.md"], ["c.py"], ["a.py"]]
    query = {"file_types": ["md", "py"], "judged": judged, "items": items}
    report = scored_report(
        {"a": {"q": 1.0}, "b": {"q": 1.0}},
        {"q": query},
        changes={"a": {"rankings": {"q": ("b.py",)}}, "b": {"rankings": {"q": ("a.py", "x.py")}}},
    )
    markdown, code = sorted(file_types(report, seed=0), key=lambda one: one["file_type"])
    assert (code["judgments"], code["recall"]) == (3, {"a": pytest.approx(1 / 3), "b": 2 / 3})
    # What one item asks for was found, in a file of another type.
    assert (markdown["judgments"], markdown["recall"]) == (1, {"a": 1.0, "b": 1.0})
