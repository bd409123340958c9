"""What to do next is said with its command, the most useful first; nothing where all is well."""

from dataclasses import replace

import pytest

from assay.records import (
    Candidate,
    Comparison,
    Comparisons,
    Interval,
    Report,
    Run,
    ToJudge,
    Verdict,
)
from assay.records.command import asked_as
from assay.reports.analysis.next_steps import next_steps

METRIC = "ndcg@10"
SHIP = Verdict("ship", "Why.")
NEEDS = Verdict("needs_queries", "Why.", 10_392, "", 60)
HOLD = Verdict("hold", "Why.")


def candidate(name, verdict, gain=0.1, p=0.2):
    ends = Interval(gain - 0.2, gain + 0.2)
    figures = (50, 0.5, 0.5 + gain, ends, ends, gain, ends, p, p, 1.0, 30, 10, 10, 0.3)
    return Candidate(name, {METRIC: Comparison(METRIC, *figures)}, verdict, {}, ())


NEXT = (ToJudge("q", "d", 0.1),)


def report(*candidates, judged=1.0, best_set=("words",), settings=(), open_=NEXT, **options):
    runs = tuple(Run(name, name, {}, latency_ms={"p50": 2.0}) for name in ("words", "both", "deep"))
    compared = Comparisons(
        *("words", METRIC, 50, candidates, open_, best_set, "both", 0.1, 0.05, ()), dict(settings)
    )
    about = {"name": "b", "primary": METRIC, "metrics": [METRIC], "alpha": 0.05}
    made = Report(about, {}, {}, {}, runs, comparisons=compared, truth={"judged@10": judged})
    return replace(made, **options)


def asked_with(made, file, **options):
    return replace(made, benchmark={**made.benchmark, "command": asked_as(file, **options)})


def test_where_all_is_well_there_is_nothing_to_do():
    assert next_steps(report(candidate("both", SHIP))) == []
    assert next_steps(Report({"name": "b", "primary": METRIC}, {}, {}, {}, ())) == []


def test_the_best_that_is_not_shown_is_told_with_the_queries_that_would_show_it(snapshot):
    told = report(candidate("both", NEEDS, 0.05), candidate("deep", replace(NEEDS), 0.16))
    (said,) = next_steps(asked_with(told, "my.yaml"))
    snapshot(said)
    assert '"both"' not in said
    for fact in ("60", '"deep"', '"words"', "+0.160 ndcg@10", "`assay run my.yaml`"):
        assert fact in said


def test_the_number_for_the_margin_is_never_told():
    unseen = replace(NEEDS, queries_to_show=None)
    assert next_steps(report(candidate("both", unseen))) == []
    assert not any("10,392" in one for one in next_steps(report(candidate("both", NEEDS))))


def test_a_gain_that_is_shown_already_leaves_smaller_ones_alone():
    assert next_steps(report(candidate("both", SHIP, 0.2), candidate("deep", NEEDS, 0.1))) == []
    assert next_steps(report(candidate("both", SHIP, 0.1), candidate("deep", NEEDS, 0.2)))


def test_results_that_nobody_judged_are_to_be_judged(snapshot):
    (said,) = next_steps(asked_with(report(candidate("both", SHIP), judged=0.139), "a.yaml"))
    snapshot(said)
    assert "86%" in said
    assert "`assay judge a.yaml`" in said


def test_a_gain_that_hangs_on_judgments_asks_for_them(snapshot):
    (said,) = next_steps(report(candidate("both", HOLD, p=0.001)))
    snapshot(said)
    assert '"both"' in said
    assert "`assay judge FILE`" in said
    assert next_steps(report(candidate("both", HOLD, p=0.2))) == []


def test_a_gain_that_hangs_on_judgments_may_be_decided_without_them():
    held = report(candidate("both", Verdict("hold", "Why.", rule="judge"), p=0.001), judged=0.1)
    (said,) = next_steps(asked_with(held, "a.yaml"))
    assert "`assay judge a.yaml`" in said
    assert "`assay run a.yaml --unjudged zero`" in said
    assert "90%" in said


