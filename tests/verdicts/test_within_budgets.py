from assay.records import Run
from assay.verdicts.sharpness import Sharpness
from assay.verdicts.within_budgets import within_budgets

KEPT, BROKEN, OPEN = ({"state": state, "value": 9.0} for state in ("kept", "broken", "unknown"))
UNTIMED = {"state": "unknown", "value": None}


def run(name, quality, p50, **budgets):
    times = {"p50": p50, "intervals": {"p50": [p50 - 1, p50 + 1]}}
    return Run(name, name, {}, scores={"mrr": quality}, latency_ms=times, budgets=budgets)


BEST = run("best", 0.9, 90.0, latency_p95_ms=BROKEN, index_bytes=KEPT)
GOOD = run("good", 0.8, 20.0, latency_p95_ms=KEPT, index_bytes=KEPT)
LIKE = run("like", 0.79, 10.0, latency_p95_ms=KEPT, index_bytes=KEPT)
OPEN_ = run("open", 0.85, 1.0, latency_p95_ms=OPEN, index_bytes=KEPT)
RUNS = [BEST, GOOD, LIKE, OPEN_]


def test_the_best_of_those_that_keep_all_budgets():
    told = within_budgets(RUNS, primary="mrr")
    assert (told["run"], told["by"], told["value"]) == ("good", "mrr", 0.8)
    assert told["reason"] == "the highest mrr of 2 that keep all budgets"
    assert told["uncertainty"]["runner_up"] == "like"


def test_the_cheapest_of_those_like_it():
    asked = []

    def alike(metric, names):
        asked.append((metric, list(names)))
        return names

    told = within_budgets(RUNS, primary="mrr", alike=alike)
    assert asked == [("mrr", ["good", "like"])]  # the best set among the keepers, not of all
    assert (told["run"], told["by"], told["value"]) == ("like", "latency_p50_ms", 10.0)
    assert told["reason"] == (
        "the fastest of 2 runs that cannot be told from the best on mrr "
        "(of 2 that keep all budgets)"
    )
    assert told["uncertainty"]["told_apart"] is True


def test_what_is_refused_or_silent_is_not_picked():
    assert within_budgets(RUNS, primary="mrr", refused={"good"})["run"] == "like"
    assert within_budgets(RUNS, primary="mrr", silent={"good"})["run"] == "like"


def test_where_nothing_keeps_them_the_reason_names_what_stands_in_the_way():
    told = within_budgets(RUNS, primary="mrr", refused={"good"}, silent={"like"})
    assert (told["run"], told["by"], told["value"]) == (None, None, None)
    assert told["reason"] == (
        'nothing is known to keep all budgets: "best" (latency_p95_ms is broken); '
        '"good" (its verdict is DON\'T SHIP); "like" (it answers nothing); '
        '"open" (latency_p95_ms may not hold)'
    )


def test_without_budgets_there_is_no_question():
    assert within_budgets([run("a", 0.5, 1.0)], primary="mrr") is None
    assert within_budgets([], primary="mrr") is None
    dead = Run("dead", "x", {}, status="failed", budgets={"errors": BROKEN})
    assert within_budgets([dead], primary="mrr") is None


def test_it_is_sure_unless_only_want_of_evidence_puts_a_better_one_beside_it():
    def told(margin, runs=RUNS, alike=lambda _, names: names):
        sharp = Sharpness(10, margin, lambda *_: 0.5)
        return within_budgets(runs, primary="mrr", alike=alike, sharp=sharp)

    assert (told(0.02)["run"], told(0.02)["sure"]) == ("like", True)
    assert (told(0.005)["run"], told(0.005)["sure"]) == ("like", False)
    assert 'yet "good" scores 0.01 higher, and these queries show only' in told(0.005)["reason"]
    assert told(0.0, alike=lambda *_: ["good"])["sure"] is True  # told from all that keep them
    assert within_budgets(RUNS, primary="mrr")["sure"] is False  # nobody compared
    assert within_budgets([LIKE], primary="mrr")["sure"] is True
    assert within_budgets([BEST], primary="mrr")["sure"] is None  # nothing is picked


def test_at_most_five_are_named_with_what_stands_against_them():
    many = [run(f"run {at}", 0.5, 1.0, errors=OPEN if at else BROKEN) for at in range(8)]
    reason = within_budgets(many, primary="mrr")["reason"]
    assert reason.endswith('"run 4" (errors may not hold); and 3 more')


def test_what_stands_against_all_alike_is_said_once():
    untimed = [run(f"run {at}", 0.5, 1.0, latency_p95_ms=UNTIMED) for at in range(8)]
    told = "nothing is known to keep all budgets: latency_p95_ms was not measured"
    assert within_budgets(untimed, primary="mrr")["reason"] == f"{told} (all 8 runs)"
    alone = within_budgets(untimed[:1], primary="mrr")["reason"]
    assert alone == f'nothing is known to keep all budgets: "run 0" ({told.split(": ")[1]})'
