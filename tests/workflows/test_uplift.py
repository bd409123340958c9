import json as standard_json
import re
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import UsageError
from assay.records import CoherenceSettings, Interval, MmrSettings, Uplift, UpliftTrial
from assay.reports.structure.trials import trials
from assay.workflows.uplift import _verdict, uplift

SMALL = {"queries": 12, "documents": 60, "dimension": 16, "clusters": 12, "candidates": 40}
METHODS = [
    "cosine", "coherence", "coherence_mmr", "coherence_open", "neighbour_average", "shuffled_graph",
]  # fmt: skip


def untimed(value):
    """Take away all that the clock has a say in."""
    timed = ("latency_ms", "latency", "solve_ms", "efficiency")
    if isinstance(value, dict):
        return {name: untimed(one) for name, one in value.items() if name not in timed}
    return [untimed(one) for one in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def made():
    return uplift(**SMALL, noise=(0, 1.5), spread=(0.5, 1.0), seed=5)


def test_every_noise_meets_every_spread(made):
    cells = [(one.noise, one.spread) for one in made.trials]
    assert cells == [(0, 0.5), (0, 1), (1.5, 0.5), (1.5, 1)]
    for one in made.trials:
        assert [method.name for method in one.structure.methods] == METHODS
        assert one.structure.queries == one.structure.studied == 12
        assert one.structure.primary == "ndcg@10"
        assert set(one.structure.method("coherence").scores) == {
            "ndcg@10", "mrr@10", "ndcg@5", "recall@10"
        }  # fmt: skip
        assert one.structure.notes == ()


def test_clean_queries_cannot_gain(made):
    for one in made.trials[:2]:
        assert one.structure.method("cosine").scores["ndcg@10"] == 1
        assert one.structure.method("coherence").uplift["ndcg@10"].difference <= 0


def test_two_runs_differ_in_their_times_alone(made):
    again = uplift(**SMALL, noise=(0, 1.5), spread=(0.5, 1.0), seed=5)
    assert untimed(trials(again)) == untimed(trials(made))


def test_a_cell_depends_on_its_own_numbers_alone(made):
    alone = uplift(**SMALL, noise=(1.5,), spread=(1.0,), seed=5)
    assert untimed(trials(alone))["cells"][0] == untimed(trials(made))["cells"][3]
    other = uplift(**SMALL, noise=(1.5,), spread=(1.0,), seed=6)
    assert untimed(trials(other))["cells"] != untimed(trials(alone))["cells"]


def test_the_latency_of_a_method_holds_that_of_what_it_builds_on(made):
    for one in made.trials:
        times = [one.structure.method(name).latency_ms for name in METHODS[:3]]
        assert times[0]["p50"] < times[1]["p50"] < times[2]["p50"]
        assert one.structure.method("neighbour_average").latency_ms == {}


def test_it_becomes_json(made):
    value = trials(made)
    read = standard_json.loads(standard_json.dumps(value, allow_nan=False))
    assert read["settings"]["noise"] == [0, 1.5]
    assert read["settings"]["coherence"]["alpha"] == 0.1
    assert read["settings"]["mmr"]["k"] == 10
    assert len(read["cells"]) == 4
    assert read["verdict"] == made.verdict


def test_noise_is_where_coherence_gains_and_the_control_gains_more(snapshot):
    made = uplift(queries=60, noise=(0, 1.5), spread=(1.0,))
    clean, noisy = (one.structure for one in made.trials)

    assert not clean.method("coherence").uplift["ndcg@10"].gains
    assert noisy.method("coherence").uplift["ndcg@10"].gains
    assert not noisy.against["neighbour_average"].gains
    assert noisy.against["shuffled_graph"].gains
    assert "1 of 2 combinations" in made.verdict
    snapshot(made.verdict)
    snapshot(re.sub(r"\d?\.\d+", "N", noisy.verdict))


def cells(made, ps):
    """Give every cell a gain of this p."""
    shown = Interval(0.01, 0.03)
    one = made.trials[0].structure
    for p in ps:
        gain = Uplift(9, 0.5, 0.52, 0.02, shown, 0.04, p, 9, 0, 0)
        methods = [
            replace(method, uplift={"ndcg@10": gain}) if method.name == "coherence" else method
            for method in one.methods
        ]
        yield UpliftTrial(1.0, 1.0, replace(one, methods=tuple(methods)))


@pytest.mark.parametrize(
    ("ps", "held"),
    [
        ((0.02, 0.02), 2),  # Holm: twice .02, and then at least that: .04
        ((0.02, 0.02, 0.02), 0),  # three times .02 is above .05
        ((0.01, 0.03, 0.04), 1),  # .03, then .06 and at least that
        ((0.012, 0.04, 0.012, 0.04), 2),  # .048, .048 (three times .012, but at least .048), .08
    ],
)
def test_gains_that_hold_up_are_counted_as_holm_does(made, ps, held):
    said = _verdict(list(cells(made, ps)))
    assert f"{len(ps)} of {len(ps)} combinations ({held} " in said


def test_the_answers_of_controls_are_counted(made, snapshot):
    (one,) = cells(made, [0.01])
    better, worse, alike, unknown = (
        Uplift(9, 0.5, 0.5, 0.0, Interval(*ends), 0.0, 0.01, 4, 1, 4)
        for ends in ((0.1, 0.2), (-0.2, -0.1), (-0.005, 0.005), (-0.2, 0.2))
    )
    beside = [(better, better), (better, worse), (worse, worse), (alike, alike), (unknown, better)]
    trials = [
        replace(one, structure=replace(
            one.structure, against={"neighbour_average": with_gates, "shuffled_graph": better},
            against_open={"neighbour_average": without},
        ))
        for with_gates, without in beside
    ]  # fmt: skip
    snapshot(_verdict(trials))


def test_the_seed_reaches_every_study(monkeypatch):
    from assay.engines.coherence import study as home

    seen, real = set(), home.study

    def study(*rows, seed=None, **options):
        seen.add(seed)
        return real(*rows, seed=seed, **options)

    monkeypatch.setattr(home, "study", study)
    uplift(**SMALL, noise=(0.5,), spread=(0.5,), seed=41)
    assert seen == {41}


def test_progress_is_told_query_by_query():
    seen = []

    def track(items, doing, *, total=None, unit=""):
        seen.append((doing, total, unit))
        for item in items:
            seen.append(item)
            yield item
        seen.append("end")

    uplift(**SMALL, noise=(0.5,), spread=(0.5, 1.0), track=track)
    assert seen == [("ranking", 24, "queries"), *range(24), "end"]


@pytest.mark.parametrize(
    "odd",
    [
        {"documents": 2, "clusters": 1, "relevant": 1},
        {"documents": 12, "clusters": 12},
        {"k": 1},
        {"k": 100},
        {"candidates": 1},
        {"candidates": 5000},
        {"relevant": None},
        {"dimension": 2},
        {"queries": 2},
    ],
)
def test_odd_sizes_work(odd):
    made = uplift(**SMALL | {"noise": (0.5,), "spread": (0.0,)} | odd)
    standard_json.dumps(trials(made), allow_nan=False)
    for method in made.trials[0].structure.methods:
        assert all(0 <= score <= 1 for score in method.scores.values())


@pytest.mark.parametrize(("k", "diversified"), [(8, False), (9, True)])
def test_only_more_than_eight_results_are_diversified(k, diversified):
    sizes = SMALL | {"clusters": 2, "k": k}
    structure = uplift(**sizes, noise=(0,), spread=(0.5,)).trials[0].structure
    assert (structure.diversified > 0) is diversified
    assert structure.redundancy.gains is diversified


def test_documents_that_are_all_alike_work():
    made = uplift(**SMALL | {"clusters": 1}, noise=(0,), spread=(0,))
    assert np.isfinite(made.trials[0].structure.distributions["delta_h"].mean)


@pytest.mark.parametrize(
    ("options", "name", "value"),
    [
        ({"queries": 1}, "queries", "1"),
        ({"queries": 2.5}, "queries", "2.5"),
        ({"queries": True}, "queries", "true"),
        ({"documents": 10**9}, "documents", "1000000000"),
        ({"dimension": 1}, "dimension", "1"),
        ({"documents": 5, "clusters": 6}, "clusters", "the 5 documents"),
        ({"documents": 5, "clusters": 2, "relevant": 6}, "relevant", "the 5 documents"),
        ({"documents": 10**6, "dimension": 10**4}, "the collection is too large", "10,004,000,000"),
        ({"queries": 10**5, "dimension": 10**4}, "the collection is too large", "2,005,000,000"),
        ({"settings": {"alpha": 0.1}}, "settings", "dict"),
        ({"mmr": 3}, "mmr", "int"),
        ({"settings": CoherenceSettings(alpha="0.1")}, "settings.alpha", '"0.1"'),
        ({"settings": CoherenceSettings(neighbours=2.5)}, "settings.neighbours", "2.5"),
        ({"settings": CoherenceSettings(ground=True)}, "settings.ground", "true"),
        ({"settings": CoherenceSettings(use_mmr=1)}, "settings.use_mmr", "1"),
        ({"settings": CoherenceSettings(graph=None)}, "settings.graph", "null"),
        ({"mmr": MmrSettings(pool="all")}, "mmr.pool", '"all"'),
        ({"mmr": MmrSettings(relevance=None)}, "mmr.relevance", "null"),
        ({"k": 0}, "k", "0"),
        ({"candidates": 10**6}, "candidates", "1000000"),
        ({"seed": -1}, "seed", "-1"),
        ({"noise": ()}, "noise", ""),
        ({"noise": "0.5"}, "noise", '"0.5"'),
        ({"noise": 0.5}, "noise", "0.5"),
        ({"noise": (0.5, "1")}, "noise", '"1"'),
        ({"spread": (0.5, 0.5)}, "spread", "0.5"),
        ({"spread": (-1,)}, "spread", "-1"),
        ({"spread": (float("nan"),)}, "spread", "nan"),
        ({"spread": (float("inf"),)}, "spread", "inf"),
    ],
)
def test_wrong_numbers_are_refused_before_anything_is_planted(options, name, value):
    with pytest.raises(UsageError) as refused:
        uplift(**options)
    assert refused.value.problem.startswith(f"{name}: ")
    assert value in refused.value.problem
    assert refused.value.hint
