import numpy as np
import pytest

import assay
from assay.errors import InputError, UsageError

QRELS = {f"q{i}": {"a": 2, "b": 1, "c": 0, "d": 0} for i in range(40)}
GOOD = {f"q{i}": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0} for i in range(40)}
BAD = {f"q{i}": {"d": 4.0, "c": 3.0, "b": 2.0, "a": 1.0} for i in range(40)}


def _noisy(seed, noise, unjudged=False):
    draw = np.random.default_rng(seed)
    worth = {"a": 2.0, "b": 1.0, "c": 0.0, "d": 0.0} | ({"x": 0.0} if unjudged else {})
    return {q: {d: float(w + draw.normal(0, noise)) for d, w in worth.items()} for q in QRELS}


def test_a_clear_gain_ships_and_a_clear_loss_does_not():
    middle = _noisy(1, 1.0)

    result = assay.compare(middle, [GOOD, BAD], qrels=QRELS, metrics="ndcg@10")

    outcomes = [candidate.verdict.outcome for candidate in result.candidates]
    assert outcomes == ["ship", "dont_ship"]


def test_the_same_run_twice_shows_no_difference():
    result = assay.compare(GOOD, GOOD, qrels=QRELS, metrics=["ndcg@10", "ap"])

    one = result.candidates[0].metrics["ap"]
    assert (one.difference, one.p, one.wins, one.losses, one.ties) == (0, 1, 0, 0, 40)
    assert result.candidates[0].verdict.outcome in ("hold", "needs_queries")
    assert result.candidates[0].agreement["rbo(p=0.9)"] == pytest.approx(1)
    assert result.candidates[0].changes == ()
    assert set(result.best_set) == {"run", "run (2)"}


def test_unjudged_documents_keep_a_gain_from_shipping():
    judged, holes = _noisy(1, 3.0), {q: {"x": 9.0, **GOOD[q]} for q in QRELS}

    result = assay.compare(judged, holes, qrels=QRELS, metrics="ndcg@10")

    low, high = result.candidates[0].metrics["ndcg@10"].holes
    assert low < 0 < high
    assert result.candidates[0].verdict.outcome != "ship"
    assert {one.document for one in result.judge_next} == {"x"}


def test_one_seed_gives_the_same_bits_and_another_does_not():
    runs = _noisy(1, 1.0), [_noisy(2, 0.9), _noisy(3, 1.1)]
    first, again, other = (
        assay.compare(*runs, qrels=QRELS, metrics="ndcg@3,ap", seed=seed) for seed in (5, 5, 6)
    )

    assert first.frame().equals(again.frame())
    assert first.corrected_gain == again.corrected_gain
    assert not first.frame().equals(other.frame())


def test_differences_are_the_differences_of_the_scores():
    before, after = _noisy(1, 1.0), _noisy(2, 0.9)

    one = assay.compare(before, after, qrels=QRELS, metrics="ndcg@3").candidates[0]

    old = assay.evaluate(QRELS, before, "ndcg@3")
    new = assay.evaluate(QRELS, after, "ndcg@3")
    difference = one.metrics["ndcg@3"].difference
    assert difference == pytest.approx(new.scores["ndcg@3"] - old.scores["ndcg@3"])
    deltas = new.per_query["ndcg@3"] - old.per_query["ndcg@3"]
    assert one.metrics["ndcg@3"].wins == int((deltas > 0).sum())
    assert [change.difference for change in one.changes] == sorted(
        deltas[deltas != 0].tolist(), key=lambda delta: -abs(delta)
    )


@pytest.mark.parametrize("correction", ["holm", "bh", "max_t", "none"])
def test_corrections_never_lower_a_p(correction):
    candidates = [_noisy(seed, 0.9) for seed in (2, 3, 4)]

    result = assay.compare(
        _noisy(1, 1.0), candidates, qrels=QRELS, metrics="ndcg@3", correction=correction
    )

    for candidate in result.candidates:
        one = candidate.metrics["ndcg@3"]
        assert one.p_corrected >= one.p * (0.5 if correction == "max_t" else 1)


def test_collections_count_alike():
    few = {"q0": "small", **{f"q{i}": "large" for i in range(1, 40)}}
    worse_on_one = {**GOOD, "q0": BAD["q0"]}

    plain = assay.compare(GOOD, worse_on_one, qrels=QRELS, metrics="mrr")
    macro = assay.compare(GOOD, worse_on_one, qrels=QRELS, metrics="mrr", collections=few)

    assert plain.candidates[0].metrics["mrr"].difference == pytest.approx(-2 / 3 / 40)
    assert macro.candidates[0].metrics["mrr"].difference == pytest.approx(-2 / 3 / 2)


def test_missing_skip_compares_what_all_runs_answer():
    part = {q: GOOD[q] for q in list(GOOD)[:10]}

    result = assay.compare(GOOD, part, qrels=QRELS, metrics="mrr", missing="skip")

    assert result.queries == 10
    assert result.candidates[0].metrics["mrr"].difference == 0


def test_the_primary_metric_comes_first_and_must_be_better_when_higher():
    result = assay.compare(GOOD, BAD, qrels=QRELS, metrics=["ap", "mrr"], primary="mrr")
    assert list(result.candidates[0].metrics) == ["mrr", "ap"]

    with pytest.raises(UsageError, match="less of it is better"):
        assay.compare(GOOD, BAD, qrels=QRELS, primary="rbp_residual(p=0.8)")


def test_nothing_to_compare_is_said():
    with pytest.raises(UsageError, match="nothing to compare"):
        assay.compare(GOOD, [], qrels=QRELS)
    with pytest.raises(InputError, match="belongs to no collection"):
        assay.compare(GOOD, BAD, qrels=QRELS, collections={"q0": "a"})


def test_a_single_query_is_compared_without_a_crash():
    one = {"q0": QRELS["q0"]}

    result = assay.compare(GOOD, BAD, qrels=one, metrics="ndcg@10,ap")

    assert result.candidates[0].verdict.outcome == "needs_queries"
    assert "single query" in result.candidates[0].verdict.reason
