"""Equal scores: by id, in the order of the file, or the mean over every order."""

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
import assay.metrics
from assay import catalogue

METRICS = []
for name in catalogue.names(assay.metrics):
    kind = catalogue.find(assay.metrics, name).kind
    METRICS += [] if kind.cutoff == "required" else [name]
    METRICS += [] if kind.cutoff == "none" else [f"{name}@1", f"{name}@2", f"{name}@4"]
    METRICS += [f"{name}(rel=2)@3"] if kind.levels and kind.cutoff != "none" else []
    METRICS += [f"{name}(rel=2)"] if kind.levels and kind.cutoff == "none" else []


def test_by_hand():
    # a, b, c share the top score; only a is relevant. It stands at rank 1, 2 or 3 alike.
    result = assay.evaluate(
        {"q": {"a": 1}}, {"q": dict.fromkeys("abc", 1.0)}, "mrr,precision@1", ties="expected"
    )
    assert result.scores["mrr"] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert result.scores["precision@1"] == pytest.approx(1 / 3)
    assert result.tied == 2


def orders(run):
    """Return every order of the documents that keeps different scores apart."""
    levels = [
        [d for d in run if run[d] == score] for score in sorted(set(run.values()), reverse=True)
    ]
    for choice in product(*(permutations(level) for level in levels)):
        yield [document for level in choice for document in level]


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcdeg"), st.integers(-1, 3), min_size=1),
    st.dictionaries(
        st.sampled_from("abcdef"), st.sampled_from([1.0, 1.0, 2.0, 3.0]), min_size=1, max_size=5
    ),
    st.sampled_from(["zero", "condense"]),
)
def test_expected_is_the_mean_over_all_orders(grades, run, unjudged):
    every = list(orders(run))
    # Each order is a query of its own, in a run whose scores are still tied: the file decides.
    one_each = {str(n): {d: run[d] for d in order} for n, order in enumerate(every)}
    qrels = dict.fromkeys(one_each, grades)
    brute = assay.evaluate(qrels, one_each, METRICS, ties="order", unjudged=unjudged)
    got = assay.evaluate({"q": grades}, {"q": run}, METRICS, ties="expected", unjudged=unjudged)
    assert got.scores == pytest.approx(brute.scores, abs=1e-11)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=20).filter(str.isprintable), min_size=1, unique=True),
    st.data(),
)
def test_docid_is_score_then_id_descending_as_bytes(ids, data):
    scores = data.draw(
        st.lists(st.sampled_from([-1.5, 0.0, -0.0, 2.0]), min_size=len(ids), max_size=len(ids))
    )
    run = dict(zip(ids, scores, strict=True))
    expected = sorted(sorted(ids, key=str.encode, reverse=True), key=lambda d: -run[d])
    assert ranking(run, ties="docid") == expected


@settings(max_examples=60, deadline=None)
@given(st.permutations("abcdef"), st.lists(st.sampled_from([1.0, 2.0]), min_size=6, max_size=6))
def test_order_keeps_the_order_of_the_file_among_equals(ids, scores):
    run = dict(zip(ids, scores, strict=True))
    assert ranking(run, ties="order") == sorted(ids, key=lambda d: -run[d])


def ranking(run, ties):
    """Read a ranking off the scores: each document in turn is the only relevant one."""
    qrels = {document: {document: 1} for document in run}
    result = assay.evaluate(qrels, dict.fromkeys(run, run), "mrr", ties=ties)
    ranks = dict(zip(result.queries, 1 / result.per_query["mrr"], strict=True))
    return sorted(run, key=ranks.get)


def test_ties_do_not_reach_across_queries():
    run = {"q": {"a": 1.0, "b": 1.0}, "r": {"c": 1.0, "d": 1.0}}
    qrels = {"q": {"b": 1}, "r": {"d": 1}}
    for ties, each in (("docid", 1.0), ("order", 0.5), ("expected", 0.75)):
        result = assay.evaluate(qrels, run, "mrr", ties=ties)
        assert result.per_query["mrr"].tolist() == [each, each]
        assert result.tied == 2


def test_the_smallest_difference_of_float64_is_no_tie():
    run = {"q": {"a": 1.0 + 2**-52, "b": 1.0}}
    assert assay.evaluate({"q": {"a": 1}}, run, "mrr", ties="expected").scores == {"mrr": 1.0}


def test_a_constant_scorer_gains_nothing_from_the_names_of_documents():
    run = {"q": dict.fromkeys("abcdefghij", 0.0)}
    got = {
        document: assay.evaluate({"q": {document: 1}}, run, "ndcg@5", ties="expected").scores[
            "ndcg@5"
        ]
        for document in "abcdefghij"
    }
    assert len(set(got.values())) == 1
