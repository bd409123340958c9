"""The interval over every grading of the unjudged documents, against trying each of them."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
import assay.metrics
from assay import catalogue
from assay.datasets.load_judgments import load_judgments
from assay.metrics import parse
from assay.rankings.judge import judge
from assay.rankings.load import load
from assay.verdicts.holes import holes
from assay.verdicts.judged_run import JudgedRun

BOUNDED = [
    "precision@2", "precision(rel=2)@3", "recall@2", "recall", "recall(rel=2)@2", "hit@1", "hit",
    "hit(rel=2)@2", "mrr", "mrr@2", "mrr(rel=2)", "ndcg@1", "ndcg@2", "ndcg@3", "ndcg",
    "ndcg_exp@2", "ndcg_exp", "rbp(p=0.8)", "rbp(p=0.5)@2", "rbp(rel=2,p=0.8)",
    "precision(rel=3)@2",
]  # fmt: skip


def run_of(ranking):
    return {document: -float(at) for at, document in enumerate(ranking)}


def side(judgments, run, **options):
    rankings = load(run)
    return JudgedRun(rankings, judge(judgments, rankings, **options))


def ends(qrels, baseline, candidate, text, scale=2):
    judgments = load_judgments(qrels, scale=scale)
    base = None if baseline is None else side(judgments, baseline)
    return holes(base, side(judgments, candidate), parse(text))


def brute(grades, baseline, candidate, texts, scale=2):
    """Return {metric: (low, high)} by scoring every grading that the holes could have."""
    result, judged = {}, {}
    for text in texts:
        k = k_of(text)
        if k not in judged:
            judged[k] = every_grading(grades, baseline, candidate, k, scale)
        ours, theirs = (parse(text).score(one) for one in judged[k])
        result[text] = ((ours - theirs).min(), (ours - theirs).max())
    return result


def every_grading(grades, baseline, candidate, k, scale):
    """Judge both rankings by each grading of the holes in their top k, as a query of its own."""
    shown = {*(baseline or [])[:k], *candidate[:k]}
    open_ = sorted(d for d in shown if grades.get(d, -1) < 0)
    gradings = [
        dict(zip(open_, new, strict=True)) for new in product(range(scale + 1), repeat=len(open_))
    ]
    qrels = {str(n): {**grades, **grading, "never": 0} for n, grading in enumerate(gradings)}
    judgments = load_judgments(qrels, scale=scale)
    return [
        judge(judgments, load({q: run_of(ranking) for q in qrels}))
        for ranking in (candidate, baseline or ["elsewhere"])
    ]


def k_of(text):
    return parse(text).k


def test_by_hand():
    # b alone is judged (grade 1, scale 1). Ours shows a (a hole) then b; theirs shows b only.
    # precision@2: ours 1/2 or 2/2, theirs 1/2: the difference is 0 to .5.
    # mrr: ours 1/2 or 1, theirs 1.
    # ndcg@2, a not relevant: 1/log2 3 against 1; relevant: 1 against 1 / (1 + 1/log2 3).
    qrels, ours, theirs = {"q": {"b": 1}}, {"q": run_of("ab")}, {"q": run_of("b")}
    third = 1 / np.log2(3)
    expected = {
        "precision@2": (0.0, 0.5),
        "mrr": (-0.5, 0.0),
        "hit@2": (0.0, 0.0),
        "recall@2": (0.0, 0.5),
        "ndcg@2": (third - 1, 1 - 1 / (1 + third)),
        "rbp(p=0.8)": (0.16 - 0.2, 0.36 - 0.2),
    }
    for text, (low, high) in expected.items():
        got = ends(qrels, theirs, ours, text, scale=1)
        assert (got[0][0], got[1][0]) == pytest.approx((low, high)), text


documents = st.sampled_from("abcdefg")
some_grades = st.dictionaries(documents, st.integers(-1, 2), min_size=1, max_size=4)
some_ranking = st.lists(documents, min_size=1, max_size=4, unique=True)


@settings(max_examples=20, deadline=None)
@given(some_grades, some_ranking, some_ranking, st.booleans())
def test_equals_every_grading(grades, baseline, candidate, alone):
    theirs = None if alone else baseline
    qrels = {"q": {**grades, "never": 0}}
    for text, (low, high) in brute(grades, theirs, candidate, BOUNDED).items():
        base = theirs and {"q": run_of(theirs)}
        got = ends(qrels, base, {"q": run_of(candidate)}, text)
        assert (got[0][0], got[1][0]) == pytest.approx((low, high), abs=1e-9), text


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(documents, st.integers(-1, 3), min_size=1, max_size=3),
    st.permutations("abcde").map(lambda p: p[:4]),
    st.permutations("abcde").map(lambda p: p[:3]),
)
def test_equals_every_grading_of_four_grades(grades, baseline, candidate):
    for text, (low, high) in brute(
        grades, baseline, candidate, ["ndcg@3", "ndcg_exp@3", "ndcg"], 3
    ).items():
        qrels = {"q": {**grades, "never": 0}}
        got = ends(qrels, {"q": run_of(baseline)}, {"q": run_of(candidate)}, text, scale=3)
        assert (got[0][0], got[1][0]) == pytest.approx((low, high), abs=1e-9), text


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.tuples(some_grades, some_ranking, some_ranking), min_size=1, max_size=4), st.data()
)
def test_queries_are_bounded_apart_also_when_one_run_misses_some(cases, data):
    answered = data.draw(st.lists(st.booleans(), min_size=len(cases), max_size=len(cases)))
    qrels = {f"q{n}": {**grades, "never": 0} for n, (grades, _, _) in enumerate(cases)}
    ours = {f"q{n}": run_of(ranking) for n, (_, ranking, _) in enumerate(cases)}
    theirs = {f"q{n}": run_of(ranking) for n, (_, _, ranking) in enumerate(cases) if answered[n]}
    theirs["unknown"] = run_of("ab")
    for text in ("ndcg@2", "ndcg", "recall@2", "mrr", "precision@2", "rbp(p=0.8)"):
        low, high = ends(qrels, theirs, ours, text)
        for n in range(len(cases)):
            query = f"q{n}"
            one = {"q": theirs[query]} if query in theirs else {"unknown": run_of("ab")}
            alone = ends({"q": qrels[query]}, one, {"q": ours[query]}, text)
            assert (low[n], high[n]) == pytest.approx((alone[0][0], alone[1][0]), abs=1e-12), text


@settings(max_examples=10, deadline=None)
@given(some_grades, some_ranking, some_ranking, st.integers(0, 2))
def test_holds_the_plain_difference_shrinks_and_mirrors(grades, baseline, candidate, grade):
    qrels = {"q": {**grades, "never": 0}}
    ours, theirs = {"q": run_of(candidate)}, {"q": run_of(baseline)}
    open_ = [d for d in candidate if grades.get(d, -1) < 0]
    for text in BOUNDED:
        (low,), (high,) = ends(qrels, theirs, ours, text)
        judgments = load_judgments(qrels, scale=2)
        plain = [parse(text).score(side(judgments, run).judged)[0] for run in (ours, theirs)]
        assert low - 1e-12 <= plain[0] - plain[1] <= high + 1e-12, text
        (mirrored_low,), (mirrored_high,) = ends(qrels, ours, theirs, text)
        assert (mirrored_low, mirrored_high) == pytest.approx((-high, -low), abs=1e-12), text
        for document in set(open_) & {*candidate[: k_of(text)], *baseline[: k_of(text)]}:
            less = {"q": {**qrels["q"], document: grade}}
            (inner_low,), (inner_high,) = ends(less, theirs, ours, text)
            assert low - 1e-12 <= inner_low <= inner_high <= high + 1e-12, text


items = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from("abc"), st.sampled_from([0.5, 1.0])), st.integers(0, 2)
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=25, deadline=None)
@given(items, some_ranking, some_ranking)
def test_an_unjudged_document_beside_expected_items_is_an_item_of_its_own(known, theirs, ours):
    judgments = assay.Judgments.of_items({"q": known}, scale=2)
    both = [side(judgments, {"q": run_of(ranking)}) for ranking in (theirs, ours)]
    for text in ("precision@2", "recall@3", "mrr", "ndcg@2", "ndcg_exp", "rbp(p=0.8)"):
        k = k_of(text)
        met = {document for members, _ in known for document in members}
        open_ = sorted({*theirs[:k], *ours[:k]} - met)
        extended = {
            str(n): [
                *known,
                *(({document: 1.0}, grade) for document, grade in zip(open_, new, strict=True)),
            ]
            for n, new in enumerate(product(range(3), repeat=len(open_)))
        }
        every = assay.Judgments.of_items(extended, scale=2)
        a, b = (
            parse(text).score(judge(every, load(dict.fromkeys(extended, run_of(ranking)))))
            for ranking in (ours, theirs)
        )
        (low,), (high,) = holes(*both, parse(text))
        assert (low, high) == pytest.approx(((a - b).min(), (a - b).max()), abs=1e-9), text


def test_nothing_open_leaves_no_interval():
    qrels, ours, theirs = {"q": {"a": 2, "b": 0}}, {"q": run_of("ab")}, {"q": run_of("ba")}
    for text in BOUNDED:
        low, high = ends(qrels, theirs, ours, text)
        assert low[0] == pytest.approx(high[0], abs=1e-12), text


def test_the_other_metrics_have_no_exact_interval():
    qrels, run = {"q": {"a": 1}}, {"q": run_of("ab")}
    bounded = {parse(text).name for text in BOUNDED}
    for name in set(catalogue.names(assay.metrics)) - bounded:
        kind = catalogue.find(assay.metrics, name).kind
        assert ends(qrels, run, run, f"{name}@5" if kind.cutoff == "required" else name) is None


def test_expected_ties_have_no_exact_interval():
    judgments = load_judgments({"q": {"a": 1}})
    run = {"q": {"a": 1.0, "b": 1.0}}
    tied, plain = side(judgments, run, expected=True), side(judgments, run)
    assert holes(plain, tied, parse("ndcg@5")) is None
    assert holes(tied, plain, parse("ndcg@5")) is None


def test_bounds_of_one_run_are_means_over_its_queries():
    qrels = {"q": {"a": 1}, "r": {"b": 1}, "s": {"c": 1}}
    run = {"q": run_of("xa"), "r": run_of("b")}
    result = assay.evaluate(qrels, run, "precision@2,mrr,ap", unjudged="bounds")
    assert result.bounds["precision@2"] == pytest.approx(((0.5 + 0.5) / 3, (1.0 + 0.5) / 3))
    assert result.bounds["mrr"] == pytest.approx(((0.5 + 1.0) / 3, (1.0 + 1.0) / 3))
    assert result.bounds["ap"] is None
    skipped = assay.evaluate(qrels, run, "mrr", unjudged="bounds", missing="skip")
    assert skipped.bounds["mrr"] == pytest.approx((0.75, 1.0))


def test_deep_runs_with_many_holes_stay_exact_and_finish():
    # 300 holes each, nothing known but one document: the ends must hold the extremes tried here.
    ours, theirs = [f"o{n}" for n in range(300)], [f"t{n}" for n in range(300)]
    qrels = {"q": {"o0": 1}}
    (low,), (high,) = ends(qrels, {"q": run_of(theirs)}, {"q": run_of(ours)}, "ndcg", scale=3)
    for new in (dict.fromkeys(ours, 3), dict.fromkeys(theirs, 3), dict.fromkeys(theirs[:9], 1)):
        judgments = load_judgments({"q": {**new, **qrels["q"]}}, scale=3)
        a, b = (
            parse("ndcg").score(side(judgments, {"q": run_of(r)}).judged)[0] for r in (ours, theirs)
        )
        assert low - 1e-9 <= a - b <= high + 1e-9
    assert (low, high) == pytest.approx((-1.0, 1.0), abs=0.02)


def test_no_unjudged_document_reaches_a_level_above_the_scale():
    # Recall of grades from 3 on, where 2 is the largest: whatever is unjudged adds nothing.
    low, high = ends({"q": {"a": 2}}, {"q": run_of("xa")}, {"q": run_of("ya")}, "recall(rel=3)@2")
    assert (low.tolist(), high.tolist()) == ([0.0], [0.0])
