import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from assay.benchmarks.since.changes_since import ReportSide, changes_since
from assay.errors import InputError
from assay.records import Report, Run
from assay.reports.comparisons.since import is_unchanged
from assay.reports.comparisons.since_json import since_json
from assay.statistics.holm import holm
from assay.statistics.randomisation import randomisation

MACHINE = {"cpu": "A", "cores": 2, "python": "3.11", "packages": {"numpy": "2.0"}}


def run(name, scores, *, p95=10.0, size=1000, **options):
    intervals = {"p50": [p95 / 2, p95 / 2], "p95": [p95 * 0.9, p95 * 1.1]}
    return Run(
        **{"name": name, "fingerprint": name, "configuration": {"search": "lexical"}}
        | {"scores": {"ndcg@10": float(np.mean(scores))}, "judged_at_10": 0.5}
        | {"per_query": {f"q{at}": {"ndcg@10": s} for at, s in enumerate(scores)}}
        | {"latency_ms": {"p50": p95 / 2, "p95": p95, "intervals": intervals}}
        | {"storage": {"index_bytes": size}}
        | options
    )


def report(*runs, **options):
    return Report(
        **{"benchmark": {"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10"}}
        | {"dataset": {"fingerprint": "d"}, "corpus": {"fingerprint": "c"}}
        | {"environment": MACHINE, "runs": runs, **options}
    )


def since(before, after, *more, **options):
    later = [ReportSide(f"new{at or ''}", one) for at, one in enumerate((after, *more))]
    return changes_since(ReportSide("old", before), later, **options)


SPREAD = np.random.default_rng(5).uniform(0, 0.5, 40)


def test_a_run_that_got_better_ships_and_says_what_is_not_known():
    better = SPREAD + 0.2 + 0.01 * np.random.default_rng(6).normal(size=40)
    (found,) = since(report(run("a", SPREAD)), report(run("a", better)))

    one = found.changes[0].candidate.metrics["ndcg@10"]
    assert one.difference == pytest.approx(float(np.mean(better - SPREAD)))
    assert one.p == one.p_corrected == pytest.approx(1 / 10_001)
    low, high = stats.t.interval(0.95, 39, np.mean(better - SPREAD), stats.sem(better - SPREAD))
    assert (one.interval.low, one.interval.high) == pytest.approx((low, high))
    assert (one.wins, one.ties, one.losses) == (40, 0, 0)
    verdict = found.changes[0].candidate.verdict
    assert verdict.outcome == "ship"
    assert "unjudged" in verdict.reason
    assert found.queries == 40


def test_a_run_that_got_worse_does_not_ship_and_names_the_queries():
    worse = SPREAD.copy()
    worse[3:20] = 0.0
    (found,) = since(report(run("a", SPREAD)), report(run("a", worse)))
    assert found.changes[0].candidate.verdict.outcome == "dont_ship"
    losses = [one.query for one in found.changes[0].candidate.changes]
    assert losses[0] == f"q{3 + int(np.argmax(SPREAD[3:20]))}"
    assert set(losses) <= {f"q{at}" for at in range(3, 20)}


def test_p_is_corrected_for_every_pair_of_every_report():
    rng = np.random.default_rng(1)
    runs = [run(name, SPREAD) for name in "abc"]
    later = [[SPREAD + rng.normal(0.03 * at, 0.1, 40) for at in range(3)] for _ in range(2)]
    new = [report(*(run(n, s) for n, s in zip("abc", one, strict=True))) for one in later]
    found = since(report(*runs), *new)
    got = [one.candidate.metrics["ndcg@10"] for each in found for one in each.changes]
    p = [float(randomisation((s - SPREAD)[:, None], seed=0)[0]) for one in later for s in one]
    assert [one.p for one in got] == pytest.approx(p)
    assert [one.p_corrected for one in got] == pytest.approx(holm(np.array(p)).tolist())
    alone = since(report(runs[0]), report(run("a", later[0][0])))[0].changes[0].candidate
    assert alone.metrics["ndcg@10"].smallest_detectable < got[0].smallest_detectable


