"""Planted accounts of planted rankings: every figure is worked out by hand."""

import json as standard_json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.benchmarks.structure.sum_up_structure import sum_up_structure
from assay.records import Judgments, Receipt, StructureStudy
from assay.reports.structure.json import json

METHODS = (
    "cosine", "coherence", "coherence_mmr", "coherence_open", "neighbour_average", "shuffled_graph",
)  # fmt: skip
OTHERS = tuple("bcdefghij")


def receipt(**known):
    given = {
        "version": 1, "delta_h": 1.0, "terms": {}, "items": (), "coherence_fraction": 0.5,
        "condition_bound": 2.0, "gate": None, "fallback": None, "energy_baseline": 3.0,
        "energy": 2.0, "iterations": {"baseline": 3, "solution": 5}, "residual": 1e-4,
        "candidates": 10, "edges": (), "components": 2, "edge_overlap": None,
        "edge_jaccard": None, "graph": "exact", "redundancy": 0.4, "diversified": False,
        "settings": {}, "milliseconds": {"build": 1.0, "solve": 2.0, "rank": 0.5},
    }  # fmt: skip
    return Receipt(**given | known)


def order(rank):
    """Put the relevant document at a rank, 0 for nowhere."""
    return OTHERS if not rank else (*OTHERS[: rank - 1], "a", *OTHERS[rank - 1 :])


def ranked(cosine, coherence=None, *, redundancy=None, without=(), **rest):
    """Rank the one relevant document; what is not said ranks as the method before it would."""
    coherence = cosine if coherence is None else coherence
    ranks = {
        "cosine": cosine, "coherence": coherence,
        "coherence_mmr": rest.pop("mmr", coherence), "coherence_open": rest.pop("open", coherence),
        "neighbour_average": rest.pop("average", cosine),
        "shuffled_graph": rest.pop("shuffled", cosine),
    }  # fmt: skip
    orders = {name: order(rank) for name, rank in ranks.items() if name not in without}
    return StructureStudy(receipt(**rest), orders, redundancy or {})


def judged(*queries):
    return Judgments(
        queries, np.arange(len(queries) + 1), np.array([b"a"] * len(queries), "S8"),
        np.ones(len(queries), np.int64), 1,
    )  # fmt: skip


def summed(studied, **options):
    if not isinstance(studied, dict):
        studied = {f"q{at}": one for at, one in enumerate(studied)}
    asked = {"metrics": ["mrr@10"], "primary": "mrr@10"} | options
    judgments = asked.pop("judgments", judged(*studied))
    return sum_up_structure(studied, judgments, **asked)


@pytest.fixture
def four():
    """One query that gains, one that a gate keeps from losing, one that gains less, one fallen."""
    return {
        "q1": ranked(2, 1, average=1, delta_h=4.0,
                     redundancy={"coherence": 0.5, "coherence_mmr": 0.3}),
        "q2": ranked(1, 1, open=2, average=2, gate="easy", delta_h=1.0, mmr=2,
                     redundancy={"coherence": 0.2, "coherence_mmr": 0.2}),
        "q3": ranked(3, 2, average=1, delta_h=2.0, coherence_fraction=None,
                     redundancy={"coherence": 0.8, "coherence_mmr": 0.1}),
        "q4": ranked(1, 1, fallback="residual", delta_h=None, residual=0.5, iterations=None),
    }  # fmt: skip


def test_scores_and_uplift_by_hand(four):
    structure = summed(four)
    cosine, coherence = structure.method("cosine"), structure.method("coherence")

    assert cosine.scores["mrr@10"] == pytest.approx((1 / 2 + 1 + 1 / 3 + 1) / 4)
    assert coherence.scores["mrr@10"] == pytest.approx((1 + 1 + 1 / 2 + 1) / 4)
    assert cosine.uplift == {}
    gain = coherence.uplift["mrr@10"]
    # Differences 1/2, 0, 1/6, 0: mean 1/6, squares around it sum to 1/6, so sd sqrt(1/18), error
    # sqrt(1/72) and, with t of 3 degrees 3.182446, a reach of .375055.
    assert gain.difference == pytest.approx(1 / 6)
    assert gain.interval.low == pytest.approx(1 / 6 - 3.182446305 / 72**0.5)
    assert gain.interval.high == pytest.approx(1 / 6 + 3.182446305 / 72**0.5)
    assert gain.relative == pytest.approx((1 / 6) / (17 / 24))
    assert (gain.wins, gain.ties, gain.losses) == (2, 2, 0)
    assert gain.p == pytest.approx(0.5)  # two of the four signs of 1/2 and 1/6 give 2/3 or more
    assert structure.method("neighbour_average").uplift["mrr@10"].difference == pytest.approx(
        (1 / 2 - 1 / 2 + 2 / 3) / 4
    )
    assert structure.method("shuffled_graph").uplift["mrr@10"].p == 1
    assert structure.against["neighbour_average"].difference == pytest.approx(
        (0 + 1 / 2 - 1 / 2 + 0) / 4
    )


