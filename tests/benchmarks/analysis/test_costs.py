"""What configurations cost by their own prices: a machine, a core, queries, tokens."""

from dataclasses import replace

import pytest

from assay.benchmarks.analysis.load import load
from assay.records import Report, Run

MONTH_H = 730


def run(name, *, ms=10.0, system=False, **options):
    """Make a run of 300 queries that all take ``ms``; alone on a core that is 100 per second."""
    times = {f"q{at}": ms for at in range(300)}
    latency = {"queries": times, "p50": ms, "p95": ms, "cpu": {"mean": ms, "cores": 1.0}}
    configuration = {"system": {"kind": "http"}} if system else {"search": "lexical"}
    return Run(name, name, configuration, latency_ms=latency, **options)


TEXTS = {"q1": {"text": "one two"}, "q2": {"text": "one two three four"}}


def told(*runs, prices, loads=(50.0, 400.0), cores=2, queries=TEXTS, **options):
    about = {"primary": "ndcg@10", "metrics": ["ndcg@10"], "prices": prices}
    made = Report(about, {}, {}, {"cores": cores}, runs, queries=queries)
    return load(made, seed=0, loads=loads and [*loads], **options)


def test_machines_by_hand():
    found = told(run("a"), prices={"a": {"per_hour": 0.5}})
    capacity = found["runs"]["a"]["capacity_qps"]
    assert 100 < capacity < 200  # two cores can do 200 per second at the very most
    few, many = found["costs"]["a"]["loads"]
    assert (few["machines"], few["price_per_hour"]) == (1, 0.5)
    assert few["price_per_month"] == 0.5 * MONTH_H
    assert many["machines"] == -(-400 // capacity) == 3
    assert many["price_per_month"] == 1.5 * MONTH_H
    assert found["costs"]["a"]["price_per_million"] == pytest.approx(1e6 / capacity / 3600 * 0.5)
    assert [one["price_per_month"] for one in found["runs"]["a"]["loads"]] == [365.0, 1095.0]


def test_queries_and_tokens_by_hand():
    price = {"per_1000_queries": 0.02, "per_million_tokens": 10.0}
    asked = run("a", indexing={"tokens": 3_000_000})
    found = told(asked, prices={"a": price})["costs"]["a"]
    assert (found["tokens_per_query"], found["index_once"]) == (3.0, 30.0)
    # 50 per second are 180,000 queries and 540,000 tokens an hour.
    assert found["loads"][0]["price_per_hour"] == pytest.approx(180 * 0.02 + 0.54 * 10)
    assert found["price_per_million"] == pytest.approx(20 + 30)
    assert "machines" not in found["loads"][0]


def test_tokens_are_counted_as_often_as_a_query_is_asked():
    queries = {"q1": {"text": "one two", "weight": 3.0}, "q2": {"text": "a b c d", "weight": 1.0}}
    found = told(run("a"), prices={"a": {"per_million_tokens": 10.0}}, queries=queries)
    assert found["costs"]["a"]["tokens_per_query"] == 2.5


def test_a_price_of_its_own_takes_the_place_of_that_for_all():
    prices = {"a": {"per_core_hour": 1.0}, "b": {"per_1000_queries": 0.01}}
    found = told(run("a"), run("b"), run("c"), prices=prices, loads=[50.0], price=0.04)
    costs = {name: one["loads"][0]["price_per_hour"] for name, one in found["costs"].items()}
    cores = {name: one["loads"][0]["cores_needed"] for name, one in found["runs"].items()}
    assert costs == {"a": cores["a"] * 1.0, "b": pytest.approx(1.8), "c": cores["c"] * 0.04}
    assert found["runs"]["a"]["price_per_million"] == pytest.approx(10_000 / 3600)
    assert found["runs"]["b"]["price_per_million"] == pytest.approx(10.0)


def test_a_hosted_system_has_the_price_that_it_is_given():
    hosted = run("hosted", system=True)
    by_query = told(hosted, prices={"hosted": {"per_1000_queries": 0.1}})["costs"]["hosted"]
    assert [one["price_per_hour"] for one in by_query["loads"]] == [18.0, 144.0]
    assert "note" not in by_query
    flat = told(hosted, prices={"hosted": {"per_hour": 2.0}})["costs"]["hosted"]
    assert [one["price_per_hour"] for one in flat["loads"]] == [2.0, 2.0]
    assert "whatever the load" in flat["note"]
    assert flat["price_per_million"] is None
    several = {**hosted.latency_ms, "concurrency": 8, "queries_per_second": 160.0}
    measured = replace(hosted, latency_ms=several)
    found = told(measured, prices={"hosted": {"per_hour": 2.0}})["costs"]["hosted"]
    assert [one["machines"] for one in found["loads"]] == [1, 3]
    assert told(hosted, prices={}, price=0.04).get("costs") is None
    usual = told(hosted, prices={"hosted": {"per_hour": 2.0}}, loads=None)["costs"]["hosted"]
    assert [one["qps"] for one in usual["loads"]] == [1.0, 10.0, 100.0]


def test_configurations_that_differ_in_price_alone_have_costs_of_their_own():
    twice = run("a", aliases=("b", "c", "d"))
    prices = {"a": {"per_hour": 1.0}, "b": {"per_hour": 3.0}, "c": {"per_hour": 1.0}}
    found = told(twice, prices=prices, loads=[50.0])["costs"]
    assert {name: one["run"] for name, one in found.items()} == {"a": "a", "b": "a"}
    assert [one["loads"][0]["price_per_hour"] for one in found.values()] == [1.0, 3.0]


def test_without_prices_nothing_is_said():
    found = told(run("a"), prices={})
    assert "costs" not in found
    assert "price_per_hour" not in found["runs"]["a"]["loads"][0]
    failed = replace(run("b"), status="failed")
    assert "costs" not in told(run("a"), failed, prices={"b": {"per_hour": 1}})