def test_runs_meet_by_name_then_alias_then_by_what_was_done(snapshot):
    old = report(run("a", SPREAD), run("b", SPREAD), run("c", SPREAD), run("gone", SPREAD))
    new = report(
        run("new", SPREAD),
        run("renamed", SPREAD, fingerprint="c"),
        run("x", SPREAD, aliases=("b",)),
        run("a", SPREAD),
    )
    (found,) = since(old, new)
    pairs = [(one.before.name, one.after.name) for one in found.changes]
    assert pairs == [("a", "a"), ("b", "x"), ("c", "renamed")]
    assert found.new == ("new",)
    assert found.gone == ("gone",)
    snapshot(found.notes)


def test_a_name_is_worth_more_than_what_was_done():
    old = report(run("a", SPREAD, fingerprint="1"), run("b", SPREAD, fingerprint="2"))
    new = report(run("b", SPREAD, fingerprint="1"), run("a", SPREAD, fingerprint="2"))
    pairs = [(one.before.name, one.after.name) for one in since(old, new)[0].changes]
    assert pairs == [("a", "a"), ("b", "b")]


def test_one_run_of_each_may_be_chosen():
    old, new = report(run("a", SPREAD), run("b", SPREAD)), report(run("c", SPREAD))
    pick = changes_since(ReportSide("o", old, "b"), [ReportSide("n", new)])[0].changes
    assert [(one.before.name, one.after.name) for one in pick] == [("b", "c")]
    with pytest.raises(InputError, match='"z"'):
        changes_since(ReportSide("o", old, "z"), [ReportSide("n", old)])
    both = changes_since(ReportSide("o", old, "a"), [ReportSide("n", old, "b")])[0]
    assert both.changes[0].after.name == "b"
    assert not [text for text in both.notes if '"a"' in text]  # as it is of a renamed run
    same = replace(old, id="1234")
    with pytest.raises(InputError, match="with itself") as refused:
        changes_since(ReportSide("o", same, "a"), [ReportSide("n", same)])
    assert "another run of the report: b" in refused.value.hint


def test_only_shared_queries_are_compared(snapshot):
    judged = {f"q{at}": {"text": "t", "judged": {"d": 1}} for at in range(40)}
    changed = {**judged, "q5": {"text": "t", "judged": {"d": 2}}, "q6": {"text": "u"}}
    old = report(run("a", SPREAD[:30]), queries=judged)
    new_run = run("a", SPREAD)
    kept = {key: row for key, row in new_run.per_query.items() if key != "q0"}
    new = report(replace(new_run, per_query=kept), queries=changed, dataset={"fingerprint": "e"})
    (found,) = since(old, new)
    assert found.only_before == ("q0",)
    assert found.only_after == tuple(f"q{at}" for at in range(30, 40))
    assert found.rejudged == ("q5", "q6")
    assert found.queries == 27
    text = str(found)
    assert "27 queries" in text
    assert re.search(r"\b13\b", text)
    assert all(note in text for note in found.notes)
    snapshot([*found.notes, repr(found).splitlines()[0]])


def test_times_are_compared_on_one_machine_only():
    old, fast = report(run("a", SPREAD, p95=10)), run("a", SPREAD, p95=5, size=900)
    (alike,) = since(old, report(fast))
    costs = alike.changes[0].costs
    assert costs["latency_p95_ms"].shown == "lower"
    assert costs["index_bytes"].shown == "lower"
    for key, value in (("cpu", "B"), ("cores", 4), ("packages", {"numpy": "2.1"})):
        (apart,) = since(old, report(fast, environment={**MACHINE, key: value}))
        assert not apart.comparable
        assert apart.changes[0].costs["latency_p95_ms"].shown == "unlike"
        assert apart.changes[0].costs["index_bytes"].shown == "lower"
    (ours,) = since(old, report(fast, environment={**MACHINE, "git_commit": "f" * 40}))
    assert ours.comparable
    assert ours.environment == {"git_commit": (None, "f" * 40)}


