"""Ids of run and judgments that do not match: every score is 0, and a note says why."""

import pytest

import assay


@pytest.mark.parametrize(
    ("judged", "run"),
    [
        ("1", "001"),
        ("10", "10.0"),
        ("d1", "D1"),
        ("a.md", "a.md#0"),
        ("a.md", "docs/a.md"),
        ("/home/me/docs/a.md", "/srv/docs/a.md"),
        ("caf\u00e9", "cafe\u0301"),
    ],
)
def test_the_closest_pair_of_ids_is_shown(judged, run, snapshot):
    # By hand: not one of the three retrieved documents is judged, so both queries score 0.
    qrels = {"q1": {"other": 1, judged: 2}, "q2": {judged: 1}}
    found = assay.evaluate(qrels, {"q1": {"b": 3.0, run: 2.0}, "q2": {"c": 1.0}}, "ndcg@10")
    assert found.scores == {"ndcg@10": 0.0}
    (note,) = found.notes
    assert f'run "{run}", judgments "{judged}"' in note
    assert ("Unicode" in note) == (not run.isascii())
    snapshot(note)


def test_ids_that_have_nothing_in_common_are_shown_as_they_are(snapshot):
    (note,) = assay.evaluate({"q": {"x": 1}}, {"q": {"y": 1.0}}, "mrr").notes
    assert 'run "y", judgments "x"' in note
    snapshot(note)


def test_documents_that_are_judged_for_other_queries_point_to_the_ids_of_queries(snapshot):
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    (note,) = assay.evaluate(qrels, {"1": {"b": 1.0}, "2": {"a": 1.0}}, "mrr").notes
    assert '"a"' in note
    snapshot(note)


def test_one_judged_document_is_enough_whatever_its_grade():
    for grade in (1, 0, -1):
        qrels = {"q1": {"a": grade, "b": 1}, "q2": {"z": 1}}
        assert assay.evaluate(qrels, {"q1": {"x": 2.0, "a": 1.0}}, "mrr").notes == ()


def test_a_comparison_says_so_of_each_run():
    qrels = {f"q{n}": {"1": 1} for n in range(12)}
    runs = [{f"q{n}": {name: 1.0} for n in range(12)} for name in ("001", "1.0")]
    found = assay.compare(*runs, qrels=qrels, metrics="mrr")
    for one, name in zip(found.evaluations, ("001", "1.0"), strict=True):
        assert f'run "{name}", judgments "1"' in one.notes[0]
