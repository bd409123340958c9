"""The losses of stages are falls of the best nDCG that is attainable, and sum to 1 - nDCG."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.runs.attainable import Attainable
from assay.benchmarks.runs.survivors import Survivors, join_survivors
from assay.benchmarks.runs.waterfall import nothing_lost, waterfall, waterfall_metric
from assay.metrics import parse_all
from assay.rankings.judge import judge
from assay.records import Benchmark, Judgments, Rankings, encode

DOCUMENTS = "abcdefg"


def judged_as(queries):
    """Make judgments of {query: [({document: weight}, grade), ...]}."""
    return Judgments.of_items(queries)


def ranked(lists):
    """Make rankings of {query: documents}."""
    sizes = [len(one) for one in lists.values()]
    names = [name for one in lists.values() for name in one]
    scores = np.array([-float(at) for size in sizes for at in range(size)])
    offsets = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return Rankings("run", tuple(lists), offsets, encode(names), scores, "order")


def kept_as(judgments, last="cut", **stages):
    """Say which documents survive each stage, whatever the query."""
    found = {
        name: np.array([one.decode() in set(documents) for one in judgments.documents.tolist()])
        for name, documents in stages.items()
    }
    return Survivors(found, last, np.ones(len(judgments.documents), bool))


def told(found, query=0):
    return dict(zip(found.stages, found.losses[:, query].tolist(), strict=True))


def metric(name):
    return parse_all([name])[0]


def test_by_hand():
    # Grades 3, 2, 1, 1; the last is in no document. d is not retrieved, b is cut off, and c stands
    # before a. The gain at rank i is divided by log2(i + 1).
    second, third, fourth = 1 / math.log2(3), 1 / 2, 1 / math.log2(5)
    judgments = judged_as({"q": [({"a": 1.0}, 3), ({"b": 1.0}, 2), ({"d": 1.0}, 1), ({}, 1)]})
    ideal = 3 + 2 * second + third + fourth
    kept = kept_as(judgments, corpus="abd", lexical="ab")
    found = waterfall(judgments, ranked({"q": ["c", "a"]}), metric("ndcg@10"), kept=kept)

    assert told(found) == {
        "judgments": 0.0,
        "corpus": pytest.approx(fourth / ideal),
        "lexical": pytest.approx(third / ideal),
        "cut": pytest.approx(2 * second / ideal),
        "order": pytest.approx((3 - 3 * second) / ideal),
        "failed": 0.0,
    }
    assert [found.stages[at] if at >= 0 else "" for at in found.lost] == [
        "", "cut", "lexical", "corpus",
    ]  # fmt: skip


def test_below_k_it_is_the_order():
    judgments = judged_as({"q": [({"a": 1.0}, 1)]})
    kept = kept_as(judgments, corpus="a", dense="a")
    found = waterfall(judgments, ranked({"q": ["x", "a"]}), metric("ndcg@1"), kept=kept)
    assert told(found)["order"] == 1.0
    assert found.stages[found.lost[0]] == "order"
    whole = waterfall(judgments, ranked({"q": ["x", "a"]}), metric("ndcg"), kept=kept)
    assert whole.lost.tolist() == [-1]


def test_what_no_ranking_could_reach_is_lost_by_the_judgments():
    judgments = judged_as(
        {
            "nothing relevant": [({"a": 1.0}, 0)],
            "two in one": [({"a": 1.0}, 2), ({"a": 1.0}, 2)],
            "half as good": [({"a": 0.5}, 2)],
        }
    )
    rankings = ranked({key: ["a"] for key in judgments.queries})
    found = waterfall(judgments, rankings, metric("ndcg@10"), kept=nothing_lost(judgments))
    both = 1 + 1 / math.log2(3)
    assert found.losses[0].tolist() == pytest.approx([1.0, 1 - 1 / both, 0.5])
    assert not found.losses[1:].any()


def test_of_two_that_could_be_taken_the_one_goes_first_that_leaves_more():
    # a meets both items, b only the first: a before b leaves nothing for b.
    judgments = judged_as({"q": [({"a": 1.0, "b": 1.0}, 3), ({"a": 1.0}, 3)]})
    kept = nothing_lost(judgments)
    best = waterfall(judgments, ranked({"q": ["b", "a"]}), metric("ndcg@10"), kept=kept)
    assert not best.losses.any()
    worse = waterfall(judgments, ranked({"q": ["a", "b"]}), metric("ndcg@10"), kept=kept)
    assert told(worse)["order"] == pytest.approx(1 - 1 / (1 + 1 / math.log2(3)))


def test_a_query_that_failed_loses_by_that_what_the_corpus_had():
    judgments = judged_as({"q": [({"a": 1.0}, 1), ({}, 1)], "p": [({"a": 1.0}, 1)]})
    kept = kept_as(judgments, corpus="a", dense="")
    found = waterfall(
        judgments, ranked({"p": []}), metric("ndcg@10"), kept=kept, failed=["q"]
    )  # fmt: skip
    both = 1 + 1 / math.log2(3)
    assert told(found, 0)["failed"] == pytest.approx(1 / both)
    assert told(found, 0)["corpus"] == pytest.approx(1 - 1 / both)
    assert told(found, 1)["dense"] == 1.0
    assert [found.stages[at] for at in found.lost] == ["failed", "corpus", "dense"]


def test_what_a_query_excludes_is_out_of_reach():
    judgments = judged_as({"q": [({"a": 1.0}, 1), ({"b": 1.0}, 1)]})
    kept = kept_as(judgments, corpus="ab", dense="ab")
    kept = Survivors(kept.stages, "cut", np.array([False, True]))
    found = waterfall(judgments, ranked({"q": ["b"]}), metric("ndcg@10"), kept=kept)
    assert told(found)["judgments"] == pytest.approx(1 - 1 / (1 + 1 / math.log2(3)))
    assert found.losses.sum() == found.losses[0].sum()
    assert [found.stages[at] if at >= 0 else "" for at in found.lost] == ["judgments", ""]


def test_what_comes_back_was_never_lost():
    judgments = judged_as({"q": [({"a": 1.0}, 1), ({"b": 1.0}, 1)]})
    kept = kept_as(judgments, corpus="ab", dense="", rerank="a")
    found = waterfall(judgments, ranked({"q": ["b"]}), metric("ndcg@10"), kept=kept)
    assert told(found)["dense"] == 0.0
    assert told(found)["cut"] == pytest.approx(1 - 1 / (1 + 1 / math.log2(3)))


@pytest.mark.parametrize(
    ("metrics", "chosen"),
    [
        (["ndcg@5", "ndcg@10"], "ndcg@5"),
        (["recall@5", "ndcg_exp@7", "ndcg@10"], "ndcg_exp@7"),
        (["recall@5"], "ndcg@5"),
        (["mrr"], "ndcg@10"),
        (["ndcg"], "ndcg"),
    ],
)
def test_the_loss_is_that_of_the_nearest_ndcg(metrics, chosen):
    assert str(waterfall_metric(Benchmark("b", "d", (), tuple(metrics)))) == chosen


ITEMS = st.tuples(
    st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from([1.0, 0.7, 0.4, 0.0]), max_size=3),
    st.integers(-1, 3),
)
PLAIN = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), max_size=6).map(
    lambda grades: [({name: 1.0}, grade) for name, grade in grades.items()]
)
QUERIES = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]), st.lists(ITEMS, max_size=5) | PLAIN, min_size=1
)
NAMES = st.sampled_from(["ndcg@1", "ndcg@3", "ndcg@10", "ndcg", "ndcg_exp@3", "ndcg_exp"])


@given(QUERIES, NAMES, st.data())
def test_the_parts_sum_to_the_loss_and_none_is_below_zero(queries, name, data):
    judgments = judged_as(queries)
    rows = len(judgments.documents)
    flags = st.lists(st.booleans(), min_size=rows, max_size=rows).map(np.array)
    stages = {
        stage: data.draw(flags).astype(bool) for stage in ("corpus", "retrieve", "fuse", "rerank")
    }
    kept = Survivors(stages, "cut", data.draw(flags).astype(bool))
    answered = data.draw(st.permutations(DOCUMENTS))[: data.draw(st.integers(0, 7))]
    rankings = ranked({query: answered for query in queries})
    failed = data.draw(st.lists(st.sampled_from([*queries]), unique=True))
    found = waterfall(judgments, rankings, metric(name), kept=kept, failed=failed)

    score = metric(name).score(judge(judgments, rankings))
    assert found.losses.min() >= 0
    np.testing.assert_allclose(found.losses.sum(axis=0), 1 - score, rtol=0, atol=1e-9)
    assert found.losses.shape == (len(found.stages), len(queries))
    over = np.isin(np.array(judgments.queries), failed)
    assert not found.losses[-1, ~over].any()
    assert not found.losses[2:-1, over].any()


def best_by_trying(items, documents, wanted):
    """Score every order of the documents, and keep the best: an order is a query."""
    orders = {str(at): order for at, order in enumerate(permutations(sorted(documents)))}
    return wanted.score(judge(judged_as(dict.fromkeys(orders, items)), ranked(orders))).max()


def attained(items, alive, wanted):
    judgments = judged_as({"q": items})
    rows = np.array([one.decode() in alive for one in judgments.documents.tolist()], bool)
    judged = judge(judgments, ranked({"q": []}))
    return float(Attainable(judgments, judged, wanted).best(rows)[0])


@given(st.lists(ITEMS, min_size=1, max_size=4) | PLAIN.filter(bool), NAMES, st.data())
def test_no_order_of_what_survives_is_better_than_the_best(items, name, data):
    left = data.draw(st.sets(st.sampled_from(DOCUMENTS), max_size=4))
    best = best_by_trying(items, left, metric(name))
    assert attained(items, left, metric(name)) == pytest.approx(best, rel=0, abs=1e-12)


SHARED = st.lists(  # unequal grades of items that have documents in common
    st.tuples(
        st.dictionaries(
            st.sampled_from("abcde"), st.sampled_from([1.0, 1.0, 0.7, 0.0]), min_size=1
        ),
        st.integers(0, 3),
    ),
    min_size=2,
    max_size=6,
)


@given(SHARED, NAMES, st.sets(st.sampled_from("abcde")))
def test_the_judgments_lose_only_what_no_order_of_the_corpus_could_have(items, name, answered):
    judgments, wanted = judged_as({"q": items}), metric(name)
    rankings = ranked({"q": sorted(answered)})
    losses = told(waterfall(judgments, rankings, wanted, kept=nothing_lost(judgments)))
    whole = best_by_trying(items, "abcde", wanted)
    assert losses["judgments"] == pytest.approx(1 - whole, rel=0, abs=1e-9)
    found = best_by_trying(items, answered, wanted)
    assert losses["search"] == pytest.approx(whole - found, rel=0, abs=1e-9)


def test_a_document_of_two_grades_waits_for_the_one_that_meets_the_lesser():
    # A meets both items (3 and 2), D the second: D, A is worth 2 + 3 / log2(3), A alone 3.
    judgments = judged_as({"q": [({"A": 1.0}, 3), ({"A": 1.0, "D": 1.0}, 2)]})
    found = waterfall(
        judgments, ranked({"q": ["A"]}), metric("ndcg@10"), kept=nothing_lost(judgments)
    )
    second = 1 / math.log2(3)
    ideal, best = 3 + 2 * second, 2 + 3 * second
    assert told(found)["judgments"] == pytest.approx(1 - best / ideal)
    assert told(found)["search"] == pytest.approx((best - 3) / ideal)
    assert told(found)["order"] == 0.0


@given(st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), PLAIN, min_size=1), NAMES)
def test_the_best_ranking_loses_nothing_by_its_order(queries, name):
    judgments = judged_as(queries)
    lists = {
        query: [one for members, _ in sorted(items, key=lambda one: -one[1]) for one in members]
        for query, items in queries.items()
    }
    found = waterfall(judgments, ranked(lists), metric(name), kept=nothing_lost(judgments))
    assert not found.losses[1:].any()
    assert set(found.losses[0].tolist()) <= {0.0, 1.0}


def test_several_datasets_are_put_together_unless_one_cannot_tell():
    yes, no = np.array([True, False]), np.array([False, False])
    one = Survivors({"corpus": yes, "lexical": no}, "cut", np.array([True, True]))
    two = Survivors({"corpus": np.array([False, True]), "lexical": yes}, "cut", yes)
    both = join_survivors([one, two])
    assert both.stages["corpus"].tolist() == [True, True]
    assert both.stages["lexical"].tolist() == [True, False]
    assert both.reachable.tolist() == [True, False]
    assert join_survivors([one, None]) is None
