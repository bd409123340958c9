import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assay.benchmarks.runs.measure import Measurements, latency
from assay.records import Comparison, Interval
from assay.records.costs import COSTS
from assay.verdicts.budgets import (
    broken_budgets,
    check_budgets,
    exceeded_budgets,
    unknown_budgets,
)
from assay.verdicts.ship import ship

TIMES = {"p95": 60.0, "intervals": {"p95": [40.0, 90.0]}}


def test_a_percentile_is_broken_only_when_all_of_its_interval_is():
    unsure = check_budgets({"latency_p95_ms": 50}, {"latency_ms": TIMES})["latency_p95_ms"]
    assert (unsure["exceeded"], unsure["broken"]) == (True, False)
    sure = check_budgets({"latency_p95_ms": 39}, {"latency_ms": TIMES})["latency_p95_ms"]
    assert (sure["exceeded"], sure["broken"]) == (True, True)
    kept = check_budgets({"latency_p95_ms": 61}, {"latency_ms": TIMES})["latency_p95_ms"]
    assert (kept["exceeded"], kept["broken"]) == (False, False)


def test_a_percentile_of_too_few_queries_breaks_nothing():
    open_ = {"p95": 60.0, "intervals": {"p95": [None, None]}}
    one = check_budgets({"latency_p95_ms": 1}, {"latency_ms": open_})["latency_p95_ms"]
    assert (one["exceeded"], one["broken"], one["state"]) == (True, False, "unknown")
    once = latency(Measurements({"q": ([], np.empty(0))}, np.array([60.0]), {}, timed=("q",)))
    checked = check_budgets({"latency_p50_ms": 1, "latency_p95_ms": 1}, {"latency_ms": once})
    assert {one["state"] for one in checked.values()} == {"unknown"}
    half = {"p95": 60.0, "intervals": {"p95": [40.0, None]}}
    for most, broken in ((39, True), (41, False)):
        one = check_budgets({"latency_p95_ms": most}, {"latency_ms": half})["latency_p95_ms"]
        assert one["broken"] == broken


@pytest.mark.parametrize(("most", "broken"), [(59, True), (60, False), (60.5, False)])
def test_what_was_counted_may_be_all_of_its_budget(most, broken):
    one = check_budgets({"peak_memory_mb": most}, {"indexing": {"peak_memory_mb": 60.0}})
    one = one["peak_memory_mb"]
    assert (one["exceeded"], one["broken"]) == (broken, broken)
    assert (one["budget"], one["value"]) == (most, 60.0)


def test_no_errors_are_allowed_by_a_budget_of_0():
    for errors in (0, 1):
        checked = check_budgets({"errors": 0}, {"failures": {"errors": errors}})
        assert checked["errors"]["broken"] == bool(errors)


def test_what_was_not_measured_breaks_nothing(snapshot):
    checked = check_budgets(dict.fromkeys([*COSTS, "ndcg@10"], 0), {})
    assert not any(one["broken"] or one["exceeded"] for one in checked.values())
    assert broken_budgets(checked) == []
    told = exceeded_budgets(checked)
    assert [line.split(" ")[0] for line in told] == [*COSTS, "ndcg@10"]
    snapshot(told)


def test_a_broken_budget_in_words(snapshot):
    checked = check_budgets({"index_bytes": 1000}, {"storage": {"index_bytes": 123456}})
    (said,) = broken_budgets(checked)
    snapshot([said.what, said.keep])


def test_what_may_be_chance_is_told_as_such(snapshot):
    checked = check_budgets({"latency_p95_ms": 50.5}, {"latency_ms": TIMES})
    assert broken_budgets(checked) == []
    snapshot(exceeded_budgets(checked))


