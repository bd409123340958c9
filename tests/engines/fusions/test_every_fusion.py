"""Fusions: each worked by hand, then what all of them keep to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import catalogue
from assay.engines import fusions
from assay.engines.fusions.blend import blend
from assay.engines.fusions.min_max import min_max
from assay.engines.fusions.rrf import rrf
from assay.engines.fusions.z_score import z_score
from assay.errors import InputError
from assay.records import FoundRows

KINDS = [catalogue.find(fusions, name) for name in catalogue.names(fusions)]
every = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def found(scores, kind="bm25", best=None):
    """Make a list of {row: score}, best first."""
    order = sorted(scores, key=lambda row: (-scores[row], row))
    values = np.array([scores[row] for row in order], np.float64)
    return FoundRows(np.array(order, np.int64), values, kind, best)


def told(fused):
    return dict(zip(fused.rows.tolist(), fused.scores.tolist(), strict=True))


LEXICAL = found({1: 12.0, 2: 6.0, 3: 3.0}, "bm25", 24.0)
DENSE = found({2: 0.9, 4: 0.5, 1: 0.1}, "cosine", 1.0)


def test_the_kinds():
    assert {"blend", "min_max", "rrf", "z_score"} <= set(catalogue.names(fusions))


def test_rrf_by_hand():
    fused = rrf()([LEXICAL, DENSE])
    assert told(fused) == pytest.approx(
        {2: 1 / 62 + 1 / 61, 1: 1 / 61 + 1 / 63, 4: 1 / 62, 3: 1 / 63}
    )
    assert fused.rows.tolist() == [2, 1, 4, 3]
    assert (fused.kind, fused.best) == ("rrf", pytest.approx(2 / 61))


def test_rrf_with_weights_by_hand():
    fused = rrf(k=1, weights=(2, 1))([LEXICAL, DENSE])
    assert told(fused) == pytest.approx({1: 2 / 2 + 1 / 4, 2: 2 / 3 + 1 / 2, 3: 2 / 4, 4: 1 / 3})
    assert fused.best == 1.5


def test_min_max_by_hand():
    fused = min_max()([LEXICAL, DENSE])
    # Lexical: 1 -> 1, 2 -> 3/9, 3 -> 0. Dense: 2 -> 1, 4 -> .5, 1 -> 0.
    assert told(fused) == pytest.approx({2: 0.4 / 3 + 0.6, 1: 0.4, 4: 0.3, 3: 0.0})
    assert fused.rows.tolist() == [2, 1, 4, 3]


def test_z_score_by_hand():
    lexical, dense = found({1: 3.0, 2: 1.0}), found({2: 0.4, 3: 0.2}, "cosine", 1.0)
    fused = z_score(weights=(1, 2))([lexical, dense])
    assert told(fused) == pytest.approx({2: -1 + 2, 1: 1 + 2 * -3, 3: -3 + 2 * -1})
    assert fused.rows.tolist() == [2, 1, 3]  # a tie, by row


def test_z_score_leaves_what_is_missing_below_what_was_found():
    lexical = found({row: 10.0 for row in range(20)} | {20: 0.0})  # its worst is at z < -4
    column = told(z_score(weights=(1, 0))([lexical, found({99: 1.0}, "cosine", 1.0)]))
    assert column[20] < -4
    assert column[99] == column[20]


def test_blend_by_hand():
    dense = replace(DENSE, spread=(0.2, 0.1))  # over the whole index
    fused = blend()([LEXICAL, dense])
    # Lexical: 1.5 shares of 12. Dense: 7, 3 and -1 deviations, and -1 for the missing 3.
    assert told(fused) == pytest.approx({2: 0.75 + 7, 4: 0 + 3, 1: 1.5 - 1, 3: 0.375 - 1})
    assert fused.rows.tolist() == [2, 4, 1, 3]
    assert (fused.kind, fused.best) == ("blend", None)


def test_blend_without_a_known_spread_takes_that_of_the_list():
    fused = blend()([found({}), found({1: 0.4, 2: 0.2}, "cosine", 1.0)])
    assert told(fused) == pytest.approx({1: 1.0, 2: -1.0})


def test_blend_adds_for_what_holds_all_of_the_query():
    covered = replace(LEXICAL, coverage=np.array([0.5, 1.0, 0.0]))
    fused = blend()([covered, found({}, "cosine", 1.0)])
    # 1.5 x 4/3 x coverage^8 above the share of the best.
    assert told(fused) == pytest.approx({1: 1.5 + 2 / 256, 2: 0.75 + 2, 3: 0.375})


def test_blend_lets_the_list_that_knows_best_decide():
    dense = replace(DENSE, spread=(0.2, 0.1))
    known = replace(LEXICAL, decisive=True, coverage=np.array([0.0, 1.0, 0.0]))
    fused = blend()([known, dense])
    assert fused.rows.tolist() == [1, 2, 3, 4]
    assert told(fused) == pytest.approx({1: 1.5, 2: 0.75, 3: 0.375, 4: 0.0}, abs=1e-5)


def test_blend_lets_the_others_part_equals():
    equals = replace(found({1: 5.0, 2: 5.0, 3: 5.0}), decisive=True)
    dense = replace(found({3: 0.9, 2: 0.5, 1: 0.1}, "cosine", 1.0), spread=(0.2, 0.1))
    assert blend()([equals, dense]).rows.tolist() == [3, 2, 1]


def test_blend_without_any_words_takes_the_rest_in_full():
    nothing = replace(found({}), decisive=True)
    dense = replace(DENSE, spread=(0.2, 0.1))
    assert told(blend()([nothing, dense])) == pytest.approx({2: 7, 4: 3, 1: -1})


def test_blend_of_vectors_that_are_all_alike_is_lexical():
    dense = found({1: 0.5, 2: 0.5, 3: 0.5}, "cosine", 1.0)
    for spread in (None, (0.5, 0.0), (0.0, 0.0)):
        fused = blend()([LEXICAL, replace(dense, spread=spread)])
        above = {row: score - told(fused)[3] for row, score in told(fused).items()}
        assert above == pytest.approx({1: 1.125, 2: 0.375, 3: 0.0})


lists = st.dictionaries(st.integers(1, 30), st.floats(0, 50), max_size=12)
cosines = st.dictionaries(st.integers(1, 30), st.floats(-1, 1), max_size=12)
bests = st.one_of(st.none(), st.floats(50, 100))


@every
@settings(max_examples=50)
@given(lists, cosines, bests)
def test_the_union_once_in_order_with_finite_scores(kind, lexical, dense, best):
    fused = kind()([found(lexical, "bm25", best), found(dense, "cosine", 1.0)])
    assert set(fused.rows.tolist()) == lexical.keys() | dense.keys()
    assert len(set(fused.rows.tolist())) == len(fused.rows)
    assert np.isfinite(fused.scores).all()
    pairs = list(zip((-fused.scores).tolist(), fused.rows.tolist(), strict=True))
    assert pairs == sorted(pairs)
    if fused.best is not None:
        assert (fused.scores <= fused.best + 1e-12).all()


@every
@settings(max_examples=50)
@given(lists, cosines, bests, st.floats(0, 1))
def test_which_list_comes_first_is_no_matter(kind, lexical, dense, best, weight):
    one, other = found(lexical, "bm25", best), found(dense, "cosine", 1.0)
    forth = kind(weights=(weight, 1 - weight))([one, other])
    back = kind(weights=(1 - weight, weight))([other, one])
    assert told(forth) == told(back)
    assert forth.rows.tolist() == back.rows.tolist()


@every
@settings(max_examples=50)
@given(lists, cosines, bests)
def test_all_weight_on_one_list_keeps_its_order(kind, lexical, dense, best):
    fused = kind(weights=(0, 1))([found(lexical, "bm25", best), found(dense, "cosine", 1.0)])
    scores = told(fused)
    for higher in dense:
        for lower in dense:
            if dense[higher] > dense[lower]:
                assert scores[higher] >= scores[lower]
        for missing in lexical.keys() - dense.keys():
            assert scores[higher] >= scores[missing]


@every
@settings(max_examples=50)
@given(lists, cosines, st.floats(0.1, 5))
def test_a_document_first_in_both_lists_is_first(kind, lexical, dense, more):
    lexical, dense = lexical | {0: 50 + more}, dense | {0: 1.0}
    fused = kind()([found(lexical, "bm25", 100.0), found(dense, "cosine", 1.0)])
    assert told(fused)[0] == fused.scores[0]


@every
@pytest.mark.parametrize(
    ("lexical", "dense"),
    [({}, {}), ({1: 0.0}, {}), ({}, {1: 0.0}), ({1: 7.0}, {1: 1.0}), ({1: 5.0, 2: 5.0}, {3: -1.0})],
)
def test_empty_single_and_equal_lists(kind, lexical, dense):
    fused = kind()([found(lexical, "bm25", 0.0), found(dense, "cosine", 1.0)])
    assert set(fused.rows.tolist()) == lexical.keys() | dense.keys()
    assert np.isfinite(fused.scores).all()
    assert fused.kind == kind().kind


@every
def test_equal_scores_stay_equal(kind):
    if kind is rrf:  # which looks at ranks
        return
    fused = kind()([found({1: 0.1, 2: 0.1, 3: 0.1}, "bm25", 9.0), found({}, "cosine", 1.0)])
    assert len(set(fused.scores.tolist())) == 1
    assert fused.rows.tolist() == [1, 2, 3]


@every
@settings(max_examples=50)
@given(lists, cosines, st.floats(0, 1))
def test_what_is_added_up_is_told_for_each_list(kind, lexical, dense, weight):
    both = [found(lexical, "bm25", 100.0), found(dense, "cosine", 1.0)]
    fusion = kind(weights=(weight, 1 - weight))
    rows = np.array(sorted(lexical.keys() | dense.keys()), np.int64)
    columns = [fusion.column(one, rows) for one in both]
    scores = weight * columns[0] + (1 - weight) * columns[1]
    assert told(fusion(both)) == dict(zip(rows.tolist(), scores.tolist(), strict=True))


@every
@pytest.mark.parametrize("weights", [(), (0, 0), (-1, 2), (float("nan"), 1), (float("inf"), 1)])
def test_weights_that_say_nothing_are_refused(kind, weights):
    with pytest.raises(InputError, match=">= 0"):
        kind(weights=weights)


@every
def test_another_number_of_lists_than_of_weights_is_refused(kind):
    with pytest.raises(InputError, match=r"3 weights .* 2 lists"):
        kind(weights=(1, 1, 1))([LEXICAL, DENSE])


@every
def test_the_fingerprint_follows_the_settings(kind):
    assert kind().fingerprint == kind().fingerprint
    assert kind(weights=(1, 3)).fingerprint != kind().fingerprint
    assert len({one().fingerprint for one in KINDS}) == len(KINDS)


def test_k_counts_and_cannot_be_negative():
    assert rrf(k=1).fingerprint != rrf().fingerprint
    with pytest.raises(InputError, match=">= 0"):
        rrf(k=-1)
