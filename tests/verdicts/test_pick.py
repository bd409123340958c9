"""The pick follows docs/verdicts.md: leader, replacement, sure, meanwhile, runner-up."""

from dataclasses import replace

import pytest

from assay.records import Interval, Run
from assay.verdicts.evidence import VerdictEvidence
from assay.verdicts.pick import pick
from assay.verdicts.within_budgets import within_budgets

M = "ndcg@10"


def run(name, score, p95=40.0, size=1000, **more):
    times = {"p50": p95, "p95": p95, "intervals": {"p95": [p95 - 1, p95 + 1]}} if p95 else {}
    storage = {"index_bytes": size} if size else {}
    return Run(name, name, {}, scores={M: score}, latency_ms=times, storage=storage, **more)


def busy(name, p95, size):
    one = run(name, 0.7, p95, size)
    return replace(one, latency_ms=one.latency_ms | {"busy": True})


def evidence(*shown, queries=50, baseline="base", ends=(-0.03, 0.01), **outcomes):
    asked = []

    def noninferior(leader, tested):
        asked.append((leader, list(tested)))
        return [name for name in tested if name in shown]

    found = VerdictEvidence(
        baseline,
        queries,
        outcomes,
        0.012,
        noninferior,
        lambda *_: Interval(*ends) if ends else None,
    )
    return found, asked


def picked(runs, found, **options):
    return pick(runs, primary=M, evidence=found, **options)


BASE, GOOD = run("base", 0.6), run("good", 0.7)
BROKEN = {"latency_p95_ms": {"state": "broken", "value": 9.0}}


def test_the_highest_score_leads_and_a_ship_verdict_makes_it_sure(snapshot):
    told = picked([BASE, GOOD, run("next", 0.69)], evidence(good="ship", next="hold")[0])
    assert (told["run"], told["by"], told["value"], told["sure"]) == ("good", M, 0.7, True)
    assert told["meanwhile"] is None
    snapshot(told["reason"])


def test_what_costs_less_replaces_nothing_without_non_inferiority():
    runs = [BASE, GOOD, run("quick", 0.699, 20.0)]
    found, asked = evidence(good="ship", quick="ship")
    assert picked(runs, found)["run"] == "good"
    assert asked == [("good", ["quick"])]  # base is not materially cheaper: it is not tested


def test_a_materially_cheaper_and_non_inferior_run_replaces_the_leader(snapshot):
    runs = [BASE, GOOD, run("quick", 0.699, 20.0)]
    told = picked(runs, evidence("quick", good="ship", quick="ship")[0])
    assert (told["run"], told["sure"], told["runner_up"]["run"]) == ("quick", True, "good")
    assert "0.012" in told["reason"]
    snapshot(told["reason"])


def test_a_replacement_must_be_eligible_and_have_answered():
    quick = run("quick", 0.699, 20.0)
    assert picked([BASE, GOOD, quick], evidence("quick", quick="dont_ship")[0])["run"] == "good"
    broken = replace(quick, budgets=BROKEN)
    assert picked([BASE, GOOD, broken], evidence("quick")[0])["run"] == "good"
    small = run("quick", 0.699, None, 10)
    assert picked([BASE, GOOD, small], evidence("quick")[0])["run"] == "quick"
    assert picked([BASE, GOOD, small], evidence("quick")[0], silent={"quick"})["run"] == "good"