def test_times_that_overlap_or_were_taken_under_another_load_show_nothing():
    old = report(run("a", SPREAD, p95=10))
    near = since(old, report(run("a", SPREAD, p95=10.5)))[0].changes[0].costs
    assert near["latency_p95_ms"].shown == "unknown"
    busy = run("a", SPREAD, p95=30)
    busy = replace(busy, latency_ms={**busy.latency_ms, "concurrency": 4})
    assert since(old, report(busy))[0].changes[0].costs["latency_p95_ms"].shown == "unlike"
    slow = since(old, report(run("a", SPREAD, p95=30)))[0].changes[0].costs
    assert slow["latency_p95_ms"].shown == "higher"


@pytest.mark.parametrize("side", [0, 1])
def test_times_of_a_busy_machine_are_unlike_on_either_side(side):
    pair = [run("a", SPREAD, p95=10), run("a", SPREAD, p95=30)]
    pair = [
        replace(one, indexing={"seconds": at + 1.0, "peak_memory_mb": at + 9.0})
        for at, one in enumerate(pair)
    ]
    pair[side] = replace(pair[side], latency_ms={**pair[side].latency_ms, "busy": True})
    costs = since(report(pair[0]), report(pair[1]))[0].changes[0].costs
    assert costs["latency_p95_ms"].shown == costs["index_seconds"].shown == "unlike"
    assert costs["peak_memory_mb"].shown == "unknown"  # memory is no time; it was measured once
    assert costs["index_bytes"].shown == "same"


def test_a_time_of_few_queries_has_open_ends_that_bound_nothing():
    old, new = run("a", SPREAD, p95=30), run("a", SPREAD, p95=10)
    for before, after, shown in (([27, 33], [9, None], "unknown"), ([27, None], [9, 11], "lower")):
        pair = [
            replace(one, latency_ms={**one.latency_ms, "intervals": {"p95": ends}})
            for one, ends in ((old, before), (new, after))
        ]
        (found,) = since(report(pair[0]), report(pair[1]))
        cost = found.changes[0].costs["latency_p95_ms"]
        assert cost.shown == shown
        told = since_json([found])["candidates"][0]["costs"]["latency_p95_ms"]
        assert (told["before_ci"], told["after_ci"]) == (before, after)


def test_settings_that_differ_are_named():
    new = run("a", SPREAD, configuration={"search": "dense", "model": "minilm"})
    changed = since(report(run("a", SPREAD)), report(new))[0].changes[0].settings
    assert changed == {"search": ("lexical", "dense"), "model": (None, "minilm")}


def test_another_baseline_or_pick_is_a_change_though_all_scores_are_equal():
    about = {"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10", "margin": 0.02}
    runs = (run("a", SPREAD), run("b", SPREAD))
    told = [
        report(*runs, benchmark=about | {"baseline": name}, recommendations={"pick": {"run": name}})
        for name in "ab"
    ]
    (found,) = since(*told)
    assert found.criteria == {"baseline": ("a", "b"), "pick": ("a", "b")}
    assert not is_unchanged(found)
    assert is_unchanged(since(told[0], told[0])[0])
    older = report(*runs, benchmark={"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10"})
    assert is_unchanged(since(older, told[0])[0])  # which does not say by what it was decided


