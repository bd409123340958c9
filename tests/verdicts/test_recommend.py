from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.records import Interval, Run
from assay.verdicts.recommend import recommend


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


def test_equal_latencies_are_equally_fast():
    told = recommend([run("a", 0.5, 3.0), run("b", 1.0, 3.0)], primary="ndcg@10")
    assert plain(told["best_balance"]) == {"run": "b", "by": "balance", "value": 1.0}
    assert told["fastest"]["run"] == "a"
    assert told["best_recall"] is None


def test_nothing_measured_recommends_nothing():
    dead = Run("dead", "x", {}, status="failed")
    assert set(recommend([dead], primary="ndcg@10").values()) == {None}
    assert recommend([dead, run("a", 0.0, 1.0)], primary="ndcg@10")["fastest"]["run"] == "a"


def at_once(one, queries):
    return replace(one, latency_ms={**one.latency_ms, "concurrency": queries})


def test_times_under_another_load_are_not_compared():
    loaded = at_once(run("loaded", 0.8, 5.0), 4)
    runs = [run("alone", 0.7, 9.0), run("quick", 0.5, 1.0), loaded]
    told = recommend(runs, primary="ndcg@10", best_set={"alone", "loaded"})
    assert (told["fastest"], told["best_balance"]) == (None, None)
    assert told["best_quality"]["run"] == "loaded"
    told = recommend([at_once(one, 4) for one in runs], primary="ndcg@10")
    assert told["fastest"]["run"] == "quick"


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1e5)), min_size=1, max_size=6))
def test_balance_lies_between_0_and_1_and_the_best_at_both_is_the_balance(pairs):
    runs = [run(str(at), *pair) for at, pair in enumerate(pairs)]
    runs.append(run("both", 1.0, min(p50 for _, p50 in pairs) / 2))
    told = recommend(runs, primary="ndcg@10")
    assert 0 <= told["best_balance"]["value"] <= 1 + 1e-12
    assert told["best_balance"]["value"] == pytest.approx(1)


def test_what_a_verdict_forbids_is_no_good_balance():
    runs = [run("ours", 0.8, 10.0), run("words", 0.8, 20.0)]
    both = {"ours", "words"}
    told = recommend(runs, primary="ndcg@10", best_set=both, refused={"ours"})
    assert told["best_balance"]["run"] == "words"
    assert told["best_quality"]["run"] == told["fastest"]["run"] == "ours"  # facts
    told = recommend(runs, primary="ndcg@10", best_set=both, refused=both)
    assert told["best_balance"] is None


@pytest.mark.parametrize("how", ["failed", "silent"])
def test_the_time_of_failures_and_of_no_answers_says_nothing(how):
    failed = {"q1": "KeyError"} if how == "failed" else {}
    silent = {"quick"} if how == "silent" else ()
    runs = [replace(run("quick", 0.9, 0.01), failed=failed), run("words", 0.8, 20.0)]
    told = recommend(runs, primary="ndcg@10", best_set={"quick", "words"}, silent=silent)
    assert {told[key]["run"] for key in ("fastest", "best_balance")} == {"words"}
    assert told["best_quality"]["run"] == "quick"
    alone = recommend(runs[:1], primary="ndcg@10", silent=silent)
    assert alone["fastest"] is alone["best_balance"] is None


def test_a_run_whose_time_is_not_known_can_be_the_best_and_not_the_fastest():
    recorded = Run("recorded", "x", {}, scores={"ndcg@10": 0.9})
    told = recommend([run("a", 0.5, 3.0), recorded], primary="ndcg@10", best_set={"recorded"})
    assert told["best_quality"]["run"] == "recorded"
    assert told["fastest"]["run"] == told["best_balance"]["run"] == "a"
    assert recommend([recorded], primary="ndcg@10")["fastest"] is None


def measured(name, quality, p50, **scores):
    """Return a run that knows how sure its score (.05 each way) and its time (2 ms) are."""
    one = run(name, quality, p50, **scores)
    known = {name: Interval(value - 0.05, value + 0.05) for name, value in one.scores.items()}
    times = {**one.latency_ms, "intervals": {"p50": [p50 - 2, p50 + 2]}}
    return replace(one, intervals=known, latency_ms=times)


RUNS = [measured("slow", 0.8, 100.0), measured("middle", 0.76, 20.0), measured("quick", 0.4, 17.0)]


def test_each_answer_has_its_reason_and_how_sure_it_is(snapshot):
    told = recommend(RUNS, primary="ndcg@10", best_set={"slow", "middle"})
    best, fastest = told["best_quality"], told["fastest"]
    snapshot(
        line
        for one in filter(None, told.values())
        for line in (one["reason"], one["uncertainty"].pop("sentence"))
    )
    assert best["uncertainty"] == {
        "interval": [pytest.approx(0.75), pytest.approx(0.85)],
        "runner_up": "middle",
        "told_apart": False,
    }
    assert fastest["uncertainty"]["interval"] == [15.0, 19.0]
    assert fastest["uncertainty"]["told_apart"] is False  # 19 ms and 18 ms overlap


def test_the_best_alone_in_its_set_is_told_from_the_next():
    told = recommend(RUNS, primary="ndcg@10", best_set={"slow"})
    assert told["best_quality"]["uncertainty"]["told_apart"] is True
    alone = recommend(RUNS[:1], primary="ndcg@10")["best_quality"]["uncertainty"]
    assert (alone["runner_up"], alone["told_apart"]) == (None, None)


def test_without_a_comparison_nobody_knows(snapshot):
    sure = recommend(RUNS, primary="ndcg@10")["best_quality"]["uncertainty"]
    assert (sure["runner_up"], sure["told_apart"]) == ("middle", None)
    snapshot(sure["sentence"])


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


def test_times_of_too_few_queries_tell_nothing_apart():
    open_ = [
        replace(one, latency_ms={**one.latency_ms, "intervals": {"p50": [None, None]}})
        for one in RUNS
    ]
    told = recommend(open_, primary="ndcg@10", best_set={"slow", "middle"})
    for key in ("fastest", "best_balance"):
        assert told[key]["uncertainty"]["told_apart"] is False
    assert told["fastest"]["uncertainty"]["interval"] is None


@pytest.mark.parametrize("unlike", [{"busy": True}, {"cpu": {"cores": 0.4}}, {"concurrency": 4}])
@pytest.mark.parametrize("refused", [set(), {"slow"}])
def test_nothing_is_said_of_speed_where_one_time_cannot_be_compared(unlike, refused):
    clear = [measured("slow", 0.8, 100.0), measured("quick", 0.4, 17.0), measured("mid", 0.6, 50.0)]
    told = recommend(clear, primary="ndcg@10")
    assert (told["fastest"]["run"], told["fastest"]["uncertainty"]["told_apart"]) == ("quick", True)
    runs = [replace(clear[0], latency_ms=clear[0].latency_ms | unlike), *clear[1:]]
    told = recommend(runs, primary="ndcg@10", refused=refused)
    assert told["fastest"] is told["best_balance"] is None
    assert told["best_quality"]["run"] == "slow"
    runs[0] = replace(runs[0], failed={"q1": "KeyError"})  # its time says nothing anyway
    assert recommend(runs, primary="ndcg@10")["fastest"]["run"] == "quick"


def test_a_balance_is_scaled_over_all_runs_that_were_timed():
    runs = [run("words", 0.8, 10.0), run("chunk", 0.4, 20.0)]
    told = recommend(runs, primary="ndcg@10", refused={"words"})["best_balance"]
    assert plain(told) == {"run": "chunk", "by": "balance", "value": 0.25}  # not 1
