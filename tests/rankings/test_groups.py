"""Expected items: several documents can meet one, one document can meet several."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
import assay.metrics
from assay.errors import InputError, UsageError

METRICS = [
    "precision@3", "recall@2", "recall", "hit@1", "mrr", "ndcg@3", "ndcg", "ndcg_exp@2", "ap",
    "ap@2", "r_precision", "f1@3", "rbp(p=0.8)", "err@4", "bpref", "infap", "judged@4",
    "precision(rel=2)@3", "recall(rel=2)", "mrr(rel=2)", "ap(rel=2)", "bpref(rel=2)",
]  # fmt: skip


def scores(items, ranking, metrics, **options):
    run = {"q": {document: -at for at, document in enumerate(ranking)}}
    judgments = assay.Judgments.of_items({"q": items})
    return assay.evaluate(judgments, run, metrics, **options).scores


def score(items, ranking, metric):
    (value,) = scores(items, ranking, metric).values()
    return value


def test_a_later_member_of_a_claimed_item_gains_nothing():
    # One item of grade 3 in two files, one of grade 1. Ranks: a (3), b (claimed already: 0), c (1).
    # DCG = 3 + 0 + 1/log2(4) = 3.5; ideal = 3 + 1/log2(3).
    items = [({"a": 1.0, "b": 1.0}, 3), ({"c": 1.0}, 1)]
    assert score(items, "abc", "ndcg") == pytest.approx(3.5 / (3 + 1 / math.log2(3)))
    assert score(items, "abc", "recall@2") == 0.5  # one of two items, though both files are shown
    assert score(items, "abc", "precision@2") == 0.5
    assert score(items, "abc", "judged@3") == 1.0


def test_the_gain_is_grade_times_match_weight_and_the_ideal_the_full_grade():
    # The file matches at weight .7: gain 2.1 of the ideal 3. It counts in full as found.
    items = [({"a": 0.7, "b": 1.0}, 3)]
    assert score(items, "a", "ndcg") == pytest.approx(0.7)
    assert score(items, "ab", "ndcg") == pytest.approx(0.7)  # a claimed it: b comes too late
    assert score(items, "ba", "ndcg") == 1.0
    assert score(items, "a", "recall") == score(items, "a", "mrr") == 1.0


def test_a_document_claims_all_its_items_and_gains_the_best():
    # a meets items of grade 1 and 2: recall counts both, the gain is 2, ideal 2 + 1/log2(3).
    items = [({"a": 1.0}, 1), ({"a": 1.0, "b": 1.0}, 2)]
    assert score(items, "ab", "recall@1") == 1.0
    assert score(items, "ab", "precision@2") == 0.5
    assert score(items, "ab", "ndcg") == pytest.approx(2 / (2 + 1 / math.log2(3)))
    assert score(items, "ab", "ap") == score(items, "ab", "infap") == 1.0
    assert score(items, "ab", "err") == pytest.approx(3 / 8)  # (2^2 - 1) / 2^3, once


def test_the_best_gain_may_belong_to_another_item_than_the_best_grade():
    # grade 3 at weight .4 is worth 1.2, grade 2 at weight 1 is worth 2.
    items = [({"a": 0.4}, 3), ({"a": 1.0}, 2)]
    assert score(items, "a", "ndcg@1") == pytest.approx(2 / 3)
    assert score(items, "a", "precision(rel=3)@1") == 1.0


def test_an_unresolved_item_can_only_be_missed():
    items = [({"a": 1.0}, 1), ({}, 1), ({}, 1)]
    assert score(items, "ab", "recall") == score(items, "ab", "ap") == pytest.approx(1 / 3)
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert score(items, "ab", "ndcg") == pytest.approx(1 / ideal)
    # Each unresolved item would have had a document of its own.
    assert score(items, "ab", "alpha_ndcg") == pytest.approx(1 / ideal)


def test_later_members_are_no_rivals_in_bpref():
    # Four files of one item stand above three other items. Nobody called those files not relevant.
    items = [({"a": 1, "b": 1, "c": 1, "d": 1}, 1), ({"e": 1}, 1), ({"f": 1}, 1), ({"z": 1}, 0)]
    assert score(items, "abcdef", "bpref") == 1.0
    assert score(items, "azef", "bpref") == pytest.approx((1 + 0 + 0) / 3)


def test_a_later_member_of_a_pooled_item_stays_unjudged():
    items = [({"a": 1, "b": 1}, -1), ({"c": 1}, 1)]
    assert score(items, "abc", "judged@3") == pytest.approx(1 / 3)
    # infap: one relevant document at rank 3, two pooled ones above: (1 + 2 x 1/2) / 3.
    assert score(items, "abc", "infap") == pytest.approx(2 / 3)


def test_a_ranking_that_beats_the_greedy_ideal_scores_one():
    # Greedy takes x with 8 items first and gets 8 + 5/log2(3); y and z get 7 + 7/log2(3).
    y, z = {1, 2, 3, 4, 9, 10, 11}, {5, 6, 7, 8, 12, 13, 14}
    cover = {"x": set(range(1, 9)), "y": y, "z": z}
    items = [({d: 1.0 for d in cover if item in cover[d]}, 1) for item in range(1, 15)]
    assert score(items, "yz", "alpha_ndcg@2") == 1.0
    assert score(items, "yx", "alpha_ndcg@2") < 1.0


def test_expected_ties_and_items_do_not_go_together(snapshot):
    with pytest.raises(UsageError, match="ties") as caught:
        scores([({"a": 1.0}, 1)], "ab", "mrr", ties="expected")
    snapshot(caught.value)


def test_no_items_at_all_is_an_error(snapshot):
    with pytest.raises(InputError) as caught:
        assay.evaluate(assay.Judgments.of_items({}), {"q": {"a": 1}}, "mrr")
    snapshot(caught.value)


# The same in plain Python, one document at a time.


def reference(items, ranking, name, k, level):
    scale = max([3, *(grade for _, grade in items)])
    documents, claimed = [], set()
    for document in ranking:
        mine = [n for n, (members, _) in enumerate(items) if document in members]
        new = [n for n in mine if n not in claimed]
        claimed.update(new)
        documents.append(
            {
                "gain": max([0.0, *(max(items[n][1], 0) * items[n][0][document] for n in new)]),
                "met": sum(items[n][1] >= level for n in new),
                "judged": any(items[n][1] >= 0 for n in mine),
                "against": bool(new) and 0 <= max(items[n][1] for n in new) < level,
                "late": any(items[n][1] >= 0 for n in mine) and not new,
            }
        )
    grades = sorted((max(grade, 0) for _, grade in items), reverse=True)
    total = sum(grade >= level for _, grade in items)
    top = documents[:k]
    return REFERENCES[name](documents, top, grades, total, k, scale)


def divide(part, whole):
    return part / whole if whole else 0.0


def precision(_, top, grades, total, k, scale):
    return sum(d["met"] > 0 for d in top) / k


def recall(_, top, grades, total, k, scale):
    return divide(sum(d["met"] for d in top), total)


def hit(_, top, *rest):
    return float(any(d["met"] for d in top))


def mrr(_, top, *rest):
    return next((1 / rank for rank, d in enumerate(top, 1) if d["met"]), 0.0)


def discounted(gains):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg(_, top, grades, total, k, scale):
    return divide(discounted([d["gain"] for d in top]), discounted(grades[:k]))


def ndcg_exp(_, top, grades, total, k, scale):
    got = discounted([2 ** d["gain"] - 1 for d in top])
    return divide(got, discounted([2**grade - 1 for grade in grades[:k]]))


def ap(_, top, grades, total, k, scale):
    found = [d["met"] > 0 for d in top]
    parts = (d["met"] * sum(found[:rank]) / rank for rank, d in enumerate(top, 1))
    return divide(sum(parts), total)


def r_precision(documents, top, grades, total, k, scale):
    return divide(sum(d["met"] > 0 for d in documents[:total]), total)


def f1(documents, top, grades, total, k, scale):
    p, r = (
        precision(documents, top, grades, total, k, scale),
        divide(sum(d["met"] for d in top), total),
    )
    return divide(2 * p * r, p + r)


def rbp(_, top, *rest):
    return 0.2 * sum(0.8 ** (rank - 1) * (d["met"] > 0) for rank, d in enumerate(top, 1))


def err(_, top, grades, total, k, scale):
    score, going_on = 0.0, 1.0
    for rank, d in enumerate(top, 1):
        stop = (2 ** d["gain"] - 1) / 2**scale
        score, going_on = score + going_on * stop / rank, going_on * (1 - stop)
    return score


def judged(_, top, *rest):
    return divide(sum(d["judged"] for d in top), len(top))


REFERENCES = {
    f.__name__: f
    for f in (precision, recall, hit, mrr, ndcg, ndcg_exp, ap, r_precision, f1, rbp, err, judged)
}

weights = st.sampled_from([0.0, 0.4, 0.7, 1.0])
an_item = st.tuples(st.dictionaries(st.sampled_from("abcde"), weights), st.integers(-1, 4))


@settings(max_examples=150, deadline=None)
@given(st.lists(an_item, min_size=1, max_size=5), st.permutations("abcdef"), st.integers(1, 6))
def test_agrees_with_plain_python(items, ranking, shown):
    ranking = ranking[:shown]
    got = scores(items, ranking, METRICS)
    for text, value in got.items():
        metric = assay.metrics.parse(text)
        assert -1e-12 <= value <= 1 + 1e-12, text
        if metric.name in REFERENCES:
            expected = reference(items, ranking, metric.name, metric.k, metric.level)
            assert value == pytest.approx(expected, abs=1e-12), text


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcde"), st.integers(-1, 3), min_size=1),
    st.permutations("abcdef"),
)
def test_items_of_one_document_each_are_plain_judgments(grades, ranking):
    items = [({document: 1.0}, grade) for document, grade in grades.items()]
    run = {"q": {document: -at for at, document in enumerate(ranking)}}
    every = ["alpha_ndcg@3", "rbp_residual(p=0.8)", *METRICS]
    plain = assay.evaluate({"q": grades}, run, [m for m in every if not m.startswith("err")])
    grouped = scores(items, ranking, list(plain.scores))
    assert grouped == pytest.approx(plain.scores, abs=1e-12)
