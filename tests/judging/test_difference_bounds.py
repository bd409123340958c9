"""Bounds that are kept query by query equal those computed again for all queries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.judging.grades import with_grades
from assay.judging.judging import DifferenceBounds
from assay.metrics import parse
from assay.rankings.judge import judge
from assay.records import Judgments, Rankings, encode
from assay.verdicts.holes import holes
from assay.verdicts.judged_run import JudgedRun

QUERIES = ("q0", "q1", "q2", "q3")
ITEMS = {  # the last one has no relevant document, and the second items with several documents
    "q0": [({"d0": 1.0}, 3), ({"d1": 1.0}, 0)],
    "q1": [({"d2": 1.0, "d5": 0.5}, 2), ({"d5": 1.0}, 1)],
    "q2": [({"d9": 1.0}, 1)],
    "q3": [],
}
PAIRS = [("a", "b"), ("a", "c"), ("b", "c")]


def ranking(name, seed, queries=QUERIES):
    rng = np.random.default_rng(seed)
    shown = [rng.permutation(10)[:5] for _ in queries]
    return Rankings(
        name=name,
        queries=queries,
        offsets=np.arange(len(queries) + 1) * 5,
        documents=encode(f"d{one}" for some in shown for one in some),
        scores=np.tile(-np.arange(5.0), len(queries)),
        ties="order",
    )


RUNS = {"a": ranking("a", 1), "b": ranking("b", 2), "c": ranking("c", 3, QUERIES[:3])}


@pytest.mark.parametrize("metric", ["ndcg@5", "precision@3", "recall@5", "mrr", "ap"])
@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(st.sampled_from(QUERIES), st.integers(0, 9), st.none() | st.integers(0, 3)),
        max_size=12,
    )
)
def test_as_from_the_beginning(metric, grades):
    truth, metric = Judgments.of_items(ITEMS), parse(metric)
    judged = {(query, one) for query in QUERIES for members, _ in ITEMS[query] for one in members}
    kept, given_ = DifferenceBounds(truth, RUNS, metric, PAIRS), {}
    for query, number, grade in grades:
        pair = query, f"d{number}"
        if pair in judged:
            continue
        given_.pop(pair, None)
        if grade is not None:
            given_[pair] = grade
        kept.grade(pair, grade)
        whole = with_grades(truth, given_)
        sides = {name: JudgedRun(run, judge(whole, run)) for name, run in RUNS.items()}
        for one, other in PAIRS:
            wanted = holes(sides[one], sides[other], metric)
            found = kept.of((one, other))
            if wanted is None:
                assert found is None
            else:
                assert found == pytest.approx((wanted[0].mean(), wanted[1].mean()), abs=1e-12)


def test_a_query_counts_as_much_as_it_is_said_to():
    """All weight is on the third query, whose own ends are those of the comparison then."""
    truth, metric = Judgments.of_items(ITEMS), parse("ndcg@5")
    sides = [JudgedRun(RUNS[name], judge(truth, RUNS[name])) for name in ("a", "b")]
    low, high = holes(*sides, metric)
    weighed = DifferenceBounds(truth, RUNS, metric, PAIRS, weights=np.array([0.0, 0.0, 4.0, 0.0]))
    assert weighed.of(("a", "b")) == pytest.approx((low[2], high[2]), abs=1e-12)