def test_each_collection_counts_the_same(four):
    of_query = {"q1": "a", "q2": "b", "q3": "b", "q4": "b"}
    structure = summed(four, collections=of_query)
    cosine, coherence = structure.method("cosine"), structure.method("coherence")
    assert cosine.scores["mrr@10"] == pytest.approx((1 / 2 + (1 + 1 / 3 + 1) / 3) / 2)
    gain = coherence.uplift["mrr@10"]
    assert gain.baseline == pytest.approx(cosine.scores["mrr@10"])
    assert gain.score == pytest.approx(coherence.scores["mrr@10"])
    assert gain.difference == pytest.approx((1 / 2 + 1 / 6 / 3) / 2)
    assert structure.parts["ungated"]["coherence"].difference == pytest.approx((1 / 2 + 1 / 6) / 2)


def test_gates_and_fallbacks_are_counted_and_hide_nothing(four):
    structure = summed(four)

    assert structure.gates == {"none": 3, "easy": 1, "low_impact": 0}
    assert structure.fallbacks == {"none": 3, "residual": 1, "no_anchor": 0, "forced": 0}
    assert structure.rates == {"easy": 0.25, "low_impact": 0, "gated": 0.25, "fallback": 0.25}
    parts = structure.parts
    assert set(parts) == {"ungated", "gated", "easy", "fallback"}
    assert parts["ungated"]["coherence"].queries == 2
    assert parts["ungated"]["coherence"].difference == pytest.approx((1 / 2 + 1 / 6) / 2)
    assert parts["gated"]["coherence"].difference == 0
    assert parts["gated"]["coherence_open"].difference == pytest.approx(-1 / 2)
    assert parts["fallback"]["coherence"].difference == 0


def test_each_gate_has_its_part_and_a_fallback_is_no_gate():
    parts = summed(
        [
            ranked(2, 2, open=1, gate="easy"),
            ranked(2, 2, open=1, gate="low_impact"),
            ranked(2, 2, open=4, gate="low_impact"),
            ranked(2, 2, open=1, gate="easy", fallback="residual"),
            ranked(2, 1),
        ]
    ).parts

    assert {part: one["coherence"].queries for part, one in parts.items()} == {
        "ungated": 1, "gated": 3, "easy": 1, "low_impact": 2, "fallback": 1
    }  # fmt: skip
    assert parts["gated"]["coherence_open"].difference == pytest.approx((1 / 2 + 1 / 2 - 1 / 4) / 3)
    assert parts["low_impact"]["coherence_open"].difference == pytest.approx(1 / 8)


def test_forced_fallbacks_are_in_no_rate_of_fallbacks(four):
    forced = ranked(1, fallback="forced")
    structure = summed(four | {"q5": forced, "q6": replace(forced)})

    assert structure.fallbacks["forced"] == 2
    assert structure.rates["fallback"] == 0.25
    assert structure.rates["easy"] == pytest.approx(1 / 6)
    assert summed({"q": forced}).rates["fallback"] is None
    assert summed({"q": forced}).targets["fallback"].met is None


def test_figures_of_receipts_are_spread_out(four):
    spread = summed(four).distributions

    energy = spread["delta_h"]
    assert (energy.values, energy.missing) == (3, 1)
    assert (energy.mean, energy.least, energy.most) == (pytest.approx(7 / 3), 1, 4)
    assert energy.percentiles["p50"] == 2
    assert energy.percentiles["p95"] == pytest.approx(3.8)
    assert energy.edges == pytest.approx([1 + 0.3 * at for at in range(11)])
    assert energy.counts == (1, 0, 0, 1, 0, 0, 0, 0, 0, 1)
    assert spread["efficiency"].mean == pytest.approx(7 / 6)  # over 2 ms each
    assert (spread["coherence_fraction"].values, spread["coherence_fraction"].missing) == (3, 1)
    assert spread["iterations_solution"].missing == 1
    assert spread["condition_bound"].percentiles["p95"] == 2
    assert spread["condition_bound"].counts == (4,)
    assert spread["residual"].most == 0.5
    assert "edge_overlap" not in spread


