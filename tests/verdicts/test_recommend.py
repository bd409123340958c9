from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records import Interval, Run
from assay.verdicts.recommend import recommend
from assay.verdicts.sharpness import Sharpness


def run(name, quality, p50, **scores):
    return Run(name, name, {}, scores={"ndcg@10": quality, **scores}, latency_ms={"p50": p50})


def plain(one):
    return {key: one[key] for key in ("run", "by", "value")}


def test_by_hand():
    runs = [
        run("slow", 0.8, 100.0, **{"recall@5": 0.5, "recall@10": 0.9}),
        run("middle", 0.76, 20.0, **{"recall@5": 0.7, "recall@10": 0.8}),
        run("quick", 0.4, 10.0, **{"recall@5": 0.6, "recall@10": 0.7}),
    ]
    told = recommend(runs, primary="ndcg@10", best_set={"slow", "middle"})
    assert plain(told["best_quality"]) == {"run": "slow", "by": "ndcg@10", "value": 0.8}
    assert plain(told["fastest"]) == {"run": "quick", "by": "latency_p50_ms", "value": 10.0}
    assert plain(told["best_recall"]) == {"run": "slow", "by": "recall@10", "value": 0.9}
    # The slow one is half as good as can be, the quick one three quarters.
    assert told["best_balance"]["run"] == "middle"
    assert told["best_balance"]["value"] == pytest.approx((0.95 + 8 / 9) / 2)
    assert told["pick"]["run"] == "middle"


def test_equal_latencies_are_equally_fast():
    told = recommend([run("a", 0.5, 3.0), run("b", 1.0, 3.0)], primary="ndcg@10")
    assert plain(told["best_balance"]) == {"run": "b", "by": "balance", "value": 1.0}
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


def measured(name, quality, p50, **scores):
    """Return a run that knows how sure its score (.05 each way) and its time (2 ms) are."""
    one = run(name, quality, p50, **scores)
    known = {name: Interval(value - 0.05, value + 0.05) for name, value in one.scores.items()}
    times = {**one.latency_ms, "intervals": {"p50": [p50 - 2, p50 + 2]}}
    return replace(one, intervals=known, latency_ms=times)


RUNS = [measured("slow", 0.8, 100.0), measured("middle", 0.76, 20.0), measured("quick", 0.4, 17.0)]


def test_each_answer_has_its_reason_and_how_sure_it_is():
    told = recommend(RUNS, primary="ndcg@10", best_set={"slow", "middle"})
    best, fastest = told["best_quality"], told["fastest"]
    assert best["reason"] == "the highest ndcg@10 of 3 runs"
    assert best["uncertainty"] == {
        "interval": [pytest.approx(0.75), pytest.approx(0.85)],
        "runner_up": "middle",
        "told_apart": False,
        "sentence": 'it cannot be told from "middle", the next, by ndcg@10',
    }
    assert fastest["reason"] == "the lowest p50 of 3 runs that were timed"
    assert fastest["uncertainty"]["interval"] == [15.0, 19.0]
    assert fastest["uncertainty"]["told_apart"] is False  # 19 ms and 18 ms overlap
    assert told["pick"]["uncertainty"]["sentence"] == 'it is told from "slow", the next, by p50'
    assert told["pick"]["reason"] == (
        "the fastest of 2 runs that cannot be told from the best on ndcg@10"
    )


def test_the_best_alone_in_its_set_is_told_from_the_next():
    told = recommend(RUNS, primary="ndcg@10", best_set={"slow"})
    assert told["best_quality"]["uncertainty"]["told_apart"] is True
    said = "the highest ndcg@10, and told from all others"
    assert (told["pick"]["run"], told["pick"]["reason"]) == ("slow", said)
    alone = recommend(RUNS[:1], primary="ndcg@10")["best_quality"]["uncertainty"]
    assert (alone["runner_up"], alone["told_apart"]) == (None, None)
    left = recommend(RUNS, primary="ndcg@10", best_set={"slow", "middle"}, refused={"slow"})["pick"]
    assert left["reason"].endswith('told from "slow", the best; left out: "slow" (DON\'T SHIP)')


def test_without_a_comparison_nobody_knows():
    sure = recommend(RUNS, primary="ndcg@10")["best_quality"]["uncertainty"]
    assert sure["told_apart"] is None
    assert sure["sentence"] == 'whether it can be told from "middle", the next, is not known'


