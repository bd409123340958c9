import numpy as np
import pytest

import assay
from assay.errors import InputError, UsageError
from assay.records import Dataset, Judgment, Query, Reference
from assay.reports.comparisons.significance_table import significance_table
from assay.statistics.randomisation import randomisation

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


MIXED = {q: BAD[q] if i < 8 else GOOD[q] for i, q in enumerate(GOOD)}
OPPOSITE = {q: GOOD[q] if i < 8 else BAD[q] for i, q in enumerate(GOOD)}


def test_a_collection_that_loses_keeps_a_candidate_from_shipping():
    groups = {f"q{i}": "small" if i < 8 else "large" for i in range(40)}
    noisy = {q: MIXED[q] if i % 9 else GOOD[q] for i, q in enumerate(GOOD)}
    result = assay.compare(OPPOSITE, noisy, qrels=QRELS, metrics="mrr", collections=groups)
    assert result.candidates[0].verdict.rule == "category"
    assert "small" in result.candidates[0].verdict.reason
    alone = assay.compare(OPPOSITE, noisy, qrels=QRELS, metrics="mrr")
    assert alone.candidates[0].verdict.outcome == "ship"


def test_a_category_of_a_dataset_that_loses_keeps_a_candidate_from_shipping():
    def asked(at):
        kind = "small" if at < 8 else "large"
        judged = tuple(Judgment(Reference(document_id=d), g) for d, g in QRELS["q0"].items())
        return Query(f"q{at}", f"text {at}", judged, category=kind)

    dataset = Dataset("d", tuple(map(asked, range(40))))
    noisy = {q: MIXED[q] if i % 9 else GOOD[q] for i, q in enumerate(GOOD)}
    result = assay.compare(OPPOSITE, noisy, qrels=dataset, metrics="mrr")
    assert result.candidates[0].verdict.rule == "category"


def test_a_category_of_a_spreadsheet_counts_as_that_of_any_dataset(tmp_path):
    kinds = ["small" if at < 8 else "large" for at in range(40)]
    judged = QRELS["q0"].items()
    rows = [f"q{at},{d},{g},{kind}" for at, kind in enumerate(kinds) for d, g in judged]
    sheet = tmp_path / "judged.csv"
    sheet.write_text("\n".join(["query_id,document_id,grade,category", *rows]))
    noisy = {q: MIXED[q] if i % 9 else GOOD[q] for i, q in enumerate(GOOD)}
    result = assay.compare(OPPOSITE, noisy, qrels=sheet, metrics="mrr")
    assert result.candidates[0].verdict.rule == "category"


def test_a_copy_of_the_baseline_changes_no_other_verdict():
    base = {f"q{i}": {f"x{at}": 50.0 - at for at in range(40)} | {"a": 0.5} for i in range(12)}
    new = {q: {**run, "x40": 1.0} for q, run in base.items()}
    new["q0"] = {"a": 99.0}
    qrels = {q: {"a": 1} for q in base}
    alone = assay.compare(base, new, qrels=qrels, metrics="mrr", unjudged="zero")
    beside = assay.compare(base, [new, dict(base)], qrels=qrels, metrics="mrr", unjudged="zero")
    assert alone.candidates[0].verdict == beside.candidates[0].verdict
    assert alone.candidates[0].verdict.rule == "needs_queries"


def test_collections_that_pull_apart_take_as_many_queries_as_the_test_that_decides():
    groups = {f"q{i}": "niche" if i < 10 else "main" for i in range(30)}
    qrels = {q: {"r": 1, "n": 0} for q in groups}
    first, last = {"r": 2.0, "n": 1.0}, {"n": 2.0, "r": 1.0}
    old = {q: first if i < 11 else last for i, q in enumerate(groups)}
    new = {q: last if i < 4 else first for i, q in enumerate(groups)}
    result = assay.compare(old, new, qrels=qrels, metrics="ndcg@10", collections=groups)
    verdict, one = result.candidates[0].verdict, result.candidates[0].metrics["ndcg@10"]
    assert verdict.rule == "needs_queries"
    assert 0.05 < one.p < 0.15
    # As many as there are, drawn again from these: sign flips show them about four times of five.
    rng, queries = np.random.default_rng(0), 30 + verdict.queries_needed
    share = queries / 30
    gains = np.array([c.difference for c in result.candidates[0].changes])
    lost, won = sorted(set(gains.round(6).tolist()))
    shown = 0
    for _ in range(100):
        niche = np.where(rng.random(round(10 * share)) < 0.4, lost, 0.0)
        main = np.where(rng.random(round(20 * share)) < 0.95, won, 0.0)
        strata = np.repeat([0, 1], [len(niche), len(main)])
        drawn = np.concatenate([niche, main])
        shown += float(randomisation(drawn, strata=strata, flips=2000)[0]) < 0.05
    assert 65 <= shown <= 97


def test_missing_skip_compares_what_all_runs_answer():
    part = {q: GOOD[q] for q in list(GOOD)[:10]}

    result = assay.compare(GOOD, part, qrels=QRELS, metrics="mrr", missing="skip")

    assert result.queries == 10
    assert result.candidates[0].metrics["mrr"].difference == 0