@pytest.mark.parametrize(
    ("others", "taken"),
    [
        ([run("a", 0.7, 30.0, 100), run("b", 0.7, 20.0, 900)], "b"),  # the lowest p95
        ([run("a", 0.7, 20.0, 700), run("b", 0.7, 20.0, 600)], "b"),  # then the fewest bytes
        ([run("a", 0.7, 20.3, 500), run("b", 0.7, 20.0, 700)], "b"),  # however little it is
        ([run("a", 0.7, 20.0, 504), run("b", 0.7, 20.0, 500)], "b"),  # of bytes, too
        ([run("a", 0.7, 20.0, 700), run("b", 0.7, 45.0, 600)], "a"),
        ([run("a", 0.7, None, 700), run("b", 0.7, 45.0, 600)], "b"),  # one time is not known
        ([busy("a", 20.0, 700), run("b", 0.7, 45.0, 600)], "b"),  # or decides nothing
        ([busy("a", 20.0, 600), run("b", 0.7, 45.0, 600)], "a"),
        ([run("a", 0.7, 20.0), run("b", 0.7, 20.0)], "a"),  # then the first named
    ],
)
def test_of_several_replacements_the_cheapest_is_taken(others, taken):
    runs = [run("base", 0.7, 60.0, 1000), *others]
    assert picked(runs, evidence("a", "b")[0])["run"] == taken


@pytest.mark.parametrize(("times", "taken"), [((22.0, 20.0), "a"), ((30.0, 20.0), "b")])
def test_of_replacements_with_identical_rankings_chance_chooses_none(times, taken):
    same = {"q1": ("d1", "d2")}
    others = [run(name, 0.7, p95, rankings=same) for name, p95 in zip("ab", times, strict=True)]
    runs = [run("base", 0.7, 60.0, rankings={"q1": ("d2",)}), *others]
    assert picked(runs, evidence("a", "b")[0])["run"] == taken  # b only if materially cheaper
    other = replace(others[1], rankings={"q1": ("d2", "d1")})
    assert picked([*runs[:2], other], evidence("a", "b")[0])["run"] == "b"


@pytest.mark.parametrize(("order", "leads"), [(["a", "base", "b"], "base"), (["b", "a"], "b")])
def test_of_equal_scores_the_baseline_leads_then_the_first_named(order, leads):
    assert picked([run(name, 0.7) for name in order], evidence()[0])["run"] == leads
    rounded = [run(name, 0.7 + 1e-15 * at) for at, name in enumerate(order)]
    assert picked(rounded, evidence()[0])["run"] == leads


def test_the_baseline_is_sure_where_nothing_eligible_scores_higher(snapshot):
    told = picked([BASE, run("worse", 0.5)], evidence(worse="hold")[0])
    assert (told["run"], told["sure"], told["meanwhile"]) == ("base", True, None)
    refused = picked([BASE, GOOD], evidence(good="dont_ship")[0])
    assert (refused["run"], refused["sure"], refused["runner_up"]) == ("base", True, None)
    snapshot(refused["reason"])
    cheap = picked([run("base", 0.699, 20.0), GOOD], evidence("base", good="hold")[0])
    assert (cheap["run"], cheap["sure"], cheap["meanwhile"]) == ("base", False, "base")


@pytest.mark.parametrize(
    ("outcomes", "meanwhile"),
    [
        ({"good": "needs_queries"}, "base"),
        ({"good": "hold", "fair": "ship", "poor": "ship"}, "fair"),
        ({"good": "hold", "fair": "dont_ship", "poor": "ship"}, "poor"),
    ],
)
def test_what_is_not_proven_names_what_to_ship_meanwhile(outcomes, meanwhile):
    runs = [BASE, GOOD, run("fair", 0.68), run("poor", 0.65)]
    told = picked(runs, evidence(**outcomes)[0])
    assert (told["run"], told["sure"], told["meanwhile"]) == ("good", False, meanwhile)
    unknown = picked([GOOD, run("fair", 0.68)], evidence(baseline="")[0])
    assert (unknown["sure"], unknown["meanwhile"]) == (False, None)  # the baseline failed


