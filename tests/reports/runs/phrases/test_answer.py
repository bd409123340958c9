"""What to ship comes first: with figures, a reason, and what the runner-up costs."""

from dataclasses import replace

import pytest

from assay.records import Candidate, Comparison, Comparisons, Interval, Verdict
from assay.reports.runs.phrases.answer import answer
from assay.reports.runs.phrases.answer_lines import answer_lines
from assay.reports.runs.phrases.doubts import doubts, open_verdicts
from assay.reports.runs.tables.brief import brief

METRIC = "ndcg@10"
SHIP = Verdict("ship", "Significantly better.", rule="better")
NEEDS = Verdict("needs_queries", "Not significant.", queries_needed=40, rule="needs_queries")
HOLD = Verdict("hold", "No gain.", rule="no_gain")
PICK = {
    "run": "c",
    "by": METRIC,
    "reason": "highest ndcg@10 of 3 eligible runs",
    "sure": True,
    "runner_up": {"run": "b", "difference": -0.1, "ci": [-0.2, 0.0]},
    "uncertainty": {"runner_up": "b", "told_apart": False},
}
KEEP = {"run": "a", "by": METRIC, "reason": "highest ndcg@10 of 3 eligible runs", "sure": True}


def candidate(name, gain, verdict):
    found = Comparison(
        metric=METRIC,
        queries=30,
        baseline=0.5,
        candidate=0.5 + gain,
        baseline_interval=Interval(0.4, 0.6),
        candidate_interval=Interval(0.4, 0.6),
        difference=gain,
        interval=Interval(gain - 0.05, gain + 0.05),
        p=0.001,
        p_corrected=0.002,
        standardised=0.5,
        wins=20,
        ties=5,
        losses=5,
        smallest_detectable=0.0612,
    )
    return Candidate(name, {METRIC: found}, verdict, {}, ())


@pytest.fixture
def decided(report, make_run):
    """Return what makes a report of the baseline a, and b and c with their verdicts."""

    def made(b, c, *, pick, gains=(0.1, 0.2), **recommended):
        scores = (0.5, 0.5 + gains[0], 0.5 + gains[1])
        runs = [make_run(name, score, 1.0) for name, score in zip("abc", scores, strict=True)]
        for run, p95, size in zip(runs, (1.0, 8.0, 9.5), (1000, 5000, 10000), strict=True):
            run.latency_ms.update(p95=p95)
            run.storage.update(bytes_per_document=size)
        best = max("bc", key=lambda name: gains["bc".index(name)])
        comparisons = Comparisons(
            "a",
            METRIC,
            30,
            (candidate("b", gains[0], b), candidate("c", gains[1], c)),
            (),
            ("b", "c"),
            best,
            max(gains),
            0.15,
            (),
        )
        winner = {"best": best, "best_set": ["b", "c"], "corrected_gain": 0.15}
        if max(gains) <= 0:
            winner |= {"best": "a", "sentence": "No candidate improves it."}
        found = {"pick": pick, "pick_within_budgets": None} | recommended
        return report(
            runs=tuple(runs), comparisons=comparisons, recommendations=found, winner=winner
        )

    return made


def test_queries_that_the_baseline_failed_are_the_first_doubt(decided):
    found = decided(NEEDS, SHIP, pick=PICK)
    assert not any("failed" in line for line in doubts(found))
    scores = {"a": (0, 0, 0.5), "b": (1, 1, 1), "c": (0.9, 0.9, 0.6)}
    rows = {
        name: {key: {METRIC: value} for key, value in zip("xyz", some, strict=True)}
        for name, some in scores.items()
    }
    lost = {"a": {"x": "timed out", "y": "timed out"}}
    runs = [
        replace(run, per_query=rows[run.name], failed=lost.get(run.name, {})) for run in found.runs
    ]
    first, *_ = doubts(replace(found, runs=tuple(runs)))
    assert first == (
        "2 of 3 queries of a failed and count as 0. "
        "On 1 query that both answered, c has +0.100 ndcg@10."
    )


def test_a_run_that_ships_is_named_with_its_gain_reason_and_runner_up(decided, snapshot):
    found = decided(NEEDS, SHIP, pick=PICK)
    told = answer(found)
    assert (told.status, told.run, told.outcome) == ("SHIP", "c", "ship")
    assert (told.score, told.gain, told.baseline) == ("0.700", "+0.200", "a")
    assert told.interval == "95% CI +0.150 to +0.250"
    assert told.evidence == "p = 0.002, 30 queries"
    second = told.runner_up
    assert (second.run, second.score, second.change) == ("b", "0.600", "-0.100")
    assert second.costs == (("p95", "8.0 ms", "-1.5 ms"), ("index", "5.0 KB/doc", "-50%"))
    snapshot([*answer_lines(found), *doubts(found), *open_verdicts(found, most=5)])


