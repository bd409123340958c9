"""Agreement with pytrec_eval, which runs trec_eval's code inside Python.

It keeps scores as 32-bit floats, so scores here are distinct, or equal, in 32 bits too. Ids are
compared as UTF-8 bytes (strcmp of unsigned bytes), in descending order when scores tie.
"""

import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import assay

SHARED = {
    "map": "ap",
    "map_cut_3": "ap@3",
    "Rprec": "r_precision",
    "bpref": "bpref",
    "recip_rank": "mrr",
    "infAP": "infap",
    "ndcg": "ndcg",
    "ndcg_cut_2": "ndcg@2",
    "ndcg_cut_5": "ndcg@5",
    "P_1": "precision@1",
    "P_5": "precision@5",
    "recall_1": "recall@1",
    "recall_5": "recall@5",
    "recall_100": "recall@100",
    "success_1": "hit@1",
    "success_5": "hit@5",
    "set_recall": "recall",
}
THEIRS = {
    "map", "map_cut.3", "Rprec", "bpref", "recip_rank", "infAP", "ndcg", "ndcg_cut.2,5", "P.1,5",
    "recall.1,5,100", "success.1,5", "set_recall",
}  # fmt: skip

ids = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=12)
documents = st.lists(ids, min_size=1, max_size=9, unique=True)


@st.composite
def collections(draw, scores):
    pool = draw(documents)
    qrels, run = {}, {}
    for query in draw(st.lists(ids, min_size=1, max_size=3, unique=True)):
        judged = draw(st.lists(st.sampled_from(pool), min_size=1, unique=True))
        qrels[query] = {document: draw(st.integers(-1, 4)) for document in judged}
        qrels[query][judged[0]] = draw(st.integers(0, 4))  # with negative ones alone it never ends
        shown = draw(st.lists(st.sampled_from([*pool, "unjudged"]), min_size=1, unique=True))
        run[query] = dict(zip(shown, draw(scores(len(shown))), strict=True))
    return qrels, run


def untied(size):
    return st.lists(
        st.integers(-999, 999).map(lambda n: n / 8), min_size=size, max_size=size, unique=True
    )


def tied(size):
    return st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=size, max_size=size)


def assert_agrees(qrels, run, *, level=1, tolerance=1e-9):
    theirs = pytrec_eval.RelevanceEvaluator(qrels, THEIRS, relevance_level=level).evaluate(run)
    names = [at_level(name, level) for name in SHARED.values()]
    ours = assay.evaluate(qrels, run, names)
    assert set(theirs) == set(run)
    for at, query in enumerate(ours.queries):
        for measure, name in SHARED.items():
            score = ours.per_query[at_level(name, level)][at]
            assert score == pytest.approx(theirs[query][measure], abs=tolerance), (query, measure)


def at_level(name, level):
    if level == 1 or name.startswith("ndcg"):
        return name
    name, at, k = name.partition("@")
    return f"{name}(rel={level}){at}{k}"


@settings(max_examples=150, deadline=None)
@given(collections(untied))
def test_untied_runs(collection):
    assert_agrees(*collection)


@settings(max_examples=60, deadline=None)
@given(collections(untied), st.integers(2, 4))
def test_relevance_levels(collection, level):
    assert_agrees(*collection, level=level)


@settings(max_examples=150, deadline=None)
@given(collections(tied))
def test_tie_heavy_runs(collection):
    assert_agrees(*collection)


def test_ties_go_by_the_bytes_of_the_id_not_by_its_utf16_or_locale():
    # UTF-8 puts U+FF5E before U+1F600 (UTF-16 does not), and every accent behind ASCII.
    names = ["a", "ab", "aé", "z", "é", "\uff5e", "\U0001f600"]
    run = {"q": dict.fromkeys(names, 1.0)}
    for rank, name in enumerate(reversed(names), 1):
        qrels = {"q": {name: 1}}
        assert assay.evaluate(qrels, run, "mrr").scores["mrr"] == pytest.approx(1 / rank)
        assert_agrees(qrels, run)


def test_near_ties_of_float32_are_no_ties_here():
    # 1.00000001 and 1.0 are one number in 32 bits: pytrec_eval falls back on the ids.
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.00000001, "b": 1.0}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert theirs["q"]["recip_rank"] == 0.5
    assert assay.evaluate(qrels, run, "mrr").scores["mrr"] == 1.0