def test_the_runner_up_is_the_next_eligible_run_by_score():
    runs = [BASE, GOOD, run("best", 0.9), run("next", 0.69, 35.0, 700)]
    told = picked(runs, evidence(best="dont_ship", good="ship")[0])["runner_up"]
    assert told == {
        "run": "next",
        "difference": pytest.approx(-0.01),
        "ci": [-0.03, 0.01],
        "latency_p95_ms": 35.0,
        "index_bytes": 700,
    }
    bare = picked([BASE, run("good", 0.7, None, None)], evidence(ends=None)[0])
    assert bare["runner_up"]["ci"] is None
    unmeasured = picked([GOOD, run("base", 0.6, None, None)], evidence()[0])["runner_up"]
    assert (unmeasured["latency_p95_ms"], unmeasured["index_bytes"]) == (None, None)


@pytest.mark.parametrize(("order", "next_"), [(["a", "base", "b"], "base"), (["b", "a"], "b")])
@pytest.mark.parametrize("step", [0.0, 1e-15])
def test_of_equal_scores_the_baseline_is_the_runner_up_then_the_first_named(order, next_, step):
    others = [run(name, 0.6 + step * at) for at, name in enumerate(order)]
    told = picked([*others, GOOD], evidence(good="ship")[0])
    assert (told["run"], told["runner_up"]["run"]) == ("good", next_)
    assert told["uncertainty"]["runner_up"] == next_


def test_of_replacements_with_identical_rankings_the_baseline_is_taken():
    same = {"q1": ("d1", "d2")}
    cheap = [run(name, 0.69, 20.0, rankings=same) for name in ("a", "base")]
    assert picked([*cheap, GOOD], evidence("a", "base")[0])["run"] == "base"


@pytest.mark.parametrize(("queries", "taken"), [(9, None), (10, "good")])
def test_fewer_than_ten_queries_pick_nothing(snapshot, queries, taken):
    told = picked([BASE, GOOD], evidence(queries=queries)[0])
    assert told["run"] == taken
    if taken is None:
        assert (told["sure"], told["runner_up"]) == (False, None)
        assert "9 queries" in told["reason"]
    snapshot(told["reason"])


def test_one_run_is_the_pick_whatever_the_number_of_queries(snapshot):
    told = picked([BASE], evidence(queries=3)[0])
    assert (told["run"], told["sure"]) == ("base", True)
    broken = picked([replace(BASE, budgets=BROKEN)], evidence()[0])
    assert (broken["run"], broken["sure"], broken["meanwhile"]) == ("base", False, None)
    snapshot([told["reason"], broken["reason"]])
    dead = Run("dead", "x", {}, status="failed")
    assert picked([dead], evidence()[0]) is None
    assert picked([dead, BASE], evidence(queries=3)[0])["run"] is None


def test_a_baseline_that_breaks_a_budget_is_not_eligible(snapshot):
    runs = [replace(run("base", 0.9), budgets=BROKEN), GOOD]
    told = picked(runs, evidence(good="hold")[0])
    assert (told["run"], told["sure"], told["meanwhile"]) == ("good", False, None)
    snapshot(told["reason"])
    better = [*runs, replace(run("more", 0.95), budgets=BROKEN), run("fair", 0.65)]
    told = picked(better, evidence(good="hold", fair="ship")[0])
    assert (told["run"], told["meanwhile"]) == ("good", "fair")
    snapshot(told["reason"])
    none = picked(runs, evidence(good="dont_ship")[0])
    assert none["run"] is None
    snapshot(none["reason"])


@pytest.mark.parametrize("busy", [{"busy": True}, {"cpu": {"cores": 0.5}}])
def test_times_of_a_busy_machine_decide_nothing(busy):
    quick = run("quick", 0.699, 20.0)
    quick = replace(quick, latency_ms=quick.latency_ms | busy)
    found, asked = evidence("quick")
    assert picked([BASE, GOOD, quick], found)["run"] == "good"
    assert asked == []


# --- within the budgets

KEPT, OPEN = ({"errors": {"state": state, "value": 1}} for state in ("kept", "unknown"))


def within(runs, found):
    return within_budgets(runs, primary=M, evidence=found)