def test_whether_the_runner_up_differs_is_said_only_where_it_is_known(decided):
    for known, said in ((False, "not significant"), (True, "significant"), (None, "")):
        pick = PICK | {"uncertainty": {"runner_up": "b", "told_apart": known}}
        assert answer(decided(NEEDS, SHIP, pick=pick)).runner_up.significance == said
    other = PICK | {"uncertainty": {"runner_up": "a", "told_apart": True}}
    assert answer(decided(NEEDS, SHIP, pick=other)).runner_up.significance == ""


def test_a_baseline_that_nothing_beats_is_kept(decided, snapshot):
    found = decided(HOLD, HOLD, pick=KEEP, gains=(-0.1, -0.2))
    told = answer(found)
    assert (told.status, told.run, told.gain) == ("KEEP", "a", "")
    snapshot([*answer_lines(found), *doubts(found)])


def test_a_leader_that_is_not_proven_names_what_to_ship_meanwhile(decided, snapshot):
    pick = PICK | {"sure": False, "meanwhile": "a"}
    found = decided(HOLD, NEEDS, pick=pick)
    assert answer(found).status == "LEADING"
    first = answer_lines(found)[0]
    assert first.index("c,") < first.index('"a"')
    alone = decided(HOLD, NEEDS, pick=pick | {"meanwhile": "c"})
    assert '"' not in answer_lines(alone)[0]
    snapshot([first, answer_lines(alone)[0]])


def test_a_leader_says_what_it_lacks(decided):
    reason = "Significantly better, but grading the unjudged documents could reverse this: +0.2."
    held = Verdict("hold", reason, rule="judge")
    why = answer_lines(decided(HOLD, held, pick=PICK | {"sure": False, "meanwhile": "a"}))[1]
    assert why.endswith(
        " Not proven: significantly better, but grading the unjudged documents could reverse this."
    )


def test_the_expected_gain_is_that_of_the_run_to_ship(decided):
    within = KEEP | {"run": "b", "reason": "highest of 2"}
    other = doubts(decided(SHIP, SHIP, pick=PICK, pick_within_budgets=within))
    assert not [line for line in other if "Expected gain" in line]
    assert [line for line in doubts(decided(NEEDS, SHIP, pick=PICK)) if "Expected gain" in line]


def test_runs_as_good_as_the_best_say_what_they_save(decided):
    found = decided(NEEDS, SHIP, pick=PICK | {"runner_up": None})
    (line,) = [line for line in doubts(found) if "Not significantly different" in line]
    assert "b (p95 -1.5 ms, KB/doc -50%)" in line
    (line,) = [line for line in doubts(decided(NEEDS, SHIP, pick=PICK)) if "Not signif" in line]
    assert line.endswith(": b.")  # the line of the runner-up has it


def test_a_single_run_that_exceeds_a_budget_says_so(report):
    pick = {"run": "alone", "sure": False, "reason": "only run, but it is over a budget"}
    told = answer_lines(report("alone", recommendations={"pick": pick}))
    assert "is over a budget" in told[1]
    sure = {"run": "alone", "sure": True, "reason": "only run"}
    assert "budget" not in answer_lines(report("alone", recommendations={"pick": sure}))[1]


def test_times_of_a_busy_machine_are_not_subtracted(decided):
    found = decided(NEEDS, SHIP, pick=PICK)
    found.runs[2].latency_ms.update(busy=True)
    assert answer(found).runner_up.costs[0] == ("p95", "8.0 ms", "not compared")


def test_without_a_pick_the_reason_is_the_answer(decided, report, snapshot):
    nothing = {"run": None, "reason": "only 7 queries; a pick needs at least 10"}
    found = decided(HOLD, HOLD, pick=nothing)
    assert answer(found).status == "NO PICK"
    assert "7 queries" in answer_lines(found)[0]
    one = report("alone")
    assert (answer(one).status, answer(one).run) == ("MEASURED", "alone")
    failed = replace(one, runs=(replace(one.runs[0], status="failed"),))
    snapshot([*answer_lines(found), *answer_lines(one), *answer_lines(failed)])


