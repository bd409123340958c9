import numpy as np
import pytest

from assay.benchmarks.runs.measure import Measurements, latency
from assay.verdicts.budgets import (
    BUDGETS,
    broken_budgets,
    check_budgets,
    exceeded_budgets,
    unknown_budgets,
)

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
    checked = check_budgets(dict.fromkeys(BUDGETS, 0), {})
    assert not any(one["broken"] or one["exceeded"] for one in checked.values())
    assert broken_budgets(checked) == []
    told = exceeded_budgets(checked)
    assert [line.split(" ")[0] for line in told] == list(BUDGETS)
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
