from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.datasets.resolve.as_judgments import as_judgments
from assay.datasets.resolve.resolve import resolve
from assay.errors import InputError
from assay.records import Dataset, Document, Judgment, Query, Reference

CORPUS = [
    Document(name, text, path=f"src/{name}.py") for name, text in zip("abc", "fgf", strict=True)
]


def dataset(*judgments, **options):
    return Dataset("d", (Query("q", "text", tuple(judgments)),), **options)


def judged(name, grade=1, group="", **keys):
    keys = keys or {"document_id": name}
    return Judgment(Reference(**keys), grade, group)


def resolved(data):
    return resolve(data, CORPUS, define=lambda document: [document.text])


def score(judgments, ranking, metric):
    run = {"q": {document: -at for at, document in enumerate(ranking)}}
    return assay.evaluate(judgments, run, [metric]).scores[metric]


def test_unresolved_count_as_missed_or_are_dropped(snapshot):
    # a and b are in the corpus, gone is not; the run finds a alone: 1 of 3, or 1 of 2.
    data = dataset(judged("a"), judged("b"), judged("gone"))
    missed = as_judgments(data, resolved(data))
    dropped = as_judgments(data, resolved(data), unresolved="drop")
    assert score(missed, "ax", "recall") == pytest.approx(1 / 3)
    assert score(dropped, "ax", "recall") == 1 / 2
    assert len(missed.notes) == len(dropped.notes) == 1
    snapshot([*missed.notes, *dropped.notes])


def test_what_is_all_plain_needs_no_items():
    data = dataset(judged("b", 2), judged("a", 0), judged("c", -1), scale=4)
    judgments = as_judgments(data, resolved(data))
    assert judgments.items is None
    assert judgments.weights is None
    assert judgments.documents.tolist() == [b"b", b"a", b"c"]
    assert judgments.grades.tolist() == [2, 0, -1]
    assert (judgments.queries, judgments.offsets.tolist()) == (("q",), [0, 3])
    assert (judgments.scale, judgments.name, judgments.notes) == (4, "d", ())


def test_two_references_to_one_document_are_one_with_the_larger_grade(snapshot):
    data = dataset(judged("a", 1), judged("a", 3, path="src/a.py"), judged("b", 2))
    judgments = as_judgments(data, resolved(data))
    assert judgments.documents.tolist() == [b"a", b"b"]
    assert judgments.grades.tolist() == [3, 2]
    snapshot(judgments.notes)
    with_lost = dataset(*data.queries[0].judgments, judged("gone"))
    assert score(as_judgments(with_lost, resolved(with_lost)), "a", "recall") == pytest.approx(
        1 / 3
    )


def test_any_member_of_a_group_is_a_right_answer():
    data = dataset(judged("a", 3, "g"), judged("b", 2, "g"), judged("gone", 3, "g"), judged("c", 1))
    judgments = as_judgments(data, resolved(data))
    assert judgments.items.tolist() == [0, 0, 1]
    assert judgments.notes == ()  # the lost member is spared
    assert score(judgments, "b", "recall") == score(judgments, "ab", "recall") == 0.5
    # b is worth its own grade 2, the ideal is the best answer to each item: 3, then 1.
    ideal = 3 + 1 / np.log2(3)
    assert score(judgments, "b", "ndcg") == pytest.approx(2 / ideal)
    assert score(judgments, "ac", "ndcg") == 1.0


def test_a_member_that_is_not_relevant_claims_nothing():
    data = dataset(judged("a", 0, "g"), judged("b", 1, "g"))
    judgments = as_judgments(data, resolved(data))
    assert score(judgments, "ab", "mrr") == 0.5


def test_a_lesser_answer_does_not_make_the_ideal_smaller():
    # By hand: the answer of grade 3 is lost, that of grade 1 is ranked first: 1 / 3.
    data = dataset(judged("a", 1, "g"), judged("gone", 3, "g"))
    judgments = as_judgments(data, resolved(data))
    assert score(judgments, "a", "ndcg") == pytest.approx(1 / 3)
    assert score(judgments, "a", "recall") == score(judgments, "a", "mrr") == 1.0
    assert score(judgments, "a", "recall(rel=2)") == 0.0
    assert judgments.notes == ()  # the item itself has a document
    dropped = as_judgments(data, resolved(data), unresolved="drop")
    assert score(dropped, "a", "ndcg") == 1.0


