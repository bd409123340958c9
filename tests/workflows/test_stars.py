"""Grades from 1 to 5 have none for what is not relevant: a note says that 1 counts as relevant."""

import pytest

import assay

STARS = {"q1": {"a": 1, "b": 5}, "q2": {"c": 4, "d": 1}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"d": 2.0, "c": 1.0}}


def test_stars_without_a_0_are_told_and_the_advice_works(tmp_path, snapshot):
    # By hand: both queries have a document of one star first; the good ones come second.
    path = tmp_path / "ratings.csv"
    rows = [f"{q},{d},{stars}" for q, some in STARS.items() for d, stars in some.items()]
    path.write_text("\n".join(["query_id,doc_id,rating", *rows, ""]), encoding="utf-8")
    for qrels in (STARS, path):
        found = assay.evaluate(qrels, RUN, ["mrr", "mrr(rel=2)"])
        assert found.scores == {"mrr": 1.0, "mrr(rel=2)": 0.5}
        (note,) = found.notes
        assert "from 1 to 5" in note
        assert "recall(rel=2)@10" in note
        snapshot(note)
    fewer = {q: {d: grade - 1 for d, grade in some.items()} for q, some in STARS.items()}
    found = assay.evaluate(fewer, RUN, "mrr")
    assert (found.scores, found.notes) == ({"mrr": 0.5}, ())


def test_quepids_ratings_with_decimals_are_told_in_stars(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("query,docid,rating\nq1,a,1.0\nq1,b,4.5\n", encoding="utf-8")
    notes = assay.evaluate(path, {"q1": {"a": 2.0, "b": 1.0}}, "mrr").notes
    assert any("from 1 to 4.5" in note for note in notes)


@pytest.mark.parametrize(
    "grades", [(1, 1), (1, 2), (1, 3), (0, 5), (-1, 5), (2, 5), (1, 0)], ids=str
)
def test_other_scales_are_not_told(grades):
    qrels = {"q1": dict(zip("ab", grades, strict=True))}
    assert assay.evaluate(qrels, {"q1": {"a": 1.0}}, "ndcg@10").notes == ()