@pytest.mark.parametrize(
    ("most", "complete", "state"),
    [(2, True, "kept"), (2, False, "unknown"), (0.5, True, "broken"), (0.5, False, "broken")],
)
def test_seconds_that_leave_something_out_keep_no_budget(snapshot, most, complete, state):
    indexing = {"seconds": 1.0, "seconds_complete": complete}
    checked = check_budgets({"index_seconds": most}, {"indexing": indexing})
    assert checked["index_seconds"]["state"] == state
    assert bool(exceeded_budgets(checked)) == (state != "kept")
    snapshot(exceeded_budgets(checked))


def test_what_was_not_measured_is_not_known():
    assert check_budgets({"index_seconds": 1}, {})["index_seconds"]["state"] == "unknown"


def test_times_of_a_busy_machine_neither_break_nor_keep_a_budget(snapshot):
    times = {"p95": 90.0, "intervals": {"p95": [80.0, 99.0]}, "busy": True}
    for limit in (50, 500):
        checked = check_budgets({"latency_p95_ms": limit}, {"latency_ms": times})
        assert checked["latency_p95_ms"]["state"] == "unknown"
        assert broken_budgets(checked) == []
        (busy,) = unknown_budgets(checked)
    quiet = {"latency_ms": times | {"busy": False}}
    assert broken_budgets(check_budgets({"latency_p95_ms": 50}, quiet))
    assert unknown_budgets(check_budgets({"latency_p95_ms": 500}, quiet)) == []
    (lost,) = unknown_budgets(check_budgets({"latency_p95_ms": 50}, {}))
    snapshot([busy, lost])


def test_a_search_that_waits_for_a_server_is_not_called_busy():
    from assay.benchmarks.runs.sum_up import _works_elsewhere
    from assay.records import Configuration

    assert not _works_elsewhere(Configuration(name="a"))
    assert _works_elsewhere(Configuration(name="a", model="openai:text-embedding-3-small"))
    assert _works_elsewhere(Configuration(name="a", system={"kind": "pgvector"}))


@pytest.mark.parametrize(("most", "state"), [(2, "unknown"), (0.1, "unknown"), (3, "kept")])
def test_a_mean_is_broken_only_when_all_of_its_interval_is(most, state):
    times = np.array([*[0.286] * 19, 50.0])  # mean 2.77, t interval -2.4 to 8.0
    found = {str(at): ([], np.empty(0)) for at in range(20)}
    figures = {"latency_ms": latency(Measurements(found, times, {}, timed=tuple(found)))}
    assert figures["latency_ms"]["intervals"]["mean"] == pytest.approx([-2.431, 7.974], abs=1e-3)
    checked = check_budgets({"latency_mean_ms": most}, figures)
    assert checked["latency_mean_ms"]["state"] == state
    assert broken_budgets(checked) == []
    steady = {
        "latency_ms": latency(
            Measurements(found, np.linspace(2.5, 3.0, 20), {}, timed=tuple(found))
        )
    }
    broken = check_budgets({"latency_mean_ms": 2}, steady)["latency_mean_ms"]
    assert broken["state"] == "broken"


@pytest.mark.parametrize("busy", [{"indexing": {"busy": True}}, {"latency_ms": {"busy": True}}])
def test_seconds_of_a_busy_machine_decide_nothing_but_memory_does(busy):
    indexing = {"seconds": 1.0, "peak_memory_mb": 9.0} | busy.get("indexing", {})
    budgets = {"index_seconds": 0.1, "peak_memory_mb": 1, "index_bytes": 1}
    figures = {**busy, "indexing": indexing, "storage": {"index_bytes": 2}}
    checked = check_budgets(budgets, figures)
    states = [one["state"] for one in checked.values()]
    assert states == ["unknown", "broken", "broken"]
    (unknown,) = unknown_budgets(checked)
    assert unknown.startswith("index_seconds ")


