import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.benchmarks.runs.several_collections import sum_up_collections
from assay.errors import InputError, UsageError
from assay.statistics.bootstrap import bootstrap
from assay.statistics.wilson import wilson

SCORES = {"mrr": np.array([1.0, 0.5, 0.0, 0.5, 0.9]), "ap": np.zeros(5)}
NAMES = ["api", "docs", "api", "docs", "größe 漢"]


def test_by_hand():
    told = sum_up_collections(SCORES, NAMES)
    plain = {
        name: {key: value for key, value in one.items() if key != "intervals"}
        for name, one in told.collections.items()
    }
    assert plain == {
        "api": {"mrr": 0.5, "ap": 0.0, "queries": 2},
        "docs": {"mrr": 0.5, "ap": 0.0, "queries": 2},
        "größe 漢": {"mrr": 0.9, "ap": 0.0, "queries": 1},
    }
    macro = told.macro["mrr"]
    assert macro["mean"] == told.scores["mrr"] == pytest.approx(1.9 / 3)
    assert macro["mean"] != pytest.approx(SCORES["mrr"].mean())
    assert macro["sd"] == pytest.approx(np.std([0.5, 0.5, 0.9], ddof=1))
    assert (macro["best"], macro["best_collection"]) == (0.9, "größe 漢")
    assert (macro["worst"], macro["worst_collection"]) == (0.5, "api")
    assert macro["range"] == pytest.approx(0.4)
    assert told.strata.tolist() == [0, 1, 0, 1, 2]


def test_proportions_of_each_collection_get_wilsons_interval():
    hits = {"hit@5": np.ones(24), "mrr": np.linspace(0.1, 0.9, 24)}
    told = sum_up_collections(hits, ["a"] * 20 + ["b"] * 4)
    each = {name: one["intervals"] for name, one in told.collections.items()}
    assert each["a"]["hit@5"] == pytest.approx([wilson(20, 20).low, 1.0])
    assert each["b"]["hit@5"] == pytest.approx([wilson(4, 4).low, 1.0])
    low, high = each["b"]["mrr"]
    assert 0.7 < low < float(hits["mrr"][20:].mean()) < high
    assert told.intervals["hit@5"].low < 0.85
    alone = sum_up_collections({"mrr": np.array([0.5, 0.5])}, ["a", "b"])
    assert alone.collections["a"]["intervals"] == {"mrr": None}


def test_less_may_be_better():
    macro = sum_up_collections(SCORES, NAMES, lower_is_better=["mrr"]).macro["mrr"]
    assert (macro["best"], macro["best_collection"]) == (0.5, "api")
    assert macro["worst_collection"] == "größe 漢"
    assert macro["range"] == pytest.approx(0.4)


def test_the_interval_resamples_each_collection_by_itself():
    rng = np.random.default_rng(2)
    scores = np.concatenate((rng.normal(0.2, 0.05, 40), rng.normal(0.8, 0.05, 40)))
    told = sum_up_collections({"mrr": scores}, ["a"] * 40 + ["b"] * 40)
    ours, pooled = told.intervals["mrr"], bootstrap(scores)
    assert ours.high - ours.low < (pooled.high - pooled.low) / 3


def test_one_collection_has_no_spread():
    macro = sum_up_collections(SCORES, ["one"] * 5).macro["mrr"]
    assert macro["sd"] is None
    assert (macro["mean"], macro["range"]) == (pytest.approx(SCORES["mrr"].mean()), 0.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abc")), min_size=1, max_size=12))
def test_the_macro_mean_lies_between_its_ends(rows):
    scores, names = np.array([row[0] for row in rows]), [row[1] for row in rows]
    told = sum_up_collections({"m": scores}, names)
    macro = told.macro["m"]
    assert macro["worst"] - 1e-12 <= macro["mean"] <= macro["best"] + 1e-12
    assert sum(one["queries"] for one in told.collections.values()) == len(rows)
    assert told.collections[macro["best_collection"]]["m"] == macro["best"]


def test_odd_input_is_refused():
    with pytest.raises(InputError, match="no queries"):
        sum_up_collections({"m": np.empty(0)}, [])
    with pytest.raises(UsageError, match=r"5 mrr.* 4 "):
        sum_up_collections(SCORES, NAMES[:4])