def test_recall_is_told_apart_by_its_own_set():
    runs = [
        measured("a", 0.8, 9.0, **{"recall@10": 0.5}),
        measured("b", 0.7, 9.0, **{"recall@10": 0.6}),
    ]
    asked = []

    def alike(metric, names):
        asked.append((metric, names))
        return ["b"]

    told = recommend(runs, primary="ndcg@10", best_set={"a", "b"}, alike=alike)
    assert asked == [("recall@10", ["a", "b"])]
    assert told["best_quality"]["uncertainty"]["told_apart"] is False
    assert told["best_recall"]["uncertainty"]["told_apart"] is True


def test_a_balance_is_as_unsure_as_its_parts():
    told = recommend(RUNS, primary="ndcg@10")["best_balance"]
    low, high = told["uncertainty"]["interval"]
    speed = [1 - (time - 17) / 83 for time in (22, 18)]
    assert low == pytest.approx((0.71 / 0.8 + speed[0]) / 2)
    assert high == pytest.approx(min((0.81 / 0.8 + speed[1]) / 2, 1))
    assert (told["run"], told["uncertainty"]["runner_up"]) == ("middle", "quick")
    assert told["uncertainty"]["told_apart"] is True
    close = [measured("a", 0.8, 50.0), measured("b", 0.78, 49.0), measured("slow", 0.8, 100.0)]
    told = recommend(close, primary="ndcg@10")["best_balance"]
    assert (told["uncertainty"]["runner_up"], told["uncertainty"]["told_apart"]) == ("b", False)


def sized(name, quality, count):
    return Run(name, name, {}, scores={"ndcg@10": quality}, storage={"bytes_per_document": count})


def test_where_nothing_was_timed_the_smallest_is_picked():
    runs = [sized("large", 0.8, 900), sized("small", 0.79, 100), sized("bad", 0.1, 5)]
    told = recommend(runs, primary="ndcg@10", best_set={"large", "small"})["pick"]
    assert plain(told) == {"run": "small", "by": "bytes_per_document", "value": 100}
    assert told["reason"].startswith("the smallest of 2 runs")
    told = recommend(runs, primary="ndcg@10", best_set={"large", "small"}, refused={"small"})
    assert told["pick"]["run"] == "large"
    unknown = [replace(one, storage={}) for one in runs]
    assert recommend(unknown, primary="ndcg@10", best_set={"large"})["pick"] is None


def test_of_equally_fast_ones_the_smaller_is_picked():
    large, small = (
        replace(run(name, 0.8, 9.0), storage={"bytes_per_document": count})
        for name, count in (("large", 9), ("small", 3))
    )
    told = recommend([large, small], primary="ndcg@10", best_set={"large", "small"})
    assert told["pick"]["run"] == "small"


def test_a_name_is_only_a_name():
    odd = [replace(one, name=f"{{{one.name}}} %s {{}}") for one in RUNS]
    told = recommend(odd, primary="ndcg@10", best_set={one.name for one in odd})
    assert told["pick"]["run"] == "{middle} %s {}"


def test_times_of_too_few_queries_tell_nothing_apart():
    open_ = [
        replace(one, latency_ms={**one.latency_ms, "intervals": {"p50": [None, None]}})
        for one in RUNS
    ]
    told = recommend(open_, primary="ndcg@10", best_set={"slow", "middle"})
    for key in ("fastest", "pick", "best_balance"):
        assert told[key]["uncertainty"]["told_apart"] is False
    assert told["fastest"]["uncertainty"]["interval"] is None


TEN = [run("words", 0.6131, 1.0), run("both", 0.95, 9.0), run("a", 0.8, 9.0), run("b", 0.7, 9.0)]


def picked(runs, finds, margin=0.0123, **options):
    sharp = Sharpness(10, margin, lambda *_: finds)
    names = {one.name for one in runs}
    return recommend(runs, primary="ndcg@10", best_set=names, sharp=sharp, **options)["pick"]