def test_times_without_embedding_break_a_budget_but_do_not_keep_it(snapshot):
    given = {"query_vectors": "given", "p95": 60.0, "intervals": {"p95": [40.0, 90.0]}}
    built = {"given_vectors": 5, "seconds": 3.0, "seconds_complete": False}
    measured = {"latency_ms": given, "indexing": built}

    low = check_budgets({"latency_p95_ms": 30, "index_seconds": 2}, measured)
    high = check_budgets({"latency_p95_ms": 100, "index_seconds": 9}, measured)

    assert [one["state"] for one in low.values()] == ["broken", "broken"]
    assert [one["state"] for one in high.values()] == ["unknown", "unknown"]
    assert len(unknown_budgets(high)) == 2
    snapshot("\n".join(exceeded_budgets(high)))


def of_score(limit, value, ends, *, lower=()):
    scores = {"ndcg@10": value, "intervals": {"ndcg@10": ends}}
    checked = check_budgets({"ndcg@10": limit}, {"scores": scores}, lower_is_better=lower)
    return checked, checked["ndcg@10"]


@pytest.mark.parametrize(
    ("value", "ends", "state"),
    [
        (0.512, (0.45, 0.59), "broken"),  # the whole interval is below .6
        (0.55, (0.48, 0.63), "unknown"),  # it includes .6
        (0.55, (0.48, 0.6), "unknown"),  # its end is .6, which is not below the minimum
        (0.65, (0.55, 0.75), "kept"),  # the value is what keeps a budget, as of a latency
        (0.6, (0.55, 0.65), "kept"),  # a limit is not below itself
        (0.6 - 1e-14, (0.55, 0.65), "kept"),  # nor where a mean was rounded
    ],
)
def test_a_score_below_its_minimum_breaks_it_with_all_of_its_interval(value, ends, state):
    checked, one = of_score(0.6, value, ends)
    assert (one["state"], one["direction"], one["budget"]) == (state, "min", 0.6)
    assert one["broken"] == (state == "broken")
    assert one["exceeded"] == (state != "kept")
    assert len(broken_budgets(checked)) == (state == "broken")
    assert unknown_budgets(checked) == []  # it is known, and what is not shown breaks nothing


def test_a_minimum_in_words(snapshot):
    (said,) = broken_budgets(of_score(0.6, 0.512, (0.45, 0.59))[0])
    near, unsure = of_score(0.6, 0.59996, (0.5, 0.7))[0], of_score(0.6, 0.55, (0.48, 0.63))[0]
    rate = check_budgets({"files_per_second": 10}, {"indexing": {"files_per_second": 7.25}})
    (slow,) = broken_budgets(rate)
    said = [said.what, said.keep, *exceeded_budgets(near), *exceeded_budgets(unsure)]
    snapshot([*said, slow.what, slow.keep])


@pytest.mark.parametrize(("most", "state"), [(0.2, "broken"), (0.3, "unknown"), (0.4, "kept")])
def test_a_metric_where_lower_is_better_has_a_maximum(snapshot, most, state):
    checked, one = of_score(most, 0.35, (0.25, 0.45), lower=["ndcg@10"])
    assert (one["state"], one["direction"]) == (state, "max")
    snapshot(exceeded_budgets(checked))


def test_one_query_bounds_no_score():
    open_ = (float("-inf"), float("inf"))
    assert of_score(0.6, 0.1, open_)[1]["state"] == "unknown"


@pytest.mark.parametrize(
    ("least", "facts", "state"),
    [
        (10, {}, "kept"),
        (20, {}, "kept"),
        (20.5, {}, "broken"),
        (10, {"seconds_complete": False}, "unknown"),  # vectors that were cached look fast
        (20.5, {"seconds_complete": False}, "broken"),  # with their time it would be slower yet
        (10, {"given_vectors": 5}, "unknown"),
        (20.5, {"given_vectors": 5}, "broken"),
        (10, {"busy": True}, "unknown"),
        (20.5, {"busy": True}, "unknown"),
    ],
)
@pytest.mark.parametrize("name", ["files_per_second", "tokens_per_second"])
def test_a_rate_has_a_minimum(name, least, facts, state):
    checked = check_budgets({name: least}, {"indexing": {name: 20.0, **facts}})
    assert (checked[name]["state"], checked[name]["direction"]) == (state, "min")
    assert bool(unknown_budgets(checked)) == (state == "unknown")