def test_a_weight_does_not_make_the_ideal_smaller():
    # By hand: one document meets its item as a part at grade 3 (1.2) and as a file at 2 (1.4).
    part = judged("", 3, "g", path="rc/a", match="substring")
    data = dataset(part, judged("a", 2, "g"))
    judgments = as_judgments(data, resolved(data), weights=True)
    assert score(judgments, "a", "ndcg") == pytest.approx(1.4 / 3)


def test_a_group_is_found_by_a_right_answer_only():
    # Counts and scores follow one rule: the member of grade 0 is there, the right answer is not.
    data = dataset(judged("a", 0, "g"), judged("gone", 2, "g"), judged("b", 1))
    found = resolved(data)
    assert (found.total, found.resolved, found.missing) == (3, 2, 1)
    assert [row.spared for row in found.rows] == [False, False, False]
    assert score(as_judgments(data, found), "ab", "recall") == 0.5


@given(st.lists(st.tuples(st.sampled_from("abcxyz"), st.integers(-1, 3), st.sampled_from(" gh"))))
def test_what_is_missed_is_what_resolving_counts_as_missing(rows):
    relevant = [row for row in rows if row[1] > 0]
    data = dataset(*(judged(name, grade, group.strip()) for name, grade, group in rows))
    only = dataset(*(judged(name, grade, group.strip()) for name, grade, group in relevant))
    missing = resolved(only).missing
    notes = as_judgments(data, resolved(data)).notes
    assert any(note.startswith(f"{missing} expected") for note in notes) == (missing > 0)


def test_a_lost_group_is_missed_once_at_its_best_grade():
    data = dataset(judged("x", 1, "g"), judged("y", 3, "g"), judged("a", 3))
    judgments = as_judgments(data, resolved(data))
    assert judgments.documents.tolist() == [b"", b"a"]
    assert judgments.grades.tolist() == [3, 3]
    assert score(judgments, "a", "recall") == 0.5


def test_what_is_not_relevant_cannot_be_missed():
    data = dataset(judged("gone", 0), judged("lost", -1), judged("a"))
    judgments = as_judgments(data, resolved(data))
    assert (judgments.documents.tolist(), judgments.notes) == ([b"a"], ())


def test_a_symbol_is_one_item_that_several_documents_meet():
    data = dataset(judged("", 2, symbol="f"), judged("b", 2))
    judgments = as_judgments(data, resolved(data))
    assert judgments.documents.tolist() == [b"a", b"c", b"b"]
    assert judgments.items.tolist() == [0, 0, 1]
    assert score(judgments, "c", "recall") == score(judgments, "ca", "recall") == 0.5


def test_a_symbol_that_an_expected_file_defines_is_one_item_with_it():
    # By hand, before: two items of which one document meets both: 1 / (1 + 1 / log2(3)) = .6131.
    data = dataset(judged("b"), judged("", symbol="g"))
    judgments = as_judgments(data, resolved(data))
    assert judgments.items is None
    assert judgments.documents.tolist() == [b"b"]
    assert score(judgments, "b", "ndcg") == score(judgments, "b", "ap") == 1.0


def test_a_namesake_of_a_symbol_in_an_expected_file_is_not_what_was_expected():
    # a and c both define f, a is the file that is expected: c alone finds nothing.
    data = dataset(judged("a"), judged("", 3, symbol="f"), judged("", symbol="nowhere"))
    judgments = as_judgments(data, resolved(data))
    assert judgments.documents.tolist() == [b"a", b""]
    assert judgments.grades.tolist() == [3, 1]
    assert score(judgments, "c", "recall") == 0.0


