"""What is said of coherence beside its controls, of its gates, and of what a run returns."""

import numpy as np
import pytest

from assay.benchmarks.structure.sum_up_structure import sum_up_structure
from assay.records import Interval, Judgments, Receipt, StructureStudy, Uplift

OTHERS = tuple("bcdefghij")


def receipt(gate=None):
    return Receipt(
        version=1, delta_h=1.0, terms={}, items=(), coherence_fraction=0.5, condition_bound=2.0,
        gate=gate, fallback=None, energy_baseline=3.0, energy=2.0, iterations=None, residual=0.0,
        candidates=10, edges=(), components=2, edge_overlap=None, edge_jaccard=None, graph="exact",
        redundancy=0.4, diversified=False, settings={}, milliseconds={},
    )  # fmt: skip


def query(gate=None, **ranks):
    """Put the one relevant document at a rank of each order; the cosines have it at 4."""
    ranks = {"cosine": 4, "coherence": 4, "coherence_mmr": 4, "coherence_open": 4,
             "neighbour_average": 4, "shuffled_graph": 4} | ranks  # fmt: skip
    orders = {n: (*OTHERS[: at - 1], "a", *OTHERS[at - 1 :]) for n, at in ranks.items()}
    return StructureStudy(receipt(gate), orders)


def summed(studied, **options):
    queries = {f"q{at}": one for at, one in enumerate(studied)}
    count = len(queries)
    judgments = Judgments(
        tuple(queries), np.arange(count + 1), np.array([b"a"] * count), np.ones(count, np.int64), 1
    )
    asked = {"metrics": ["mrr@10", "ap"], "primary": "mrr@10"} | options
    return sum_up_structure(queries, judgments, **asked)


def spread_out(count=20, gate=None, **ranks):
    """Let every fourth query differ a little, so that intervals have a width."""
    return [
        query(gate, **{name: rank + (at % 4 == 0) for name, rank in ranks.items()})
        for at in range(count)
    ]


def test_better_than_a_control_by_the_gates_alone_is_not_better(snapshot):
    kept = spread_out(gate="easy", coherence_open=6, neighbour_average=6)
    structure = summed(kept)

    assert structure.against["neighbour_average"].gains
    assert not structure.against_open["neighbour_average"].gains
    assert structure.beside("neighbour_average") == "gated"
    # Ranks 6 and 7 instead of 4: 1/6 - 1/4, a quarter of them 1/7 - 1/4; mean -.0893.
    assert "-0.089 " in structure.verdict
    snapshot(structure.verdict)


def test_without_gates_it_may_be_no_better_though_it_loses_nothing(snapshot):
    plain = [query("easy", coherence_open=rank, neighbour_average=6) for rank in (1, 9, 9, 9) * 5]
    structure = summed(plain)
    assert structure.beside("neighbour_average") == "gated"
    snapshot(structure.verdict)


def test_better_without_gates_too_is_better(snapshot):
    structure = summed(spread_out(coherence=1, coherence_open=1, neighbour_average=3))
    assert structure.beside("neighbour_average") == "better"
    snapshot(structure.verdict)


def test_the_shuffled_graph_has_gates_of_its_own():
    studied = spread_out(coherence=2, coherence_open=6, shuffled_graph=4)
    structure = summed(studied)
    assert set(structure.against_open) == {"neighbour_average"}
    assert structure.beside("shuffled_graph") == "better"


def uplift(low, high, *, score=0.5, p=0.5, wins=3, losses=3):
    return Uplift(8, score, score, (low + high) / 2, Interval(low, high), 0.0, p, wins, 2, losses)


@pytest.mark.parametrize(
    ("one", "shown"),
    [
        (uplift(0.001, 0.02), "better"),
        (uplift(-0.02, -0.001), "worse"),
        (uplift(-0.02, 0.009), "alike"),  # what is compared with loses less than .01 of .5
        (uplift(-0.02, 0.011), "unknown"),
        (uplift(-0.02, 0.011, score=0.6), "alike"),
        (uplift(float("-inf"), float("inf")), "unknown"),
        (uplift(0.0, 0.0, wins=0, losses=0), "alike"),
        (uplift(0.2, 0.2, wins=3, losses=0), "unknown"),  # three equal gains may be chance
        (uplift(-0.2, -0.2, wins=0, losses=3), "unknown"),
        (uplift(0.2, 0.2, p=0.01), "better"),
    ],
)
def test_a_difference_has_one_of_four_answers(one, shown):
    assert one.shown == shown


def test_what_cannot_be_told_apart_is_not_said_to_do_as_well(snapshot):
    wild = [query(coherence=3, neighbour_average=rank) for rank in (1, 9, 2, 9, 4, 3, 9, 1)]
    structure = summed(wild)
    assert structure.method("coherence").uplift["mrr@10"].gains
    assert structure.beside("neighbour_average") == "unknown"
    snapshot(structure.verdict)


def test_a_control_that_loses_nothing_to_speak_of_does_as_well(snapshot):
    structure = summed([query(coherence=1, neighbour_average=1) for _ in range(9)])
    assert structure.beside("neighbour_average") == "alike"
    snapshot(structure.verdict)


def test_every_order_is_cut_to_what_a_search_returns():
    studied = [query(cosine=2, coherence=5), query(cosine=4, coherence=1)]
    whole, cut = summed(studied), summed(studied, top=4)

    assert whole.method("coherence").scores["ap"] == pytest.approx((1 / 5 + 1) / 2)
    assert cut.method("coherence").scores["ap"] == pytest.approx(1 / 2)
    assert cut.method("cosine").scores["ap"] == pytest.approx((1 / 2 + 1 / 4) / 2)


def test_a_run_with_mmr_is_judged_by_what_it_returns(snapshot):
    studied = spread_out(coherence=1, coherence_open=1, coherence_mmr=6)
    times = {"coherence_mmr": {"p50": 1.0, "p95": 2.0}}
    structure = summed(studied, returned="coherence_mmr", latency=times)

    snapshot([structure.verdict, summed(studied).verdict])
    assert structure.targets["uplift"].met is False
    assert structure.targets["latency"].value == 2.0
    assert structure.method("coherence").latency_ms == {}
    assert structure.against["neighbour_average"].loses
    assert structure.parts["ungated"]["coherence_mmr"].difference < 0
    assert summed(studied).targets["uplift"].met is True


def test_a_relation_names_the_method_whose_uplift_it_is():
    studied = spread_out()
    assert summed(studied).relations["delta_h"].method == "coherence_open"


@pytest.mark.parametrize(("count", "met"), [(3, False), (9, True)])
def test_a_target_says_why_a_gain_is_not_shown(snapshot, count, met):
    target = summed([query(coherence=1)] * count).targets["uplift"]
    assert target.met is met
    snapshot(target.note)