NUMBER = st.floats(0, 1).map(lambda value: round(value, 3))


@given(NUMBER, NUMBER, NUMBER, NUMBER)
def test_a_minimum_is_the_mirrored_maximum(limit, value, one_end, other_end):
    low, high = min(value, one_end, other_end), max(value, one_end, other_end)
    assume(abs(value - limit) > 1e-9 or value == limit)
    least = of_score(limit, value, (low, high))[1]
    mirrored = of_score(-limit, -value, (-high, -low), lower=["ndcg@10"])[1]
    sides = ("state", "broken", "exceeded", "busy")
    assert [least[key] for key in sides] == [mirrored[key] for key in sides]
    assert (least["direction"], mirrored["direction"]) == ("min", "max")


@given(st.floats(0.001, 999), st.floats(0.001, 999), st.booleans(), st.booleans())
def test_a_rate_is_the_mirrored_time(limit, value, complete, busy):
    facts = {"seconds_complete": complete, "busy": busy}
    rate = {"files_per_second": value, **facts}
    least = check_budgets({"files_per_second": limit}, {"indexing": rate})["files_per_second"]
    time = {"seconds": 1000 - value, **facts}
    most = check_budgets({"index_seconds": 1000 - limit}, {"indexing": time})["index_seconds"]
    assume((1000 - value > 1000 - limit) == (value < limit))  # but for rounding
    sides = ("state", "broken", "exceeded")
    assert [least[key] for key in sides] == [most[key] for key in sides]


def test_a_value_close_to_its_limit_has_as_many_digits_as_it_takes():
    (near,) = exceeded_budgets(of_score(0.6, 0.59996123, (0.5, 0.7))[0])
    assert near.startswith("ndcg@10 0.59996 is below the minimum of 0.6,")
    late = check_budgets({"latency_p95_ms": 50}, {"latency_ms": {"p95": 50.001}})
    assert broken_budgets(late)[0].what == "latency_p95_ms 50.001 exceeds the budget of 50"
    large = check_budgets({"index_bytes": 10**6}, {"storage": {"index_bytes": 10**6 + 0.5}})
    assert (
        broken_budgets(large)[0].what == "index_bytes 1,000,000.5 exceeds the budget of 1,000,000"
    )


@given(NUMBER, NUMBER)
def test_figures_in_words_differ_where_a_limit_is_broken(limit, value):
    assume(value < limit)
    (said,) = broken_budgets(of_score(limit, value, (value, value))[0])
    shown, bound = said.what.removeprefix("ndcg@10 ").split(" is below the minimum of ")
    assert float(shown) < float(bound)


def test_a_rate_of_a_busy_machine_holds_what_would_ship():
    facts = {"files_per_second": 20.0, "busy": True}
    unknown = unknown_budgets(check_budgets({"files_per_second": 10}, {"indexing": facts}))
    assert unknown == ["files_per_second was measured on a busy machine"]
    gain = Comparison(
        metric="mrr",
        queries=40,
        baseline=0.5,
        candidate=0.6,
        baseline_interval=Interval(0.4, 0.6),
        candidate_interval=Interval(0.5, 0.7),
        difference=0.1,
        interval=Interval(0.05, 0.15),
        p=0.001,
        p_corrected=0.001,
        standardised=0.5,
        wins=30,
        ties=0,
        losses=10,
        smallest_detectable=0.03,
    )
    held = ship(comparison=gain, unknown=unknown)
    assert (held.outcome, held.rule) == ("hold", "unknown_cost")
    broken = broken_budgets(of_score(0.7, 0.6, (0.55, 0.65))[0])
    refused = ship(comparison=gain, broken=broken, unknown=unknown)
    assert (refused.outcome, refused.rule) == ("dont_ship", "budget")
    assert "below the minimum of 0.7" in refused.reason
