"""What is learnt of configurations: effects, uplift, the front, load, and the time to an answer."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.benchmarks.analysis._sweeps import sweeps
from assay.benchmarks.analysis.analyse import analyse
from assay.benchmarks.analysis.differences import differences
from assay.benchmarks.analysis.latency_across import latency_across
from assay.benchmarks.analysis.load import load
from assay.benchmarks.analysis.main_effects import main_effects
from assay.benchmarks.analysis.pareto import pareto
from assay.benchmarks.analysis.time_to_answer import time_to_answer
from assay.benchmarks.analysis.uplift import uplift
from assay.errors import UsageError
from assay.records import Report, Run
from assay.searches.configuration.configuration import configuration, describe
from assay.statistics.t_interval import t_interval

METRIC = "ndcg@10"
PAIR = (("a", 100), ("b", 200))


def run(name, values, given=None, *, ms=10.0, size=1000, **options):
    """Make a run whose queries score so; all of them take ``ms``, or each its own."""
    times = ms if isinstance(ms, list) else [ms] * len(values)
    latency = {"p50": float(np.median(times)), "p95": max(times)} if ms else {}
    latency |= {"queries": {f"q{at}": one for at, one in enumerate(times)}} if ms else {}
    return Run(
        **{
            "name": name,
            "fingerprint": name,
            "configuration": describe(configuration(given or {})),
            "scores": {METRIC: float(np.mean(values))},
            "per_query": {f"q{at}": {METRIC: one} for at, one in enumerate(values)},
            "latency_ms": latency,
            "storage": {"index_bytes": size} if size else {},
        }
        | options
    )


def report(*runs, baseline="", **options):
    about = {"primary": METRIC, "metrics": [METRIC], "baseline": baseline or runs[0].name}
    told = {"environment": {"cores": 2}, "dataset": {}, "corpus": {}} | options
    return Report(benchmark={"name": "bench"} | about, runs=tuple(runs), **told)


def lexical(**given):
    return {"search": "lexical", **given}


# Main effects.


def grid():
    """Two sizes by two depths: size adds .1 and .2, depth takes .1 from one query of two."""
    small, large = lexical(chunk_size=128), lexical(chunk_size=512)
    return report(
        run("a", [0.2, 0.4], small | {"depth": 100}, ms=10.0),
        run("b", [0.3, 0.6], large | {"depth": 100}, ms=20.0),
        run("c", [0.2, 0.3], small | {"depth": 400}, ms=40.0),
        run("d", [0.3, 0.5], large | {"depth": 400}, ms=80.0),
    )


def test_effects_by_hand():
    size, depth = sorted(main_effects(grid(), seed=0), key=lambda one: one["parameter"])
    assert (size["parameter"], depth["parameter"]) == ("chunk_size", "depth")
    (effect,) = size["effects"]
    assert (effect["from"], effect["to"], effect["pairs"], effect["queries"]) == (128, 512, 2, 2)
    assert effect["difference"] == pytest.approx(0.15)
    expected = t_interval(np.array([0.1, 0.2]))
    assert effect["ci"] == pytest.approx([expected.low, expected.high])
    assert [one["score"] for one in size["levels"]] == pytest.approx([0.275, 0.425])
    assert [one["names"] for one in size["levels"]] == [["a", "c"], ["b", "d"]]
    assert depth["effects"][0]["difference"] == pytest.approx(-0.05)
    (ratio,) = depth["latency"]
    assert ratio["ratio_p50"] == pytest.approx(4.0)
    assert ratio["ci"] == pytest.approx([4.0, 4.0])


def test_what_differs_in_two_settings_is_no_pair():
    made = report(
        run("a", [0.2, 0.4], lexical(chunk_size=128, depth=100)),
        run("b", [0.3, 0.6], lexical(chunk_size=512, depth=400)),
    )
    assert main_effects(made, seed=0) == []


def test_what_follows_from_a_setting_is_part_of_its_effect():
    runs = [
        run("words", [0.1], lexical()),
        run("meaning", [0.2], {"search": "dense"}),
        run("both", [0.3], {}),
        run("rrf", [0.4], {"fusion": "rrf"}),
        run("reranked", [0.5], {"rerank": "maxsim", "rerank_depth": 20}),
        run("deeper", [0.6], {"rerank": "maxsim", "rerank_depth": 50}),
        run("coherent", [0.7], {"search": "dense", "coherence": True}),
        run("plain", [0.8], {"chunker": "fixed"}),
    ]
    names = [one.name for one in runs]
    found = {one.parameter: {(names[a], names[b]) for a, b in one.pairs} for one in sweeps(runs)}
    assert found == {
        "search": {("words", "meaning"), ("words", "both"), ("meaning", "both")},
        "fusion": {("both", "rrf")},
        "rerank": {("both", "deeper")},  # at the default of what only it has
        "rerank_depth": {("reranked", "deeper")},
        "coherence": {("meaning", "coherent")},  # which looks at more by default
        "chunker": {("both", "plain")},
    }


def test_what_was_chosen_for_one_run_alone_is_no_part_of_another_effect():
    chunks = lexical(lexical_unit="chunk")
    runs = [
        run("words", [0.5, 0.6], lexical(lexical_unit="document")),  # has nothing to collapse
        run("chunks", [0.4, 0.6], chunks),
        run("best", [0.3, 0.4], {"search": "dense", "model": "static"}),
        run("sum", [0.1, 0.1], {"search": "dense", "model": "static", "collapse": "sum"}),
    ]
    told = {one["parameter"]: one["effects"][0] for one in main_effects(report(*runs), seed=0)}
    assert told["search"]["difference"] == pytest.approx((-0.2 - 0.15) / 2)
    assert (told["search"]["pairs"], told["collapse"]["pairs"]) == (2, 1)
    # Nobody left these at their defaults, which is told.
    assert told["search"]["with"] == {"lexical_unit": ["document", "chunk"], "model": ["static"]}
    assert told["collapse"]["with"] == {}


def test_settings_of_a_stage_follow_at_their_defaults():
    dense = {"search": "dense"}
    runs = [
        run("plain", [0.1], dense),
        run("usual", [0.2], dense | {"mmr": True}),
        run("other", [0.3], dense | {"mmr": {"lambda": 0.7}}),
        run("lance", [0.4], dense | {"system": {"kind": "lancedb"}}),
    ]
    names = [one.name for one in runs]
    found = {one.parameter: {(names[a], names[b]) for a, b in one.pairs} for one in sweeps(runs)}
    assert found["mmr"] == {("plain", "usual")}
    assert found["mmr.lambda"] == {("usual", "other")}


def test_a_depth_that_was_given_is_a_difference_of_its_own():
    runs = [
        run("meaning", [0.2], {"search": "dense", "depth": 150}),
        run("coherent", [0.7], {"search": "dense", "coherence": True}),
    ]
    assert sweeps(runs) == []


def test_a_stage_has_levels_only_where_it_takes_effect():
    runs = [
        run("words", [0.1], lexical()),
        run("one", [0.2], {"search": "dense", "coherence": {"alpha": 0.1}}),
        run("two", [0.4], {"search": "dense", "coherence": {"alpha": 0.5}}),
    ]
    told = main_effects(report(*runs), seed=0)
    alpha = next(one for one in told if one["parameter"] == "coherence.alpha")
    assert [(one["value"], one["runs"]) for one in alpha["levels"]] == [(0.1, 1), (0.5, 1)]


def effect_steps(*runs):
    told = main_effects(report(*runs), seed=0)
    return {one["parameter"]: [(e["from"], e["to"]) for e in one["effects"]] for one in told}


def test_what_a_lexical_search_does_unsaid_is_a_level():
    values = [0.2, 0.4]
    runs = [
        run("usual", values, lexical()),
        run("plain", values, lexical(language="none", stop_words="english")),
        run("german", values, lexical(language="german")),  # its stop words follow
        run("titles", values, lexical(fields={"title": 2})),
        run("tuned", values, lexical(k1=0.9, b=0.4, lexical="postings")),
    ]
    dense = run("dense", values, {"search": "dense"})
    steps, beside = effect_steps(*runs), effect_steps(*runs, dense)
    assert {**beside, **steps} == beside
    assert steps["language"] == [("english", "none"), ("english", "german")]
    assert steps["fields.title"] == [(0.25, 2.0)]
    assert not {"lexical", "k1", "b", "stop_words"} & {*steps}  # three differ at once, or follow


def test_steps_go_from_the_baseline_and_numbers_are_in_order():
    depths = (50, 400, 100, 200)
    runs = [run(f"d{depth}", [0.1, depth / 1000], lexical(depth=depth)) for depth in depths]
    (told,) = main_effects(report(*runs, baseline="d200"), seed=0)
    assert [one["value"] for one in told["levels"]] == [50, 100, 200, 400]
    assert [(one["from"], one["to"]) for one in told["effects"]] == [
        (200, 50),
        (200, 100),
        (200, 400),
    ]


def test_the_effect_between_two_runs_is_as_significant_as_their_comparison():
    weights = [900.0, *[1.0] * 11]  # a t test of these has 1 query, and finds nothing
    made = report(
        run("a", [0.5] * 12, lexical(depth=100)),
        run("b", [0.6] + [0.7] * 11, lexical(depth=400)),
        queries={f"q{at}": {"weight": weight} for at, weight in enumerate(weights)},
    )
    (told,) = main_effects(made, seed=0)
    assert told["matters"]
    assert told["effects"][0]["p"] == pytest.approx(2 / 2**12)


def test_what_is_shown_to_matter_comes_first():
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.5, 40)  # whose mean is far from 0, and proves nothing
    noise += 0.1 - noise.mean()
    plain = rng.random(40)
    made = report(
        run("a", plain.tolist(), lexical(depth=100, chunk_size=128)),
        run(
            "b",
            (plain + 0.05 + 0.001 * rng.random(40)).tolist(),
            lexical(depth=400, chunk_size=128),
        ),
        run("c", (plain + noise).tolist(), lexical(depth=100, chunk_size=512)),
    )
    depth, size = main_effects(made, seed=0)
    assert (depth["parameter"], depth["matters"]) == ("depth", True)
    assert (size["parameter"], size["matters"]) == ("chunk_size", False)
    assert size["effects"][0]["difference"] > depth["effects"][0]["difference"]
    assert depth["effects"][0]["p_holm"] == pytest.approx(2 * depth["effects"][0]["p"])


def test_collections_count_the_same():
    queries = {f"q{at}": {"collection": "large" if at < 3 else "small"} for at in range(5)}
    several = {"collections": {"large": {}, "small": {}}}
    made = report(
        run("a", [0.0] * 5, lexical(depth=100), **several),
        run("b", [0.1, 0.1, 0.1, 0.5, 0.5], lexical(depth=400), **several),
        queries=queries,
    )
    (told,) = main_effects(made, seed=0)
    assert told["effects"][0]["difference"] == pytest.approx(0.3)
    assert uplift(made, seed=0)["b"]["metrics"][METRIC]["absolute"] == pytest.approx(0.3)


def test_runs_that_were_not_measured_to_the_end_teach_nothing():
    made = grid()
    short = replace(made.runs[1], status="beaten", per_query={"q0": {METRIC: 0.3}})
    failed = replace(made.runs[3], status="failed", per_query={}, scores={})
    made = replace(made, runs=(made.runs[0], short, made.runs[2], failed))
    told, stopped = main_effects(made, seed=0)
    assert told["parameter"] == "depth"
    assert told["effects"][0]["queries"] == 2
    assert (told["stopped"], stopped["effects"]) == ([], [])


def test_effects_are_corrected_for_runs_that_a_race_stopped():
    raced = report(
        run("a", [0.1] * 5, lexical(depth=100, chunk_size=128)),
        run("short", [0.3], lexical(depth=100, chunk_size=512), status="beaten"),
        run("b", [0.2] * 5, lexical(depth=400, chunk_size=128)),
    )
    told, stopped = main_effects(raced, seed=0)
    (found,) = told["effects"]
    assert (found["p"], found["p_holm"]) == pytest.approx((2 / 2**5, 4 / 2**5))
    assert (stopped["parameter"], stopped["stopped"]) == ("chunk_size", [512])
    assert not stopped["effects"]
    assert not stopped["matters"]


def test_a_race_that_leaves_one_run_still_names_what_it_left_untold():
    made = grid()
    others = (replace(one, status="beaten") for one in made.runs[1:])
    told = main_effects(replace(made, runs=(made.runs[0], *others)), seed=0)
    assert {one["parameter"]: one["stopped"] for one in told} == {
        "chunk_size": [512],
        "depth": [400],
    }
    whole = replace(made, runs=made.runs[:3])
    assert not any(one["stopped"] for one in main_effects(whole, seed=0))


def test_latencies_under_different_loads_are_no_pair():
    one, other = grid().runs[:2]
    assert main_effects(report(one, other), seed=0)[0]["latency"]
    for unlike in ({"concurrency": 8}, {"busy": True}):
        loaded = replace(other, latency_ms={**other.latency_ms, **unlike})
        assert main_effects(report(one, loaded), seed=0)[0]["latency"] == []


def test_a_ratio_and_its_interval_are_of_the_queries_that_both_answered():
    slow = [float(1 + at) for at in range(100)]
    one, other = (run(name, [0.5, 0.6] * 50, lexical(depth=depth), ms=slow) for name, depth in PAIR)
    third = run("c", [0.5, 0.6] * 50, lexical(depth=400), ms=slow)
    answered = {
        key: other.latency_ms["queries"][key] for key in [f"q{at}" for at in range(50, 100)]
    }
    other = replace(other, latency_ms={"p50": 75.5, "queries": answered})
    (told,) = main_effects(report(one, other, third), seed=0)
    half, whole = told["latency"]
    assert (half["to"], half["ratio_p50"], half["queries"]) == (200, 1.0, 50)  # and not 1.5
    assert half["ci"] == [1.0, 1.0]
    assert (whole["to"], whole["queries"]) == (400, 100)  # nor are those of a third run fewer


def test_the_interval_of_a_ratio_has_all_but_a_fortieth_on_each_side():
    """The median of four queries, drawn anew, is the least, or the most, in 5 % of the draws."""
    one, other = (
        run(name, [0.5, 0.6] * 2, lexical(depth=depth), ms=times)
        for (name, depth), times in zip(PAIR, ([1.0] * 4, [1.0, 2.0, 3.0, 4.0]), strict=True)
    )
    (ratio,) = main_effects(report(one, other), seed=0)[0]["latency"]
    assert ratio["ratio_p50"] == pytest.approx(2.5)
    assert ratio["ci"] == pytest.approx([1.0, 4.0])


def test_a_ratio_of_medians_alone_has_no_interval():
    one, other = grid().runs[:2]
    plain = replace(other, latency_ms={"p50": 20.0})
    (ratio,) = main_effects(report(one, plain), seed=0)[0]["latency"]
    assert (ratio["ratio_p50"], ratio["ci"]) == (pytest.approx(2.0), None)
    apart = replace(other, latency_ms={"p50": 20.0, "queries": {"another": 20.0}})
    assert main_effects(report(one, apart), seed=0)[0]["latency"] == []


def test_a_large_matrix_takes_no_time():
    given = [
        lexical(depth=depth, chunk_size=size, overlap=overlap, top_k=k)
        for depth in (200, 300, 400, 500, 600)
        for size in (64, 128, 256, 512, 1024)
        for overlap in (0, 8, 16, 32)
        for k in (20, 50, 100)
    ]
    runs = [run(str(at), [0.1, 0.2], one) for at, one in enumerate(given)]
    found = {one.parameter: len(one.pairs) for one in sweeps(runs)}
    assert found == {"depth": 600, "chunk_size": 600, "overlap": 450, "top_k": 300}


@pytest.mark.long
def test_the_interval_covers_a_planted_effect():
    rng, held, trials = np.random.default_rng(5), 0, 1000
    given = [lexical(depth=depth, chunk_size=size) for depth in (100, 400) for size in (128, 512)]
    for _ in range(trials):
        hard, gain = rng.normal(0, 0.3, 30), rng.normal(0.05, 0.1, 30)
        scores = [hard + gain * (one["depth"] == 400) + rng.normal(0, 0.1, 30) for one in given]
        runs = [run(str(at), own.tolist(), given[at], ms=0) for at, own in enumerate(scores)]
        told = {one["parameter"]: one for one in main_effects(report(*runs), seed=0)}
        low, high = told["depth"]["effects"][0]["ci"]
        held += low <= 0.05 <= high
    assert held / trials == pytest.approx(0.95, abs=0.02)


# Uplift.


def test_uplift_by_hand():
    made = report(run("old", [0.2, 0.4, 0.6]), run("new", [0.3, 0.6, 0.6]))
    told = uplift(made, seed=0)["new"]
    assert told["baseline"] == "old"
    one = told["metrics"][METRIC]
    assert one["absolute"] == pytest.approx(0.1)
    assert one["relative"] == pytest.approx(0.25)
    low, high = one["relative_ci"] or (-math.inf, math.inf)
    assert low < 0.25 < high


def test_there_is_nothing_to_be_relative_to_nothing():
    made = report(run("old", [0.0, 0.0, 0.0]), run("new", [0.3, 0.6, 0.6]))
    one = uplift(made, seed=0)["new"]["metrics"][METRIC]
    assert one["absolute"] == pytest.approx(0.5)
    assert (one["relative"], one["relative_ci"]) == (None, None)


def test_all_values_equal_is_said():
    made = report(
        run("a", [0.0] * 6, lexical(depth=100)),
        run("b", [1.0] * 6, lexical(depth=400)),
        run("c", [0.5, 0.4] * 3, lexical(depth=300)),
    )
    gained = {name: one["metrics"][METRIC]["note"] for name, one in uplift(made, seed=0).items()}
    assert gained == {"b": "all values equal", "c": ""}
    (told,) = main_effects(made, seed=0)
    notes = {one["to"]: one["note"] for one in told["effects"]}
    assert notes == {300: "", 400: "all values equal"}


def test_a_baseline_that_may_be_nothing_has_no_bounds():
    made = report(run("old", [0.0, 0.0, 0.3]), run("new", [0.3, 0.6, 0.6]))
    one = uplift(made, seed=0)["new"]["metrics"][METRIC]
    assert one["relative"] == pytest.approx(4.0)
    assert one["relative_ci"] is None


def test_a_baseline_is_also_known_by_its_other_names():
    made = report(run("old", [0.5], aliases=("base",)), run("new", [0.6]), baseline="base")
    assert uplift(made, seed=0)["new"]["baseline"] == "old"
    assert uplift(report(run("new", [0.6]), baseline="gone"), seed=0) == {}


# Time to answer.


def reading(*opened, tokens=None):
    told = tokens or [None if one is None else 100 * one for one in opened]
    pairs = zip(opened, told, strict=True)
    return {f"q{at}": {"opened": one, "tokens": many} for at, (one, many) in enumerate(pairs)}


def test_time_to_answer_by_hand():
    made = report(
        run("a", [0.1] * 4, reading=reading(1, 3, None, 2)),
        run("b", [0.1] * 4, reading=reading(2, None, 9, 4)),
    )
    told = time_to_answer(made, seed=0)
    one = told["a"]
    assert (one["answered"], one["queries"]) == (0.75, 4)
    assert one["opened"] == {"mean": 2.0, "p50": 2.5, "p95": None}
    assert one["tokens"]["mean"] == 200.0
    assert one["ci"][0] <= 2.0 <= one["ci"][1]
    assert one["shared"] == {"queries": 2, "opened": 1.5, "tokens": 150.0}
    assert told["b"]["shared"]["opened"] == 3.0


def test_nothing_answered_and_tokens_not_counted():
    made = report(
        run("none", [0.0] * 2, reading=reading(None, None)),
        run("some", [0.1] * 2, reading=reading(1, 2, tokens=[None, None])),
        run("silent", [0.0] * 2),
    )
    told = time_to_answer(made, seed=0)
    assert told["none"]["answered"] == 0.0
    assert told["none"]["opened"] == {"mean": None, "p50": None, "p95": None}
    assert (told["none"]["tokens"], told["none"]["ci"]) == (None, None)
    assert told["some"]["tokens"] is None
    assert told["some"]["shared"] == {"queries": 0, "opened": None}
    assert "silent" not in told


# Latency across.


def test_latency_across_by_hand():
    told = latency_across(grid(), seed=0)
    assert [(one["parameter"], one["group"]) for one in told] == [
        ("depth", {"chunk_size": 128}),
        ("depth", {"chunk_size": 512}),
        ("chunk_size", {"depth": 100}),
        ("chunk_size", {"depth": 400}),
    ]
    assert told[0]["points"] == [
        {"value": 100, "run": "a", "p50": 10.0, "p95": 10.0, "score": pytest.approx(0.3)},
        {"value": 400, "run": "c", "p50": 40.0, "p95": 40.0, "score": pytest.approx(0.25)},
    ]


def test_words_are_no_axis():
    made = report(run("a", [0.1], lexical()), run("b", [0.2], {"search": "dense"}))
    assert latency_across(made, seed=0) == []


# Pareto.


def test_the_front_by_hand():
    made = report(
        run("best", [0.9], ms=50.0, size=500),
        run("fast", [0.5], ms=1.0, size=500),
        run("slow", [0.4], ms=60.0, size=500),
        run("twin", [0.9], ms=50.0, size=500),
        run("small", [0.1], ms=99.0, size=1),
    )
    told = pareto(made, seed=0)
    assert told["front"] == ["best", "fast", "twin", "small"]
    assert told["dominated"] == {"slow": "best"}
    assert told["points"]["fast"] == {"quality": 0.5, "latency": 1.0, "storage": 500}
    assert told["left_out"] == {}


def test_an_axis_that_one_lacks_is_left_out_for_all_and_said(snapshot):
    made = report(run("own", [0.9], ms=50.0), run("outside", [0.5], ms=60.0, size=None))
    told = pareto(made, seed=0)
    assert told["axes"] == {"quality": METRIC, "latency": "latency_ms.p50"}
    assert list(told["left_out"]) == ["storage"]
    assert told["front"] == ["own"]
    untimed = pareto(report(run("a", [0.9], ms=0), run("b", [0.8], ms=0)), seed=0)
    assert list(untimed["left_out"]) == ["latency"]
    snapshot([told["left_out"]["storage"], untimed["left_out"]["latency"]])


def test_latencies_under_different_loads_are_no_axis(snapshot):
    one, other = run("a", [0.9]), run("b", [0.5])
    other = replace(other, latency_ms={**other.latency_ms, "concurrency": 4})
    loaded = pareto(report(one, other), seed=0)["left_out"]["latency"]
    busy = replace(one, latency_ms={**one.latency_ms, "busy": True})
    told = pareto(report(busy, run("b", [0.5])), seed=0)["left_out"]["latency"]
    assert '"a"' in told
    snapshot([loaded, told])


def test_a_run_without_the_primary_metric_takes_nothing_from_the_others():
    odd = run("odd", [0.1, 0.2])
    odd = replace(odd, per_query={key: {"recall@9": 1.0} for key in odd.per_query})
    made = report(run("a", [0.5, 0.6]), run("b", [0.7, 0.9]), odd)
    made = replace(made, benchmark={**made.benchmark, "baseline": "a"})
    assert [*uplift(made, seed=0)] == [*differences(made, seed=0)] == ["b"]


# Load.


def test_load_by_hand():
    # Equal services of 10 ms on one core: half busy at 50/s, and p95 then as M/D/1 has it.
    made = report(run("a", [0.1] * 300, ms=10.0), environment={"cores": 1})
    told = load(made, seed=0, loads=[50.0, 200.0], price=0.36)
    assert (told["cores"], told["price"]) == (1, 0.36)
    one = told["runs"]["a"]
    assert one["service_ms"] == {"mean": 10.0, "p95": 10.0}
    assert one["cpu_hours_per_million"] == pytest.approx(10_000 / 3600)
    assert one["price_per_million"] == pytest.approx(1.0)
    half, over = one["loads"]
    assert (half["utilisation"], half["cpu_cores"], half["stable"]) == (0.5, 0.5, True)
    assert 10.0 < half["p50_ms"] < half["p95_ms"] < half["p99_ms"]
    assert (half["cores_needed"], half["price_per_hour"]) == (1, 0.36)
    assert (over["stable"], over["p95_ms"], over["utilisation"]) == (False, None, 2.0)
    assert (over["cores_needed"], over["price_per_hour"]) == (3, pytest.approx(1.08))
    # A p95 of 50 ms is a wait of 4 services; the load of which 5 % wait longer is Erlang's.
    busy = next(share / 1000 for share in range(1, 1000) if _waits_at_most(4, share / 1000) < 0.95)
    assert one["capacity_qps"] == pytest.approx(100 * busy, rel=0.03)


def _waits_at_most(services, busy):
    """P(W <= x) of M/D/1: Erlang (1909)."""
    terms = (
        (-busy * (services - k)) ** k / math.factorial(k) * math.exp(busy * (services - k))
        for k in range(services + 1)
    )
    return (1 - busy) * sum(terms)


def test_capacity_is_where_p95_is_five_times_that_of_a_query_alone():
    rng = np.random.default_rng(1)
    made = report(run("a", [0.1] * 200, ms=rng.gamma(2, 5, 200).tolist()))
    one = load(made, seed=3, cores=2)["runs"]["a"]
    at, limit = one["capacity_qps"], 5 * one["service_ms"]["p95"]
    below, above = load(made, seed=3, cores=2, loads=[0.97 * at, 1.03 * at])["runs"]["a"]["loads"]
    assert below["p95_ms"] <= limit < above["p95_ms"]


def test_without_waiting_a_load_takes_what_a_query_takes_alone():
    # One of 15 times is far out: p95 lies between it and the next, a drawn p95 on it.
    made = report(run("a", [0.1] * 15, ms=[0.3 + 0.01 * at for at in range(14)] + [8.8]))
    one = load(made, seed=0, cores=2, loads=[1.0])["runs"]["a"]
    assert one["loads"][0]["p95_ms"] == pytest.approx(one["service_ms"]["p95"], rel=0.01)
    assert one["capacity_qps"] > 100


def test_a_search_that_gets_less_than_a_core_was_measured_on_a_busy_machine():
    quiet = run("a", [0.1] * 9)
    for cores, busy in ((0.25, True), (0.97, False), (1.9, False)):
        times = {**quiet.latency_ms, "cpu": {"mean": 1.0, "cores": cores}}
        told = load(report(replace(quiet, latency_ms=times)), seed=0)["runs"]["a"]
        assert told.get("busy_machine", False) is busy
        assert ("25%" in told.get("note", "")) is busy


def test_loads_are_round_and_the_same_for_all():
    made = report(run("slow", [0.1] * 20, ms=200.0), run("fast", [0.1] * 20, ms=1.0))
    told = load(made, seed=0)["runs"]
    each = [[at["qps"] for at in one["loads"]] for one in told.values()]
    assert each[0] == each[1]
    assert len(each[0]) == 6
    assert all(f"{qps:e}"[0] in "125" for qps in each[0])
    assert told["slow"]["loads"][0]["stable"]
    assert not told["slow"]["loads"][-1]["stable"]


def test_a_system_that_was_asked_several_at_once_is_not_simulated():
    loaded = run("a", [0.1] * 9)
    told = {"concurrency": 8, "queries_per_second": 123.0}
    loaded = replace(loaded, latency_ms={**loaded.latency_ms, **told})
    one = load(report(loaded), seed=0)["runs"]["a"]
    assert (one["capacity_qps"], one["loads"]) == (123.0, [])
    assert " 8 " in one["note"]


def test_an_outside_system_has_no_core_of_ours(snapshot):
    system = {"system": {"kind": "http", "url": "http://localhost"}, "top_k": 10}
    asked = run("a", [0.1] * 9, configuration=system)
    own = run("b", [0.1] * 9, lexical(), ms=3.0)
    told = load(report(asked, own), seed=0, loads=[300.0], price=0.04)["runs"]
    snapshot(told["a"].pop("note"))
    assert told["a"] == {
        "service_ms": {"mean": 10.0, "p95": 10.0},
        "cores_busy": None,
        "capacity_qps": None,
        "cpu_hours_per_million": None,
        "loads": [],
    }
    assert told["b"]["loads"][0]["cores_needed"] > 0
    assert load(report(own), seed=0)["runs"]["b"] == load(report(asked, own), seed=0)["runs"]["b"]
    assert load(report(asked), seed=0)["runs"]["a"]["loads"] == []


def test_a_search_that_keeps_two_cores_busy_costs_two():
    alone = run("a", [0.1] * 9)
    one, two = (
        replace(alone, latency_ms={**alone.latency_ms, "cpu": {"mean": 1.0, "cores": busy}})
        for busy in (1.0, 2.0)
    )
    single = load(report(one), seed=0, cores=4, loads=[10.0])["runs"]["a"]
    double = load(report(two), seed=0, cores=4, loads=[10.0])["runs"]["a"]
    half = load(report(one), seed=0, cores=2, loads=[10.0])["runs"]["a"]
    assert double["cores_busy"] == 2.0
    assert double["cpu_hours_per_million"] == 2 * single["cpu_hours_per_million"]
    assert double["capacity_qps"] == half["capacity_qps"] < single["capacity_qps"]
    assert double["loads"][0]["utilisation"] == 2 * single["loads"][0]["utilisation"]
    assert double["loads"][0]["p50_ms"] == half["loads"][0]["p50_ms"]


def test_cores_that_do_not_divide_evenly_do_no_more_than_they_can():
    alone = run("a", [0.1] * 9)
    busy = replace(alone, latency_ms={**alone.latency_ms, "cpu": {"mean": 1.0, "cores": 1.3}})
    service = load(report(alone), seed=0)["runs"]["a"]["service_ms"]["mean"]
    most = 1000 * 2 / (1.3 * service)
    told = load(report(busy), seed=0, cores=2, loads=[0.99 * most, 1.01 * most])["runs"]["a"]
    assert [at["stable"] for at in told["loads"]] == [True, False]
    assert told["capacity_qps"] < most


def test_wrong_loads_are_refused():
    made = report(run("a", [0.1] * 3))
    for wrong in ({"loads": [0.0]}, {"loads": [math.inf]}, {"cores": 0}, {"price": -1.0}):
        with pytest.raises(UsageError, match="invalid value"):
            load(made, seed=0, **wrong)


# All of it.


@pytest.mark.parametrize(
    "made",
    [
        report(run("alone", [0.1])),
        report(run("untimed", [0.1], ms=0, size=None), run("same", [0.1], ms=0, size=None)),
        report(replace(run("failed", [0.1]), status="failed", per_query={}, scores={})),
        replace(report(run("a", [0.1]), run("b", [0.2])), benchmark={"name": "b", "baseline": "a"}),
        report(run("a", [0.1, 0.2]), run("b", [0.2], per_query={"q0": {METRIC: 1.0}, "q1": {}})),
        report(run("überall 検索", [0.1, 0.2]), run("b", [0.0, 0.0], ms=0.0)),
        Report(benchmark={"name": "b"}, dataset={}, corpus={}, environment={}, runs=()),
    ],
    ids=["alone", "untimed", "failed", "no primary", "holes", "unicode", "empty"],
)
def test_little_is_analysed_without_harm_and_as_json(made):
    told = analyse(made, seed=0)
    assert {"main_effects", "uplift", "load", "pareto", "time_to_answer"} <= set(told)
    assert json.loads(json.dumps(told, allow_nan=False)) == told


def test_what_is_no_number_is_none(monkeypatch):
    def odd(report, *, seed):
        return {1: [math.inf, -math.inf, math.nan], "b": (np.array([0.5, np.nan]), np.int64(seed))}

    monkeypatch.setattr(catalogue, "find", lambda package, name: odd)
    told = analyse(report(run("a", [0.1])), seed=7)
    assert told["load"] == {"1": [None, None, None], "b": [[0.5, None], 7]}
    assert "analyse" not in told


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 3), st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_one_seed_gives_one_analysis(seed, scores):
    made = report(
        run("a", scores, lexical(depth=100)),
        run("b", [1 - one for one in scores], lexical(depth=300), ms=[3.0 + one for one in scores]),
    )
    first, second = analyse(made, seed=seed), analyse(made, seed=seed)
    assert json.dumps(first, allow_nan=False) == json.dumps(second, allow_nan=False)


def test_a_clock_that_stands_still_times_nothing_but_one_short_query_does():
    def simulated(*ms):
        return load(report(run("a", [1.0] * len(ms), ms=[*ms])), seed=0, loads=[1.0], cores=1)

    assert simulated(0.0, 0.0) == {}
    assert [*simulated(0.0, 4.0)["runs"]] == ["a"]
