import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.datasets.load_judgments import load_judgments
from assay.metrics import parse
from assay.rankings.judge import judge
from assay.rankings.load import load
from assay.records import ToJudge
from assay.verdicts.judge_next import judge_next
from assay.verdicts.judged_run import JudgedRun

EXACT = [
    "precision@2", "recall@2", "recall", "hit@1", "mrr", "mrr@2", "ndcg@2", "ndcg", "ndcg_exp@3",
    "rbp(p=0.8)", "precision(rel=2)@3", "recall(rel=2)", "mrr(rel=2)", "mrr(rel=4)",
    "recall(rel=4)",
]  # fmt: skip


def run_of(ranking):
    return {document: -float(at) for at, document in enumerate(ranking)}


def sides(qrels, *runs):
    judgments = load_judgments(qrels, scale=3)
    rankings = [load(run) for run in runs]
    return [JudgedRun(ranking, judge(judgments, ranking)) for ranking in rankings]


def difference(qrels, baseline, candidate, text):
    scores = [parse(text).score(side.judged) for side in sides(qrels, baseline, candidate)]
    return scores[1] - scores[0]


def test_by_hand():
    # One relevant document is known (grade 3, at the top of both). Ours shows x at rank 2, theirs
    # y at rank 3. precision@2: x would add 1/2, y nothing, since it stands below the cut-off.
    qrels = {"q": {"a": 3, "z": 0}}
    both = sides(qrels, {"q": run_of("azy")}, {"q": run_of("ax")})
    assert judge_next(*both, parse("precision@2")) == [ToJudge("q", "x", 0.5)]
    moved = {one.document: one.influence for one in judge_next(*both, parse("recall"))}
    assert moved == pytest.approx({"x": 0.5, "y": 0.5})
    assert judge_next(*both, parse("mrr")) == []  # both have their first relevant document on top


documents = st.sampled_from("abcdefg")
rankings = st.lists(documents, min_size=1, max_size=4, unique=True)
grades = st.dictionaries(documents, st.integers(-1, 3), min_size=1, max_size=4)


@settings(max_examples=15, deadline=None)
@given(grades, rankings, rankings)
def test_the_move_is_what_the_top_grade_would_do(known, baseline, candidate):
    qrels = {"q": {**known, "never": 0}}
    theirs, ours = {"q": run_of(baseline)}, {"q": run_of(candidate)}
    for text in EXACT:
        k = parse(text).k
        found = judge_next(*sides(qrels, theirs, ours), parse(text))
        listed = {one.document: one.influence for one in found}
        now = difference(qrels, theirs, ours, text)[0]
        for document in {*baseline[:k], *candidate[:k]}:
            if known.get(document, -1) >= 0:
                assert document not in listed
                continue
            then = difference({"q": {**qrels["q"], document: 3}}, theirs, ours, text)[0]
            assert listed.get(document, 0.0) == pytest.approx(abs(then - now), abs=1e-12), text


@settings(max_examples=30, deadline=None)
@given(grades, rankings, rankings, st.sampled_from(["ndcg@3", "ap", "bpref", "err@3", "f1@3"]))
def test_largest_first_each_once_and_no_more_than_asked(known, baseline, candidate, text):
    both = sides(
        {"q": known, "r": known}, *({"q": run_of(r), "r": run_of(r)} for r in (baseline, candidate))
    )
    every = judge_next(*both, parse(text))
    if text == "ndcg@3":
        moves = [one.influence for one in every]
        assert moves == sorted(moves, reverse=True)
        assert all(move > 0 for move in moves)
    else:
        assert all(one.influence is None for one in every)  # nothing is claimed without a rule
    assert len({(one.query, one.document) for one in every}) == len(every)
    assert judge_next(*both, parse(text), most=2) == every[:2]


def test_equal_runs_leave_nothing_to_judge_for_precision():
    both = sides({"q": {"a": 1}}, {"q": run_of("xya")}, {"q": run_of("xya")})
    assert judge_next(*both, parse("precision@3")) == []
    assert judge_next(*both, parse("ndcg@3")) == []


def test_queries_that_are_left_out_need_no_judging():
    run = {"q": run_of("ax"), "r": run_of("ay")}
    both = sides({"q": {"a": 1}, "r": {"a": 1}}, {"q": run_of("a"), "r": run_of("a")}, run)
    found = judge_next(*both, parse("precision@2"), queries=np.array([1]))
    assert [(one.query, one.document) for one in found] == [("r", "y")]