def test_budgets_errors_and_categories_are_guarded():
    broken = {"budget": 1, "value": 2, "broken": True, "exceeded": True, "state": "broken"}
    new = run("a", SPREAD, budgets={"latency_p95_ms": broken})
    told = _verdict(report(run("a", SPREAD)), report(new))
    assert "latency_p95_ms 2 exceeds the budget of 1" in told.reason  # a report without directions
    below = broken | {"budget": 0.6, "value": 0.5, "direction": "min"}
    low = run("a", SPREAD, budgets={"ndcg@10": below})
    told = _verdict(report(run("a", SPREAD)), report(low))
    assert (told.outcome, told.rule) == ("dont_ship", "budget")
    assert "ndcg@10 0.500 is below the minimum of 0.6" in told.reason
    failed = {f"q{at}": "boom" for at in range(5)}
    failing = _verdict(report(run("a", SPREAD)), report(run("a", SPREAD, failed=failed)))
    assert (failing.outcome, "more queries failed" in failing.reason) == ("dont_ship", True)
    moved = SPREAD.copy()
    moved[:10] -= 0.3
    moved[10:] += 0.3
    known = {f"q{at}": {"category": "x" if at < 10 else "y"} for at in range(40)}
    guarded = _verdict(report(run("a", SPREAD)), report(run("a", moved), queries=known))
    assert (guarded.outcome, "category x" in guarded.reason) == ("dont_ship", True)
    assert _verdict(report(run("a", SPREAD)), report(run("a", moved))).outcome == "ship"


def _verdict(before, after):
    return since(before, after)[0].changes[0].candidate.verdict


def test_collections_count_alike():
    known = {f"q{at}": {"collection": "big" if at < 30 else "small"} for at in range(40)}
    moved = SPREAD.copy()
    moved[30:] += 0.4
    (found,) = since(report(run("a", SPREAD)), report(run("a", moved), queries=known))
    assert found.changes[0].candidate.metrics["ndcg@10"].difference == pytest.approx(0.2)


def test_what_cannot_be_compared_is_said(snapshot):
    old = report(run("a", SPREAD))
    other = run("a", SPREAD)
    other = replace(other, per_query={f"x{key}": row for key, row in other.per_query.items()})
    judged = [{f"q{at}": {"judged": {"d": grade}} for at in range(40)} for grade in (1, 2)]
    names = {"name": "b", "metrics": ["ap"], "primary": "ap"}
    refused = [
        ((old, report(run("b", SPREAD))), {}),  # no run in common
        ((old, report(other)), {}),  # no query
        ([report(run("a", SPREAD), queries=known) for known in judged], {}),  # no judgment
        ((old, report(Run("a", "f", {}, status="failed"))), {}),  # nothing was scored
        ((old, report(run("a", SPREAD), benchmark=names)), {}),  # no metric
        ((old, old), {"primary": "ap"}),  # not this metric
    ]
    for pair, options in refused:
        with pytest.raises(InputError) as caught:
            since(*pair, **options)
        snapshot(caught.value)


def test_a_run_that_failed_now_is_told_beside_the_others():
    old = report(run("a", SPREAD), run("b", SPREAD))
    (found,) = since(old, report(run("a", SPREAD), Run("b", "f", {}, "failed", error="no disk")))
    assert [one.after.name for one in found.changes] == ["a"]
    (note,) = [text for text in found.notes if '"b"' in text]
    assert "no disk" in note


def test_agreement_is_known_where_the_first_documents_are():
    tops = {f"q{at}": ("d1", "d2") for at in range(40)}
    other = {f"q{at}": ("d1", "d3") for at in range(40)}
    old, new = run("a", SPREAD, rankings=tops), run("a", SPREAD, rankings=other)
    (found,) = since(report(old), report(new))
    assert found.changes[0].candidate.agreement == {"overlap@10": pytest.approx(1 / 3)}


LOWER = "rbp_residual(p=0.8)"


def alike(name, at):
    """Return a smaller run that scores the same on the whole; each spreads a little more."""
    noise = np.random.default_rng(at).normal(0, 1, 40)
    noise = (noise - noise.mean()) / noise.std() * (0.012 + 0.002 * at)
    return run(name, SPREAD + noise, size=500)