def test_a_pick_within_the_budgets_comes_first_and_the_other_is_a_doubt(decided, snapshot):
    within = KEEP | {"run": "b", "reason": "highest of 2 (2 runs keep all budgets)"}
    found = decided(SHIP, SHIP, pick=PICK, pick_within_budgets=within)
    assert (answer(found).run, answer(found).scope) == ("b", "within the budgets")
    assert [line for line in doubts(found) if ", ship c:" in line]
    same = decided(SHIP, SHIP, pick=PICK, pick_within_budgets=PICK)
    assert not [line for line in doubts(same) if "ship c" in line]
    open_ = PICK | {"sure": False, "meanwhile": "b"}
    unproven = doubts(decided(SHIP, NEEDS, pick=open_, pick_within_budgets=within))
    assert not [line for line in unproven if "ship c" in line]
    assert [line for line in unproven if "c leads, not yet proven" in line]
    none = decided(SHIP, SHIP, pick=PICK, pick_within_budgets={"run": None, "reason": "x"})
    assert answer(none).run == "c"
    snapshot([*answer_lines(found), *doubts(found)])


def test_what_a_race_leaves_is_picked(report):
    found = report("a", "b", recommendations={"pick": {"run": "a", "reason": "highest"}})
    runs = (found.runs[0], replace(found.runs[1], status="beaten"))
    raced = replace(found, runs=runs, race={"beaten": [{"run": "b", "after": 1}]})
    assert (answer(raced).run, answer(raced).reason) == ("a", "Highest.")


def test_only_verdicts_that_the_table_does_not_explain_are_explained(decided):
    found = decided(NEEDS, SHIP, pick=PICK)
    (told,) = open_verdicts(found, most=5)
    assert told.startswith("b: ")
    assert open_verdicts(found, most=0) == []


def test_the_table_marks_the_pick_and_fits_the_screen(decided):
    found = decided(NEEDS, SHIP, pick=PICK)
    whole = brief(found)
    assert whole.titles == (
        "run", METRIC, "vs a", "95% CI", "recall@5", "p95 ms", "KB/doc", "verdict"
    )  # fmt: skip
    assert [whole.texts[row, 7] for row in range(3)] == [
        "baseline", "NEEDS 40 MORE QUERIES", "SHIP  <- pick"
    ]  # fmt: skip
    assert whole.texts[0, 2] == whole.texts[0, 3] == ""
    dropped = [[*{*whole.titles} - {*brief(found, width=w).titles}] for w in (80, 72, 60)]
    assert dropped[0] == ["recall@5"]
    assert sorted(dropped[1]) == ["95% CI", "recall@5"]
    assert METRIC in brief(found, width=20).titles
    assert "verdict" in brief(found, width=20).titles


def test_of_many_runs_the_best_the_baseline_and_the_pick_are_shown(report):
    names = [f"r{at}" for at in range(50)]
    found = report(*names, recommendations={"pick": {"run": "r3", "reason": "cheap"}})
    table = brief(found, most=20)
    shown = [str(row[0]) for row in table.rows]
    assert len(shown) == 20
    assert "r3" in shown
    assert "r49" in shown
    assert shown == sorted(shown, key=names.index)
    assert "20 of 50" in table.caption
    assert len(brief(found).rows) == 50


@pytest.mark.parametrize(
    ("interval", "p", "said"),
    [
        (Interval(-0.02, 0.3), 0.002, "includes 0 although p is below 0.05"),
        (Interval(0.01, 0.3), 0.06, "excludes 0 although p is not below 0.05"),
        (Interval(0.01, 0.3), 0.002, None),
        (Interval(-0.02, 0.3), 0.06, None),
    ],
)
def test_which_decides_is_said_only_where_p_and_interval_disagree(decided, interval, p, said):
    found = decided(SHIP, SHIP, pick=PICK)
    compared = found.comparisons
    figures = replace(compared.candidates[0].metrics[METRIC], interval=interval, p=p, p_corrected=p)
    first = replace(compared.candidates[0], metrics={METRIC: figures})
    both = replace(compared, candidates=(first, compared.candidates[1]))
    told = [line for line in doubts(replace(found, comparisons=both)) if "(sign flips)" in line]
    assert len(told) == (said is not None)
    assert said is None or f"CI of b {said}" in told[0]


def test_verdicts_without_weights_are_named_for_three_runs(decided):
    """A phone has no room for all; each verdict of `assay show` says it."""
    found = decided(SHIP, SHIP, pick=PICK)
    some = [candidate(f"run-{at}", 0.1, SHIP) for at in range(5)]
    others = tuple(replace(one, unweighted=replace(one, verdict=HOLD)) for one in some)
    about = {"queries": 30, "weights": {"effective_queries": 9.5, "heaviest_share": 0.25}}
    compared = replace(found.comparisons, candidates=(*found.comparisons.candidates, *others))
    (told,) = [
        line
        for line in doubts(replace(found, comparisons=compared, dataset=about))
        if line.startswith("Weighted by traffic")
    ]
    assert told.count("HOLD") == 3
    assert told.endswith("and 2 more.")