def test_what_counts_as_not_relevant_need_not_be_judged():
    made = report(candidate("both", SHIP), judged=0.1)
    assert len(next_steps(made)) == 1
    assert next_steps(replace(made, benchmark={**made.benchmark, "unjudged": "zero"})) == []
    assert next_steps(report(candidate("both", SHIP), judged=0.1, open_=())) == []
    sure = candidate("both", SHIP)
    sure = replace(sure, metrics={METRIC: replace(sure.metrics[METRIC], holes=(0.01, 0.6))})
    assert next_steps(report(sure, judged=0.1)) == []  # no grades could reverse it


def test_a_reference_that_is_not_found_is_named_with_what_it_may_mean(snapshot):
    lost = {"query": "q1", "reference": 'path "phising.md"', "reason": "not_found"}
    truth = {"judged@10": 1.0, "total": 9, "resolved": 8, "unresolved": [
        lost | {"candidates": ["phishing.md"]}]}  # fmt: skip
    made = report(candidate("both", SHIP))
    (one,) = next_steps(replace(made, truth=truth))
    assert 'path "phising.md" of query "q1"' in one
    assert 'did you mean "phishing.md"?' in one
    several = lost | {"reason": "ambiguous", "candidates": ["a/x.md", "b/x.md"]}
    (two,) = next_steps(replace(made, truth=truth | {"resolved": 5, "unresolved": [several]}))
    assert "4 references are unresolved" in two
    snapshot([one, two])


@pytest.mark.parametrize("several", [False, True])
def test_a_file_that_could_not_be_read_is_not_called_absent(several):
    lost = {"query": "q1", "reference": 'path "scan.pdf"', "reason": "not_found", "candidates": []}
    truth = {"judged@10": 1.0, "total": 9, "resolved": 8, "unresolved": [lost]}
    corpus = {"unread": {"other scan.pdf": "damaged", "scan.pdf": "scanned"}}
    corpus = {"collections": {"one": {}, "two": corpus}} if several else corpus
    (one,) = next_steps(replace(report(candidate("both", SHIP)), truth=truth, corpus=corpus))
    assert one.endswith("is a file that could not be read (scanned, without text)")


def test_too_few_queries_are_asked_for(snapshot):
    few = report(candidate("both", Verdict("hold", "Why.", rule="too_few")), judged=1.0)
    few = replace(few, comparisons=replace(few.comparisons, queries=7))
    (said,) = next_steps(few)
    assert "add 3 or more" in said
    (open_,) = next_steps(report(candidate("both", Verdict("hold", "Why.", rule="no_gain"))))
    assert "0.300" in open_  # which these queries could detect
    snapshot([said, open_])


def test_where_no_gain_could_be_detected_harder_queries_are_asked_for(snapshot):
    made = candidate("both", Verdict("hold", "Why.", rule="no_gain"))
    high = {METRIC: replace(made.metrics[METRIC], baseline=0.8)}
    (said,) = next_steps(report(replace(made, metrics=high)))
    assert "harder" in said
    snapshot(said)


def test_queries_that_nothing_is_relevant_to_are_counted(snapshot):
    made = replace(report(candidate("both", SHIP)), dataset={"queries": 50})
    truth = {"judged@10": 1.0, "without_relevant": 23}
    (said,) = next_steps(replace(made, truth=truth))
    assert said.startswith("23 of 50 queries")
    snapshot(said)
    assert next_steps(replace(made, truth=truth | {"without_relevant": 2})) == []


def test_settings_that_change_nothing_at_all_need_one_value(snapshot):
    none = {"from": 200, "to": 20, "difference": 0.0, "ci": [0.0, 0.0]}
    depth = {"parameter": "depth", "effects": [none]}
    some = {"parameter": "size", "effects": [none, none | {"difference": 0.001}]}
    wide = {"parameter": "model", "effects": [none | {"ci": [-0.1, 0.1]}]}
    made = report(candidate("both", SHIP), analysis={"main_effects": [depth, some, wide]})
    (one,) = next_steps(made)
    assert "depth (200, 20)" in one
    assert not any(name in one for name in ("size", "model"))
    raced = report(candidate("both", SHIP), analysis={"main_effects": [depth | {"stopped": [50]}]})
    assert next_steps(raced) == []
    two = [depth, depth | {"parameter": "size"}]
    (both,) = next_steps(report(candidate("both", SHIP), analysis={"main_effects": two}))
    assert both.index("depth (200, 20)") < both.index("size (200, 20)")
    snapshot([one, both])