def test_that_too_much_is_lost_is_corrected_for_every_pair():
    frugal = {"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10", "ship_if": "noninferior"}
    names = [f"r{at}" for at in range(8)]
    old, new = [run(name, SPREAD) for name in names], [alike(n, at) for at, n in enumerate(names)]
    margin = 0.0075 / float(SPREAD.mean())
    alone = [
        _outcomes(since(report(a), report(b, benchmark=frugal), margin=margin))[0]
        for a, b in zip(old, new, strict=True)
    ]
    found = since(report(*old), report(*new, benchmark=frugal), margin=margin)
    p = [
        stats.ttest_1samp(s - SPREAD, -0.0075, alternative="greater").pvalue for s in map(_of, new)
    ]
    shown = holm(np.array(p)) < 0.05
    assert [one == "ship" for one in _outcomes(found)] == shown.tolist()
    assert alone.count("ship") > shown.sum()  # each by itself is held to less
    half = since(
        report(*old),
        *(report(*some, benchmark=frugal) for some in (new[:4], new[4:])),
        margin=margin,
    )
    assert _outcomes(half) == _outcomes(found)


def _of(one):
    return np.array([row["ndcg@10"] for row in one.per_query.values()])


def _outcomes(found):
    return [one.candidate.verdict.outcome for each in found for one in each.changes]


def test_a_name_is_worth_more_than_an_alias():
    old = report(run("a", SPREAD), run("b", SPREAD))
    new = report(run("x", SPREAD, aliases=("b", "a")), run("b", SPREAD), run("a", SPREAD))
    pairs = [(one.before.name, one.after.name) for one in since(old, new)[0].changes]
    assert pairs == [("a", "a"), ("b", "b")]
    (picked,) = changes_since(ReportSide("o", old, "b"), [ReportSide("n", new, "b")])
    assert picked.changes[0].after.name == "b"


def scored(name, **scores):
    rows = {f"q{at}": dict.fromkeys(scores, float(s)) for at, s in enumerate(SPREAD)}
    return replace(run(name, SPREAD), per_query=rows, scores=scores, judged_at_10=1.0)


def measured_by(*metrics, **options):
    told = {"name": "b", "metrics": [*metrics], "primary": metrics[0]}
    return report(scored("a", **dict.fromkeys(metrics, 0.2)), benchmark=told, **options)


def test_the_metric_that_decides_instead_is_told_and_never_one_of_which_less_is_better(snapshot):
    (found,) = since(measured_by("mrr", LOWER, "ap"), measured_by("ndcg@10", LOWER, "ap"))
    assert found.primary == "ap"
    assert [text for text in found.notes if "ndcg@10" in text]
    snapshot(found.notes)
    (asked,) = since(measured_by("mrr", "ap"), measured_by("ndcg@10", "ap"), primary="ap")
    assert not [text for text in asked.notes if "ndcg@10" in text]
    with pytest.raises(InputError) as caught:
        since(measured_by("mrr", LOWER), measured_by("ndcg@10", LOWER))
    snapshot(caught.value)


def test_what_is_unjudged_is_asked_at_the_depth_of_the_metric():
    def unbounded(metric, *, before=1.0, after=1.0, queries=(), tops=(), **shares):
        sides = [
            replace(
                scored(
                    "a", **{metric: 0.2}, **{k.replace("_at_", "@"): v for k, v in shares.items()}
                ),
                judged_at_10=share,
                rankings=dict(tops),
            )
            for share in (before, after)
        ]
        told = {"name": "b", "metrics": [metric], "primary": metric}
        (found,) = since(*(report(one, benchmark=told, queries=dict(queries)) for one in sides))
        told = any(metric in note and "judged" in note for note in found.notes)
        return found.changes[0].candidate.metrics[metric].unbounded, told

    assert unbounded("ndcg@10") == (False, False)
    assert unbounded("ndcg@5") == (False, False)
    assert unbounded("ndcg@10", after=0.9) == (True, False)
    assert unbounded("ndcg@20", before=0.9) == (True, False)
    assert unbounded("ndcg@20") == unbounded("ap") == (True, True)  # judged@10 does not see so far
    assert unbounded("ndcg@5", before=0.9) == (True, True)
    assert unbounded("ndcg@10", before=None) == (True, True)
    assert unbounded("ndcg@20", judged_at_20=1.0) == (False, False)
    assert unbounded("ndcg@20", judged=1.0) == (False, False)
    keys = [f"q{at}" for at in range(40)]
    known = {key: {"judged": {"d1": 1}} for key in keys}
    tops = {key: ("d1", "d2") for key in keys}
    assert unbounded("ndcg@1", before=0.5, queries=known, tops=tops) == (False, False)
    assert unbounded("ndcg@2", before=0.5, queries=known, tops=tops) == (True, False)