def test_the_primary_metric_comes_first_and_must_be_better_when_higher(snapshot):
    result = assay.compare(GOOD, BAD, qrels=QRELS, metrics=["ap", "mrr"], primary="mrr")
    assert list(result.candidates[0].metrics) == ["mrr", "ap"]
    assert assay.compare(GOOD, BAD, qrels=QRELS, metrics="ap, ndcg@10").primary == "ap"

    with pytest.raises(UsageError, match=r"rbp_residual\(p=0\.8\)") as caught:
        assay.compare(GOOD, BAD, qrels=QRELS, primary="rbp_residual(p=0.8)")
    snapshot(caught.value)


def test_nothing_to_compare_is_said(snapshot):
    with pytest.raises(UsageError) as caught:
        assay.compare(GOOD, [], qrels=QRELS)
    snapshot(caught.value)
    with pytest.raises(InputError, match='"q1"') as caught:
        assay.compare(GOOD, BAD, qrels=QRELS, collections={"q0": "a"})
    snapshot(caught.value)


def test_a_single_query_is_compared_without_a_crash(snapshot):
    one = {"q0": QRELS["q0"]}

    result = assay.compare(GOOD, BAD, qrels=one, metrics="ndcg@10,ap")

    assert result.candidates[0].verdict.rule == "too_few"
    snapshot(result.candidates[0].verdict.reason)


def test_a_metric_of_which_less_is_better_wins_by_falling():
    result = assay.compare(BAD, GOOD, qrels=QRELS, metrics=["mrr", "rbp_residual(p=0.5)"])
    holed = {q: {"x": 9.0, **GOOD[q]} for q in QRELS}
    worse = assay.compare(GOOD, holed, qrels=QRELS, metrics=["mrr", "rbp_residual(p=0.5)"])

    same = result.candidates[0].metrics["rbp_residual(p=0.5)"]
    lost = worse.candidates[0].metrics["rbp_residual(p=0.5)"]
    assert (same.wins, same.losses) == (0, 0)
    assert lost.difference > 0
    assert not lost.better
    assert (lost.wins, lost.losses) == (0, 40)
    marks = {text for (row, _), text in significance_table(worse).texts.items() if row == 1}
    assert all(text.endswith("▼") for text in marks)


def test_a_gain_that_holes_could_undo_holds_unless_they_count_as_nothing():
    holed = {q: {"x": 9.0, "y": 8.0, **BAD[q]} for q in QRELS}

    careful = assay.compare(holed, GOOD, qrels=QRELS, metrics="ndcg@10")
    bold = assay.compare(holed, GOOD, qrels=QRELS, metrics="ndcg@10", unjudged="zero")

    assert careful.candidates[0].metrics["ndcg@10"].p_corrected < 0.05
    assert careful.candidates[0].verdict.outcome == "hold"
    assert careful.candidates[0].verdict.rule == "judge"
    assert bold.candidates[0].verdict.outcome == "ship"


def test_a_metric_without_bounds_says_so_when_it_ships(snapshot):
    holes = {q: {**GOOD[q], "x": 0.5} for q in QRELS}

    with_holes = assay.compare(BAD, holes, qrels=QRELS, metrics="ap").candidates[0]
    without = assay.compare(BAD, GOOD, qrels=QRELS, metrics="ap").candidates[0]

    assert with_holes.verdict.outcome == without.verdict.outcome == "ship"
    assert with_holes.verdict.reason.startswith(without.verdict.reason.removesuffix("."))
    snapshot(with_holes.verdict.reason)
    snapshot(without.verdict.reason)


def test_only_the_compared_queries_are_looked_at():
    qrels = {"q0": {"a": 1}, "q1": {"a": 1}}
    before = {"q0": {"a": 1.0, "z": 0.5}, "unjudged": {"u": 1.0}}
    after = {"q0": {"a": 1.0, "z": 0.5}, "q1": {"x": 1.0}, "unjudged": {"v": 1.0}}

    result = assay.compare(before, after, qrels=qrels, metrics="ndcg@10", missing="skip")

    assert result.queries == 1
    assert result.candidates[0].agreement["rbo(p=0.9)"] == pytest.approx(1)
    assert all(one.query == "q0" for one in result.judge_next)


@pytest.mark.parametrize(
    "wrong",
    [
        {"correction": "bonferroni"},
        {"missing": "Skip"},
        {"ties": "expected"},
        {"unjudged": "condense"},
        {"margin": -1},
        {"margin": float("nan")},
        {"alpha": 0},
        {"flips": 0},
        {"seed": -1},
        {"seed": "a"},
    ],
)
def test_a_wrong_option_is_refused_not_guessed(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        assay.compare(GOOD, BAD, qrels=QRELS, metrics="mrr", **wrong)


def test_two_reports_are_sent_to_what_compares_them():
    with pytest.raises(UsageError) as caught:
        assay.compare("a.json", "b.json")
    assert "assay.compare_reports" in caught.value.hint