@pytest.mark.parametrize("values", [(0.0, 5e-324), (0.3, 0.1 + 0.2), (1e6, 1e6 + 1e-9)])
def test_what_differs_by_rounding_alone_is_in_one_bin(values):
    spread = summed([ranked(1, delta_h=one) for one in values]).distributions["delta_h"]
    assert spread.counts == (2,)
    assert spread.edges == tuple(sorted(values))


def test_redundancy_falls_by_what_diversifying_does(four):
    structure = summed(four)

    assert structure.redundancy.queries == 3
    assert structure.redundancy.baseline == pytest.approx(0.5)
    assert structure.redundancy.score == pytest.approx(0.2)
    assert structure.redundancy.difference == pytest.approx(0.3)  # a fall is the gain
    assert structure.method("coherence_mmr").redundancy == pytest.approx(0.2)
    assert structure.diversified == 1  # only q2 is in another order


def test_only_what_is_studied_and_judged_is_scored(four, snapshot):
    structure = summed(four | {"new": ranked(9, gate="easy")}, judgments=judged("q1", "q3", "gone"))

    assert (structure.queries, structure.studied) == (2, 5)
    assert structure.method("cosine").scores["mrr@10"] == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert structure.gates["easy"] == 2
    snapshot(structure.notes)
    assert summed(four, judgments=judged("other")) is None
    assert summed({}, judgments=judged("q1")) is None


def test_a_method_that_some_query_lacks_is_left_out_and_said():
    structure = summed([ranked(2, 1), ranked(2, 1, without=["coherence_mmr"])])

    assert structure.method("coherence_mmr") is None
    assert structure.redundancy is None
    (note,) = structure.notes
    assert "coherence_mmr" in note


def test_only_cosines_are_no_verdict(snapshot):
    without = METHODS[1:]
    structure = summed([ranked(2, without=without), ranked(1, without=without)])

    snapshot(structure.verdict)
    assert structure.parts == {"ungated": {}}
    assert structure.relations == {}
    assert structure.suggested_alpha is None
    assert summed([ranked(1, without=METHODS)]) is None


def test_diversity_is_measured_where_documents_cover_items(four):
    items = {query: [({"a": 1.0, "b": 1.0}, 1), ({"c": 1.0}, 1)] for query in four}
    structure = summed(four, judgments=Judgments.of_items(items))

    # q1 by cosine: b (1), a again (1/2 at rank 2), c (1 at rank 3); ideally two fresh ones first.
    got = 1 + 0.5 / np.log2(3) + 1 / 2
    ideal = 1 + 1 / np.log2(3) + 0.5 / 2
    only = summed({"q1": four["q1"]}, judgments=Judgments.of_items({"q1": items["q1"]}))
    assert only.method("cosine").scores["alpha_ndcg@10"] == pytest.approx(got / ideal)
    assert "alpha_ndcg@10" in structure.method("coherence_mmr").uplift
    assert "alpha_ndcg@10" not in summed(four).method("cosine").scores


def test_of_a_metric_that_should_fall_a_fall_is_the_gain():
    structure = summed(
        [ranked(3, 1), ranked(3, 2)], metrics=["rbp_residual(p=0.8)@10"],
        primary="rbp_residual(p=0.8)@10",
    )  # fmt: skip
    gain = structure.method("coherence").uplift[structure.primary]
    assert gain.difference == pytest.approx(gain.baseline - gain.score)
    assert gain.wins + gain.ties == 2


# The verdict: what is gained, and what the controls say to it.


def many(count=20, **ranks):
    """Let the last quarter differ a little, so that intervals have a width."""
    cosine = ranks.pop("cosine", 3)
    return [
        ranked(cosine, **{name: rank + (at % 4 == 0) for name, rank in ranks.items()})
        for at in range(count)
    ]


