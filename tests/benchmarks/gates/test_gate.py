"""The gate rule against oracles: every sign flip, Holm by hand, and the sentences of its docs."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.benchmarks.gates.made import report, run, side, timed

from assay.benchmarks.gates.gate import GateRules, run_gate
from assay.benchmarks.gates.presets import GateChecks
from assay.errors import InputError

GOOD = [0.9, 0.8, 0.7, 1.0, 0.6, 0.9, 0.8, 0.5, 0.7, 1.0]


def gate(before, after, *, strict_env=False, bare=False, **checks):
    old = None if before is None else side(before, "old")
    rules = GateRules(bare=bare, strict_env=strict_env)
    return run_gate(old, side(after), GateChecks.read(**checks), rules=rules)


def check(before, after, **checks):
    """Return the only result of a check on the scores of a metric."""
    (found,) = gate(report(run(scores=before)), report(run(scores=after)), **checks).results
    return found


def every_flip(gains, weights=None):
    """Count, over all 2^n signs, how often the weighted mean is as low as the observed one."""
    terms = np.array(gains) * (1 if weights is None else np.array(weights))
    sums = [np.dot(signs, terms) for signs in itertools.product((1, -1), repeat=len(terms))]
    return float(np.mean(np.array(sums) <= terms.sum() + 1e-12))


SCORES = st.lists(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]), min_size=2, max_size=9)


@given(SCORES, st.randoms(use_true_random=False))
def test_p_is_that_of_every_flip(before, rng):
    after = [rng.choice([0.0, 0.1, 0.5, 0.9, 1.0]) for _ in before]
    found = check(before, after, allow="ndcg@10:0%")
    assert found.p == pytest.approx(every_flip(np.subtract(after, before)))


def test_a_drop_in_every_query_of_ten_fails():
    found = check(GOOD, [one - 0.1 for one in GOOD], allow="ndcg@10:5%")
    assert (found.outcome, found.p) == ("fail", 2**-10)
    assert found.delta == pytest.approx(-0.1)
    assert found.relative == pytest.approx(-0.1 / 0.79)
    assert found.limit == pytest.approx(0.79 * 0.95)


def test_seven_queries_are_too_few_and_the_missing_one_is_counted():
    found = check([0.9] * 7, [0.4] * 7, allow="ndcg@10:5%")
    assert (found.outcome, found.p, found.queries_needed) == ("inconclusive", 2**-7, 1)
    assert check([0.9] * 8, [0.4] * 8, allow="ndcg@10:5%").outcome == "fail"


def test_holm_is_over_checks_and_runs():
    falls = {"a": 10, "b": 9, "c": 8}  # so many queries lose, the others are as before
    columns = {m: [0.9] * 10 for m in ("ndcg@10", "mrr@10")}
    old = [run(name, scores=columns) for name in falls]
    new = [
        run(name, scores={m: [0.4] * n + [0.9] * (10 - n) for m in columns})
        for name, n in falls.items()
    ]
    found = gate(report(*old), report(*new), allow=["ndcg@10:5%", "mrr@10:5%"]).results
    raw = {"a": 2**-10, "b": 2**-9, "c": 2**-8}
    assert {one.run: one.p for one in found} == raw
    # 6 tests: the smallest counts 6 times, the next 5 times, then 4, 3, 2, 1; never falling.
    expected = {"a": 6 / 1024, "b": 4 / 512, "c": 2 / 256}
    assert {one.run: one.p_corrected for one in found} == pytest.approx(expected)
    assert {one.outcome for one in found} == {"inconclusive"}


@pytest.mark.parametrize(("drop", "outcome"), [(0.05, "pass"), (0.0501, "fail")])
def test_a_drop_of_exactly_what_is_allowed_passes(drop, outcome):
    assert check([0.7] * 10, [0.7 - drop] * 10, allow="ndcg@10:0.05").outcome == outcome


@pytest.mark.parametrize("share", range(1, 30))
def test_rounding_breaks_no_relative_amount(share):
    before = [0.1 * (at % 10 + 1) for at in range(16)]
    after = [one * (100 - share) / 100 for one in before]
    assert check(before, after, allow=f"ndcg@10:{share}%").outcome == "pass"


def test_lower_is_better_turns_the_direction():
    name = "rbp_residual(p=0.8)"
    old, new = (report(run(metric=name, scores=[value] * 10)) for value in (0.2, 0.4))
    assert gate(old, new, allow=f"{name}:5%").outcome == "fail"
    assert gate(new, old, allow=f"{name}:5%").outcome == "pass"


def test_a_baseline_of_zero_allows_no_share_of_itself():
    old = report(run(scores=GOOD))
    new = report(run(scores=GOOD, failed={"q0": "no"}))
    (found,) = gate(old, new, allow="errors:50%").results
    assert (found.outcome, found.relative, found.limit) == ("fail", None, 0.0)
    assert "baseline of 0" in found.reason
    assert check([0.0] * 10, [0.0] * 10, allow="ndcg@10:5%").outcome == "pass"


def test_the_same_run_passes_with_nothing_allowed():
    found = check(GOOD, GOOD, allow="ndcg@10:0")
    assert (found.outcome, found.p, found.delta) == ("pass", 1.0, 0.0)


def test_bare_compares_values_only():
    before, after = GOOD, [*GOOD[:-1], 0.0]
    assert check(before, after, allow="ndcg@10:5%").outcome == "inconclusive"
    assert check(before, after, allow="ndcg@10:5%", bare=True).outcome == "fail"


def test_without_scores_of_queries_only_bare_decides():
    old, new = (report(run(scores=[v] * 10)) for v in (0.9, 0.5))
    new = replace(new, runs=(replace(new.runs[0], per_query={}),))
    assert gate(old, new, allow="ndcg@10:5%").outcome == "inconclusive"
    assert gate(old, new, allow="ndcg@10:5%", bare=True).outcome == "fail"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("failed", "fail"), ("cancelled", "inconclusive"), ("beaten", "inconclusive")],
)
def test_a_run_that_did_not_complete(status, outcome):
    broken = replace(run(scores=GOOD), status=status, error="out of memory\nmore")
    found = gate(report(run(scores=GOOD)), report(broken), allow="ndcg@10:5%")
    assert found.outcome == outcome
    assert ("out of memory" in found.results[0].reason) == (status == "failed")


def test_a_run_that_failed_is_worse_than_any_drop():
    old = report(run("a", scores=GOOD), run("b", scores=GOOD))
    failed = replace(run("b", scores=[]), status="failed", error="no disk")
    found = gate(old, report(run("a", scores=[0.0] * 10), failed), allow="ndcg@10:5%")
    assert [one.run for one in found.of("fail")] == ["b", "a"]


def test_failed_queries_count_as_zero():
    after = run(scores=[0.0, *GOOD[1:]], failed={"q0": "timeout"})
    found = gate(report(run(scores=GOOD)), report(after), allow="ndcg@10:5%")
    assert found.results[0].current == pytest.approx(0.7)
    assert any("1 query failed" in note for note in found.notes)


def test_missing_figures_of_the_baseline_are_inconclusive_not_passed():
    old = report(run(metric="mrr@10", scores=GOOD))
    new = report(run(scores=GOOD))
    (found,) = gate(old, new, allow="ndcg@10:5%").results
    assert found.outcome == "inconclusive"
    assert "baseline has no ndcg@10" in found.reason


def test_a_check_on_what_no_run_has_is_refused():
    with pytest.raises(InputError, match="ap was not measured"):
        gate(None, report(run(scores=GOOD)), min="ap:0.1")


@pytest.mark.parametrize("checks", [{"preset": "regression"}, {"allow": "ndcg@10:5%"}])
def test_reports_without_a_run_in_common_never_pass(checks):
    old = report(run("a", scores=GOOD), run("b", scores=GOOD))
    new = report(run("c", scores=GOOD), run("d", scores=GOOD))
    with pytest.raises(InputError, match="no run is in both"):
        gate(old, new, **checks)


@pytest.mark.parametrize("preset", ["structure", "uplift"])
def test_a_preset_that_is_about_no_run_never_passes(preset):
    one = report(timed(run(scores=GOOD)))
    with pytest.raises(InputError, match="needs uplift"):
        gate(one, one, preset=preset)


GROUPS = {f"q{at}": {"category": "ab"[at % 2], "breakdowns": {"team": ["x"]}} for at in range(20)}


def test_a_category_is_checked_by_its_own_queries():
    before = [0.8] * 20
    after = [0.4 if at % 2 else 0.8 for at in range(20)]
    old, new = (report(run(scores=v), queries=GROUPS) for v in (before, after))
    checks = [f"ndcg@10/{group}:5%" for group in ("category=a", "category=b", "team=x")]
    first, second, both = gate(old, new, allow=checks).results
    assert (first.outcome, first.current, first.queries) == ("pass", pytest.approx(0.8), 10)
    assert (second.outcome, second.current, second.p) == ("fail", pytest.approx(0.4), 2**-10)
    assert (both.outcome, both.queries) == ("fail", 20)


@pytest.mark.parametrize("group", ["category=c", "level=easy", "collection=flask"])
def test_a_group_without_queries_is_refused(group):
    one = report(run(scores=[0.8] * 20), queries=GROUPS)
    with pytest.raises(InputError):
        gate(one, one, allow=f"ndcg@10/{group}:5%")


def test_queries_count_by_their_weights():
    queries = {f"q{at}": {"weight": 10.0 if at == 0 else 1.0} for at in range(10)}
    before, after = [0.8] * 10, [0.4, *[0.8] * 4, *[0.9] * 5]
    old, new = (report(run(scores=v), queries=queries) for v in (before, after))
    (found,) = gate(old, new, allow="ndcg@10:1%").results
    assert found.current == pytest.approx((10 * 0.4 + 4 * 0.8 + 5 * 0.9) / 19)
    weights = [10, *[1] * 9]
    assert found.p == pytest.approx(every_flip(np.subtract(after, before), weights))


def test_collections_count_the_same():
    queries = {f"q{at}": {"collection": "big" if at < 8 else "small"} for at in range(10)}
    before, after = [0.8] * 10, [0.7] * 8 + [0.2, 0.3]
    old, new = (report(run(scores=v), queries=queries) for v in (before, after))
    (found,) = gate(old, new, allow="ndcg@10:1%").results
    assert found.current == pytest.approx((0.7 + 0.25) / 2)
    weights = [1 / 16] * 8 + [1 / 4] * 2
    assert found.p == pytest.approx(every_flip(np.subtract(after, before), weights))


def latency(old, new, **options):
    before, after = (report(timed(run(scores=GOOD), **one)) for one in (old, new))
    options.setdefault("allow", "latency_p95_ms:25%")
    return gate(before, after, **options).results[0]


OLD = {"p95": 10.0, "ends": (8.0, 12.0)}


@pytest.mark.parametrize(
    ("low", "outcome"), [(15.001, "fail"), (14.999, "inconclusive"), (None, "inconclusive")]
)
def test_latency_fails_only_if_its_interval_is_apart(low, outcome):
    """The upper end of the baseline, 12, and a quarter of it make 15."""
    assert latency(OLD, {"p95": 20.0, "ends": (low, None)}).outcome == outcome


def test_an_open_upper_end_of_the_baseline_never_fails():
    found = latency({"p95": 10.0, "ends": (8.0, None)}, {"p95": 99.0, "ends": (90.0, 99.0)})
    assert found.outcome == "inconclusive"


@pytest.mark.parametrize("where", ["old", "new"])
def test_a_busy_machine_warns(where):
    old, new = dict(OLD), {"p95": 30.0, "ends": (25.0, 35.0)}
    {"old": old, "new": new}[where]["busy"] = True
    found = latency(old, new)
    assert (found.outcome, "busy" in found.warning) == ("inconclusive", True)
    assert latency(old, new, strict_env=True).outcome == "fail"


def test_another_environment_warns_of_times_but_not_of_scores():
    old = report(timed(run(scores=GOOD), **OLD))
    new = timed(run(scores=[0.0] * 10), p95=30.0, ends=(25.0, 35.0))
    new = report(new, environment={"cpu": "B"})
    checks = {"allow": ["latency_p95_ms:25%", "ndcg@10:5%"]}
    times, scores = gate(old, new, **checks).results
    assert (times.outcome, scores.outcome) == ("inconclusive", "fail")
    assert gate(old, new, strict_env=True, **checks).results[0].outcome == "fail"


def test_a_limit_on_p95_is_binomial_and_says_how_many_queries_are_missing():
    slow = timed(run(scores=[1] * 20), p95=150.0, queries=[50] * 18 + [150] * 2)
    (found,) = gate(None, report(slow), max="latency_p95_ms:100").results
    tail = 1 - 0.95**20 - 20 * 0.05 * 0.95**19  # of at least 2 of 20 slower than the 95th
    assert found.p == pytest.approx(tail)
    assert found.outcome == "inconclusive"
    assert found.queries_needed > 20
    assert "more queries would decide it" in found.reason


def test_files_per_second_must_be_at_least():
    quick, slow = (report(run(scores=GOOD, indexing={"files_per_second": v})) for v in (12.0, 9.9))
    assert gate(None, quick, min="files_per_second:10").outcome == "pass"
    assert gate(None, slow, min="files_per_second:10").outcome == "fail"
    assert gate(quick, slow, allow="files_per_second:5%").outcome == "inconclusive"  # once
    assert gate(slow, quick, allow="files_per_second:5%").outcome == "pass"


@pytest.mark.parametrize(("size", "outcome"), [(10**11, "pass"), (10**11 + 1, "fail")])
def test_bytes_are_compared_exactly(size, outcome):
    one = report(run(scores=GOOD, storage={"index_bytes": size}))
    assert gate(None, one, max="index_bytes:100GB").outcome == outcome


def test_a_value_below_its_limit_is_not_written_as_if_it_were_not():
    found = check(None or [0.6] * 10, [0.59999] * 10, min="ndcg@10:0.6")
    assert "0.59999 is below the minimum of 0.60000" in found.reason


def coherent(scores, baseline, **about):
    old = run("cosine", scores=baseline)
    return report(old, run("ours", scores=scores), benchmark={"baseline": "cosine"}, **about)


def test_uplift_of_runs_without_coherence_is_the_gain_over_the_baseline():
    found = gate(None, coherent([0.6] * 10, [0.5] * 10), min="uplift:25%").results
    assert [one.run for one in found] == ["ours"]
    assert found[0].current == pytest.approx(0.2)
    assert (found[0].outcome, found[0].p) == ("fail", 2**-10)
    assert gate(None, coherent([0.6] * 10, [0.5] * 10), min="uplift:20%").outcome == "pass"


def test_uplift_counts_queries_by_their_weights():
    queries = {f"q{at}": {"weight": 9.0 if at == 0 else 1.0} for at in range(10)}
    one = coherent([0.5] + [0.7] * 9, [0.5] * 10, queries=queries)
    (found,) = gate(None, one, min="uplift:30%").results
    assert found.current == pytest.approx(0.2 * 9 / 18 / 0.5)


@pytest.mark.parametrize("many", [1, 60])
def test_a_clear_drop_fails_among_many_tests(many):
    """With a fixed number of flips the smallest p, times the tests, would never be small enough."""
    times = [300.0] * 60
    runs = [timed(run(f"r{at}", scores=[0.1] * 60), p95=300.0, queries=times) for at in range(many)]
    found = gate(None, report(*runs), max="latency_mean_ms:100", min="ndcg@10:0.5")
    assert {one.outcome for one in found.results} == {"fail"}
