"""Recall, latency and score of approximate indexes, against exact search."""

from dataclasses import replace

import numpy as np
import pytest

from assay.benchmarks.analysis.approximate import approximate
from assay.records import Report, Run
from assay.searches.configuration.configuration import configuration, describe

METRIC = "ndcg@10"
BASE = {"search": "dense", "model": "static"}


def run(name, values, given=None, *, index=None, recall=None, ms=1.0, **options):
    """Make a run whose queries score so, and whose dense stage takes ``ms``."""
    queries = [f"q{at}" for at in range(len(values))]
    indexing = {"dense_index": index} if index else {}
    if recall is not None:
        indexing["dense_recall"] = {"mean": recall, "worst": recall - 0.1, "queries": 9, "k": 10}
    stages = {"dense": {"p50": ms, "p95": 2 * ms}}
    latency = {"p50": ms + 5, "stages": stages, "queries": dict.fromkeys(queries, ms + 5)}
    return Run(
        name,
        name,
        describe(configuration({**BASE, **(given or {})})),
        scores={METRIC: float(np.mean(values))},
        per_query={key: {METRIC: one} for key, one in zip(queries, values, strict=True)},
        latency_ms=latency if ms else {},
        indexing=indexing,
        **options,
    )


def hnsw(values, *, m=16, ef=None, recall=0.9, ms=1.0, **given):
    searched = {} if ef is None else {"ef_search": ef}
    index = {"kind": "hnsw", "ef_construction": 100, "m": m, "ef_search": ef or 258}
    settings = {"dense": "hnsw", "m": m, **searched, **given}
    name = f"m {m} ef {ef} {sorted(given.items())}"
    return run(name, values, settings, index=index, recall=recall, ms=ms)


def report(*runs, **about):
    told = {"primary": METRIC, "metrics": [METRIC], "margin": 0.02, **about}
    return Report(told, {}, {}, {"cores": 2}, runs)


GOOD = [0.5, 0.6, 0.4, 0.7, 0.5] * 12
SLIGHT = [0.499, 0.6, 0.4, 0.7, 0.5] * 12
POOR = [0.2, 0.6, 0.1, 0.7, 0.5] * 12


def test_by_hand():
    exact = run("exact", GOOD, ms=8.0)
    low = hnsw(POOR, ef=16, recall=0.6, ms=0.1)
    high = hnsw(SLIGHT, ef=64, recall=0.95, ms=0.4)
    usual = hnsw(GOOD, recall=0.99, ms=0.9)
    told = approximate(report(usual, exact, high, low), seed=0)
    assert (told["k"], told["margin"], told["cheapest"]) == (10, 0.02, high.name)
    assert told["exact"] == {"exact": {"p50": 8.0, "p95": 16.0, "score": pytest.approx(0.54)}}
    (line,) = told["lines"]
    assert line["index"] == {"kind": "hnsw", "ef_construction": 100, "m": 16}
    assert (line["setting"], line["exact"], line["group"]) == ("ef_search", "exact", {})
    assert [one["value"] for one in line["points"]] == [16, 64, 258]
    assert [one["recall"] for one in line["points"]] == [0.6, 0.95, 0.99]
    assert [one["noninferior"] for one in line["points"]] == [False, True, True]
    worse, slight, same = line["points"]
    assert slight["difference"] == pytest.approx(-0.001 / 5)
    assert worse["ci"][0] < worse["difference"] < worse["ci"][1] < 0
    assert (same["difference"], same["ci"]) == (0.0, [0.0, 0.0])
    assert (slight["p50"], slight["p95"], slight["worst"]) == (0.4, 0.8, pytest.approx(0.85))


def test_a_line_is_one_index_and_names_what_else_differs():
    runs = [hnsw(GOOD, m=m, ef=ef, depth=d) for m in (8, 16) for ef in (16, 32) for d in (100, 200)]
    index = {"kind": "ivf", "lists": 50, "seed": 0, "probes": 4}
    runs.append(run("ivf", GOOD, {"dense": "ivf", "probes": 4}, index=index, recall=0.8))
    told = approximate(report(*runs, run("exact", GOOD)), seed=0)
    assert [len(line["points"]) for line in told["lines"]] == [2, 2, 2, 2, 1]
    assert [line["group"] for line in told["lines"][:2]] == [{"depth": 100}, {"depth": 200}]
    assert told["lines"][-1]["index"] == {"kind": "ivf", "lists": 50}
    # Only those of the same depth are compared with exact search.
    assert [line["exact"] for line in told["lines"]] == [None, "exact", None, "exact", "exact"]
    assert "difference" not in told["lines"][0]["points"][0]


