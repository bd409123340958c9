from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records import Run
from assay.verdicts.recommend import recommend


def run(name, quality, p50, **scores):
    return Run(name, name, {}, scores={"ndcg@10": quality, **scores}, latency_ms={"p50": p50})


def test_by_hand():
    runs = [
        run("slow", 0.8, 100.0, **{"recall@5": 0.5, "recall@10": 0.9}),
        run("middle", 0.76, 20.0, **{"recall@5": 0.7, "recall@10": 0.8}),
        run("quick", 0.4, 10.0, **{"recall@5": 0.6, "recall@10": 0.7}),
    ]
    told = recommend(runs, primary="ndcg@10", best_set={"slow", "middle"})
    assert told["best_quality"] == {"run": "slow", "by": "ndcg@10", "value": 0.8}
    assert told["fastest"] == {"run": "quick", "by": "latency_p50_ms", "value": 10.0}
    assert told["best_recall"] == {"run": "slow", "by": "recall@10", "value": 0.9}
    # The slow one is half as good as can be, the quick one three quarters.
    assert told["best_balance"]["run"] == "middle"
    assert told["best_balance"]["value"] == pytest.approx((0.95 + 8 / 9) / 2)
    assert told["pick"]["run"] == "middle"


def test_equal_latencies_are_equally_fast():
    told = recommend([run("a", 0.5, 3.0), run("b", 1.0, 3.0)], primary="ndcg@10")
    assert told["best_balance"] == {"run": "b", "by": "balance", "value": 1.0}
    assert told["fastest"]["run"] == "a"
    assert told["best_recall"] is None


def test_nothing_measured_recommends_nothing():
    dead = Run("dead", "x", {}, status="failed")
    assert set(recommend([dead], primary="ndcg@10").values()) == {None}
    assert recommend([dead, run("a", 0.0, 1.0)], primary="ndcg@10")["pick"]["run"] == "a"


def at_once(one, queries):
    return replace(one, latency_ms={**one.latency_ms, "concurrency": queries})


def test_times_under_another_load_are_not_compared():
    loaded = at_once(run("loaded", 0.8, 5.0), 4)
    runs = [run("alone", 0.7, 9.0), run("quick", 0.5, 1.0), loaded]
    told = recommend(runs, primary="ndcg@10", best_set={"alone", "loaded"})
    assert (told["fastest"], told["best_balance"]) == (None, None)
    assert told["best_quality"]["run"] == told["pick"]["run"] == "loaded"
    # The quick one is faster, but was asked otherwise than the best of the two.
    runs = [at_once(run("good", 0.9, 50.0), 4), loaded, run("quick", 0.7, 1.0)]
    told = recommend(runs, primary="ndcg@10", best_set={"good", "loaded", "quick"})
    assert told["pick"]["run"] == "loaded"
    told = recommend([at_once(one, 4) for one in runs], primary="ndcg@10")
    assert told["fastest"]["run"] == "quick"


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1e5)), min_size=1, max_size=6))
def test_balance_lies_between_0_and_1_and_the_best_at_both_is_the_balance(pairs):
    runs = [run(str(at), *pair) for at, pair in enumerate(pairs)]
    runs.append(run("both", 1.0, min(p50 for _, p50 in pairs) / 2))
    told = recommend(runs, primary="ndcg@10")
    assert 0 <= told["best_balance"]["value"] <= 1 + 1e-12
    assert told["best_balance"]["value"] == pytest.approx(1)


def test_what_a_verdict_forbids_is_neither_picked_nor_a_good_balance():
    runs = [run("ours", 0.8, 10.0), run("words", 0.8, 20.0)]
    both = {"ours", "words"}
    told = recommend(runs, primary="ndcg@10", best_set=both, refused={"ours"})
    assert told["pick"]["run"] == told["best_balance"]["run"] == "words"
    assert told["best_quality"]["run"] == told["fastest"]["run"] == "ours"  # facts
    told = recommend(runs, primary="ndcg@10", best_set=both, refused=both)
    assert told["pick"] is told["best_balance"] is None


@pytest.mark.parametrize("how", ["failed", "silent"])
def test_the_time_of_failures_and_of_no_answers_says_nothing(how):
    failed = {"q1": "KeyError"} if how == "failed" else {}
    silent = {"quick"} if how == "silent" else ()
    runs = [replace(run("quick", 0.9, 0.01), failed=failed), run("words", 0.8, 20.0)]
    told = recommend(runs, primary="ndcg@10", best_set={"quick", "words"}, silent=silent)
    assert {told[key]["run"] for key in ("fastest", "pick", "best_balance")} == {"words"}
    assert told["best_quality"]["run"] == "quick"
    alone = recommend(runs[:1], primary="ndcg@10", silent=silent)
    assert alone["fastest"] is alone["pick"] is alone["best_balance"] is None


def test_a_run_whose_time_is_not_known_can_be_the_best_and_not_the_fastest():
    recorded = Run("recorded", "x", {}, scores={"ndcg@10": 0.9})
    told = recommend([run("a", 0.5, 3.0), recorded], primary="ndcg@10", best_set={"recorded"})
    assert told["best_quality"]["run"] == "recorded"
    assert told["fastest"]["run"] == told["best_balance"]["run"] == "a"
    assert told["pick"] is None
    assert recommend([recorded], primary="ndcg@10")["fastest"] is None
