import pytest

import assay


def scores(grades, ranking, *metrics):
    run = {"q": {document: -float(at) for at, document in enumerate(ranking)}}
    return list(assay.evaluate({"q": grades}, run, list(metrics)).scores.values())


E = 0.00001  # trec_eval's smoothing


def test_by_hand():
    # Rank 1 relevant: 1. Rank 4 relevant, above it one relevant, one not, one pooled but unjudged:
    # 1/4 + 3/4 x (3/3) x (1 + e) / (2 + 2e) = (1 + 3/2) / 4. A third is missed.
    grades = {"a": 1, "b": 0, "c": -1, "d": 2, "z": 1}
    assert scores(grades, "abcd", "infap") == pytest.approx([(1 + 2.5 / 4) / 3])


def test_documents_outside_of_the_pool_count_as_not_relevant():
    # Rank 3, above it u (no judgment at all) and a: 1/3 + 2/3 x (1/2) x (1 + e) / (1 + 2e).
    got = scores({"a": 1, "b": 1}, "aub", "infap")
    assert got == pytest.approx([(1 + (1 + (1 + E) / (1 + 2 * E)) / 3) / 2], abs=1e-12)


def test_a_fully_judged_run_has_nearly_its_ap():
    inferred, ap = scores({"a": 1, "b": 0, "c": 1, "d": 1}, "abcd", "infap", "ap")
    assert inferred == pytest.approx(ap, abs=1e-4)


def test_levels():
    inferred, ap = scores({"a": 1, "b": 2, "c": 2}, "abc", "infap(rel=2)", "ap(rel=2)")
    assert inferred == pytest.approx(ap, abs=1e-4)