def test_a_symbol_lends_its_weight_to_the_file_that_defines_it():
    data = dataset(judged("b"), judged("", symbol="g"), judged("a"))
    judgments = as_judgments(data, resolved(data), weights=True)
    assert judgments.documents.tolist() == [b"b", b"a"]
    assert judgments.weights.tolist() == [1.0, 0.7]


def test_a_symbol_in_a_file_that_is_not_relevant_is_an_item_of_its_own():
    data = dataset(judged("b", 0), judged("", symbol="g"))
    assert score(as_judgments(data, resolved(data)), "b", "recall") == 1.0


def test_parts_and_paths_written_otherwise_are_told(snapshot):
    data = dataset(
        judged("", path="src", match="substring"),
        judged("", path="src\\B.py"),
        judged("", symbol="f", match="substring"),
    )
    parts, respelled = as_judgments(data, resolved(data)).notes
    assert ('"src" (3' in parts, '"f" (2' in parts) == (True, True)
    assert '"src\\B.py"' in respelled
    snapshot([parts, respelled])
    many = dataset(*(judged("", path=part, match="substring") for part in "sr/py."))
    snapshot(as_judgments(many, resolved(many)).notes)
    assert as_judgments(dataset(judged("a")), resolved(dataset(judged("a")))).notes == ()


def test_weights_tell_symbols_files_and_parts_apart():
    data = dataset(
        judged("", symbol="g"),
        judged("a"),
        judged("", path="c.py", match="substring"),
        judged("", path="rc/c", match="substring"),
    )
    judgments = as_judgments(data, resolved(data), weights=True)
    assert judgments.weights.tolist() == [1.0, 0.7, 0.7, 0.4]
    assert as_judgments(data, resolved(data)).weights.tolist() == [1.0] * 4
    alone = dataset(judged("a", 3))
    assert score(as_judgments(alone, resolved(alone), weights=True), "a", "ndcg") == pytest.approx(
        0.7
    )


def test_without_a_resolution_names_are_ids():
    data = dataset(
        judged("a"),
        judged("", uri="u"),
        judged("", path="p"),
        judged("", file_name="f"),
        judged("", symbol="s"),
    )
    judgments = as_judgments(data)
    assert judgments.documents.tolist() == [b"a", b"u", b"p", b"f", b""]


def test_queries_without_judgments_stay():
    data = Dataset("d", (Query("a", ""), Query("b", "", (judged("a"),)), Query("c", "")))
    judgments = as_judgments(data)
    assert (judgments.queries, judgments.offsets.tolist()) == (("a", "b", "c"), [0, 0, 1, 1])
    assert assay.evaluate(judgments, {"b": {"a": 1}}, "mrr").scores == {"mrr": 1 / 3}
    assert len(as_judgments(Dataset("d", ())).grades) == 0


def test_a_resolution_of_something_else_is_refused():
    data = dataset(judged("a"))
    with pytest.raises(InputError, match="another dataset"):
        as_judgments(data, replace(resolved(data), rows=()))
    with pytest.raises(InputError, match='"zero"'):
        as_judgments(data, unresolved="zero")


@given(st.lists(st.tuples(st.sampled_from("abcxyz"), st.integers(-1, 3), st.sampled_from(" gh"))))
def test_dropping_never_lowers_recall(rows):
    data = dataset(*(judged(name, grade, group.strip()) for name, grade, group in rows))
    missed = score(as_judgments(data, resolved(data)), "ab", "recall")
    assert (
        0 <= missed <= score(as_judgments(data, resolved(data), unresolved="drop"), "ab", "recall")
    )


@given(st.dictionaries(st.sampled_from("abc"), st.integers(-1, 3), min_size=1))
def test_plain_judgments_score_as_a_mapping_does(grades):
    data = dataset(*(judged(name, grade) for name, grade in grades.items()))
    for metric in ("ndcg@2", "recall", "ap", "bpref", "judged@3"):
        plain = score({"q": grades}, "bac", metric)
        assert score(as_judgments(data, resolved(data)), "bac", metric) == plain
        weighed = as_judgments(data, weights=True)  # as items, in which recall knows no weights
        assert score(weighed, "bac", "recall") == score({"q": grades}, "bac", "recall")
