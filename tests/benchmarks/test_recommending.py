from dataclasses import replace

import numpy as np

from assay.benchmarks.recommending import recommend_runs
from assay.records import Candidate, Comparisons, Evaluation, Run, Verdict
from assay.statistics.smallest_detectable import smallest_detectable

RNG = np.random.default_rng(5)
SHARED = RNG.random(60)
SCORES = {
    "words": SHARED * 0.4,
    "hybrid": SHARED * 0.8 + RNG.normal(0, 0.05, 60),
    "dense": SHARED * 0.8 + RNG.normal(0, 0.05, 60),
}
TIMES = {"words": 1.0, "hybrid": 50.0, "dense": 20.0}


def runs():
    return [
        Run(
            name,
            name,
            {},
            scores={"mrr": float(SCORES[name].mean()), "recall@10": float(1 - SCORES[name].mean())},
            latency_ms={"p50": TIMES[name]},
            storage={"bytes_per_document": TIMES[name] * 10},
            budgets={"latency_p95_ms": {"state": "broken" if name == "dense" else "kept"}},
        )
        for name in SCORES
    ]


def comparisons(refused=()):
    evaluations = [
        Evaluation(name, (), {}, {"mrr": scores, "recall@10": 1 - scores})
        for name, scores in SCORES.items()
    ]
    candidates = [
        Candidate(name, {}, Verdict("dont_ship" if name in refused else "hold", ""), {}, ())
        for name in ("hybrid", "dense")
    ]
    best = ("hybrid", "dense")
    return Comparisons(
        "words", "mrr", 60, tuple(candidates), (), best, "hybrid", 0.1, 0.1, tuple(evaluations)
    )


def test_every_question_in_its_order():
    told = recommend_runs(runs(), primary="mrr", comparisons=comparisons(), flips=999)
    assert list(told) == [
        "best_quality",
        "fastest",
        "best_recall",
        "best_balance",
        "smallest",
        "pick",
        "pick_within_budgets",
    ]
    assert (
        told["best_recall"]["run"] == told["fastest"]["run"] == told["smallest"]["run"] == "words"
    )
    assert told["best_recall"]["uncertainty"]["told_apart"] is True
    assert told["best_quality"]["uncertainty"]["told_apart"] is False
    assert told["pick"]["run"] == "hybrid"  # dense is faster, and breaks its budget
    assert told["pick_within_budgets"]["run"] == "hybrid"  # told from words, the other keeper
    assert told["pick_within_budgets"]["uncertainty"]["told_apart"] is True


def test_a_verdict_is_not_gone_back_on():
    compared = comparisons(refused=("hybrid",))
    told = recommend_runs(runs(), primary="mrr", comparisons=compared, flips=999)
    assert told["pick_within_budgets"]["run"] == "words"
    kept = [replace(run, budgets={}) for run in runs()]
    told = recommend_runs(kept, primary="mrr", comparisons=compared, flips=999)
    assert told["pick"]["run"] == "dense"
    compared = comparisons(refused=("dense",))
    told = recommend_runs(kept, primary="mrr", comparisons=compared, flips=999)
    assert told["pick"]["run"] == "hybrid"  # dense is faster, and may not ship


def test_a_baseline_that_breaks_a_budget_is_not_picked():
    broken = {"errors": {"state": "broken"}}
    base = replace(runs()[0], scores=runs()[1].scores, budgets=broken)
    alike = replace(comparisons(), best_set=("words", "hybrid", "dense"))
    told = recommend_runs([base, *runs()[1:]], primary="mrr", comparisons=alike, flips=999)
    assert told["pick"]["run"] == told["best_balance"]["run"] == "hybrid"
    assert told["fastest"]["run"] == "words"  # which is a fact, and no advice
    alone = recommend_runs([base], primary="mrr")
    assert alone["pick"] is alone["best_balance"] is None


def test_one_run_alone_and_none():
    told = recommend_runs(runs()[:1], primary="mrr")
    assert told["pick"]["run"] == told["pick_within_budgets"]["run"] == "words"
    assert told["best_quality"]["uncertainty"]["told_apart"] is None
    assert set(recommend_runs([], primary="mrr").values()) == {None}


def test_a_run_that_was_not_compared_is_no_reason_to_fail():
    extra = replace(runs()[1], name="late", scores={"mrr": 0.99, "recall@10": 0.1})
    told = recommend_runs([*runs(), extra], primary="mrr", comparisons=comparisons(), flips=999)
    assert told["best_quality"]["run"] == "late"
    assert told["best_quality"]["uncertainty"]["told_apart"] is None


def test_a_pick_is_unsure_by_what_the_compared_queries_would_show():
    rng = np.random.default_rng(3)
    scores = {"words": rng.random(10) * 0.5, "both": rng.random(10) * 0.5}
    each = [Evaluation(name, (), {}, {"mrr": values}) for name, values in scores.items()]
    candidate = Candidate("both", {}, Verdict("needs_queries", ""), {}, ())
    compared = Comparisons(
        "words", "mrr", 10, (candidate,), (), ("words", "both"), "both", 0.1, 0.1, tuple(each)
    )
    known = [
        Run(name, name, {}, scores={"mrr": float(values.mean())}, latency_ms={"p50": time})
        for (name, values), time in zip(scores.items(), (1.0, 9.0), strict=True)
    ]
    told = recommend_runs(known, primary="mrr", comparisons=compared)["pick"]
    sd = float(np.std(scores["both"] - scores["words"], ddof=1))
    found = smallest_detectable(sd=sd, queries=10)
    gap = known[1].scores["mrr"] - known[0].scores["mrr"]
    assert (told["run"], told["sure"]) == ("words", False)
    assert 0.02 < gap < found
    assert told["reason"].startswith(
        'for want of evidence: "words" is the fastest of 2 runs that 10'
    )
    assert f'yet "both" scores {gap:.2g} higher' in told["reason"]
    assert told["reason"].endswith(f"these queries show only differences from {found:.2g} on")
    kept = [replace(one, budgets={"errors": {"state": "kept"}}) for one in known]
    within = recommend_runs(kept, primary="mrr", comparisons=compared)["pick_within_budgets"]
    assert (within["run"], within["sure"]) == ("words", False)
    wide = replace(compared, settings={"margin": 2.0})
    assert recommend_runs(known, primary="mrr", comparisons=wide)["pick"]["sure"] is True