@pytest.mark.parametrize(
    ("studied", "gains", "beside"),
    [
        (many(coherence=1, average=3, shuffled=3), True, "better"),
        (many(coherence=2, average=1, shuffled=3), True, "worse"),
        (many(coherence=1, average=3, shuffled=1), True, "better"),
        (many(coherence=6, average=1), False, "worse"),
        ([ranked(2, 1), ranked(1, 2), ranked(2, 2), ranked(2, 1)], False, "unknown"),
        ([ranked(2), ranked(3)], False, "alike"),
        ([ranked(2, 1)], False, "unknown"),
        ([ranked(2, 1)] * 3, False, "unknown"),
        ([ranked(2, 1)] * 9, True, "better"),
    ],
)
def test_the_verdict_is_honest(snapshot, studied, gains, beside):
    structure = summed(studied)
    assert structure.beside("neighbour_average") == beside
    assert structure.verdict.endswith(".")
    assert ("shuffled" in structure.verdict) == gains
    snapshot(structure.verdict)


# Readings: what it means that a figure goes with uplift, or does not.


def related(figure, gains):
    """Give query ``at`` the figure ``at``, and rank 4 - gain where the cosines have 4."""

    def one(at, gain):
        if figure == "delta_h":
            return ranked(4, 4 - gain, delta_h=float(at))
        return ranked(4, 4 - gain, redundancy={"coherence": float(at)})

    return summed([one(at, gain) for at, gain in enumerate(gains)]).relations[figure]