def test_exact_search_is_best_as_precise():
    rough, fine = run("int8", GOOD), run("float32", GOOD, {"precision": "float32"})
    one = hnsw(GOOD, ef=64, precision="float32")
    (line,) = approximate(report(rough, fine, one), seed=0)["lines"]
    assert line["exact"] == "float32"
    (line,) = approximate(report(rough, one), seed=0)["lines"]
    assert line["exact"] == "int8"


def test_a_store_has_the_settings_that_it_was_given():
    system = {"kind": "pgvector", "index": "hnsw", "m": 16, "ef_search": 100}
    stored = run("pg", GOOD, {"system": system}, recall=0.97)
    (line,) = approximate(report(stored, run("exact", GOOD)), seed=0)["lines"]
    assert line["index"] == {"kind": "pgvector", "index": "hnsw", "m": 16}
    assert (line["setting"], line["points"][0]["value"]) == ("ef_search", 100)
    assert line["exact"] == "exact"


def test_without_times_nothing_is_the_cheapest():
    exact, one = run("exact", GOOD, ms=0), hnsw(GOOD, ef=64, ms=0)
    told = approximate(report(exact, one), seed=0)
    assert told["cheapest"] is None
    assert told["lines"][0]["points"][0]["p50"] is None
    busy = [replace(each, latency_ms={**each.latency_ms, "busy": True}) for each in (exact, one)]
    timed = [hnsw(GOOD, ef=64), run("exact", GOOD)]
    busy = [replace(each, latency_ms={**each.latency_ms, "busy": True}) for each in timed]
    assert approximate(report(*busy), seed=0)["cheapest"] is None
    assert approximate(report(*timed), seed=0)["cheapest"] == timed[0].name


def flags(told):
    return [[one["noninferior"] for one in line["points"]] for line in told["lines"]]


def test_a_setting_counts_only_if_all_that_look_farther_do():
    exact = run("exact", GOOD)
    told = approximate(
        report(exact, hnsw(GOOD, ef=16), hnsw(POOR, ef=64), hnsw(GOOD, ef=99)), seed=0
    )
    assert flags(told) == [[False, False, True]]


def test_lines_share_alpha_and_settings_of_a_line_do_not():
    random = np.random.default_rng(3)
    base = random.random(60)
    noise = random.normal(0, 1, 60)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    # Of a mean of .5 a margin of .01: with p = .03 shown alone, not among two lines.
    least = 0.02 * base.mean()
    noisy = (base + noise * least * np.sqrt(60) / 1.92).tolist()
    exact, many = run("exact", base.tolist()), [hnsw(base.tolist(), ef=ef) for ef in range(20, 60)]
    alone = approximate(report(exact, hnsw(noisy, ef=16), *many), seed=0)
    assert flags(alone) == [[True] * 41]
    two = approximate(report(exact, hnsw(noisy, ef=16), hnsw(base.tolist(), m=8, ef=16)), seed=0)
    assert flags(two) == [[False], [True]]


def test_runs_that_did_not_finish_and_exact_ones_have_nothing_to_tell():
    assert approximate(report(run("exact", GOOD)), seed=0) == {}
    failed = replace(hnsw(GOOD, ef=16), status="failed")
    assert approximate(report(run("exact", GOOD), failed), seed=0) == {}


def test_queries_count_by_their_weight():
    """A setting that loses on rare queries alone is good enough where those hardly count."""
    rare = [0.1 if at % 6 == 0 else one for at, one in enumerate(GOOD)]
    runs = (run("exact", GOOD), hnsw(rare, ef=64))
    plain = report(*runs)
    weights = {f"q{at}": {"weight": 1e-6 if at % 6 == 0 else 1.0} for at in range(len(GOOD))}
    assert flags(approximate(plain, seed=0)) == [[False]]
    told = approximate(replace(plain, queries=weights), seed=0)
    assert flags(told) == [[True]]
    low, high = told["lines"][0]["points"][0]["ci"]
    assert -0.001 < low < high < 0.001
