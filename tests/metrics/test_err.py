import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


def test_by_hand():
    # Scale 0..2: a stops the reader with (2^2 - 1) / 4 = 3/4, b with 1/4.
    # Ranking b, u, a: 1/4 + (3/4 x 3/4) / 3 = 7/16.
    got = scores({"a": 2, "b": 1}, "bua", "err", "err@2", "err@1000")
    assert got == pytest.approx([7 / 16, 1 / 4, 7 / 16])


def test_the_scale_is_that_of_all_judgments():
    # Another query has a grade 4: a document of grade 1 stops one reader in 16.
    qrels, run = {"q": {"a": 1}, "r": {"b": 4}}, {"q": {"a": 1.0}, "r": {"b": 1.0}}
    got = assay.evaluate(qrels, run, "err").per_query["err"]
    assert got.tolist() == pytest.approx([1 / 16, 15 / 16])


def test_negative_grades_stop_nobody():
    assert scores({"a": -1, "b": 1}, "ab", "err") == [0.25]


@pytest.mark.parametrize("ties", ["docid", "expected"])
def test_a_scale_of_a_hundred_grades_stays_a_number_in_every_query(ties):
    # (2^100 - 1) / 2^100 is 1 in floating point; 2^99 - 1 is half of it.
    qrels = {"q": {"a": 100, "b": 100}, "r": {"a": 99, "b": 100}}
    run = {"q": {"a": 2.0, "b": 1.0}, "r": {"a": 2.0, "b": 1.0}}
    got = assay.evaluate(qrels, run, "err", ties=ties).per_query["err"]
    assert got.tolist() == pytest.approx([1.0, 0.5 + 0.5 / 2])