RISING = [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize(
    ("figure", "gains"),
    [
        pytest.param("delta_h", RISING, id="rises"),
        pytest.param("delta_h", RISING[::-1], id="falls"),
        pytest.param("delta_h", [3, -3, 2, -2, 1, -1] * 2, id="neither"),
        pytest.param("delta_h", [1, 2, 1, 2, 1, 2, 2, 1, 2, 1, 2, 1], id="all gain"),
        pytest.param("delta_h", [1] * 5 + [2, -4, 3] + [-1, 1, -1, 1], id="little and much"),
        pytest.param("delta_h", [0] * 12, id="no gains"),
        pytest.param("delta_h", [1, 2], id="two queries"),
        pytest.param("redundancy", RISING, id="redundancy rises"),
        pytest.param("redundancy", RISING[::-1], id="redundancy falls"),
        pytest.param("redundancy", [3, -3, 2, -2, 1, -1] * 2, id="redundancy neither"),
        pytest.param("redundancy", [0] * 12, id="redundancy no gains"),
    ],
)
def test_each_relation_has_its_reading(snapshot, figure, gains):
    relation = related(figure, gains)
    assert relation.queries == len(gains)
    snapshot(relation.reading)


def test_a_relation_by_hand():
    relation = related("delta_h", [0, 1, 0, 3])
    # Gains in mrr: 0, 1/12, 0, 3/4; the halves are {0, 1} and {2, 3}.
    assert relation.low.difference == pytest.approx(1 / 24)
    assert relation.high.difference == pytest.approx(3 / 8)
    # Ranks 1 2 3 4 against 1.5 3 1.5 4: products of the centred sum to 3, squares to 5 and 4.5.
    assert relation.spearman.r == pytest.approx(3 / (5 * 4.5) ** 0.5)


def test_gated_queries_count_in_relations_with_what_they_would_have_done():
    gated = [ranked(4, 4, open=4 - gain, gate="low_impact", delta_h=float(at))
             for at, gain in enumerate(RISING)]  # fmt: skip
    assert summed(gated).relations["delta_h"].spearman.r == pytest.approx(
        related("delta_h", RISING).spearman.r
    )


def test_fallen_queries_are_in_no_relation(four):
    assert summed(four).relations["delta_h"].queries == 3
    assert summed(four).relations["redundancy"].queries == 3


def test_alpha_is_suggested_from_gains_in_the_order_of_queries():
    rising = [ranked(4, 4 - gain, delta_h=float(gain)) for gain in (0, 1, 2) * 6]
    # Gains 0, 1/12, 1/4 for 0, 1, 2: r = .981981 over whole rounds; .1 + .2 r is near .296.
    assert summed(rising).suggested_alpha == pytest.approx(0.1 + 0.2 * 0.981981, abs=2e-3)
    assert summed(rising[:14]).suggested_alpha is None
    assert summed([ranked(4, 3, delta_h=1.0)] * 15).suggested_alpha == pytest.approx(0.1)


# Targets.


def test_targets_are_met_missed_or_not_measured():
    quick, slow = {"coherence": {"p50": 1.0, "p95": 399.0}}, {"coherence": {"p50": 1.0, "p95": 401}}
    eight = {"metrics": [], "primary": "mrr@8"}
    studied = many(coherence=1)

    assert summed(studied).targets["latency"].met is None
    assert summed(studied, latency=quick).targets["latency"].met is True
    ten = summed(studied, latency=slow).targets["latency"]
    assert ten.met is None
    assert "k = 10" in ten.note
    assert summed(studied, latency=slow, **eight).targets["latency"].met is False
    assert summed(studied).targets["uplift"].met is True
    assert summed(studied).targets["edge_overlap"].met is None
    assert summed(studied).targets["fallback"].met is True


@pytest.mark.parametrize(("gated", "met"), [(29, False), (30, True), (60, True), (61, False)])
def test_the_easy_gate_is_healthy_within_a_range(gated, met):
    studied = [ranked(1, gate="easy" if at < gated else None) for at in range(100)]
    assert summed(studied).targets["easy_gate"].met is met


@pytest.mark.parametrize(("fallen", "met"), [(4, True), (5, False)])
def test_fallbacks_are_fewer_than_one_in_twenty(fallen, met):
    studied = [ranked(1, fallback="residual" if at < fallen else None) for at in range(100)]
    assert summed(studied).targets["fallback"].met is met


def test_overlap_is_reported_where_the_graph_is_approximate():
    overlaps = [0.1, 0.2, 0.25, 0.6, None]
    structure = summed([ranked(1, edge_overlap=one, edge_jaccard=one) for one in overlaps])
    spread = structure.distributions["edge_overlap"]
    assert (spread.values, spread.missing) == (4, 1)
    assert spread.percentiles["p50"] == pytest.approx(0.225)
    assert spread.percentiles["p10"] == pytest.approx(0.13)
    assert structure.targets["edge_overlap"].met is False
    assert structure.distributions["edge_jaccard"].values == 4


def test_a_gain_that_is_not_shown_does_not_meet_the_target(snapshot):
    target = summed([ranked(2, 1), ranked(1, 2), ranked(2, 2), ranked(2, 1)]).targets["uplift"]
    assert target.value == pytest.approx(0.2)
    assert target.met is False
    snapshot(target.note)


def test_a_baseline_of_0_has_no_relative_uplift():
    structure = summed([ranked(0, 1), ranked(0, 2)])
    assert structure.method("coherence").uplift["mrr@10"].relative is None
    assert structure.targets["uplift"].met is None


# What holds for any queries.

RANKS = st.integers(0, 10)
STUDIES = st.builds(
    ranked, RANKS, RANKS, average=RANKS, shuffled=RANKS, open=RANKS, mmr=RANKS,
    delta_h=st.none() | st.floats(0, 1e6), gate=st.sampled_from([None, "easy", "low_impact"]),
    fallback=st.sampled_from([None, None, "residual", "no_anchor", "forced"]),
    coherence_fraction=st.none() | st.floats(-1e6, 1e6), edge_overlap=st.none() | st.floats(0, 1),
    milliseconds=st.fixed_dictionaries({}, optional={"solve": st.floats(0, 1e3)}),
)  # fmt: skip


@settings(max_examples=40)
@given(st.lists(STUDIES, min_size=1, max_size=5))
def test_counts_add_up_and_everything_becomes_json(studied):
    structure = summed(studied)

    assert sum(structure.gates.values()) == sum(structure.fallbacks.values()) == len(studied)
    whole = structure.method("coherence").uplift["mrr@10"]
    three = [structure.parts[p]["coherence"] for p in ("gated", "ungated", "fallback")
             if p in structure.parts]  # fmt: skip
    assert sum(one.queries for one in three) == len(studied)
    assert sum(one.queries * one.difference for one in three) / len(studied) == pytest.approx(
        whole.difference, abs=1e-9
    )
    for one in structure.distributions.values():
        assert sum(one.counts) == one.values
        assert len(one.edges) == len(one.counts) + 1
        assert one.values + one.missing == len(studied)
        assert one.least <= one.percentiles["p5"] <= one.percentiles["p95"] <= one.most
    standard_json.dumps(json(structure), allow_nan=False)


def test_order_of_judgments_does_not_matter(four):
    turned = summed(four, judgments=judged(*reversed(four)))
    straight = summed(four)
    assert turned.method("coherence").scores == pytest.approx(straight.method("coherence").scores)
    assert turned.parts["gated"]["coherence_open"].difference == pytest.approx(-1 / 2)
    assert turned.relations["delta_h"].spearman.r == straight.relations["delta_h"].spearman.r