def test_another_number_of_judgments_is_another_judgment():
    told = [{f"q{at}": {"judged": {"d": 1}, "judgments": n} for at in range(40)} for n in (1, 2)]
    told[1]["q7"]["judgments"] = 1
    (found,) = since(*(report(run("a", SPREAD), queries=one) for one in told))
    assert (found.queries, len(found.rejudged)) == (1, 39)
    del told[0]["q3"]["judgments"]  # as reports were before
    assert since(*(report(run("a", SPREAD), queries=one) for one in told))[0].queries == 2


def test_the_queries_that_would_show_the_gain_are_counted():
    base = [0.5] * 10
    verdict = _verdict(report(run("a", base)), report(run("a", [1.0, 0.9, 0.4, *base[3:]])))
    assert verdict.outcome == "needs_queries"
    assert "+0.08" in verdict.change
    assert f" {verdict.queries_needed} more" in verdict.change


def test_a_gain_that_the_correction_hides_says_so():
    base, some = [0.5] * 20, [*[0.9] * 6, *[0.5] * 14]
    before = report(run("a", base), run("b", base), run("c", base))
    after = report(run("a", some), run("b", base), run("c", base))
    assert "3 candidates" in _verdict(before, after).reason
    same = [replace(run(name, base), rankings={"q0": ("d",)}) for name in ("b", "c")]
    known = _verdict(report(run("a", base), *same), report(run("a", some), *same))
    assert known.outcome == "ship"  # what answers the same is one run, and no candidate


def test_what_a_race_stopped_is_not_compared_but_corrected_for(snapshot):
    rng = np.random.default_rng(1)
    better = SPREAD + rng.normal(0.05, 0.1, 40)
    old = report(run("a", SPREAD), run("b", SPREAD))
    (full,) = since(old, report(run("a", better), run("b", SPREAD[::-1])))
    beaten = run("b", SPREAD[:20], status="beaten")
    (raced,) = since(old, report(run("a", better), beaten))
    assert [one.candidate.run for one in raced.changes] == ["a"]
    assert raced.queries == 40  # those that the beaten run was not asked are compared, too
    one, other = (each.changes[0].candidate.metrics["ndcg@10"] for each in (full, raced))
    assert other.p_corrected == pytest.approx(min(1, 2 * other.p))
    assert other.p_corrected >= one.p_corrected
    assert other.smallest_detectable == one.smallest_detectable
    snapshot(raced.notes)


def test_what_failed_has_a_verdict_and_is_corrected_for():
    better = SPREAD + np.random.default_rng(1).normal(0.05, 0.1, 40)
    both = report(run("a", SPREAD), run("b", SPREAD))
    failed = replace(run("b", SPREAD, status="failed"), scores={}, per_query={}, error="no disk")
    later = report(run("a", better), failed)
    (found,) = since(both, later)
    one = found.changes[0].candidate.metrics["ndcg@10"]
    assert one.p_corrected == pytest.approx(min(1, 2 * one.p))  # as in a benchmark
    assert {run: verdict.rule for run, verdict in found.uncompared.items()} == {"b": "failed"}
    assert "no disk" in found.verdicts["b"].reason
    (back,) = since(later, both)
    assert back.verdicts["b"].rule == "no_baseline"
    (never,) = since(later, later)
    assert never.verdicts["b"].rule == "no_baseline"  # as in a benchmark: the baseline failed
    beaten = run("b", SPREAD[:20], status="beaten")
    assert since(both, report(run("a", better), beaten))[0].verdicts["b"].rule == "raced"