def test_a_busy_machine_is_to_be_quiet(snapshot):
    slow = {"cores_busy": 0.22, "busy_machine": True}
    found = {"load": {"runs": {"words": slow, "both": {"cores_busy": 1.0}}}}
    (said,) = next_steps(asked_with(report(candidate("both", SHIP), analysis=found), "a.yaml"))
    snapshot(said)
    for fact in ('of "words" were', "22%", "`assay run a.yaml`"):
        assert fact in said


def test_budgets_of_time_want_times(snapshot):
    made = report(candidate("both", SHIP))
    about = {**made.benchmark, "budgets": {"latency_p95_ms": 50, "index_bytes": 9}}
    made = replace(made, benchmark=about)
    assert next_steps(made) == []
    (said,) = next_steps(replace(made, runs=tuple(Run(r.name, "", {}) for r in made.runs)))
    snapshot(said)
    assert "latency_p95_ms" in said
    assert "index_bytes" not in said
    assert "`assay run" in said


def test_what_failed_comes_first_and_four_are_enough(snapshot):
    made = report(candidate("both", NEEDS), judged=0.1, id="0123456789")
    first = replace(made.runs[0], failed={"q": "timeout"})
    slow = {"load": {"runs": {"words": {"cores_busy": 0.22, "busy_machine": True}}}}
    slow["leaked"] = {"queries": 2, "changes_winner": True}
    said = next_steps(replace(made, runs=(first, *made.runs[1:]), analysis=slow))
    snapshot(said)
    assert len(said) == 4
    assert '"words"' in said[0]
    assert "timeout" in said[0]
    assert "--retry-failed" in said[0]
    assert "2 queries" in said[1]  # the leaked ones
    assert all("`assay " in one for one in said)


def test_a_run_that_came_to_nothing_has_no_queries_that_count(snapshot):
    made = report(candidate("both", SHIP))
    gone = replace(made.runs[0], status="failed", scores={})
    (said,) = next_steps(replace(made, runs=(gone, *made.runs[1:])))
    snapshot(said)
    assert '"words"' in said
    assert "--retry-failed" in said


def test_what_was_stopped_can_go_on(snapshot):
    (said,) = next_steps(report(candidate("both", SHIP), status="cancelled"))
    snapshot(said)
    assert "`assay run FILE --resume`" in said


def test_a_race_that_cannot_tell_survivors_apart_says_how_to_go_on(snapshot):
    race = {"beaten": [{"run": "deep"}]}
    made = report(candidate("both", SHIP), best_set=("words", "both"), race=race)
    (said,) = next_steps(made)
    snapshot(said)
    for fact in ("2 runs", "50 queries", "`assay run FILE --race`"):
        assert fact in said
    assert next_steps(replace(made, race={})) == []


def test_grades_that_took_the_place_of_the_dataset_are_not_dropped_by_what_is_next():
    told = report(candidate("both", NEEDS), judged=0.2)
    graded = asked_as("b.yaml", dataset="judged.json") | {"grades": True}
    judge, more = next_steps(replace(told, benchmark={**told.benchmark, "command": graded}))
    assert "`assay judge b.yaml -o judged.json`" in judge
    assert "`assay run b.yaml --dataset judged.json`" in more
    assert more.count("judged.json") == 2  # where to add queries, and what to run


def test_a_report_of_a_diff_has_no_scores_to_speak_of():
    runs = (Run("old", "1", {}), Run("new", "2", {}, failed={"q1": "down"}))
    found = Report({"name": "b", "scored": False}, {}, {}, {}, runs, id="0123456789ab")
    told, failed = next_steps(found)
    assert "`assay diff 01234567`" in told
    assert failed.startswith("1 query failed: `assay show 01234567")
    assert "assay run" not in failed