def test_a_pick_for_want_of_evidence_says_so():
    told = picked(TEN, 0.571)
    assert (told["run"], told["sure"]) == ("words", False)
    assert told["reason"] == (
        'for want of evidence: "words" is the fastest of 4 runs that 10 queries cannot tell apart, '
        'yet "both" scores 0.34 higher, and these queries show only differences from 0.57 on'
    )
    assert picked(TEN, float("inf"))["reason"].endswith("are too few to show any difference")
    assert picked(TEN, 1.087)["reason"].endswith("are too few to show any difference")
    assert picked(TEN, 0.1)["reason"].endswith(
        "0.34 higher, which is not shown to be more than luck"
    )


@pytest.mark.parametrize(("margin", "sure"), [(0.3368, False), (0.337, True)])
def test_a_difference_within_the_margin_is_no_reason_to_doubt(margin, sure):
    told = picked(TEN, 0.571, margin)
    assert told["sure"] is sure
    assert told["reason"].startswith("the fastest of 4 runs" if sure else "for want of evidence")


def test_what_is_refused_raises_no_doubt_and_is_named():
    told = picked(TEN[:2], 0.571, refused={"both"})
    assert (told["run"], told["sure"]) == ("words", True)
    assert told["reason"].endswith('told from "both", the best; left out: "both" (DON\'T SHIP)')
    told = picked([*TEN[:2], TEN[3]], 0.571, 0.1, refused={"both"})
    assert told["reason"] == (
        "the fastest of 2 runs that cannot be told from the best on ndcg@10; "
        'left out: "both" (DON\'T SHIP)'
    )
    slow = replace(TEN[1], budgets={"latency_p95_ms": {"state": "broken"}})
    assert '"both" (breaks a budget)' in picked([TEN[0], slow], 0.6, refused={"both"})["reason"]


def test_a_better_run_without_a_known_time_raises_doubt():
    told = picked([TEN[0], replace(TEN[1], latency_ms={})], 0.571)
    assert (told["run"], told["sure"]) == ("words", False)
    assert told["reason"].startswith(
        'for want of evidence: "words" is what is left of the runs that'
    )
    assert told["reason"].endswith('; left out: "both" (cost not known)')


def test_the_best_of_several_that_nobody_compared_is_not_sure():
    told = recommend(TEN, primary="ndcg@10")["pick"]
    assert (told["run"], told["sure"]) == ("both", False)
    assert told["reason"] == (
        "the highest ndcg@10; nothing was compared, so another may be as good"
    )
    assert recommend(TEN[:1], primary="ndcg@10")["pick"]["sure"] is True


def test_of_those_that_cost_the_same_the_best_is_picked():
    runs = [sized("words", 0.6, 9), sized("both", 0.8, 9), sized("large", 0.9, 10)]
    told = picked(runs, 0.5, 0.2)
    assert (told["run"], told["sure"]) == ("both", True)
    said = "the highest ndcg@10 of the 2 equally small ones of 3 runs that cannot be told from"
    assert told["reason"].startswith(said)
    fast = [replace(one, latency_ms={"p50": 3.0}) for one in runs]
    assert picked(fast, 0.5)["run"] == "large"
    even = [replace(one, scores=runs[0].scores) for one in fast]
    assert picked(even[1:], 0.5)["run"] == "both"  # the smaller of equally good ones


def test_times_that_may_differ_by_chance_are_no_reason_to_score_less():
    told = recommend(RUNS, primary="ndcg@10", best_set={"slow", "middle", "quick"})["pick"]
    assert told["run"] == "middle"  # up to 19 ms and from 18 ms on
    assert told["reason"] == (
        "the highest ndcg@10 of the 2 equally fast ones of 3 runs that cannot be told from the "
        "best on ndcg@10"
    )
    assert (told["value"], told["uncertainty"]["equal"]) == (20.0, ["quick"])
    clear = [RUNS[0], measured("middle", 0.76, 22.0), RUNS[2]]
    told = recommend(clear, primary="ndcg@10", best_set={"slow", "middle", "quick"})["pick"]
    assert (told["run"], told["uncertainty"]["equal"]) == ("quick", [])
    open_ = replace(RUNS[0], latency_ms={"p50": 100.0, "intervals": {"p50": [None, None]}})
    told = recommend([open_, *RUNS[1:]], primary="ndcg@10", best_set={"slow", "quick"})["pick"]
    assert told["run"] == "slow"  # of whose time nothing is known