def test_within_budgets_only_what_is_known_to_keep_them_is_eligible(snapshot):
    keeper, open_ = replace(BASE, budgets=KEPT), replace(GOOD, budgets=OPEN)
    told = within([keeper, open_], evidence(good="ship")[0])
    assert (told["run"], told["sure"], told["runner_up"]) == ("base", True, None)
    snapshot(told["reason"])
    told = picked([keeper, open_], evidence(good="ship")[0])
    assert told["run"] == "good"
    snapshot(told["reason"])
    assert within([keeper, open_], evidence(queries=9)[0])["run"] is None
    assert within([BASE, GOOD], evidence()[0]) is None  # there is no budget


def test_where_nothing_keeps_them_the_reason_names_what_is_in_the_way(snapshot):
    refused = replace(run("refused", 0.8), budgets=KEPT)
    broken, open_ = replace(BASE, budgets=BROKEN), replace(GOOD, budgets=OPEN)
    told = within([broken, open_, refused], evidence(refused="dont_ship")[0])
    assert (told["run"], told["sure"]) == (None, False)
    snapshot(told["reason"])
    dead = Run("dead", "x", {}, status="failed", budgets=BROKEN)
    assert within([dead], evidence()[0]) is None


def test_at_most_five_are_named_and_the_same_reason_once(snapshot):
    unknown = {"errors": {"state": "unknown", "value": None}}
    many = [replace(run(f"run {at}", 0.5), budgets=OPEN if at else BROKEN) for at in range(8)]
    told = within(many, evidence()[0])["reason"]
    assert [at for at in range(8) if f'"run {at}"' in told] == [0, 1, 2, 3, 4]
    assert "3 more" in told
    alike = [replace(one, budgets=unknown) for one in many]
    once = within(alike, evidence()[0])["reason"]
    assert '"run' not in once
    snapshot([told, once])


def test_within_budgets_nothing_outside_of_them_is_shipped_meanwhile(snapshot):
    busy_ = {"latency_p95_ms": {"state": "unknown", "value": 3.0, "busy": True}}
    base, good = replace(BASE, budgets=busy_), replace(GOOD, budgets=KEPT)
    told = within([base, good], evidence(good="hold")[0])
    assert (told["run"], told["sure"], told["meanwhile"]) == ("good", False, None)
    snapshot(told["reason"])
    told = picked([base, good], evidence(good="hold")[0])
    assert (told["run"], told["meanwhile"]) == ("good", "base")
    snapshot(told["reason"])


BELOW = {M: {"state": "broken", "direction": "min", "value": 0.5, "budget": 0.6, "exceeded": True}}
NEAR = {M: {"state": "unknown", "direction": "min", "value": 0.59, "budget": 0.6, "exceeded": True}}


def test_what_is_below_a_minimum_is_not_eligible(snapshot):
    low, both = replace(run("low", 0.8), budgets=BELOW), run("both", 0.9)
    both = replace(both, budgets=BROKEN | BELOW)
    told = picked([BASE, low, both], evidence(low="dont_ship", both="dont_ship")[0])
    assert told["run"] == "base"
    alone = picked([low], evidence()[0])
    assert not alone["sure"]
    snapshot([told["reason"], alone["reason"]])


def test_within_minima_only_what_keeps_them_is_eligible(snapshot):
    kept = {M: {"state": "kept", "direction": "min", "value": 0.65, "budget": 0.6}}
    near, low = replace(run("near", 0.9), budgets=NEAR), replace(run("low", 0.8), budgets=BELOW)
    told = within([replace(BASE, budgets=kept), near, low], evidence()[0])
    assert told["run"] == "base"
    nothing = within([replace(BASE, budgets=BELOW), near], evidence()[0])
    assert nothing["run"] is None
    open_ = picked([replace(BASE, budgets=kept), near], evidence()[0])
    assert open_["run"] == "near"
    snapshot([nothing["reason"], open_["reason"]])