def judged_report(name, order, *, judged, **options):
    """Report a run that answers each query with the same documents, scored by their judgments."""
    keys = [f"q{at}" for at in range(40)]
    worth = [judged.get(document, 0) for document in order]
    reciprocal = next((1 / rank for rank, grade in enumerate(worth, 1) if grade > 0), 0.0)
    told = {"name": "b", "metrics": ["mrr@10"], "primary": "mrr@10", **options}
    one = Run(
        name,
        name,
        {"search": "lexical"},
        "completed",
        scores={"mrr@10": reciprocal},
        per_query={key: {"mrr@10": reciprocal} for key in keys},
        rankings={key: tuple(order) for key in keys},
    )
    queries = {key: {"judged": dict(judged), "judgments": len(judged)} for key in keys}
    return report(one, benchmark=told, queries=queries, dataset={"scale": 1})


def test_unjudged_documents_that_turn_the_sign_hold_a_difference_of_reports():
    judged = {"a": 1, "b": 0}
    old = judged_report("r", ["b", "a"], judged=judged)
    sure = judged_report("r", ["a", "b"], judged=judged)
    (found,) = since(old, sure)
    one = found.changes[0].candidate
    assert one.verdict.rule == "better"
    assert one.metrics["mrr@10"].holes == pytest.approx((0.5, 0.5))
    unjudged = judged_report("r", ["x", "a"], judged=judged)  # x may be better than all
    (found,) = since(sure, unjudged)
    one = found.changes[0].candidate
    assert one.metrics["mrr@10"].holes == pytest.approx((-0.5, 0.0))
    assert one.verdict.rule == "judge"
    assert {some.document for some in found.judge_next} == {"x"}
    zero = judged_report("r", ["x", "a"], judged=judged, unjudged="zero")
    assert since(sure, zero)[0].changes[0].candidate.verdict.rule == "worse"
    other = replace(unjudged.runs[0], per_query={f"q{at}": {"mrr@10": 0.3} for at in range(40)})
    (found,) = since(sure, replace(unjudged, runs=(other,)))  # scored in another way: not known
    assert found.changes[0].candidate.metrics["mrr@10"].holes is None


def test_a_smaller_index_counts_on_any_machine():
    frugal = {"name": "b", "metrics": ["ndcg@10"], "primary": "ndcg@10", "ship_if": "noninferior"}
    nearly = SPREAD + np.where(np.arange(40) % 2, 1e-4, -1e-4)
    old = report(run("a", SPREAD, size=1000))
    smaller = run("a", nearly, size=500, p95=10.0)
    elsewhere = MACHINE | {"python": "3.13"}
    for machine in (MACHINE, elsewhere):
        found = _verdict(old, report(smaller, benchmark=frugal, environment=machine))
        assert found.rule == "noninferior", found


def test_copies_of_a_report_are_one_candidate():
    rng = np.random.default_rng(3)
    tops = {f"q{at}": ("d",) for at in range(40)}
    old = report(replace(run("a", SPREAD), rankings=tops))
    ranked = {f"q{at}": ("e",) for at in range(40)}
    new = report(replace(run("a", SPREAD + rng.normal(0.02, 0.1, 40)), rankings=ranked))
    (alone,) = since(old, new)
    copies = since(old, *[new] * 15)
    figures = [one.changes[0].candidate.metrics["ndcg@10"] for one in (alone, *copies)]
    assert len({one.p_corrected for one in figures}) == 1


def test_a_gain_is_corrected_for_the_choice_of_the_best():
    rng = np.random.default_rng(5)
    names = [f"r{at}" for at in range(8)]
    old = report(*(run(name, SPREAD) for name in names))
    new = report(*(run(name, SPREAD + rng.normal(0, 0.2, 40)) for name in names))
    (found,) = since(old, new)
    best = max(found.changes, key=lambda one: one.candidate.metrics["ndcg@10"].difference)
    assert best.candidate.metrics["ndcg@10"].difference > 0.02
    assert best.candidate.verdict.rule == "no_gain"
    assert "winner's-curse" in best.candidate.verdict.reason
