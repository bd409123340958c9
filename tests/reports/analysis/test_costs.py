"""The costs of configurations in a table, and which one is the cheapest."""

from dataclasses import replace

import numpy as np

from assay.benchmarks.analysis.load import load as simulated
from assay.records import Report, Run
from assay.reports.analysis.bearable_load import bearable_load
from assay.reports.analysis.costs import costs
from assay.reports.text import text


def run(name, ms, configuration, **options):
    times = {f"q{at}": float(one) for at, one in enumerate(np.linspace(0.5, 1.5, 40) * ms)}
    latency = {"queries": times, "p50": ms, "mean": ms, "cpu": {"mean": ms, "cores": 1.0}}
    options = {"scores": {"ndcg@10": 0.5}} | options
    return Run(name, name, configuration, latency_ms=latency, **options)


def report(prices, loads=(20.0,), **changed):
    runs = (
        run("slow", 40.0, {"search": "dense"}, indexing={"tokens": 2_000_000}),
        run("fast", 2.0, {"search": "lexical"}, aliases=("fast-elsewhere",)),
        run("hosted", 30.0, {"system": {"kind": "http"}}),
    )
    runs = tuple(replace(one, **changed.get(one.name, {})) for one in runs)
    about = {"primary": "ndcg@10", "metrics": ["ndcg@10"], "prices": prices}
    made = Report(about, {}, {}, {"cores": 2}, runs, None, queries={"q": {"text": "a b"}})
    return replace(made, analysis={"load": simulated(made, seed=0, loads=loads and [*loads])})


PRICES = {
    "slow": {"per_hour": 1.0, "per_million_tokens": 0.02},
    "fast": {"per_hour": 2.5},
    "fast-elsewhere": {"per_hour": 2.0},
    "hosted": {"per_1000_queries": 0.01},
}


def test_each_configuration_has_its_month(snapshot):
    table = costs(report(PRICES, loads=[20.0, 200.0]))
    assert table.titles == ("configuration", "price", "index once", "20/s", "200/s")
    assert [row[0] for row in table.rows] == ["slow", "fast", "fast-elsewhere", "hosted"]
    assert text(table, 0, 2) == "0.04"
    assert text(table, 1, 3) == "1,825"
    assert text(table, 3, 3) == "526"  # 52.56 million queries
    assert "machines)" in text(table, 0, 4)
    snapshot([table.caption, *(text(table, row, 1) for row in range(4))])


def test_the_cheapest_is_named_unless_its_queries_failed():
    assert "hosted" in costs(report(PRICES)).caption
    failed = costs(report(PRICES, hosted={"failed": {"q1": "no"}}))
    assert '"slow", 732 per month.' in failed.caption  # of which 2.1 for tokens
    assert costs(report({})) is None
    assert "Cheapest" not in costs(report(PRICES, loads=None)).caption


def test_a_machine_of_unknown_capacity_is_the_cheapest_only_if_one_is_enough():
    rented = costs(report({**PRICES, "hosted": {"per_hour": 0.01}}))
    assert '"hosted", 7.3 per month, if one machine can serve this load.' in rented.caption


def test_the_cheapest_that_bears_a_load_is_so_by_price():
    """The faster run needs fewer cores, and costs more."""
    assert 'the cheapest is "slow"' in bearable_load(report(PRICES))
    dear = {**PRICES, "slow": {"per_hour": 99.0}}
    assert 'the cheapest is "fast"' in bearable_load(report(dear))
    assert "capacity and cores are not estimated" in bearable_load(report(PRICES))
